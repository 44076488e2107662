import { ledgerProjection } from '../ledger/read-model.js';
import { balances } from '../../projections/balances/balances.js';
import { charges } from '../../projections/charges/charges.js';
import { funding } from '../../projections/balances/funding.js';
import { payouts } from '../../projections/payouts/payouts.js';
import { search } from '../../projections/charges/search.js';
import { disputeStates } from '../../projections/disputes/dispute-states.js';
import { disputes } from '../../projections/disputes/disputes.js';
import { refunds } from '../../projections/refunds/refunds.js';
import { settlementCandidates } from '../../projections/settlements/settlement-candidates.js';
import { settlements } from '../../projections/settlements/settlements.js';
import { adjustments } from '../../projections/approvals/adjustments.js';
import { proposals } from '../../projections/approvals/proposals.js';
import { suspense } from '../../projections/approvals/suspense.js';

/**
 * What must agree at every moment: one checkpoint, one transaction per batch. `balances` holds the journal too.
 * `search` belongs to the list of charges: a charge that is listed is found, and following the log a second time would cost
 * more than all that search does.
 */
export const ledger = ledgerProjection({
  name: 'ledger',
  readModels: [
    charges,
    search,
    balances,
    payouts,
    refunds,
    disputes,
    disputeStates,
    settlements,
    settlementCandidates,
    funding,
    proposals,
    suspense,
    adjustments,
  ],
  gatherMs: 160,
});
