import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import type { AccountQueue } from '../accounts/account-queue.js';
import { SettleNow } from './settle-now.js';
import { SettlementRun } from './settlement-run.js';

interface SettlementDeps extends Pick<ServiceDeps, 'store' | 'clock'> {
  readonly accounts: AccountQueue;
}

/** Builds the run of regular settlements, and the settlement of one charge on demand. */
export function settlementServices({ store, accounts, clock }: SettlementDeps) {
  const run = new SettlementRun(store, accounts, clock, (ms) => delay(ms));
  return { run, settleNow: new SettleNow(store, run) };
}
