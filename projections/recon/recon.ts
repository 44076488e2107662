import { ledgerProjection } from '../../src/ledger/read-model.js';
import { payments } from './payments.js';
import { sources } from './sources.js';
import { statements } from './statements.js';

/** What banks and processors say, in a schema of its own: nobody waits for it but those who reconcile. */
export const recon = ledgerProjection({ name: 'recon', readModels: [sources, statements, payments], gatherMs: 100 });
