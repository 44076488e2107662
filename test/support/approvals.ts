import type { Approvers } from '../../src/domain/payouts/payout-outcomes.js';

/** Members of a payout that needs no approval. */
export const NOT_HELD = { approvals_required: 0, approve_by: null } as const;

/** Members of PayoutCancelled when a merchant cancels. */
export const BY_MERCHANT = { cause: 'merchant', person_id: null, reason: null } as const;

/** Returns no approvers; used where no payout is held. */
export const NOBODY: Approvers = async () => new Set();
