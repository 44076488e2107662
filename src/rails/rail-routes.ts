import type { ProcessorRoutes } from '../domain/charges/remote/remote-processor.js';
import type { BankRoutes } from '../domain/payouts/transfer/remote-bank.js';

/** Where money comes in and goes out over networks. */
export interface RailRoutes {
  readonly processors: ProcessorRoutes;
  readonly banks: BankRoutes;
}
