import { DISPUTE_MUTANTS } from './dispute-mutants.js';
import { defect, defectFor, type Mutant } from './mutant.js';

const QUEUE = 'src/ledger/streams/stream-queue.ts';
const ACCOUNT = 'src/domain/accounts/account.decider.ts';
const RESERVED = 'src/domain/accounts/reservations.ts';
const RUN = 'src/domain/settlements/settlement-run.ts';
const POSTINGS = 'src/ledger/postings.ts';
const PAYOUT_HANDLERS = 'src/domain/payouts/payout.handlers.ts';
const REGISTRY = 'src/domain/payouts/payout-registry.ts';
const OUTCOMES = 'src/domain/payouts/payout-outcomes.ts';
const WORKER = 'src/domain/payouts/payout.worker.ts';
const RECORDS = 'src/platform/worker/open-record-poller.ts';
const CHARGE = 'src/domain/charges/charge.decider.ts';
const LINES = 'src/domain/charges/charge-lines.ts';
const REFUNDS = 'src/domain/charges/refunds/charge-refunds.ts';
const CHARGE_STATE = 'src/domain/charges/charge-state.ts';
const RESERVATIONS = 'src/domain/charges/refunds/refund-reservations.ts';
const REFUND_WORKER = 'src/domain/charges/refunds/refund.worker.ts';
const LISTED = 'src/domain/accounts/listed-line.ts';
const CREATION = 'src/ledger/streams/create-record.ts';

/** Endings of late are a second guard behind the second look: the look must hold without it, and without either all is lost. */
const WITHOUT_ENDINGS = {
  file: ACCOUNT,
  from: "  if (endingOf(state.finished, payout_id)) return refuse('payout-ended', 'The payout has ended.');\n",
  to: '',
};
const WITHOUT_SECOND_LOOK = [
  {
    file: QUEUE,
    from: '      commands = await this.#findRecords(this.#patient(commands, CHANGED), ({ id }) => concerned.has(id));\n',
    to: '',
  },
];

/** Every posting of the table, reversed one at a time; the text before it distinguishes it from an equal one. */
const POSTINGS_OF_THE_TABLE: readonly (readonly [before: string, posting: string])[] = [
  ['', "move('processor', 'pending', event.data.net_amount)"],
  ["'pending', event.data.net_amount), ", "move('processor', 'fees', event.data.fee_amount)"],
  ['', "move('pending', 'processor', event.data.net_amount)"],
  ["move('pending', 'processor', event.data.net_amount), ", "move('fees', 'processor', event.data.fee_amount)"],
  ['', "move('returns', 'processor', event.data.amount)"],
  ['', "move('pending', 'refunding', event.data.net_amount)"],
  ['', "move('available', 'refunding', event.data.net_amount)"],
  ['', "move('refunding', 'available', event.data.net_amount)"],
  ['', "move('refunding', 'processor', event.data.net_amount)"],
  ["move('refunding', 'processor', event.data.net_amount), ", "move('fees', 'processor', event.data.fee_amount)"],
  ['', "move('refunding', 'pending', net_amount)"],
  ['', "move('refunding', 'returns', net_amount)"],
  ['', "move('refunding', 'processor', net_amount)"],
  ['', "move('fees', 'processor', fee_amount)"],
  ["'returns', event.data.net_amount),\n          ", "move('processor', 'fees', event.data.fee_amount)"],
  ['', "move('available', 'reserved', event.data.amount)"],
  ['', "move('reserved', 'available', event.data.amount)"],
  ['', "move('reserved', 'bank', event.data.net_amount)"],
  ['', "move('reserved', 'fees', event.data.fee_amount)"],
  ['', "move('bank', 'returns', event.data.net_amount)"],
  ['', "move('pending', 'available', line.net_amount)"],
  ["case 'reversal':\n      return [", "move('available', 'returns', line.net_amount)"],
  ['', "move('fees', 'returns', line.fee_amount)"],
  ["case 'return':\n      return [", "move('returns', 'available', line.net_amount)"],
  ['', "move('fees', 'available', line.fee_amount)"],
  ["case 'dispute-release':\n      return [", "move('returns', 'available', line.net_amount)"],
  ["case 'dispute-hold':\n      return [", "move('available', 'returns', line.net_amount)"],
  ['', "move('available', 'fees', line.net_amount)"],
  ['', "move('disputed', 'processor', event.data.net_amount)"],
  ["move('disputed', 'processor', event.data.net_amount), ", "move('fees', 'processor', event.data.fee_amount)"],
  ['account, net_amount), ', "move('processor', 'fees', fee_amount)"],
];

function turnedRound([before, posting]: readonly [string, string]): Mutant {
  const to = posting.replace(/move\('(\w+)', '(\w+)'/, "move('$2', '$1'");
  return defect(`a posting turned round: ${to}${before === '' ? '' : `, behind ${before.trim()}`}`, POSTINGS, before + posting, before + to);
}

export const MUTANTS: readonly Mutant[] = [
  // --- a store that goes back ------------------------------------------------------------------------------------------
  defect(
    'an append compares the revision alone',
    QUEUE,
    "const expected = base.newest ?? 'no-stream';",
    "const expected = base.newest?.revision ?? 'no-stream';",
  ),
  defect(
    'what was folded is added to without a look at its newest event',
    'src/ledger/streams/fold-stream.ts',
    '    if (isFirst && page[0]!.id !== last.id) return foldStream(store, stream, decider, undefined, onPage);\n',
    '',
  ),
  defect('what an append rests on is not passed on', QUEUE, 'this.stream, expected, events, dependsOn);', 'this.stream, expected, events);'),
  defect('PayoutRegistered outlives PayoutRequested', REGISTRY, '{ ...context, now, dependsOn: [requested] }', '{ ...context, now }'),
  defect('PayoutSubmitted outlives PayoutRegistered', OUTCOMES, 'command, context, dependsOn: [found.place] });', 'command, context });'),
  {
    name: 'an ending may rest on nothing: it follows PayoutSubmitted, which rests on PayoutRegistered',
    edits: [{ file: OUTCOMES, from: 'command, context, dependsOn: [place, ...dependsOn] });', to: 'command, context, dependsOn });' }],
    isDefect: false,
  },
  defect('SettlementOpened outlives FundsSettled of the one before', RUN, '      dependsOn: settled ? [settled] : [],\n', ''),
  defect('a claim outlives SettlementOpened', RUN, '{ ...context, dependsOn: [newest] });\n    if', '{ ...context });\n    if'),
  defect('SettlementClosed outlives its claims', RUN, '[open.newest, ...claims.map(({ place }) => place)]', '[open.newest]'),
  defect(
    'SettlementClosed outlives the SettlementOpened that was worked on',
    RUN,
    '[open.newest, ...claims.map(({ place }) => place)]',
    'claims.map(({ place }) => place)',
  ),
  defect('FundsSettled outlives SettlementClosed', RUN, 'command, context, dependsOn: [newest] });', 'command, context });'),
  defect(
    'payouts are looked for behind the last one found, although the store went back',
    RECORDS,
    '    if (restoreCount !== this.#restoreCount) this.#forget();\n',
    '',
  ),

  // --- creations -------------------------------------------------------------------------------------------------------
  defect(
    'a record is created whatever its stream holds',
    CREATION,
    'const result = await store.append(stream, behind, events, dependsOn);',
    "const there = await store.read(stream);\n    const result = await store.append(stream, there.at(-1) ?? 'no-stream', events, dependsOn);",
  ),
  defect(
    'a settlement line that was refused before there was its record is taken for the record',
    CREATION,
    'if (first?.type !== BEFORE) return { first, behind };',
    'if (first?.type !== BEFORE || behind === "no-stream") return { first, behind };',
  ),

  // --- wrong clocks ----------------------------------------------------------------------------------------------------
  {
    name: 'a decision is never earlier than the newest event of its stream',
    edits: [
      {
        file: 'src/ledger/streams/fold-stream.ts',
        from: 'export function newestOf({ stream, id, revision, position }: RecordedEvent): NewestEvent {\n  return { stream, id, revision, position };',
        to: 'export function newestOf({ stream, id, revision, position, metadata }: RecordedEvent): NewestEvent {\n  return { stream, id, revision, position, occurred_on: metadata.occurred_on } as NewestEvent;',
      },
      {
        file: QUEUE,
        from: 'const now = timestamp(this.services.clock());',
        to: "const now = timestamp(Math.max(this.services.clock(), Date.parse((base.newest as { occurred_on?: string } | null)?.occurred_on ?? '') || 0));",
      },
    ],
    isDefect: true,
  },
  {
    name: 'a process whose clock is ahead decides',
    edits: [
      {
        file: 'src/platform/event-store/guarded-event-store.ts',
        from: '    const checked = this.guard.check();\n    if (checked) await checked;\n    for (const { metadata } of events) this.guard.refuseFuture(metadata.occurred_on);\n',
        to: '',
      },
    ],
    isDefect: true,
  },
  defect(
    "the time of booking rises over all merchants' events",
    'projections/balances/journal.ts',
    'const booked_on = bookedAfter(merchant, occurred_on);',
    'const booked_on = bookedAfter(platform, occurred_on);',
  ),

  // --- payouts ---------------------------------------------------------------------------------------------------------
  { name: 'without the endings of late, nothing is wrong: the second look holds alone', edits: [WITHOUT_ENDINGS], isDefect: false },
  { name: "no second look at payout-<id> after the batch's base changed", edits: [...WITHOUT_SECOND_LOOK, WITHOUT_ENDINGS], isDefect: true },
  {
    name: 'no look at payout-<id> once the base is fixed',
    edits: [
      ...WITHOUT_SECOND_LOOK,
      { file: QUEUE, from: 'let commands = await this.#findRecords(this.#patient(batch, CHANGED));', to: 'let commands = [...batch];' },
      WITHOUT_ENDINGS,
    ],
    isDefect: true,
  },
  defect('a refusal from the cached state', QUEUE, 'let fresh = this.#loaded === undefined;', 'let fresh = true;'),
  defect(
    'a refusal answered before the append that it rests on',
    QUEUE,
    "        if (decision === undefined || 'refusal' in decision) {\n",
    "        if (decision !== undefined && 'refusal' in decision && events.length > 0) {\n          waiting.resolve({ kind: 'refused', ...decision, state });\n          continue;\n        }\n        if (decision === undefined || 'refusal' in decision) {\n",
  ),
  defect('a batch decided on one base for all', QUEUE, '        state = after;\n', '        void after;\n'),
  defect('the open payout is not looked for', ACCOUNT, '  if (state.open.has(payout_id)) return NOTHING_TO_DO;\n  if (endingOf', '  if (endingOf'),
  defect('more than is available is reserved', ACCOUNT, 'if (BigInt(amount) > state.available) {', 'if (BigInt(amount) > state.available + 3n) {'),
  defect(
    'an append without an expected revision',
    QUEUE,
    'return await this.services.store.append(this.stream, expected, events, dependsOn);',
    'const there = await this.services.store.read(this.stream); return await this.services.store.append(this.stream, there.length === 0 ? expected : there.length - 1, events, dependsOn);',
  ),
  defect(
    'an unknown outcome is answered as nothing recorded',
    QUEUE,
    'throw new OutcomeUnknown(`the outcome',
    'throw new StoreUnavailable(`the outcome',
  ),
  defect(
    'a payout that is reserved but not registered is answered as nothing recorded',
    PAYOUT_HANDLERS,
    '      throw new OutcomeUnknown(`payout',
    '      throw new StoreUnavailable(`payout',
  ),
  defect(
    'PayoutRegistered takes the request at hand',
    REGISTRY,
    "{ kind: 'register', request }",
    "{ kind: 'register', request: { ...request, created_on: now } }",
  ),
  defect(
    'fingerprints are not compared on the path of the open payout',
    PAYOUT_HANDLERS,
    '        requireSameRequest(request.fingerprint, requestFingerprint);\n        return repeated(await this.register(request, outcome.newest!, context), requestFingerprint);',
    '        return { ...(await this.register(request, outcome.newest!, context)), replayed: true };',
  ),
  defect(
    'the rail does not register what it hands over',
    REGISTRY,
    'if (open) return this.register(await this.requestAt(account, payoutId, open.requested_at), newest!, context);',
    'if (open) return { registered: await this.requestAt(account, payoutId, open.requested_at), position: 0n, place: newest! };',
  ),
  defect(
    'the bank is called whatever the account says',
    OUTCOMES,
    'return isSubmitted ? { registered: found.registered, submitted: outcome.newest! } : undefined;',
    'return { registered: found.registered, submitted: outcome.newest! };',
  ),
  {
    name: 'a hand-over that was refused is remembered as one',
    edits: [
      {
        file: WORKER,
        from: 'return this.#simulate(payout, rail.simulated);',
        to: 'return this.#simulate({ ...payout, mayHaveEnded }, rail.simulated);',
      },
      {
        file: WORKER,
        from: '    const instructed = await payouts.submit(payout, payout_id, context);\n',
        to: "    const instructed = payout.mayHaveEnded ? await payouts['registry'].find(payout_id) : await payouts.submit(payout, payout_id, context);\n",
      },
    ],
    isDefect: true,
  },
  defect(
    'a return is recorded without PayoutSucceeded',
    OUTCOMES,
    "if (!ending) return { kind: 'not-yet', detail: 'The payout has not succeeded.' };\n    if (ending.status !== 'SUCCEEDED') return this.#contradicted(registered, ending.status, account.newest!, verdict, context);\n    const succeeded_on = ending.finished_on;",
    'const succeeded_on = registered.created_on;',
  ),
  defect(
    'a payout is cancelled although the bank has it',
    ACCOUNT,
    "  if (payout.status === 'PROCESSING') return refuse('payout-processing', 'The payout has been handed to the bank.');\n",
    '',
  ),

  // --- refunds ---------------------------------------------------------------------------------------------------------
  defect(
    'the charge claims what is reserved whatever it says now',
    REFUNDS,
    "existing ? 'refund-exists' : refusalOfReserved(state, reserved, now);",
    "existing ? 'refund-exists' : (refusalOfReserved(state, reserved, now), undefined);",
  ),
  defect(
    'a reservation is released though nothing says that it was declined',
    REFUNDS,
    "return { events: [{ type: 'ChargeRefundDeclined', data }] };",
    'return data.amount < 0 ? { events: [] } : NOTHING_TO_DO;',
  ),
  defect(
    'the account forgets a reservation before the charge has its claim',
    RESERVATIONS,
    'await this.forget(reserved, await this.decide(reserved, newest!, context), context);',
    'await this.forget(reserved, { claimed: reserved as never, position: 0n, place: newest! }, context);',
  ),
  defect('the charge is not read again once the revision of its account is fixed', RESERVATIONS, 'return read.claim;', 'return undefined;'),
  defect('the open reservation is not looked for', RESERVED, '  if (state.reservations.has(refund_id)) return NOTHING_TO_DO;\n', ''),
  defect(
    'more than is available is reserved for a refund',
    RESERVED,
    'if (BigInt(permitted.net_amount) > state.available) {',
    'if (BigInt(permitted.net_amount) > state.available + 3n) {',
  ),
  defect('a refund is claimed again', REFUNDS, '  if (state.refunds.has(order.refund_id)) return NOTHING_TO_DO;\n', ''),
  defect(
    'a claimed charge refuses before its account was looked at',
    REFUNDS,
    "  if (state.claim) return refuse('refund-needs-reservation', 'A settlement has claimed the charge.');\n  const amounts = permitRefund(state, order.amount, now, { isRefundable });\n  if ('refusal' in amounts) return amounts;\n",
    "  const amounts = permitRefund(state, order.amount, now, { isRefundable });\n  if ('refusal' in amounts) return amounts;\n  if (state.claim) return refuse('refund-needs-reservation', 'A settlement has claimed the charge.');\n",
  ),
  defect('more goes back than is left', REFUNDS, 'if (refunded > left) return', 'if (refunded > left + 2) return'),
  defect(
    'the processor is asked before the hand-over is recorded',
    REFUND_WORKER,
    "const submitted = await this.#decide(charge_id, (now) => ({ kind: 'submit-refund', refund_id, now }));",
    'const { loaded } = await this.options.reservations.readCharge(charge_id, refund_id);\n    const submitted: Submitted = { state: loaded.state as ExistingCharge, loaded, isNew: false };',
  ),
  defect(
    'no answer of the processor is taken for a no',
    REFUND_WORKER,
    'return processor.refund(instructionOf(state, refund), this.options.clock());',
    "return processor.refund(instructionOf(state, refund), this.options.clock()).catch(() => ({ status: 'REJECTED' as const, reason: 'none' }));",
  ),
  defect(
    'a refund is cancelled although the processor has it',
    REFUNDS,
    "      if (refund.status !== 'PENDING') return refuse('refund-not-pending', `The refund is ${refund.status}.`);\n",
    '',
  ),
  defect(
    'money that comes back is pending whatever has become of its charge',
    CHARGE_STATE,
    "return claim === null && reversed === null ? 'PENDING' : 'RETURNS';",
    "return claim === null || reversed === null ? 'PENDING' : 'RETURNS';",
  ),
  defect(
    'what comes back of a refund is claimed again',
    LINES,
    "  if (claim.settlement_number !== null) return refuse('charge-claimed-elsewhere', `The ${kind} is in settlement ${claim.settlement_number}.`);\n",
    '',
  ),
  defect('a reversal takes the whole charge', CHARGE, '= restOf(state);', '= state.created;'),
  defect(
    'a settlement takes the whole charge',
    LINES,
    'const { net_amount, fee_amount } = restOf(state);',
    'const { net_amount, fee_amount } = state.created;',
  ),
  defect(
    'a reservation outlives what its charge said',
    RESERVATIONS,
    '          dependsOn.splice(0, dependsOn.length, ...(read.loaded.newest ? [read.loaded.newest] : []));\n',
    '',
  ),
  defect('a refund outlives its reservation', RESERVATIONS, '{ ...context, dependsOn: [place], known }', '{ ...context, known }'),
  defect(
    'a reservation is forgotten for a decision that the store has lost',
    RESERVATIONS,
    '{ command, context, dependsOn: [place] }',
    '{ command, context }',
  ),
  defectFor(
    'test/decide/money.spec.ts',
    'the fee that goes back has no upper bound',
    'src/ledger/money.ts',
    'Math.min(Math.max(Number(total) - gone.fee_amount, min), max)',
    'Math.max(Number(total) - gone.fee_amount, min)',
  ),
  defectFor(
    'test/decide/money.spec.ts',
    'the fee that goes back has no lower bound',
    'src/ledger/money.ts',
    'Math.min(Math.max(Number(total) - gone.fee_amount, min), max)',
    'Math.min(Number(total) - gone.fee_amount, max)',
  ),

  defectFor(
    'test/decide/dispute.spec.ts',
    'a reservation is claimed with less of the fee than must go back',
    REFUNDS,
    'fee_amount < min || fee_amount > max',
    'fee_amount > max',
  ),
  defectFor(
    'test/decide/dispute.spec.ts',
    'a reservation is claimed with more of the fee than is left',
    REFUNDS,
    'fee_amount < min || fee_amount > max',
    'fee_amount < min',
  ),
  ...DISPUTE_MUTANTS,

  // --- settlements -----------------------------------------------------------------------------------------------------
  defect(
    'a settlement line dropped by the clock',
    RUN,
    '    const outcome = await this.#decideClaim(',
    "    const [, paid] = line.kind === 'charge' ? await this.store.read(`charge-${line.record_id}`) : [];\n    if (paid && Date.parse((paid.data as { settlement_date: string }).settlement_date) > this.clock()) return undefined;\n    const outcome = await this.#decideClaim(",
  ),
  defect(
    'an empty settlement is not passed on',
    RUN,
    '    const position = await this.#settle(account, closed, context, signal);\n',
    '    if (closed.closed.lines.length === 0) return undefined;\n    const position = await this.#settle(account, closed, context, signal);\n',
  ),
  defect(
    'the loser of the opening works on its own list',
    RUN,
    "return 'refusal' in outcome || outcome.state.status !== 'OPEN'\n",
    "const there = await readSettlement(this.store, account, number);\n    if (there) return { status: 'OPEN', opened: opening(new Date(this.clock()).toISOString()), newest: there.newest };\n    return 'refusal' in outcome || outcome.state.status !== 'OPEN'\n",
  ),
  defect('the account takes any number', ACCOUNT, '  if (settlement_number <= state.settlement_number) return NOTHING_TO_DO;\n', ''),
  defect(
    'only accounts with candidates are looked at',
    'src/domain/settlements/settlement.worker.ts',
    '    await this.#settle(await this.reader.findOpen(), signal);\n',
    '',
  ),
  defect(
    'an error drops the line',
    RUN,
    '(line) => this.#claim(open, line, context));',
    '(line) => this.#claim(open, line, context).catch(() => undefined));',
  ),
  defect('a line that is claimed elsewhere is kept', LINES, "new Set<ClaimRefusal>(['charge-claimed-elsewhere', ", 'new Set<ClaimRefusal>(['),
  defect(
    'a line that somebody has refused is waited for',
    LINES,
    "'charge-reversed-before-claim', 'line-refused']);",
    "'charge-reversed-before-claim']);",
  ),
  defect(
    'a refused line is claimed all the same',
    LISTED,
    "  if (isRefused(refused, listed)) return refuse('line-refused', 'An operator has refused the line for this settlement.');\n",
    '',
  ),
  defect('a line is refused whatever has become of it', LISTED, 'if (waits === undefined)', 'if (waits === reason)'),
  defect('a line is claimed whatever account it is listed for', LISTED, '!recorded || isOfAccount(listed, recorded)', 'true'),
  defect(
    'a settlement closes with the amounts of its list',
    RUN,
    '{ line: claimedLine(outcome.state, listed.line), place',
    '{ line: listed.line, place',
  ),
  defect(
    'a claimed charge is claimed again',
    LINES,
    "  if (state.claim) return refuse('charge-claimed-elsewhere', `The charge is in settlement ${state.claim.settlement_number}.`);\n",
    '',
  ),
  defect(
    'ChargeReversed does not say where the charge was claimed',
    CHARGE,
    'reason, claimed_in, reversed_on: now',
    'reason, claimed_in: null, reversed_on: now',
  ),

  // --- postings --------------------------------------------------------------------------------------------------------
  defect(
    'ChargeReversed moves pending although claimed',
    POSTINGS,
    'return event.data.claimed_in === null\n',
    'return event.data.charge_id !== null\n',
  ),
  ...POSTINGS_OF_THE_TABLE.map(turnedRound),
  defectFor(
    'test/laws/money.spec.ts',
    'a payment that no charge can take goes the wrong way',
    POSTINGS,
    "move('processor', 'suspense', event.data.amount)",
    "move('suspense', 'processor', event.data.amount)",
  ),
];
