import type { Projection } from '../src/platform/projector/projection.js';
import { balances } from './balances.js';
import { charges } from './charges.js';
import { payouts } from './payouts.js';
import { search } from './search.js';
import { settlementCandidates } from './settlement-candidates.js';
import { settlements } from './settlements.js';

/**
 * What must agree at every moment: one checkpoint, one transaction per batch. `balances` holds the journal too.
 * `search` belongs to the list of charges: a charge that is listed is found, and following the log a second time would cost
 * more than all that search does.
 */
export const ledger: Projection = { name: 'ledger', readModels: [charges, search, balances, payouts, settlements, settlementCandidates] };
