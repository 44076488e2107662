import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { AdjustmentContent } from '../../../domain/approvals/adjustment-kind.js';
import type { DifferenceContent } from '../../../domain/reconciliation/proposal-kinds.js';

/** The amount that a proposal moves. */
export interface MovedMoney {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** null: the company's money. */
  readonly merchant_id: string | null;
}

/** Returns undefined for a proposal that moves no money. */
export function movedBy({ kind, content }: Pick<StoredProposal, 'kind' | 'content'>): MovedMoney | undefined {
  if (kind === 'ADJUSTMENT') {
    const moved = content as unknown as AdjustmentContent;
    return { amount: moved.amount, currency: moved.currency, merchant_id: 'merchant_id' in moved ? moved.merchant_id : null };
  }
  if (kind !== 'MATCH_DIFFERENCE') return undefined;
  const { amount, currency } = content as unknown as DifferenceContent;
  return { amount, currency, merchant_id: null };
}
