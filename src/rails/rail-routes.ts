import type { ProcessorRoutes } from '../charges/remote-processor.js';
import type { BankRoutes } from '../payouts/remote-bank.js';

/** Where money comes in and goes out over networks. */
export interface RailRoutes {
  readonly processors: ProcessorRoutes;
  readonly banks: BankRoutes;
}
