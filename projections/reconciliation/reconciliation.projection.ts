import { ledgerProjection, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { breakActs } from './matches/break-acts.js';
import { dayCloses, suspenseClaims } from './days/day-closes.js';
import { houseItems } from './items/house-items.js';
import { items } from './items/items.js';
import { matching } from './matches/matching.js';
import { owedSums } from './matches/owed-sums.js';
import { payoutItems } from './items/payout-items.js';
import { payments } from './payments.js';
import { sources } from './sources.js';
import { statements } from './statements.js';

const IN_TURN = [statements, items, houseItems, payoutItems, breakActs, suspenseClaims, matching, dayCloses, owedSums];

/** Matching reads lines, items and decisions of the same batch. Read models are applied concurrently, so these are combined into one. */
const matched: LedgerReadModel = {
  name: 'statements',
  version: 4,
  ddl: (schema) => IN_TURN.map((readModel) => readModel.ddl(schema)).join('\n'),
  indexes: (schema) => IN_TURN.flatMap((readModel) => readModel.indexes(schema)),
  async apply(tx, schema, batch) {
    for (const readModel of IN_TURN) await readModel.apply(tx, schema, batch);
  },
};

/** Statements of banks and processors, in a separate schema: only reconciliation waits for it. */
export const recon = ledgerProjection({ name: 'recon', readModels: [sources, matched, payments], gatherMs: 400 });
