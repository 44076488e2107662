import type { ServiceDeps } from '../../ledger/injection-tokens.js';

/** What the workers of a process share; both pools are the same. */
export interface WorkerDeps extends ServiceDeps {
  readonly databaseUrl: string;
  /** False while nothing is to be decided. */
  readonly mayDecide: () => Promise<boolean>;
}
