import type { PayoutRegistered } from '../../../ledger/events/payout.events.js';
import type { ProviderResult } from '../../../ledger/ports/provider-result.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import type { RailReferences } from './rail-references.js';
import type { BankRoute, BankRoutes, RemoteBank, TransferStatus } from './remote-bank.js';
import type { OpenAttempt } from './not-found.js';
import type { TransferOf } from './transfer.decider.js';
import { dayOf } from './transfer-times.js';
import { attemptOf } from './transfer-words.js';

export interface BankCallOptions {
  readonly references: RailReferences;
  readonly routes: BankRoutes;
  readonly clock: Clock;
  /** Called when a bank accepted nothing, or its adapter failed. The payout is retried, or the bank is queried. */
  readonly onTrouble: (trouble: { readonly payout_id: string; readonly rail: string; readonly code: string; readonly err?: unknown }) => void;
}

/** Log message. */
export const RAIL_IN_TROUBLE = 'a bank did not accept a payout for now, or could not be reached';

/** A payout that a bank over a network pays. */
export interface TransferredPayout extends TransferOf {
  readonly mode: 'test' | 'live';
}

/** Selects the bank of a payout and calls it. Each call has a separate id, and a failed call yields no information. */
export class BankCalls {
  constructor(private readonly options: BankCallOptions) {}

  /** A payout keeps the rail of its first attempt. @param rail that rail; null before the first attempt */
  routeOf({ merchant_id, mode, currency }: TransferredPayout, rail: string | null): BankRoute | undefined {
    const { routes } = this.options;
    const route = routes.route(merchant_id, mode, currency);
    if (rail === null || route?.bank.name === rail) return route;
    return routes.begun(rail);
  }

  externalId({ name }: RemoteBank, payoutId: string): Promise<string> {
    const { references, clock } = this.options;
    return references.externalId(name, dayOf(timestamp(clock())), payoutId);
  }

  /** Queries the state of an attempt. @returns `sent`: time of the query, milliseconds since the epoch */
  async ask(
    bank: RemoteBank,
    registered: PayoutRegistered,
    attempt: OpenAttempt,
  ): Promise<{ outcome: ProviderResult<TransferStatus>; sent: number }> {
    const externalId = await this.externalId(bank, registered.payout_id);
    const sent = this.options.clock();
    const outcome = await this.call(registered.payout_id, bank, () => bank.status(attemptOf(registered, attempt), externalId));
    return { outcome, sent };
  }

  async call<T>(payout_id: string, { name: rail }: RemoteBank, call: () => Promise<ProviderResult<T>>): Promise<ProviderResult<T>> {
    const { onTrouble } = this.options;
    try {
      const outcome = await call();
      if (outcome.is === 'retryable') onTrouble({ payout_id, rail, code: outcome.code });
      return outcome;
    } catch (err) {
      onTrouble({ payout_id, rail, code: 'exception', err });
      return { is: 'unknown', code: 'exception' };
    }
  }
}
