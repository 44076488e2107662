import { ledgerProjection, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { items } from './items.js';
import { matching } from './matching.js';
import { payments } from './payments.js';
import { sources } from './sources.js';
import { statements } from './statements.js';

const IN_TURN = [statements, items, matching];

/** Matching reads lines and items of the same batch: read models are applied side by side, so these three are one. */
const matched: LedgerReadModel = {
  name: 'statements',
  version: 2,
  ddl: (schema) => IN_TURN.map((readModel) => readModel.ddl(schema)).join('\n'),
  indexes: (schema) => IN_TURN.flatMap((readModel) => readModel.indexes(schema)),
  async apply(tx, schema, batch) {
    for (const readModel of IN_TURN) await readModel.apply(tx, schema, batch);
  },
};

/** What banks and processors say, in a schema of its own: nobody waits for it but those who reconcile. */
export const recon = ledgerProjection({ name: 'recon', readModels: [sources, matched, payments], gatherMs: 100 });
