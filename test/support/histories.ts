import { settlementTotals, type PayoutRequested, type SettlementLine } from '../../src/ledger/events/account.events.js';
import { ACCOUNT_ADJUSTMENTS, isAccountKind, isSuspenseKind, type AdjustmentKind } from '../../src/ledger/events/adjustment.events.js';
import type { ChargePaymentUnmatched } from '../../src/ledger/events/charge.events.js';
import { SCHEMA_VERSIONS, type LedgerEvent } from '../../src/ledger/catalogue.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import { timestamp } from '../../src/ledger/time.js';

/** Events as a log returns them, without a store: the input of read models. */
export class Log {
  readonly events: OrdinalEvent[] = [];
  readonly #revisions = new Map<string, number>();
  clockMs = Date.UTC(2026, 0, 31, 8, 0, 0, 0);

  get now(): string {
    return timestamp(this.clockMs);
  }

  /** The n-th UUID of this log: the same in every run. */
  id(purpose: string): string {
    return derivedId('test', purpose);
  }

  /** A merchant that is there from now on. */
  register(merchant_id: string, mode: Mode = 'test'): void {
    const data = {
      merchant_id,
      name: 'Kopi',
      email: null,
      country: 'ID',
      mode,
      default_currency: 'IDR',
      timezone: 'Asia/Jakarta',
      created_on: this.now,
    };
    this.add({ type: 'MerchantRegistered', data }, `merchant-${merchant_id}`, 'cli:test');
  }

  add(entry: LedgerEvent, stream: string, actor = 'key_test'): OrdinalEvent {
    const ordinal = this.events.length + 1;
    const revision = (this.#revisions.get(stream) ?? -1) + 1;
    this.#revisions.set(stream, revision);
    const event: OrdinalEvent = {
      id: this.id(`event ${ordinal}`),
      type: entry.type,
      data: entry.data,
      metadata: {
        merchant_id: entry.data.merchant_id,
        actor,
        $correlationId: 'correlation',
        $causationId: 'causation',
        schema_version: SCHEMA_VERSIONS[entry.type],
        occurred_on: this.now,
      },
      stream,
      revision,
      position: BigInt(ordinal),
      ordinal,
    };
    this.events.push(event);
    return event;
  }

  /** Adds an event that a store has recorded as the next one. */
  take(event: RecordedEvent): void {
    this.#revisions.set(event.stream, event.revision);
    this.events.push({ ...event, ordinal: this.events.length + 1 });
  }
}

/** Cuts a log into batches while it grows. */
export class Batches {
  readonly all: OrdinalEvent[][] = [];
  #taken = 0;

  constructor(private readonly log: Log) {}

  /** Returns the events since the last cut. */
  cut(): OrdinalEvent[] {
    const events = this.log.events.slice(this.#taken);
    this.#taken = this.log.events.length;
    return events;
  }

  /** Ends a batch. */
  end(): void {
    this.all.push(this.cut());
  }

  /** Fills a batch with so many steps, and ends it. */
  of(count: number, step: (n: number) => void): void {
    for (let n = 0; n < count; n++) step(n);
    this.end();
  }
}

export const CURRENCIES = ['IDR', 'MYR', 'SGD'] as const;

export interface TestCharge {
  readonly id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  state: 'PENDING' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'PAID' | 'CLAIMED' | 'SETTLED';
  /** A claimed charge was reversed, and its reversal is not settled yet / is. */
  reversal: 'NONE' | 'WAITING' | 'CLAIMED' | 'DONE';
}

export interface TestPayout {
  readonly id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  state: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  returned: 'NONE' | 'WAITING' | 'CLAIMED' | 'DONE';
  readonly required: 0 | 1 | 2;
  /** Persons. */
  readonly given: string[];
}

/** A service that makes only right decisions, driven by numbers: every list of numbers is a valid history. */
export class World {
  readonly log = new Log();
  readonly charges: TestCharge[] = [];
  readonly payouts: TestPayout[] = [];
  readonly merchants: readonly string[];
  readonly #settlements = new Map<string, number>();
  /** Items that were resolved. */
  readonly #adjusted = new Set<string>();
  #adjustments = 0;

  /** `merchants`: how many are registered, live and test ones in turn, or the ids of those that are there. */
  constructor(merchants: number | readonly string[] = 3) {
    this.merchants = typeof merchants === 'number' ? Array.from({ length: merchants }, (_, n) => this.log.id(`merchant ${n}`)) : merchants;
    if (typeof merchants === 'number') for (const [n, id] of this.merchants.entries()) this.log.register(id, MODES[n % MODES.length]);
  }

  /** One step: `what` chooses the action, `which` its subject, `amount` (1 or more) a sum of money. */
  step(what: number, which: number, amount: number): void {
    // Clocks of several processes: mostly forwards, sometimes back.
    this.log.clockMs += (amount % 1_000) - (which % 7 === 0 ? 400 : 0);
    const actions = [
      () => this.create(which, amount),
      () => this.create(which, amount),
      () => this.pay(which),
      () => this.pay(which),
      () => this.end(which),
      () => this.reverse(which),
      () => this.settle(which, amount),
      () => this.requestPayout(which, amount),
      () => this.movePayout(which),
      () => this.movePayout(which),
      () => this.returnPayout(which),
      () => this.register(which),
      () => this.payAgain(which, amount),
    ];
    actions[what % actions.length]!();
  }

  create(which: number, amount: number): TestCharge {
    const n = this.charges.length;
    const fee_amount = Math.min(amount, Math.floor(amount / 100) + (which % 3));
    const charge: TestCharge = {
      id: this.log.id(`charge ${n}`),
      merchant_id: this.merchants[which % this.merchants.length]!,
      currency: CURRENCIES[which % CURRENCIES.length]!,
      amount,
      fee_amount,
      net_amount: amount - fee_amount,
      state: 'PENDING',
      reversal: 'NONE',
    };
    this.charges.push(charge);
    const { id, merchant_id, currency, net_amount } = charge;
    const now = this.log.now;
    this.#charge(charge, {
      type: 'ChargeCreated',
      data: {
        charge_id: id,
        merchant_id,
        currency,
        amount,
        fee_amount,
        net_amount,
        code: `CHG_${String(n).padStart(16, '0')}`,
        channel_code: ['QR_QRIS', 'BANK_REDIRECT_FPX', 'QR_PAYNOW'][which % 3]!,
        action_flow: 'EMBEDDED',
        reference_id: `order "${n}", {\\n}`,
        description: which % 2 === 0 ? null : `coffee, 'large' \\ ${n}`,
        meta_data: { table: `${n}` },
        action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://localhost/pay', simulation_url: null },
        fee: { type: 'PERCENTAGE', value: 1 },
        charge_statement_id: this.log.id(`statement ${n}`),
        processor: 'simulator',
        settlement_cycle: 'T+2',
        expires_on: now,
        created_by: 'key_test',
        created_on: now,
      },
    });
    return charge;
  }

  pay(which: number): void {
    const charge = pick(this.charges, which, ({ state }) => ['PENDING', 'FAILED', 'EXPIRED', 'CANCELLED'].includes(state));
    if (!charge) return;
    const late_after = charge.state === 'PENDING' ? null : (charge.state as 'FAILED' | 'EXPIRED' | 'CANCELLED');
    charge.state = 'PAID';
    const { amount, fee_amount, net_amount } = charge;
    const of = this.#of(charge);
    this.#charge(charge, {
      type: 'ChargePaid',
      data: {
        ...of,
        processor: 'simulator',
        amount,
        fee_amount,
        net_amount,
        paid_on: this.log.now,
        settlement_date: this.log.now,
        payment_reference: 'p',
        late_after,
      },
    });
  }

  /** A payment that no charge can take. */
  payAgain(which: number, amount: number): void {
    const charge = pick(this.charges, which, ({ state }) => state === 'PAID');
    if (!charge) return;
    const payment = { processor: 'simulator', amount, payment_reference: this.log.id(`payment ${this.log.now}`), received_on: this.log.now };
    this.#charge(charge, { type: 'ChargePaymentUnmatched', data: { ...this.#of(charge), ...payment, reason: 'second-payment' } });
  }

  /** An approved proposal of any kind but an opening takes effect: of items one that is open. */
  adjust(which: number, asked: number): void {
    const n = this.#adjusted.size + this.#adjustments++;
    const [item] = this.log.events.filter(({ id, type }) => type === 'ChargePaymentUnmatched' && !this.#adjusted.has(id)).slice(which % 3);
    const about = item?.data as ChargePaymentUnmatched | undefined;
    const kind = [...ACCOUNT_ADJUSTMENTS, 'UNMATCHED_SENT_BACK', 'GAIN', 'WRITE_OFF'][which % 8] as AdjustmentKind;
    const isItem = isSuspenseKind(kind);
    if ((isItem || kind === 'WRITE_OFF') && !(item && about)) return;
    const [now, proposal_id] = [this.log.now, this.log.id(`proposal ${n}`)];
    if (isItem) {
      this.#adjusted.add(item!.id);
      const claim = { merchant_id: null, item_id: item!.id, proposal_id, claimed_on: now };
      this.log.add({ type: 'SuspenseItemClaimed', data: claim }, `suspense-${item!.id}`);
    }
    const [merchant_id, currency] = about
      ? [about.merchant_id, about.currency]
      : [this.merchants[which % this.merchants.length]!, CURRENCIES[which % 3]!];
    const amount = isItem || kind === 'WRITE_OFF' ? about!.amount : asked;
    const of = { currency, proposal_id, amount, item_id: isItem ? item!.id : null, charge_id: null, relates_to: now.slice(0, 7), adjusted_on: now };
    if (!isAccountKind(kind)) {
      const mode = MODES[this.merchants.indexOf(merchant_id) % MODES.length]!;
      const house = { ...of, merchant_id: null, mode, kind, processor: 'simulator', source: null, position: null, items: null };
      this.log.add({ type: 'HouseAdjusted', data: house }, `house-${mode}-${currency}`);
      return;
    }
    const fee_amount = kind === 'UNMATCHED_TO_MERCHANT' ? Math.floor(amount / 100) : 0;
    const direction = kind === 'FEE_CORRECTION' && asked % 2 === 0 ? ('back' as const) : null;
    const data = { ...of, merchant_id, kind, direction, fee_amount, net_amount: amount - fee_amount };
    this.log.add({ type: 'AccountAdjusted', data }, `account-${merchant_id}-${currency}`);
  }

  end(which: number): void {
    const charge = pick(this.charges, which, ({ state }) => state === 'PENDING');
    if (!charge) return;
    const of = this.#of(charge);
    const now = this.log.now;
    const ends = [
      { state: 'FAILED', event: { type: 'ChargeFailed', data: { ...of, reason: 'declined', failed_on: now } } },
      { state: 'EXPIRED', event: { type: 'ChargeExpired', data: { ...of, expired_on: now } } },
      { state: 'CANCELLED', event: { type: 'ChargeCancelled', data: { ...of, cancelled_on: now, cancelled_by: 'key_test' } } },
    ] as const;
    const { state, event } = ends[which % 3]!;
    charge.state = state;
    this.#charge(charge, event);
  }

  reverse(which: number): void {
    const charge = pick(this.charges, which, ({ state, reversal }) => (state === 'PAID' || state === 'SETTLED') && reversal === 'NONE');
    if (!charge) return;
    this.#reverse(charge, charge.state === 'SETTLED' ? 1 : null);
  }

  #reverse(charge: TestCharge, claimed_in: number | null): void {
    charge.reversal = claimed_in === null ? 'DONE' : 'WAITING';
    const { amount, fee_amount, net_amount } = charge;
    this.#charge(charge, {
      type: 'ChargeReversed',
      data: {
        ...this.#of(charge),
        processor: 'simulator',
        amount,
        fee_amount,
        net_amount,
        reason: 'chargeback',
        claimed_in,
        reversed_on: this.log.now,
      },
    });
  }

  /** A whole settlement of one account; now and then it leaves a listed line unclaimed. */
  settle(which: number, amount: number): void {
    const merchant_id = this.merchants[which % this.merchants.length]!;
    const currency = CURRENCIES[which % CURRENCIES.length]!;
    const theirs = <T extends { merchant_id: string; currency: string }>(all: readonly T[]): T[] =>
      all.filter((each) => each.merchant_id === merchant_id && each.currency === currency);
    const due = theirs(this.charges).filter(({ state, reversal }) => state === 'PAID' && reversal === 'NONE');
    const reversed = theirs(this.charges).filter(({ reversal }) => reversal === 'WAITING');
    const returned = theirs(this.payouts).filter(({ returned }) => returned === 'WAITING');
    const line =
      (kind: SettlementLine['kind']) =>
      ({ id, net_amount, fee_amount }: TestCharge | TestPayout): SettlementLine => ({ kind, record_id: id, net_amount, fee_amount });
    const lines = [...due.map(line('charge')), ...reversed.map(line('reversal')), ...returned.map(line('return'))];
    if (lines.length === 0) return;
    const settlement_number = (this.#settlements.get(`${merchant_id} ${currency}`) ?? 0) + 1;
    this.#settlements.set(`${merchant_id} ${currency}`, settlement_number);
    const settlement_id = this.log.id(`settlement ${merchant_id} ${currency} ${settlement_number}`);
    const of = { settlement_id, merchant_id, currency, settlement_number };
    const stream = `settlement-${merchant_id}-${currency}-${settlement_number}`;
    this.log.add({ type: 'SettlementOpened', data: { ...of, lines, opened_on: this.log.now } }, stream, 'System');
    const claimed = amount % 5 === 0 ? lines.slice(1) : lines;
    const has = (kind: string, id: string): boolean => claimed.some((each) => each.kind === kind && each.record_id === id);
    const claim = { merchant_id, currency, settlement_number, claimed_on: this.log.now };
    for (const charge of due) {
      if (!has('charge', charge.id)) continue;
      this.log.add(
        { type: 'ChargeSettlementClaimed', data: { charge_id: charge.id, net_amount: charge.net_amount, fee_amount: charge.fee_amount, ...claim } },
        `charge-${charge.id}`,
        'System',
      );
      charge.state = 'CLAIMED';
    }
    for (const charge of reversed) {
      if (!has('reversal', charge.id)) continue;
      this.log.add({ type: 'ChargeReversalClaimed', data: { charge_id: charge.id, ...claim } }, `charge-${charge.id}`, 'System');
      charge.reversal = 'CLAIMED';
    }
    for (const payout of returned) {
      if (!has('return', payout.id)) continue;
      this.log.add({ type: 'PayoutReturnClaimed', data: { payout_id: payout.id, ...claim } }, `payout-${payout.id}`, 'System');
      payout.returned = 'CLAIMED';
    }
    // A chargeback that comes between the claim and the money.
    const claimedCharge = due.find(({ state }) => state === 'CLAIMED');
    if (claimedCharge && amount % 3 === 0) this.#reverse(claimedCharge, settlement_number);
    const totals = settlementTotals(claimed);
    this.log.add({ type: 'SettlementClosed', data: { ...of, lines: claimed, totals, closed_on: this.log.now } }, stream, 'System');
    this.log.add(
      { type: 'FundsSettled', data: { merchant_id, currency, settlement_number, lines: claimed, totals, settled_on: this.log.now } },
      `account-${merchant_id}-${currency}`,
      'System',
    );
    for (const charge of due) if (charge.state === 'CLAIMED') charge.state = 'SETTLED';
    for (const charge of reversed) if (charge.reversal === 'CLAIMED') charge.reversal = 'DONE';
    for (const payout of returned) if (payout.returned === 'CLAIMED') payout.returned = 'DONE';
  }

  requestPayout(which: number, amount: number): void {
    const n = this.payouts.length;
    const fee_amount = Math.min(amount - 1, 50);
    const payout: TestPayout = {
      id: this.log.id(`payout ${n}`),
      merchant_id: this.merchants[which % this.merchants.length]!,
      currency: CURRENCIES[which % CURRENCIES.length]!,
      amount: amount + 1,
      fee_amount,
      net_amount: amount + 1 - fee_amount,
      state: 'PENDING',
      required: n % 8 === 3 ? 1 : n % 8 === 7 ? 2 : 0,
      given: [],
      returned: 'NONE',
    };
    this.payouts.push(payout);
    const data: PayoutRequested = {
      ...this.#ofPayout(payout),
      fee: { type: 'FIXED', value: 50 },
      bank_account_name: 'Siti "S" Aminah',
      bank_account_number: '0123456789',
      bank_name: 'BCA',
      reference_id: which % 2 === 0 ? null : `ref ${n}`,
      description: which % 2 === 1 ? null : 'rent',
      meta_data: {},
      fingerprint: 'f',
      approvals_required: payout.required,
      approve_by: payout.required === 0 ? null : this.log.now,
      created_by: 'key_test',
      created_on: this.log.now,
    };
    this.#account(payout, { type: 'PayoutRequested', data });
  }

  register(which: number): void {
    const payout = pick(this.payouts, which, () => true);
    const requested = this.log.events.find(({ type, data }) => type === 'PayoutRequested' && (data as PayoutRequested).payout_id === payout?.id);
    if (requested) this.log.add({ type: 'PayoutRegistered', data: requested.data as PayoutRequested }, `payout-${payout!.id}`);
  }

  movePayout(which: number): void {
    const payout = pick(this.payouts, which, ({ state }) => state === 'PENDING' || state === 'PROCESSING');
    if (!payout) return;
    const of = this.#ofPayout(payout);
    const now = this.log.now;
    if (payout.state === 'PENDING' && which % 4 === 0) {
      payout.state = 'CANCELLED';
      const cause = payout.required === 0 ? 'merchant' : which % 8 === 0 ? 'declined' : 'approval-expired';
      const by = cause === 'declined' ? { person_id: 'p3', reason: 'unknown account' } : { person_id: null, reason: null };
      this.#account(payout, { type: 'PayoutCancelled', data: { ...of, cause, ...by, cancelled_by: 'key_test', cancelled_on: now } });
    } else if (payout.given.length > 0 && which % 5 === 1) {
      this.#account(payout, { type: 'PayoutApprovalVoided', data: { ...of, person_id: payout.given.shift()!, voided_on: now } });
    } else if (payout.given.length < payout.required) {
      const person_id = payout.given.includes('p1') ? 'p2' : 'p1';
      payout.given.push(person_id);
      const approved = { person_id, key_id: `key_${person_id}`, digest: 'd', reason: 'as agreed', approved_on: now };
      this.#account(payout, { type: 'PayoutApproved', data: { ...of, ...approved } });
    } else if (payout.state === 'PENDING') {
      payout.state = 'PROCESSING';
      this.#account(payout, { type: 'PayoutSubmitted', data: { ...of, submitted_on: now } });
    } else if (which % 4 === 0) {
      payout.state = 'FAILED';
      this.#account(payout, { type: 'PayoutFailed', data: { ...of, reason: 'no such account', failed_on: now } });
    } else {
      payout.state = 'SUCCEEDED';
      this.#account(payout, { type: 'PayoutSucceeded', data: { ...of, succeeded_on: now } });
    }
  }

  returnPayout(which: number): void {
    const payout = pick(this.payouts, which, ({ state, returned }) => state === 'SUCCEEDED' && returned === 'NONE');
    if (!payout) return;
    payout.returned = 'WAITING';
    this.log.add(
      { type: 'PayoutReturned', data: { ...this.#ofPayout(payout), reason: 'account closed', returned_on: this.log.now } },
      `payout-${payout.id}`,
      'System',
    );
  }

  #of({ id: charge_id, merchant_id, currency }: TestCharge) {
    return { charge_id, merchant_id, currency };
  }

  #ofPayout({ id: payout_id, merchant_id, currency, amount, fee_amount, net_amount }: TestPayout) {
    return { payout_id, merchant_id, currency, amount, fee_amount, net_amount };
  }

  #charge(charge: TestCharge, event: LedgerEvent): void {
    this.log.add(event, `charge-${charge.id}`);
  }

  #account(payout: TestPayout, event: LedgerEvent): void {
    this.log.add(event, `account-${payout.merchant_id}-${payout.currency}`);
  }
}

function pick<T>(all: readonly T[], which: number, fits: (each: T) => boolean): T | undefined {
  const fitting = all.filter(fits);
  return fitting[which % Math.max(1, fitting.length)];
}

/** The history that these steps make. */
export function worldOf(steps: readonly (readonly [what: number, which: number, amount: number])[]): World {
  const world = new World();
  for (const step of steps) world.step(...step);
  return world;
}
