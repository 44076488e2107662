import type { StoredBreakFigure } from '../../../projections/reconciliation/break-figures.js';
import type { BreakFigure } from '../../ledger/events/period.events.js';

/** @throws Error when the sum is not a safe integer, so JSON could not carry it exactly */
export function safe(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER) || amount < BigInt(Number.MIN_SAFE_INTEGER))
    throw new Error(`a sum of ${amount} minor units exceeds the range of an amount in an event`);
  return Number(amount);
}

export const breakFigure = ({ kind, currency, count, amount }: StoredBreakFigure): BreakFigure => ({
  ...{ kind, currency, count: Number(count), amount: safe(BigInt(amount)) },
});
