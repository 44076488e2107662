import type { Pool } from 'pg';
import { findDueAccounts, findSettlementCandidates, findUrgentAccounts } from '../../projections/settlements/settlement-candidates.js';
import { findOpenSettlements } from '../../projections/settlements/settlements.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { account, type AccountCommand } from '../../src/domain/accounts/account.decider.js';
import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { RequestRefund, RequestRefundHandler } from '../../src/domain/charges/refunds/refund.handlers.js';
import { RefundReservations } from '../../src/domain/charges/refunds/refund-reservations.js';
import { registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { payout, type PayoutCommand } from '../../src/domain/payouts/payout.decider.js';
import { SettlementRun } from '../../src/domain/settlements/settlement-run.js';
import { SettlementWorker } from '../../src/domain/settlements/settlement.worker.js';
import type { Holidays } from '../../src/domain/calendar/holidays.js';
import type { LedgerEvent } from '../../src/ledger/catalogue.js';
import type { Decider } from '../../src/ledger/decider.js';
import { accountStream, type PayoutRequested, type PayoutSucceeded } from '../../src/ledger/events/account.events.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { payoutStream } from '../../src/ledger/events/payout.events.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { decideOnStream, waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { HOUR_MS, timestamp } from '../../src/ledger/time.js';
import { StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import { Problem } from '../../src/platform/problem.js';
import { createCharge, termsOf } from './create-charge.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { project, projectOn } from './projected.js';
import { simulatedWaits } from './simulated-waits.js';

const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };

/** A step in the life of one account. Numbers select a record, modulo the number of records; a step that is refused has no effect. */
export type TradeStep =
  | { readonly kind: 'pay'; readonly amount: number; readonly cycle: string }
  | { readonly kind: 'wait'; readonly hours: number }
  /** `appends`: number of appends after which the store fails, so that the settlement stays open or closed; null: it does not fail. */
  | { readonly kind: 'settle'; readonly appends: number | null }
  | OnPaid
  | { readonly kind: 'fail-refund'; readonly nth: number }
  /** `end`: whether the bank pays it, and whether it returns it then. */
  | { readonly kind: 'payout'; readonly share: number; readonly end: 'open' | 'paid' | 'returned' };

type OnPaid =
  | { readonly kind: 'refund'; readonly nth: number; readonly amount: number }
  | { readonly kind: 'reverse' | 'open-dispute' | 'win-dispute' | 'lose-dispute'; readonly nth: number };

/** One account of one merchant with the real deciders and the real settlements, on a clock that the test sets, projected into the schema `ledger`. */
export class Trade {
  readonly store = new InMemoryEventStore();
  readonly account = { merchant_id: derivedId('trade', 'merchant'), currency: 'IDR' };
  now: number;
  readonly clock = (): number => this.now;
  readonly #accounts: AccountQueue;
  readonly #refund: RequestRefundHandler;
  readonly #settlements: SettlementWorker;
  readonly #charges: string[] = [];
  readonly #refunds: { readonly refund_id: string; readonly charge: string }[] = [];
  #payouts = 0;
  #projected = 0;

  constructor(
    private readonly pool: Pool,
    start: number,
    private readonly holidays: Holidays = new Map(),
  ) {
    this.now = start;
    const waits = simulatedWaits();
    waitOn(this.store, waits);
    this.#accounts = new AccountQueue(this.store, { find: async () => undefined, save: async () => false }, this.clock, waits);
    const reservations = new RefundReservations(this.store, this.#accounts, this.clock);
    this.#refund = new RequestRefundHandler(this.store, reservations, this.clock, Buffer.alloc(32, 1));
    const run = new SettlementRun(this.store, this.#accounts, this.clock, async () => undefined);
    const reader = {
      findOpen: () => findOpenSettlements(pool, 10),
      findDue: (now: string) => findDueAccounts(pool, now),
      findUrgent: () => findUrgentAccounts(pool),
      findLines: (of: typeof this.account, now: string, limit: number) => findSettlementCandidates(pool, of, now, limit),
      hasSeen: async () => (await this.project(), true),
    };
    this.#settlements = new SettlementWorker(run, reader, this.clock, (_, error) => {
      if (!(error instanceof StoreUnavailable)) throw error;
    });
  }

  async take(step: TradeStep): Promise<void> {
    // Each event has its own moment.
    this.now += 1;
    switch (step.kind) {
      case 'wait':
        this.now += step.hours * HOUR_MS;
        return;
      case 'pay':
        return this.#pay(step.amount, step.cycle);
      case 'settle':
        return this.settle(step.appends);
      case 'payout':
        return this.#requestPayout(step.share, step.end);
      case 'fail-refund': {
        const refund = this.#refunds[step.nth % Math.max(1, this.#refunds.length)];
        if (refund) await this.#onCharge(refund.charge, (now) => ({ kind: 'fail-refund', refund_id: refund.refund_id, reason: 'no', now }));
        return;
      }
      default: {
        const id = this.#charges[step.nth % Math.max(1, this.#charges.length)];
        if (id !== undefined) await this.#onPaid(id, step);
      }
    }
  }

  /** Registers the merchant, so that the account can be projected. */
  async begin(): Promise<this> {
    await registerMerchant(this, { name: 'Kopi Kita', email: null, country: 'ID', mode: 'test' }, this.account.merchant_id);
    return this;
  }

  /** Settles everything that is due, as one pass of the worker does. */
  async settle(appends: number | null = null): Promise<void> {
    await this.project();
    const stopping = new AbortController();
    let left = appends ?? Infinity;
    this.store.hooks = {
      beforeAppend: () => {
        left -= 1;
        if (left >= 0) return;
        stopping.abort();
        throw new StoreUnavailable('cut');
      },
    };
    await this.#settlements.all(stopping.signal);
    this.store.hooks = {};
    await this.project();
  }

  async project(): Promise<void> {
    const events = this.store.all(this.#projected).map((event, index) => ({ ...event, ordinal: this.#projected + index + 1 }));
    if (this.#projected === 0) await project(this.pool, ledger, events, 100);
    else await projectOn(this.pool, ledger, events, 100);
    this.#projected += events.length;
  }

  async #pay(amount: number, cycle: string): Promise<void> {
    const id = derivedId('trade', `charge ${this.#charges.length}`);
    this.#charges.push(id);
    const terms = termsOf('QR_QRIS', { settlement_cycle: cycle, min_amount: 1, max_amount: amount, fee: { type: 'FIXED', value: 1 } });
    const ids = { charge_id: id, merchant_id: this.account.merchant_id };
    await this.#onCharge(id, (now) => createCharge(ids, terms, { amount }, now));
    await this.#onCharge(id, (now) => ({ kind: 'pay', amount, payment_reference: id, holidays: this.holidays, now }));
  }

  async #onPaid(id: string, step: OnPaid): Promise<void> {
    const of = { reference: 'D-1', stage: 'CHARGEBACK' as const };
    switch (step.kind) {
      case 'refund': {
        const key = `refund ${this.#refunds.length}`;
        const body = { amount: step.amount, reason: null, reference_id: null, description: null, metadata: {} };
        const request = new RequestRefund(id, body, key, { merchant_id: this.account.merchant_id, mode: 'test' }, CONTEXT);
        const requested = await this.#refund.execute(request).catch(ignoreRefusal);
        if (requested) this.#refunds.push({ refund_id: requested.claimed.refund_id, charge: id });
        return;
      }
      case 'reverse':
        return this.#onCharge(id, (now) => ({ kind: 'reverse', reason: 'chargeback', now }));
      case 'open-dispute': {
        const claim = { ...of, amount: 1_000, reason_code: '1', reason: 'no', due_by: timestamp(this.now + 48 * HOUR_MS) };
        return this.#onCharge(id, (now) => ({ kind: 'open-dispute', claim, dispute_fee_amount: 7, now }));
      }
      case 'win-dispute':
        return this.#onCharge(id, (now) => ({ kind: 'win-dispute', ...of, is_final: false, now }));
      case 'lose-dispute':
        return this.#onCharge(id, (now) => ({ kind: 'lose-dispute', ...of, now }));
    }
  }

  async #requestPayout(share: number, end: 'open' | 'paid' | 'returned'): Promise<void> {
    const { available } = (await this.#accounts.read(this.account)).state;
    const payout_id = derivedId('trade', `payout ${this.#payouts++}`);
    const bank = { bank_account_name: 'Siti', bank_account_number: '12345678', bank_name: 'Maybank' };
    const other = { reference_id: null, description: null, meta_data: {}, fingerprint: 'print', created_by: 'key_1' };
    const amount = Math.max(1, Number((available * BigInt(share)) / 1_000n));
    const order = { ...this.account, payout_id, amount, fee: { type: 'FIXED', value: 1 } as const, ...bank, ...other };
    await this.#onAccount((now) => ({ kind: 'request-payout', order, now }));
    const found = async <Data>(type: string) =>
      (await this.store.read(accountStream(order.merchant_id, order.currency))).find(
        (event) => event.type === type && (event.data as { payout_id?: string }).payout_id === payout_id,
      )?.data as Data | undefined;
    const request = await found<PayoutRequested>('PayoutRequested');
    if (!request || end === 'open') return;
    await this.#onAccount((now) => ({ kind: 'submit-payout', payout_id, now }));
    await this.#onAccount((now) => ({ kind: 'succeed-payout', payout_id, now }));
    const { succeeded_on } = (await found<PayoutSucceeded>('PayoutSucceeded'))!;
    if (end === 'paid') return;
    await this.#decide(payoutStream(payout_id), payout, (): PayoutCommand => ({ kind: 'register', request }));
    await this.#decide(payoutStream(payout_id), payout, (now): PayoutCommand => ({ kind: 'return', reason: 'closed', succeeded_on, now }));
  }

  #onCharge(id: string, command: (now: string) => ChargeCommand): Promise<void> {
    return this.#decide(chargeStream(id), charge, command);
  }

  #onAccount(command: (now: string) => AccountCommand): Promise<void> {
    return this.#decide(accountStream(this.account.merchant_id, this.account.currency), account, command);
  }

  /** A refusal has no effect. */
  async #decide<State, Command, Event extends LedgerEvent, Refusal extends string>(
    stream: string,
    decider: Decider<State, Command, Event, Refusal>,
    command: (now: string) => Command,
  ): Promise<void> {
    this.now += 1;
    await decideOnStream(this.store, this.clock, stream, decider, command, CONTEXT);
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
