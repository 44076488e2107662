import { ledgerProjection, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { breakActs } from './break-acts.js';
import { dayCloses, suspenseClaims } from './days/day-closes.js';
import { houseItems } from './house-items.js';
import { items } from './items.js';
import { matching } from './matching.js';
import { payoutItems } from './payout-items.js';
import { payments } from './payments.js';
import { sources } from './sources.js';
import { statements } from './statements.js';

const IN_TURN = [statements, items, houseItems, payoutItems, breakActs, suspenseClaims, matching, dayCloses];

/** Matching reads lines, items and decisions of the same batch: read models are applied side by side, so these are one. */
const matched: LedgerReadModel = {
  name: 'statements',
  version: 10,
  // What is booked no more was deleted there.
  bridge: { from: 9, views: (schema) => ({ booked_items: `select item, line_id from ${schema}.booked_items where booked_until is null` }) },
  ddl: (schema) => IN_TURN.map((readModel) => readModel.ddl(schema)).join('\n'),
  indexes: (schema) => IN_TURN.flatMap((readModel) => readModel.indexes(schema)),
  async apply(tx, schema, batch) {
    for (const readModel of IN_TURN) await readModel.apply(tx, schema, batch);
  },
};

/** What banks and processors say, in a schema of its own: nobody waits for it but those who reconcile. */
export const recon = ledgerProjection({ name: 'recon', readModels: [sources, matched, payments], gatherMs: 400 });
