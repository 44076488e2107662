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
 * Read models that must agree at every moment: they share one checkpoint and one transaction per batch. `balances` also contains the journal.
 * `search` is included because a listed charge must be searchable, and because following the log a second time would cost more than all work of
 * `search`.
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
