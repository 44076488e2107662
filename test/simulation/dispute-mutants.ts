import { defect, defectFor, type Mutant } from './mutant.js';

const POSTINGS = 'src/ledger/postings.ts';
const DECIDER = 'src/domain/charges/disputes/charge-disputes.ts';
const STATE = 'src/domain/charges/disputes/dispute-state.ts';
const CHARGE_STATE = 'src/domain/charges/charge-state.ts';
const REFUNDS = 'src/domain/charges/refunds/charge-refunds.ts';
const WORKER = 'src/domain/charges/disputes/dispute.worker.ts';
const SPEC = 'test/decide/dispute.spec.ts';
const WORKER_SPEC = 'test/unit/domain/dispute-worker.spec.ts';

/** The rules for deciding, following and booking disputes, each left out or reversed. */
export const DISPUTE_MUTANTS: readonly Mutant[] = [
  // --- how a dispute begins, and comes back ----------------------------------------------------------------------------
  defectFor(
    SPEC,
    'a charge that was not paid is disputed',
    DECIDER,
    "  if (state.status !== 'SUCCEEDED') return refuse('charge-not-paid', `The charge is ${state.status}.`);\n",
    '',
  ),
  defect('a dispute is opened again by a repeat', DECIDER, '  if (before && !comesBack(before, claim.stage)) return NOTHING_TO_DO;\n', ''),
  defect('what comes back while it is open was not won before', DECIDER, 'before && holdsMoney(before) ?', 'before && before.holds < 0 ?'),
  defect('refunds go on waiting though the charge is charged back', DECIDER, "stage === 'INQUIRY' ? [] : cancelPending(state, now)", '[]'),
  defect(
    'refunds that the processor has are cancelled, too',
    DECIDER,
    ".filter(({ status }) => status === 'PENDING')",
    ".filter(({ status }) => status !== 'FAILED')",
  ),
  defect('an inquiry holds money', DECIDER, "stage === 'INQUIRY' ? 0 : Math.min(amount, leftOf(released))", 'Math.min(amount, leftOf(released))'),
  defect('more is held than is left', DECIDER, 'Math.min(amount, leftOf(released))', 'amount'),
  defect('what is left is held, however little is in dispute', DECIDER, 'Math.min(amount, leftOf(released))', 'leftOf(released)'),
  defect('a dispute holds what a reversal has taken', DECIDER, 'return state.reversed ? 0 : state.created.amount', 'return state.created.amount'),
  defect('what exceeds the charge is not told', DECIDER, 'amount - held, reason_code', '0, reason_code'),
  defect('a dispute comes back at the stage where it is', DECIDER, 'orderOf(later) <= orderOf(before)', 'orderOf(later) < orderOf(before)'),
  defect('a dispute comes back at a stage that was won past the one that was lost', DECIDER, '[stage, ...wonAt].some(', '[stage].some('),
  defect('a dispute that was won for good comes back', DECIDER, "!(status === 'WON' && isFinal)", 'true'),
  defect('a dispute that was lost comes back', DECIDER, "return status === 'LOST' ? stage === 'INQUIRY' : ", 'return '),
  defectFor(SPEC, 'an inquiry that was lost is the end of it', DECIDER, "'LOST' ? stage === 'INQUIRY' :", "'LOST' ? false :"),

  // --- how it ends -----------------------------------------------------------------------------------------------------
  defect('what was won is won again by a repeat', DECIDER, 'isRepeated || orderOf', 'orderOf'),
  defect('a late win of an earlier stage wins this one', DECIDER, 'isRepeated || orderOf(stage) < orderOf(dispute.stage)', 'isRepeated'),
  defectFor(
    SPEC,
    'a stage is won before it has begun',
    DECIDER,
    "  if (orderOf(stage) > orderOf(dispute.stage) && dispute.status !== 'LOST') return notYetAt(dispute, stage);\n",
    '',
  ),
  defect('what was lost is lost again by a repeat', DECIDER, "dispute.status === 'LOST' || dispute.wonAt", 'dispute.wonAt'),
  defectFor(SPEC, 'a stage that was won is lost', DECIDER, ' || dispute.wonAt.has(stage) ||', ' ||'),
  defect(
    'a late loss of an earlier stage loses this one',
    DECIDER,
    'dispute.wonAt.has(stage) || orderOf(stage) < orderOf(dispute.stage)',
    'dispute.wonAt.has(stage)',
  ),
  defectFor(
    SPEC,
    'what was won after it was lost is lost by a repeat',
    DECIDER,
    "  if (dispute.status === 'WON' && stage === dispute.stage) return NOTHING_TO_DO;\n",
    '',
  ),
  defectFor(
    SPEC,
    'a stage is lost before it has begun',
    DECIDER,
    '  if (orderOf(stage) > orderOf(dispute.stage)) return notYetAt(dispute, stage);\n',
    '',
  ),
  defect('a dispute is accepted whatever has become of it', DECIDER, "      if (status !== 'ACTION_REQUIRED') return notAnswerable(dispute);\n", ''),
  defectFor(
    SPEC,
    'a dispute that was accepted cannot be accepted again',
    DECIDER,
    "      if (status === 'LOST' && dispute.lostReason === 'ACCEPTED') return NOTHING_TO_DO;\n",
    '',
  ),
  defect(
    'a dispute that was answered lapses',
    DECIDER,
    "status !== 'ACTION_REQUIRED' || milliseconds(now) < milliseconds(dispute.due_by)",
    'milliseconds(now) < milliseconds(dispute.due_by)',
  ),
  defectFor(
    SPEC,
    'a dispute lapses before it is due',
    DECIDER,
    "status !== 'ACTION_REQUIRED' || milliseconds(now) < milliseconds(dispute.due_by)",
    "status !== 'ACTION_REQUIRED'",
  ),
  defect('a dispute costs its fee each time it is lost', DECIDER, "hasBeenLost || stage === 'INQUIRY' ?", "stage === 'INQUIRY' ?"),
  defect('an inquiry costs the fee of a dispute', DECIDER, "hasBeenLost || stage === 'INQUIRY' ?", 'hasBeenLost ?'),

  // --- holds, and the destination of the money --------------------------------------------------------------------------
  defect(
    'what a refund has failed to give back is not held for a dispute that lacks it',
    REFUNDS,
    'events: [failed, ...heldOfFreed(evolveCharge(state, failed) as ExistingCharge, data.amount, now)]',
    'events: [failed]',
  ),
  defectFor(
    SPEC,
    'the newest dispute takes what is free',
    DECIDER,
    'of state.disputes) {\n    const amount = Math.min(lacks',
    'of [...state.disputes].reverse()) {\n    const amount = Math.min(lacks',
  ),
  defectFor(SPEC, 'two disputes take the same money', DECIDER, '[evolved(after, [held]), left - amount]', '[evolved(after, [held]), left]'),
  defect('a hold always takes pending money', DECIDER, 'from: whereItReturns(state),', "from: 'PENDING',"),
  defect(
    'what is won always comes from the hold',
    DECIDER,
    "status === 'LOST' ? ('PROCESSOR' as const) : ('DISPUTED' as const)",
    "'DISPUTED' as const",
  ),
  defect('what is won is always pending again', DECIDER, 'to: whereItReturns(state),\n    won_on', "to: 'PENDING' as const,\n    won_on"),
  defect(
    'what disputes hold can go back again',
    CHARGE_STATE,
    '  for (const { held } of disputes.values()) {\n    amount += held.amount;\n',
    '  for (const { held } of disputes.values()) {\n    amount += 0 * held.amount;\n',
  ),
  defect('the fee of what disputes hold can go back again', CHARGE_STATE, '    fee_amount += held.fee_amount;\n', ''),
  defect('what is won is held for ever', STATE, 'held: NOTHING_HELD, isFinal', 'isFinal'),
  defect('a hold forgets those before it', STATE, 'held: sumOf(held, event.data)', 'held: sumOf(NOTHING_HELD, event.data)'),
  defect('holds of one dispute have one id', STATE, 'holds: holds + 1', 'holds'),
  defect('releases of one dispute have one id', STATE, 'releases: before.releases + 1', 'releases: before.releases'),
  defect('a settlement moves nothing for a dispute', STATE, '  if (net_amount === 0) return state;\n', ''),
  defect(
    'money that is in dispute is refunded',
    REFUNDS,
    "  if ([...state.disputes.values()].some(holdsMoney)) return refuse('charge-disputed', 'The charge has an open dispute.');\n",
    '',
  ),
  defectFor(SPEC, 'nothing is refunded during an inquiry', STATE, "!hasEnded(dispute) && dispute.stage !== 'INQUIRY'", '!hasEnded(dispute)'),

  // --- answers and deadlines -------------------------------------------------------------------------------------------
  defectFor(SPEC, 'a challenge is refused the second time', DECIDER, "  if (status === 'UNDER_REVIEW') return NOTHING_TO_DO;\n", ''),
  defectFor(
    SPEC,
    'what has ended is challenged',
    DECIDER,
    "  if (status !== 'INQUIRY' && status !== 'ACTION_REQUIRED') return notAnswerable(dispute);\n  if (milliseconds(now)",
    '  if (milliseconds(now)',
  ),
  defect(
    'a challenge comes too late',
    DECIDER,
    "  if (milliseconds(now) > milliseconds(due_by)) return refuse('dispute-overdue', `The deadline for an answer was ${due_by}.`);\n",
    '',
  ),
  defect(
    'a challenge comes without evidence',
    DECIDER,
    "  if (evidenceOf(dispute).length === 0) return refuse('evidence-missing', 'A challenge needs evidence. Add a file first.');\n",
    '',
  ),
  defect(
    'a challenge is taken twice',
    DECIDER,
    "status !== 'UNDER_REVIEW' || dispute.isSubmitted || command.stage",
    "status !== 'UNDER_REVIEW' || command.stage",
  ),
  defectFor(
    SPEC,
    'the challenge of an earlier stage is taken for that of this one',
    DECIDER,
    'dispute.isSubmitted || command.stage !== stage',
    'dispute.isSubmitted',
  ),
  defectFor(SPEC, 'what was decided is taken afterwards', DECIDER, "status !== 'UNDER_REVIEW' || dispute.isSubmitted ||", 'dispute.isSubmitted ||'),
  defect(
    'evidence is added to what has ended',
    DECIDER,
    "  if (dispute.status !== 'INQUIRY' && dispute.status !== 'ACTION_REQUIRED') return notAnswerable(dispute);\n",
    '',
  ),
  defect('the same evidence is added twice', DECIDER, '  if (withSameBytes(dispute, added)) return NOTHING_TO_DO;\n', ''),
  defect(
    'evidence is added once it was erased',
    DECIDER,
    "  if (there.length < dispute.evidence.size) return refuse('evidence-erased', 'The evidence of this dispute was erased. None can be added.');\n",
    '',
  ),
  defect('evidence that is not there is erased', DECIDER, '      if (evidenceOf(dispute).length === 0) return NOTHING_TO_DO;\n', ''),
  defectFor(SPEC, 'a dispute takes an eleventh file', DECIDER, 'there.length >= EVIDENCE_FILES_MAX || ', ''),
  defectFor(SPEC, 'a dispute takes any number of bytes', DECIDER, ' || bytes > EVIDENCE_BYTES_MAX', ''),
  defect(
    'a merchant is reminded of what it has answered',
    DECIDER,
    "  if (status !== 'INQUIRY' && status !== 'ACTION_REQUIRED') return false;\n",
    '',
  ),
  defect('a merchant is reminded twice', DECIDER, ' && !reminders.includes(secondsBefore)', ''),
  defectFor(SPEC, 'a merchant is reminded of what was due at once', DECIDER, ' && remindMs >= milliseconds(since)', ''),
  defectFor(SPEC, 'a merchant is reminded of what is overdue', DECIDER, ' && nowMs < dueMs', ''),
  defectFor(SPEC, 'a merchant is reminded too early', DECIDER, 'remindMs <= nowMs && ', ''),
  defectFor(
    SPEC,
    'a reminder of one stage stands for those of the next',
    STATE,
    'isSubmitted: false, reminders: [] };\n      return',
    'isSubmitted: false };\n      return',
  ),
  defect('nobody watches the deadlines', WORKER, '    await this.#each(await this.options.findDue(PAGE_SIZE), (row) => this.#due(row));\n', ''),
  defect('what is due is only reminded of', WORKER, 'if (seconds_before !== null)', 'if (seconds_before !== -1)'),
  defect('challenges stay here', WORKER, '      await this.#each(open, (row) => this.#handOver(row));\n', ''),
  defect('a challenge that the processor thinks about is handed over once', WORKER, "if (answer.status === 'TAKEN') await", 'await'),
  defectFor(
    WORKER_SPEC,
    'what the list calls a challenge is handed over',
    WORKER,
    "dispute?.status !== 'UNDER_REVIEW' || dispute.isSubmitted",
    '!dispute',
  ),

  defectFor(
    WORKER_SPEC,
    'a file that is missing is left out',
    'src/domain/charges/disputes/dispute.worker.ts',
    'return files.map((',
    'return files.filter(({ evidence_id }) => names.has(evidence_id)).map((',
  ),

  // --- postings --------------------------------------------------------------------------------------------------------
  defect(
    'a posting turned round: what is held',
    POSTINGS,
    "move(event.data.from === 'PENDING' ? 'pending' : 'returns', 'disputed', event.data.net_amount)",
    "move('disputed', event.data.from === 'PENDING' ? 'pending' : 'returns', event.data.net_amount)",
  ),
  defect('a posting turned round: what is won of a hold', POSTINGS, "move('disputed', account, net_amount)", "move(account, 'disputed', net_amount)"),
  defect(
    'a posting turned round: what is won after it was lost',
    POSTINGS,
    "move('processor', account, net_amount)",
    "move(account, 'processor', net_amount)",
  ),
  defect(
    'a hold takes pending money whatever it says',
    POSTINGS,
    "move(event.data.from === 'PENDING' ? 'pending' : 'returns', 'disputed'",
    "move('pending', 'disputed'",
  ),
  defect(
    'what is won is pending whatever it says',
    POSTINGS,
    "const account = to === 'PENDING' ? 'pending' : 'returns';",
    "const account = 'pending';",
  ),
];
