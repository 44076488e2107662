import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';

/** Dependencies that the workers of a process share; both pools are the same. */
export interface WorkerDeps extends ServiceDeps {
  readonly databaseUrl: string;
  /** Returns false while no decision may be made. */
  readonly mayDecide: () => Promise<boolean>;
}
