import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { Fee } from '../../ledger/money.js';
import type { LoggedEvent } from '../../ledger/read-model.js';
import { netOf, type Part, type Priced } from './priced.js';

/** Members of an event's data that the scenario changes. */
export type Changes = Readonly<Record<string, unknown>>;

/** The functions in force give another amount than the recorded one, so that they cannot price the record anew. */
export class NotReproduced extends Error {
  override readonly name = 'NotReproduced';

  constructor({ ordinal, type }: LoggedEvent, why: string) {
    super(`event ${ordinal} (${type}) cannot be priced anew: ${why}`);
  }
}

/** Members with amounts, of an event's data or of a settlement's line. */
export type PricedFigures = { readonly [Member in 'fee_amount' | 'net_amount' | 'dispute_fee_amount']?: Priced };
type Recorded = { readonly [Member in keyof PricedFigures]?: number | null };

/** Returns the changes of an event with the amounts of a record, which are those of `part`. @throws NotReproduced */
export function figures(event: LoggedEvent & { readonly data: Recorded }, part: Part | undefined): Changes | undefined {
  return part && changed(event, { fee_amount: part.fee, net_amount: netOf(part) }, event.data);
}

/** Requires that `holder` has the recorded amounts, and returns those that the scenario changes. @throws NotReproduced */
export function changed(event: LoggedEvent, priced: PricedFigures, holder: Recorded): Changes | undefined {
  for (const [member, { was }] of entriesOf(priced))
    if (holder[member] !== was) throw new NotReproduced(event, `${member} is ${holder[member]}, and computed it is ${was}`);
  return wouldBe(priced);
}

export function wouldBe(priced: PricedFigures): Changes | undefined {
  const members = entriesOf(priced).filter(([, { was, would }]) => was !== would);
  return members.length === 0 ? undefined : Object.fromEntries(members.map(([member, { would }]) => [member, would]));
}

const entriesOf = (priced: PricedFigures) => Object.entries(priced) as [keyof PricedFigures, Priced][];

/** Returns a list with the changes of its lines; undefined when none changes. */
export function relisted(lines: readonly SettlementLine[], changesOf: (line: SettlementLine) => Changes | undefined) {
  let isChanged = false;
  const changedLines = lines.map((line): SettlementLine => {
    const changes = changesOf(line);
    isChanged ||= changes !== undefined;
    return changes ? { ...line, ...changes } : line;
  });
  return isChanged ? changedLines : undefined;
}

export function both(a: Changes | undefined, b: Changes | undefined): Changes | undefined {
  return a && b ? { ...a, ...b } : (a ?? b);
}

/** The record shows the terms by which its fee was computed. */
export function withTerms({ fee }: { readonly fee: Fee }, agreed: Fee, changes: Changes | undefined): Changes | undefined {
  return both(agreed.type === fee.type && agreed.value === fee.value ? undefined : { fee: agreed }, changes);
}
