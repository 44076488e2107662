import type { Approvers } from '../../src/domain/payouts/payout-outcomes.js';

/** Of a payout that nobody has to approve. */
export const NOT_HELD = { approvals_required: 0, approve_by: null } as const;

/** What stands in PayoutCancelled when a merchant cancels. */
export const BY_MERCHANT = { cause: 'merchant', person_id: null, reason: null } as const;

/** For payouts that are not held. */
export const NOBODY: Approvers = async () => new Set();
