import { defect, type Mutant } from './mutant.js';

const DECIDER = 'src/domain/payouts/transfer/transfer.decider.ts';
const TRANSFER = 'src/domain/payouts/transfer/transfer.ts';
const NOT_FOUND = 'src/domain/payouts/transfer/not-found.ts';
const CALLS = 'src/domain/payouts/transfer/bank-calls.ts';

const PAID = 'const outcome = await this.#calls.call(payout.payout_id, bank, () => bank.pay(attemptOf(registered, attempted.state.last!)));';

/** The rules of docs/models/rail.ts, each removed from the code: the simulation of transfers finds them, except rules that others back up. */
export const TRANSFER_MUTANTS: readonly Mutant[] = [
  {
    name: 'transfer: the bank is told before the attempt is stored',
    edits: [
      {
        file: TRANSFER,
        from: '    const began = elapsedMs();\n',
        to: '    const began = elapsedMs();\n    const early = { attempt: 1, rail, partner_reference, external_id, bank_code, at: timestamp(this.options.clock()) };\n    const outcome = await this.#calls.call(payout.payout_id, bank, () => bank.pay(attemptOf(registered, early)));\n',
      },
      { file: TRANSFER, from: `    ${PAID}\n`, to: '' },
    ],
    isDefect: true,
  },
  {
    name: 'transfer: an attempt rests on nothing that was seen',
    edits: [
      { file: DECIDER, from: "if ('seen' in command && command.seen !== state.revision)", to: "if ('seen' in command && command.seen < -1)" },
      {
        file: DECIDER,
        from: '  if (state.open.length > 0) {\n    if (!command.not_found',
        to: '  if (state.open.length > 0 && command.not_found) {\n    if (!command.not_found',
      },
    ],
    isDefect: true,
  },
  defect(
    'transfer: the request is sent again under the same external id',
    TRANSFER,
    '    const elapsed = this.options.elapsedMs();\n',
    '    await this.#calls.call(payout.payout_id, bank, () => bank.pay(attemptOf(registered, last)));\n    const elapsed = this.options.elapsedMs();\n',
  ),
  defect('transfer: "not found" counts before the request must have arrived', NOT_FOUND, 'return sent >= settled && quietUntil', 'return quietUntil'),
  {
    name: 'transfer: "not found" is as old as its answer',
    edits: [
      { file: CALLS, from: '    return { outcome, sent };', to: '    return { outcome, sent: Math.max(sent, this.options.clock()) };' },
      { file: TRANSFER, from: '{ sent, elapsed }, inquiries)', to: '{ sent, elapsed: Math.max(elapsed, this.options.elapsedMs()) }, inquiries)' },
    ],
    // The second of two answers was asked for after the first had come, and so counts for itself.
    isDefect: false,
  },
  defect(
    'transfer: a process that has slept sends what it has stored',
    TRANSFER,
    'const HANDED_OVER_WITHIN_MS = 1_000;',
    'const HANDED_OVER_WITHIN_MS = 1e15;',
  ),
  {
    name: 'transfer: the bank may have forgotten what it did',
    edits: [{ file: NOT_FOUND, from: ' && milliseconds(now) < milliseconds(remembered)', to: ' && remembered !== undefined' }],
    isDefect: true,
  },
  {
    name: 'transfer: the second attempt has a reference of its own',
    edits: [
      { file: DECIDER, from: 'state.partner_reference !== command.partner_reference || ', to: '' },
      {
        file: TRANSFER,
        from: 'state.partner_reference ?? (await references.partnerReference(rail, registered))',
        to: 'state.open.length > 0 ? `${state.attempts}` : await references.partnerReference(rail, registered)',
      },
    ],
    isDefect: true,
  },
  defect('transfer: nobody has the provider’s word', NOT_FOUND, 'return terms.pay_again && ', 'return '),
  {
    name: 'transfer: no answer is a refusal',
    edits: [
      { file: TRANSFER, from: "      case 'rejected': {\n", to: "      case 'unknown':\n      case 'rejected': {\n" },
      { file: TRANSFER, from: "      case 'accepted':\n      case 'unknown':\n", to: "      case 'accepted':\n" },
    ],
    isDefect: true,
  },
  {
    name: 'transfer: a duplicate is a refusal',
    edits: [
      {
        file: TRANSFER,
        from: '    switch (outcome.is) {\n',
        to: "    switch ((outcome as { code?: string }).code === '4091400' ? ('no' as typeof outcome.is) : outcome.is) {\n",
      },
    ],
    // Only a second attempt can be a duplicate, and a refusal of that one ends nothing.
    isDefect: false,
  },
  defect(
    'transfer: a refusal of the second attempt ends the payout',
    DECIDER,
    "  if (state.open.length > 1) return refuse('another-attempt-open', 'The attempt before may still be paid.');\n  return decided(",
    '  return decided(',
  ),
  defect(
    'transfer: "not found" is a failure',
    TRANSFER,
    "if (outcome.is === 'accepted' && outcome.value === 'not-found') return this.#notFound(",
    "if (outcome.is === 'accepted' && outcome.value === 'not-found' && (await this.#judge(payout, state, 'failed'))) return 0;\n    if (outcome.is === 'accepted' && outcome.value === 'not-found') return this.#notFound(",
  ),
  defect(
    'transfer: the account is told before the verdict is stored',
    TRANSFER,
    "        await this.#decide(payout, (now) => ({ kind: 'refuse-attempt'",
    "        await this.options.payouts.record(payout.payout_id, wordOf('failed'), systemContext());\n        await this.#decide(payout, (now) => ({ kind: 'refuse-attempt'",
  ),
  {
    name: 'transfer: nobody is told that no rule decides',
    edits: [
      {
        file: TRANSFER,
        from: "await this.#decide(payout, (now) => ({ kind: 'hold-not-found',",
        to: "if (payout.payout_id === '') await this.#decide(payout, (now) => ({ kind: 'hold-not-found',",
      },
      {
        file: TRANSFER,
        from: "await this.#decide(payout, (at) => ({ kind: 'hold-unanswered',",
        to: "if (payout.payout_id === '') await this.#decide(payout, (at) => ({ kind: 'hold-unanswered',",
      },
    ],
    isDefect: true,
  },
];
