import type { ClientBase } from 'pg';
import { findOpenBatches, findOpenCredits } from '../../../../projections/reconciliation/matches/batch-reads.js';
import { batchSubject, breakId } from '../../../../projections/reconciliation/break-id.js';
import type { Break, BreakLine, MatchedBatch } from '../../../../projections/reconciliation/matches/match-reads.js';
import { bankingDaysBetween } from '../../../ledger/days.js';
import { addingUp, TOGETHER_MAX } from './adding-up.js';
import { nearestDistance } from './edit-distance.js';
import { SUGGESTIONS_MAX, type PossibleSuggestion } from './suggestion.js';

type Db = Pick<ClientBase, 'query'>;

/** Finds batches for a bank's credit that names none: one with nearly the same reference, or up to three that add up to the credit. */
export async function batchesOfCredit(db: Db, { source, kind, line }: Break): Promise<PossibleSuggestion[]> {
  if (kind !== 'BANK_UNKNOWN' || line === null || line.amount <= 0) return [];
  const { currency, amount, booking_date: day } = line;
  const batches = await findOpenBatches(db, { source, currency, amount, day });
  const sets = setsOf(batches, amount, TOGETHER_MAX);
  const named = batches.filter((batch) => batch.amount !== amount && nearestDistance(line.references, [batch.batch]) !== null);
  return [...sets, ...named.map((batch) => [batch])].map((together) => ({
    ...{ line: null, item: null, batches: together.map((batch) => withBreaks(source, batch)), broken: null },
    ...between(line, together),
    isSameAmount: sumOf(together) === amount,
  }));
}

/** Finds credits that may contain an unmatched batch, alone or with up to two others. */
export async function creditsOfBatch(db: Db, { source, kind, remittance }: Break): Promise<PossibleSuggestion[]> {
  if (kind !== 'REMITTANCE_MISSING' || remittance === null) return [];
  const near = { source, currency: remittance.currency, amount: remittance.amount, day: remittance.day };
  const [credits, batches] = await Promise.all([findOpenCredits(db, near), findOpenBatches(db, near)]);
  const others = batches.filter(({ source: of, batch }) => of !== remittance.source || batch !== remittance.batch);
  return credits.flatMap(({ line, line_key }) => {
    const isAlone = line.amount === remittance.amount || nearestDistance(line.references, [remittance.batch]) !== null;
    const sets = setsOf(others, line.amount - remittance.amount, TOGETHER_MAX - 1);
    return [...(isAlone ? [[]] : []), ...sets].map((together) => ({
      ...{ line, item: null, batches: together.map((batch) => withBreaks(source, batch)), broken: { source, subject: line_key } },
      ...between(line, [remittance, ...together]),
      isSameAmount: sumOf(together) + remittance.amount === line.amount,
    }));
  });
}

const setsOf = (batches: readonly MatchedBatch[], sum: number, most: number): MatchedBatch[][] =>
  addingUp(
    batches.map(({ amount }) => amount),
    sum,
    { most, max: SUGGESTIONS_MAX },
  ).map((places) => places.map((place) => batches[place]!));

const sumOf = (batches: readonly MatchedBatch[]): number => batches.reduce((sum, { amount }) => sum + amount, 0);

const withBreaks = (bank: string, batch: MatchedBatch) => ({
  ...batch,
  breaks: [breakId(bank, 'REMITTANCE_MISSING', batchSubject(batch.source, batch.batch))],
});

function between({ references, booking_date }: BreakLine, batches: readonly MatchedBatch[]): Pick<PossibleSuggestion, 'distance' | 'days'> {
  const apart = batches.map(({ day }) => {
    const [from, to] = [day, booking_date].sort();
    return bankingDaysBetween(from!, to!);
  });
  return {
    distance: nearestDistance(
      references,
      batches.map(({ batch }) => batch),
    ),
    days: Math.max(...apart),
  };
}
