import type { ProcessorRoutes } from '../../domain/charges/remote/remote-processor.js';
import type { BankRoutes } from '../../domain/payouts/transfer/remote-bank.js';

/** The providers through which money is received and sent. */
export interface RailRoutes {
  readonly processors: ProcessorRoutes;
  readonly banks: BankRoutes;
}
