import type { Transfers } from '../../src/domain/payouts/transfer/transfer.js';

/** Transfers that throw: every payout belongs to the simulated bank. */
export const NO_TRANSFERS: Pick<Transfers, 'advance' | 'routeOf'> = {
  advance: async ({ payout_id }) => isSimulated(payout_id),
  routeOf: ({ payout_id }) => isSimulated(payout_id),
};

function isSimulated(payoutId: string): never {
  throw new Error(`payout ${payoutId} is the simulated bank's`);
}
