import type { Transfers } from '../../src/payouts/transfer.js';

/** Where every payout is the simulated bank's. */
export const NO_TRANSFERS: Pick<Transfers, 'advance'> = {
  advance: async ({ payout_id }) => {
    throw new Error(`payout ${payout_id} is the simulated bank's`);
  },
};
