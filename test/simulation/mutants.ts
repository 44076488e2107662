/** A defect to be planted: text that stands once in a file, and what takes its place. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** False: a guard that others back up; the simulation must find nothing, which shows that the others hold alone. */
  readonly isDefect: boolean;
}

const defect = (name: string, file: string, from: string, to: string): Mutant => ({ name, edits: [{ file, from, to }], isDefect: true });

const QUEUE = 'src/ledger/stream-queue.ts';
const ACCOUNT = 'src/accounts/account.decider.ts';
const RUN = 'src/settlements/settlement-run.ts';
const POSTINGS = 'src/ledger/postings.ts';
const PAYOUT_HANDLERS = 'src/payouts/payout.handlers.ts';
const REGISTRY = 'src/payouts/payout-registry.ts';
const OUTCOMES = 'src/payouts/payout-outcomes.ts';
const WORKER = 'src/payouts/payout.worker.ts';
const CHARGE = 'src/charges/charge.decider.ts';
const LISTED = 'src/accounts/listed-line.ts';
const CREATION = 'src/ledger/create-record.ts';

/** Endings of late are a second guard behind the second look: the look must hold without it, and without either all is lost. */
const WITHOUT_ENDINGS = {
  file: ACCOUNT,
  from: "  if (endingOf(state.finished, payout_id)) return refuse('payout-ended', 'The payout has ended.');\n",
  to: '',
};
const WITHOUT_SECOND_LOOK = [
  {
    file: QUEUE,
    from: '      fresh = true;\n      commands = await this.#lookAgain(this.#patient(commands, CHANGED));\n',
    to: '      fresh = true;\n',
  },
  { file: QUEUE, from: '        if (base.newest?.id !== known.newest?.id) commands = await this.#lookAgain(commands);\n', to: '' },
];

/** Every posting of the table, one turned round at a time. */
const POSTINGS_OF_THE_TABLE = [
  "move('processor', 'pending', event.data.net_amount)",
  "move('processor', 'fees', event.data.fee_amount)",
  "move('pending', 'processor', event.data.net_amount)",
  "move('fees', 'processor', event.data.fee_amount)",
  "move('returns', 'processor', event.data.amount)",
  "move('available', 'reserved', event.data.amount)",
  "move('reserved', 'available', event.data.amount)",
  "move('reserved', 'bank', event.data.net_amount)",
  "move('reserved', 'fees', event.data.fee_amount)",
  "move('bank', 'returns', event.data.net_amount)",
  "move('pending', 'available', line.net_amount)",
  "move('available', 'returns', line.net_amount)",
  "move('fees', 'returns', line.fee_amount)",
  "move('returns', 'available', line.net_amount)",
  "move('fees', 'available', line.fee_amount)",
];

function turnedRound(posting: string): Mutant {
  const to = posting.replace(/move\('(\w+)', '(\w+)'/, "move('$2', '$1'");
  return defect(`a posting turned round: ${to}`, POSTINGS, posting, to);
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
    'src/ledger/fold-stream.ts',
    '    if (isFirst && page[0]!.id !== last.id) return foldStream(store, stream, decider, undefined, onPage);\n',
    '',
  ),
  defect('what an append rests on is not passed on', QUEUE, 'this.stream, expected, events, restsOn);', 'this.stream, expected, events);'),
  defect('PayoutRegistered outlives PayoutRequested', REGISTRY, 'request.fingerprint, [requested]);', 'request.fingerprint);'),
  defect('PayoutSubmitted outlives PayoutRegistered', OUTCOMES, 'command, context, restsOn: [found.place] });', 'command, context });'),
  {
    name: 'an ending may rest on nothing: it follows PayoutSubmitted, which rests on PayoutRegistered',
    edits: [{ file: OUTCOMES, from: 'command, context, restsOn: [place] });', to: 'command, context });' }],
    isDefect: false,
  },
  defect('SettlementOpened outlives FundsSettled of the one before', RUN, '      settled ? [settled] : [],\n', ''),
  defect('a claim outlives SettlementOpened', RUN, 'listedIn(opened, line), [newest], context', 'listedIn(opened, line), [], context'),
  defect('SettlementClosed outlives its claims', RUN, '[open.newest, ...claims.filter((claim) => claim !== undefined)]', '[open.newest]'),
  defect(
    'SettlementClosed outlives the SettlementOpened that was worked on',
    RUN,
    '[open.newest, ...claims.filter((claim) => claim !== undefined)]',
    'claims.filter((claim) => claim !== undefined)',
  ),
  defect('FundsSettled outlives SettlementClosed', RUN, 'command, context, restsOn: [newest] });', 'command, context });'),
  defect(
    'payouts are looked for behind the last one found, although the store went back',
    WORKER,
    '    if (timesWentBack !== this.#timesWentBack) this.#forget();\n',
    '',
  ),

  // --- creations -------------------------------------------------------------------------------------------------------
  defect(
    'a record is created whatever its stream holds',
    CREATION,
    'const result = await store.append(stream, behind, events, restsOn);',
    "const there = await store.read(stream);\n    const result = await store.append(stream, there.at(-1) ?? 'no-stream', events, restsOn);",
  ),
  defect(
    'a settlement line that was refused before there was its record is taken for the record',
    CREATION,
    'if (first?.type !== BEFORE) return { first, behind };',
    'if (first?.type !== BEFORE || behind === "no-stream") return { first, behind };',
  ),

  // --- wrong clocks ----------------------------------------------------------------------------------------------------
  {
    name: 'a decision is never earlier than the newest fact of its stream',
    edits: [
      {
        file: 'src/ledger/fold-stream.ts',
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
    "the time of booking rises over all merchants' facts",
    'projections/books/journal.ts',
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
      { file: QUEUE, from: 'let commands = await this.#lookAgain(this.#patient(batch, CHANGED));', to: 'let commands = [...batch];' },
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
    'return await this.services.store.append(this.stream, expected, events, restsOn);',
    'const there = await this.services.store.read(this.stream); return await this.services.store.append(this.stream, there.length === 0 ? expected : there.length - 1, events, restsOn);',
  ),
  defect('an unknown outcome is answered as nothing recorded', QUEUE, 'throw new OutcomeUnknown(`it could', 'throw new StoreUnavailable(`it could'),
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
    'if (open) return this.register(await this.requestAt(account, payoutId, open.requested_at), outcome.newest!, context);',
    'if (open) return { registered: await this.requestAt(account, payoutId, open.requested_at), position: 0n, place: outcome.newest! };',
  ),
  defect(
    'the bank is called whatever the account says',
    OUTCOMES,
    "return outcome.kind === 'decided' ? found.registered : undefined;",
    'return found.registered;',
  ),
  {
    name: 'a hand-over that was refused is remembered as one',
    edits: [
      {
        file: WORKER,
        from: '    const registered = await payouts.submit(payout, payout_id, context);\n',
        to: "    const registered = mayHaveEnded ? (await payouts['registry'].find(payout_id))?.registered : await payouts.submit(payout, payout_id, context);\n",
      },
    ],
    isDefect: true,
  },
  defect(
    'a return is recorded without PayoutSucceeded',
    OUTCOMES,
    "if (!ending) return { kind: 'not-yet', detail: 'The payout has not succeeded.' };\n    if (ending.status !== 'SUCCEEDED') return this.#contradicted(registered, ending.status, outcome.newest!, verdict, context);\n    const succeeded_on = ending.finished_on;",
    'const succeeded_on = registered.created_on;',
  ),
  defect(
    'a payout is cancelled although the bank has it',
    ACCOUNT,
    "  if (payout.status === 'PROCESSING') return refuse('payout-processing', 'The payout has been handed to the bank.');\n",
    '',
  ),

  // --- settlements -----------------------------------------------------------------------------------------------------
  defect(
    'a settlement line dropped by the clock',
    RUN,
    '    const outcome = await this.#decideClaim(',
    "    const [, paid] = line.kind === 'charge' ? await this.store.read(chargeStream(line.record_id)) : [];\n    if (paid && Date.parse((paid.data as { settlement_date: string }).settlement_date) > this.clock()) return false;\n    const outcome = await this.#decideClaim(",
  ),
  defect(
    'an empty settlement is not passed on',
    RUN,
    '    const position = await this.#settle(account, closed, context, signal);\n',
    '    if (closed.lines.length === 0) return undefined;\n    const position = await this.#settle(account, closed, context, signal);\n',
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
    'src/settlements/settlement.worker.ts',
    '    await this.#settle(await this.reader.findOpen(), signal);\n',
    '',
  ),
  defect(
    'an error drops the line',
    RUN,
    '(line) => this.#claim(open, line, context));',
    '(line) => this.#claim(open, line, context).catch(() => undefined));',
  ),
  defect('a line that is claimed elsewhere is kept', CHARGE, "new Set<ChargeRefusal>(['charge-claimed-elsewhere', ", 'new Set<ChargeRefusal>(['),
  defect(
    'a line that somebody has refused is waited for',
    CHARGE,
    "'charge-reversed-before-claim', 'line-refused']);",
    "'charge-reversed-before-claim']);",
  ),
  defect(
    'a refused line is claimed all the same',
    LISTED,
    "  if (isRefused(refused, listed)) return { refusal: 'line-refused', detail: 'Somebody has refused the line for this settlement.' };\n",
    '',
  ),
  defect('a line is refused whatever has become of it', LISTED, 'if (waits === undefined)', 'if (waits === reason)'),
  defect(
    'a line is claimed whatever amounts it is listed with',
    LISTED,
    'return listedText === known ? undefined',
    'return listedText !== null && known !== null ? undefined',
  ),
  defect(
    'a claimed charge is claimed again',
    CHARGE,
    "  if (state.claimed_in !== null) return refuse('charge-claimed-elsewhere', `The charge is in settlement ${state.claimed_in}.`);\n",
    '',
  ),
  defect(
    'ChargeReversed does not say where the charge was claimed',
    CHARGE,
    'claimed_in: state.claimed_in, reversed_on: now',
    'claimed_in: null, reversed_on: now',
  ),

  // --- postings --------------------------------------------------------------------------------------------------------
  defect(
    'ChargeReversed moves pending although claimed',
    POSTINGS,
    'return event.data.claimed_in === null\n',
    'return event.data.charge_id !== null\n',
  ),
  ...POSTINGS_OF_THE_TABLE.map(turnedRound),
];
