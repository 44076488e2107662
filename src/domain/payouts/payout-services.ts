import type { Pool } from 'pg';
import { findPayout } from '../../../projections/payouts/payouts.js';
import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import type { AccountQueue } from '../accounts/account-queue.js';
import { holdersOf, type ActingOperators } from '../operators/acting-operator.js';
import { BANK_CONTRADICTS, PayoutOutcomes } from './payout-outcomes.js';
import type { PayoutReader } from './payout-reader.js';
import { PayoutRegistry } from './payout-registry.js';
import { RAIL_IN_TROUBLE } from './transfer/bank-calls.js';
import { railReferences } from './transfer/rail-references.js';
import type { BankRoutes } from './transfer/remote-bank.js';
import { PAYOUT_HELD, Transfers } from './transfer/transfer.js';

export interface PayoutDeps extends Pick<ServiceDeps, 'store' | 'clock' | 'onError'> {
  readonly accounts: AccountQueue;
  readonly reader: PayoutReader;
  /** Operators who may approve payouts; null in a process that submits no payout with approvals to a bank. */
  readonly operators: Pick<ActingOperators, 'all'> | null;
}

export interface TransferDeps extends PayoutDeps, Pick<ServiceDeps, 'pool'> {
  readonly routes: BankRoutes;
}

export type TransferServices = ReturnType<typeof transferServices>;

/** Reads payouts from the read model in `pool`. */
export function payoutReader(pool: Pool): PayoutReader {
  return { find: (merchantId, payoutId) => findPayout(pool, merchantId, payoutId) };
}

/** Builds the payouts of a process and the recorder of their banks' answers. */
export function payoutServices({ store, accounts, clock, reader, operators, onError }: PayoutDeps) {
  const registry = new PayoutRegistry(store, accounts, clock);
  const approvers = async (): Promise<ReadonlySet<string>> => (operators ? holdersOf(await operators.all(), 'approver') : new Set());
  const contradicted = (found: object): void => onError(BANK_CONTRADICTS, { ...found });
  return { registry, payouts: new PayoutOutcomes(store, accounts, registry, reader, clock, contradicted, approvers) };
}

/** Builds the same services and the protocol for banks over a network. */
export function transferServices(deps: TransferDeps) {
  const { store, clock, routes, pool, onError } = deps;
  const services = payoutServices(deps);
  const transfers = new Transfers({
    ...{ store, clock, routes, ...services, elapsedMs: () => performance.now() },
    references: railReferences(pool, clock).references,
    onHeld: (held) => onError(PAYOUT_HELD, { ...held }),
    onTrouble: (trouble) => onError(RAIL_IN_TROUBLE, { ...trouble }),
  });
  return { ...services, transfers };
}
