import type { ClientBase } from 'pg';
import type { Break } from '../../../../projections/reconciliation/matches/match-reads.js';
import { breaksOf, findItemCandidates, findLineCandidates, findOpenBreaks } from '../../../../projections/reconciliation/matches/suggestion-reads.js';
import { bankingDaysBetween } from '../../../ledger/days.js';
import { creditsOfBatch, batchesOfCredit } from './batch-suggestions.js';
import { DISTANCE_MAX, nearestDistance } from './edit-distance.js';
import { SUGGESTIONS_MAX, type PossibleSuggestion, type Suggestion } from './suggestion.js';

/** Returns suggestions with the same amount, or with nearly the same references; the nearest first. */
export async function findSuggestions(db: Pick<ClientBase, 'query'>, found: Break): Promise<Suggestion[]> {
  if (found.status === 'RESOLVED') return [];
  const possible = (await Promise.all([ofOneEach(db, found), batchesOfCredit(db, found), creditsOfBatch(db, found)])).flat();
  const shown = possible
    .filter(({ isSameAmount, distance }) => isSameAmount || distance !== null)
    .sort((a, b) => rank(a) - rank(b) || a.batches.length - b.batches.length || a.days - b.days)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ broken, ...each }) => ({ ...each, breaks: broken ? breaksOf(broken) : [] }));
  if (shown.length === 0) return [];
  const open = await findOpenBreaks(
    db,
    shown.flatMap(({ breaks, batches }) => [...breaks, ...batches.flatMap((batch) => batch.breaks)]),
  );
  const openOf = (breaks: readonly string[]): string | null => breaks.find((id) => open.has(id)) ?? null;
  return shown.map(({ isSameAmount: _, breaks, batches, line, item, distance, days }) => ({
    ...{ line, item, distance, days, break_id: openOf(breaks) },
    batches: batches.map(({ breaks: of, ...batch }) => ({ ...batch, break_id: openOf(of) })),
  }));
}

/** The order: nearly the same references and the same amount, nearly the same references, the same amount. */
const rank = ({ distance, isSameAmount }: PossibleSuggestion): number => (distance ?? 2 * DISTANCE_MAX + 2) + (isSameAmount ? 0 : DISTANCE_MAX + 1);

/** Finds items for the line, or lines for the item. */
async function ofOneEach(db: Pick<ClientBase, 'query'>, found: Break): Promise<PossibleSuggestion[]> {
  const candidates = found.line ? await findItemCandidates(db, found) : await findLineCandidates(db, found);
  return candidates.map(({ line, item, names, broken }) => {
    const both = { line: (found.line ?? line)!, item: (item ?? found.item)! };
    const [from, to] = [both.line.booking_date, both.item.occurred_on.slice(0, 10)].sort();
    const distance = nearestDistance(both.line.references, names);
    const isSameAmount = both.line.amount === both.item.amount;
    return { line, item, batches: [], broken, distance, days: bankingDaysBetween(from!, to!), isSameAmount };
  });
}
