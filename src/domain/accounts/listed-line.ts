import { NOTHING_TO_DO, refuse, type Decision, type Refused } from '../../ledger/decider.js';
import type { Timestamp } from '../../ledger/time.js';
import type { SettlementLine, SettlementLineRefused, SettlementLineRefusedEvent } from '../../ledger/events/account.events.js';

/** A line as a stored settlement lists it. */
export interface ListedLine {
  readonly settlement_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly settlement_number: number;
  readonly line: SettlementLine;
}

/** An operator's decision that a settlement drops a line for which it waits. */
export interface RefuseLine {
  readonly kind: 'refuse-line';
  readonly listed: ListedLine;
  readonly reason: string;
  readonly refused_by: string;
  readonly now: Timestamp;
}

export type LineRefusal =
  /** An operator refused the line for this settlement: the line is dropped. */
  | 'line-refused'
  /** The record belongs to another account. */
  | 'line-disagrees'
  | 'line-not-waited-for';

/** Lines of a record that operators have refused, by settlement and kind. */
export type RefusedLines = readonly string[];

export function withRefused(refused: RefusedLines, { settlement_id, kind }: SettlementLineRefused): RefusedLines {
  return [...refused, `${settlement_id} ${kind}`];
}

function isRefused(refused: RefusedLines, { settlement_id, line }: ListedLine): boolean {
  return refused.includes(`${settlement_id} ${line.kind}`);
}

interface OfAccount {
  readonly merchant_id: string;
  readonly currency: string;
}

/**
 * Returns why the record cannot be claimed for this line, regardless of the record's state. The list came from a read model, so the
 * record's account is checked. Amounts come from the claim, not from the list.
 * @param recorded undefined when there is no such record
 */
export function refusalOfListed(refused: RefusedLines, listed: ListedLine, recorded: OfAccount | undefined): Refused<LineRefusal> | undefined {
  if (isRefused(refused, listed)) return refuse('line-refused', 'An operator has refused the line for this settlement.');
  if (!recorded || isOfAccount(listed, recorded)) return undefined;
  return refuse('line-disagrees', `listed as ${accountText(listed)}, recorded as ${accountText(recorded)}`);
}

/** Returns the reason for operators: the name of the missing condition, or the difference between list and record. */
export function whyItWaits({ refusal, detail }: Refused): string {
  return refusal === 'line-disagrees' ? detail : refusal;
}

export function isOfAccount(listed: ListedLine, recorded: OfAccount): boolean {
  return listed.merchant_id === recorded.merchant_id && listed.currency === recorded.currency;
}

function accountText({ currency, merchant_id }: OfAccount): string {
  return `${currency} of merchant ${merchant_id}`;
}

/**
 * Decides that a settlement drops the line. Permitted only when the record's own stream has nothing that would settle or drop it:
 * then no process can have claimed it, and a later claim finds the refusal.
 * @param waits the refusal of a claim for this settlement, when the settlement waits because of it; undefined when it does not wait
 */
export function decideLineRefusal(
  refused: RefusedLines,
  { listed, reason, refused_by, now }: RefuseLine,
  waits: string | undefined,
): Decision<SettlementLineRefusedEvent, LineRefusal> {
  if (isRefused(refused, listed)) return NOTHING_TO_DO;
  if (waits === undefined)
    return refuse('line-not-waited-for', 'The settlement continues without a refusal: its line is claimed, can be claimed, or drops out.');
  const { line, ...of } = listed;
  return { events: [{ type: 'SettlementLineRefused', data: { ...of, ...line, waited_for: waits, reason, refused_by, refused_on: now } }] };
}
