import type { Decision } from '../../ledger/decider.js';
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

/** A person's word that a settlement goes on without a line that it waits for. */
export interface RefuseLine {
  readonly kind: 'refuse-line';
  readonly listed: ListedLine;
  readonly reason: string;
  readonly refused_by: string;
  readonly now: Timestamp;
}

export type LineRefusal =
  /** By a person, for this settlement: the line drops out. */
  | 'line-refused'
  /** The record is another account's. */
  | 'line-disagrees'
  | 'line-not-waited-for';

/** Of a record that is named in settlements: which lines of it people have refused, by settlement and kind. */
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
 * Why the record cannot be claimed for this line, whatever has become of it. The list came from a read model; the record must be of the
 * same account. Amounts are those of the claim, whatever the list says.
 * @param recorded undefined when there is no such record
 */
export function refusalOfListed(
  refused: RefusedLines,
  listed: ListedLine,
  recorded: OfAccount | undefined,
): { readonly refusal: LineRefusal; readonly detail: string } | undefined {
  if (isRefused(refused, listed)) return { refusal: 'line-refused', detail: 'An operator has refused the line for this settlement.' };
  if (!recorded || isOfAccount(listed, recorded)) return undefined;
  return { refusal: 'line-disagrees', detail: `listed as ${accountText(listed)}, recorded as ${accountText(recorded)}` };
}

/** For whoever reads of it: the name of what is missing, or how the two differ. */
export function whyItWaits({ refusal, detail }: { readonly refusal: string; readonly detail: string }): string {
  return refusal === 'line-disagrees' ? detail : refusal;
}

export function isOfAccount(listed: ListedLine, recorded: OfAccount): boolean {
  return listed.merchant_id === recorded.merchant_id && listed.currency === recorded.currency;
}

function accountText({ currency, merchant_id }: OfAccount): string {
  return `${currency} of merchant ${merchant_id}`;
}

/**
 * Decides that a settlement goes on without the line: only where the record's own stream has nothing that would settle or drop it, so that
 * no process can have taken it, and whoever would claim it later finds the refusal.
 * @param waits why a claim for this settlement is refused, provided that the settlement waits for that reason; undefined when it does not
 */
export function decideLineRefusal(
  refused: RefusedLines,
  { listed, reason, refused_by, now }: RefuseLine,
  waits: string | undefined,
): Decision<SettlementLineRefusedEvent, LineRefusal> {
  if (isRefused(refused, listed)) return { events: [] };
  if (waits === undefined)
    return {
      refusal: 'line-not-waited-for',
      detail: 'The settlement continues without a refusal: its line is claimed, can be claimed, or drops out.',
    };
  const { line, ...of } = listed;
  return { events: [{ type: 'SettlementLineRefused', data: { ...of, ...line, waited_for: waits, reason, refused_by, refused_on: now } }] };
}
