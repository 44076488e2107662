import { findUnfinishedErasures } from '../../../projections/customers/customers.js';
import { findUnfinishedEvidenceErasures } from '../../../projections/disputes/evidence-reads.js';
import { findUnfinishedForgetting } from '../../../projections/reconciliation/statement-reads.js';
import { removeErased } from '../../domain/charges/disputes/erase-evidence.js';
import { EvidenceWorker } from '../../domain/charges/disputes/evidence.worker.js';
import { forgetAbandoned, forgetStatements } from '../../domain/reconciliation/statements/forget-files.js';
import { DestroyedKeyScrubber } from '../../ledger/crypto/destroyed-key-scrubber.js';
import { destroyKeys } from '../../ledger/crypto/erasable-keys.js';
import { ErasureWorker, type RecordedErasures } from '../../ledger/crypto/erasure.worker.js';
import { isEmbeddedIn } from '../../platform/embedded-postgres/embedded-name.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';
import type { WorkerDeps } from './worker-deps.js';

/** Pause between two looks for files that were never accepted, ms. */
const ABANDONED_REST_MS = 60_000;

/** Returns the erasures that the log orders: of customers, of the evidence of disputes, and of the names in statements. */
export const recordedErasures = ({ pool, clock }: Pick<WorkerDeps, 'pool' | 'clock'>) =>
  ({
    customers: {
      findUnfinished: (after, limit) => findUnfinishedErasures(pool, after, limit),
      erase: (ids) => destroyKeys('customer', pool, clock, ids),
    },
    evidence: {
      // The disputes that are not finished are few, and found by their keys.
      findUnfinished: async (after, limit) => ({ ids: await findUnfinishedEvidenceErasures(pool, limit), looked_to: after }),
      async erase(ids) {
        await destroyKeys('dispute', pool, clock, ids);
        await removeErased(pool);
      },
    },
    statements: {
      findUnfinished: (after, limit) => findUnfinishedForgetting(pool, after, limit),
      erase: (ids) => forgetStatements(pool, clock, ids),
    },
  }) satisfies Readonly<Record<string, RecordedErasures>>;

/** Starts the workers that destroy the remains of erased customers, disputes and statements, and forget files that were never accepted. */
export function startErasures({ dataDir, ...deps }: WorkerDeps & { readonly dataDir: string }): { stop(): Promise<void> } {
  const { databaseUrl, pool, clock, mayDecide, onError } = deps;
  const workers = [
    new ErasureWorker({
      databaseUrl,
      erasures: Object.values(recordedErasures(deps)),
      traces: new DestroyedKeyScrubber({ pool, ownsLog: () => isEmbeddedIn(dataDir, pool), clock }),
      onError: (err) => onError('an erasure pass failed', { err }),
    }),
    new EvidenceWorker({
      ...deps,
      onError: (err) => onError('an evidence erasure pass failed', { err }),
    }),
    new ElectedWorker({
      name: 'abandoned files',
      mayPass: mayDecide,
      databaseUrl,
      intervalMs: ABANDONED_REST_MS,
      onError: (err) => onError('cannot forget files that were never accepted', { err }),
      pass: (signal) => forgetAbandoned(deps, signal),
    }),
  ];
  for (const worker of workers) worker.start();
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) };
}
