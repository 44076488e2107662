import type { LedgerEvent } from '../../src/ledger/catalogue.js';
import type { ChargeCreated } from '../../src/ledger/events/charge.events.js';
import { addDays } from '../../src/ledger/days.js';
import { simulatedTransferReference } from '../../src/ledger/ids/id-codes.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { timestamp } from '../../src/ledger/time.js';
import { payoutDeed, type Deed, type DeedKind } from '../../src/rails/simulator/deeds.js';
import { randomNumbers } from './random-numbers.js';

/** Wednesday. Three weekends come. */
export const FIRST_DAY = '2026-11-04';
/** Thursday: defects are planted in its files. */
export const DEFECT_DAY = '2026-11-12';
/** All that is missing on that day is overdue by then. */
export const LAST_DAY = '2026-11-20';

export interface TradeEvent {
  /** The time at which the ledger received the event, in milliseconds since the epoch. */
  readonly at: number;
  readonly stream: string;
  readonly event: LedgerEvent;
}

interface Paid {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds from the deed to the event. */
const TOLD_AFTER = 1_000;
const LATE = 40 * MINUTE;
/** Before noon, and behind it. */
const PAYMENTS = 12;

/**
 * Trade of a live merchant and of a test merchant, day by day: the true deeds of processor and bank, and the ledger's events about them.
 * Every day has the trade that each of the defects needs.
 */
export class SimulatedTrade {
  readonly deeds: Deed[] = [];
  readonly foreign: Deed[] = [];
  readonly events: TradeEvent[] = [];
  readonly merchants = { live: derivedId('test', 'live merchant'), test: derivedId('test', 'test merchant') };
  private readonly random: (below: number) => number;
  private readonly paid: Paid[] = [];
  private returning: { readonly payout: string; readonly amount: number; readonly currency: string } | undefined;
  private made = 0;

  constructor(readonly seed: number) {
    this.random = randomNumbers(seed);
    for (const mode of ['live', 'test'] as const) {
      const of = { merchant_id: this.merchants[mode], name: 'Kopi', email: null, country: 'ID', mode, default_currency: 'IDR' };
      const at = midnight(FIRST_DAY) - HOUR;
      this.events.push({
        at,
        stream: `merchant-${of.merchant_id}`,
        event: { type: 'MerchantRegistered', data: { ...of, timezone: 'Asia/Jakarta', created_on: timestamp(at) } },
      });
    }
    for (let day = FIRST_DAY; day <= LAST_DAY; day = addDays(day, 1)) this.day(midnight(day));
    this.events.sort((a, b) => a.at - b.at);
    this.deeds.sort((a, b) => Date.parse(a.done_on) - Date.parse(b.done_on));
  }

  /** @param start of the day in Jakarta, milliseconds since the epoch */
  private day(start: number): void {
    const before = this.paid.filter(({ at }) => at < start - 24 * HOUR);
    for (const [from, hours] of [
      [8, 3],
      [13, 9],
    ] as const)
      for (let n = 0; n < PAYMENTS; n += 1) this.pay(start + from * HOUR + this.random(hours * HOUR), n % 4 === 3 ? 'MYR' : 'IDR');
    // Midnight in Jakarta lies between these; the event of the second is late.
    this.pay(start, 'IDR');
    this.pay(start + 24 * HOUR - 1_000, 'IDR', LATE);
    const called = this.pay(start + 9 * HOUR, 'IDR');
    this.paid.pop();
    this.back('REVERSAL', called, called.at + 10 * MINUTE, called.amount);
    const chosen = (): Paid | undefined => {
      const paid = before.splice(this.random(before.length), 1)[0];
      if (paid) this.paid.splice(this.paid.indexOf(paid), 1);
      return paid;
    };
    const [reversed, refunded, disputed] = [chosen(), chosen(), chosen()];
    if (reversed) this.back('REVERSAL', reversed, start + 15 * HOUR, reversed.amount);
    // Lines that are equal to each other.
    if (refunded) for (const hour of [16, 17]) this.back('REFUND', refunded, start + hour * HOUR, Math.floor(refunded.amount / 4));
    if (disputed) this.back('DISPUTE', disputed, start + 18 * HOUR, disputed.amount);
    this.payInTest(start + 11 * HOUR);
    this.payOut(start);
  }

  private pay(at: number, currency: string, toldAfter = TOLD_AFTER): Paid {
    const n = this.made++;
    const amount = 100_000 + this.random(90_000) * 10;
    const paid = { id: derivedId('test', `${this.seed} charge ${n}`), reference: `SIM-${this.code(n)}`, currency, amount, at };
    const channel_code = currency === 'IDR' ? 'QR_QRIS' : 'WALLET_TNG';
    this.deeds.push(this.deed('PAYMENT', `paid/${paid.id}`, paid, amount, at, channel_code));
    this.tellPaid(paid, channel_code, this.merchants.live, at + toldAfter);
    this.paid.push(paid);
    return paid;
  }

  private payInTest(at: number): void {
    const n = this.made++;
    const paid = { id: derivedId('test', `${this.seed} charge ${n}`), reference: `SIM-${this.code(n)}`, currency: 'IDR', amount: 70_000, at };
    this.foreign.push(this.deed('PAYMENT', `paid/${paid.id}`, paid, paid.amount, at, 'QR_QRIS'));
    this.tellPaid(paid, 'QR_QRIS', this.merchants.test, at + TOLD_AFTER);
  }

  private tellPaid({ id, reference, currency, amount, at }: Paid, channel_code: string, merchant_id: string, told: number): void {
    const of = { charge_id: id, merchant_id, currency, amount, fee_amount: 0, net_amount: amount, processor: 'SIMULATOR' };
    const created: Omit<ChargeCreated, keyof typeof of> = {
      ...{ code: `CHG_${reference}`, channel_code, action_flow: 'EMBEDDED', reference_id: reference, description: null, meta_data: {} },
      ...{ action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://localhost', simulation_url: null }, fee: { type: 'FIXED', value: 0 } },
      ...{ charge_statement_id: id, settlement_cycle: 'T+2', expires_on: timestamp(told), created_by: 'key', created_on: timestamp(at - MINUTE) },
    };
    this.tell(`charge-${id}`, at - MINUTE, { type: 'ChargeCreated', data: { ...of, ...created } });
    const paid = { paid_on: timestamp(told), settlement_date: timestamp(told), payment_reference: reference, late_after: null };
    this.tell(`charge-${id}`, told, { type: 'ChargePaid', data: { ...of, ...paid } });
  }

  /** Money goes back to a customer of the live merchant. */
  private back(kind: 'REVERSAL' | 'REFUND' | 'DISPUTE', paid: Paid, at: number, amount: number): void {
    const { id: charge_id, currency } = paid;
    const id = derivedId(charge_id, `${kind} ${at}`);
    this.deeds.push(this.deed(kind, `${kind}/${id}`, paid, -amount, at, null));
    const of = { charge_id, merchant_id: this.merchants.live, currency, amount, fee_amount: 0, net_amount: amount, processor: 'SIMULATOR' };
    const told = timestamp(at + TOLD_AFTER);
    this.tell(`charge-${charge_id}`, at + TOLD_AFTER, eventOf(kind, of, id, told));
  }

  /** Some that succeed, one that does not, and one that comes back on the next day. */
  private payOut(start: number): void {
    if (this.returning) {
      const { payout, amount, currency } = this.returning;
      const at = start + 10 * HOUR;
      this.deeds.push(payoutDeed('RETURN', { payout_id: payout, currency, net_amount: amount }, at));
      const data = { ...this.ofPayout(payout, currency, amount), reason: 'account closed', returned_on: timestamp(at + TOLD_AFTER) };
      this.tell(`payout-${payout}`, at + TOLD_AFTER, { type: 'PayoutReturned', data });
    }
    const endings = ['PAYOUT', 'PAYOUT', 'REJECTED', 'PAYOUT'] as const;
    const made = endings.map((ending, place) => this.onePayout(start + (9 + place) * HOUR, ending, place === 3 ? 'MYR' : 'IDR'));
    this.returning = made[0];
  }

  private onePayout(at: number, ending: 'PAYOUT' | 'REJECTED', currency: string): { payout: string; amount: number; currency: string } {
    const payout = derivedId('test', `${this.seed} payout ${this.made++}`);
    const amount = 30_000 + this.random(20_000);
    const of = this.ofPayout(payout, currency, amount);
    const account = `account-${this.merchants.live}-${currency}`;
    const requested = {
      ...{ ...of, fee: { type: 'FIXED' as const, value: 0 }, bank_account_name: 'Siti', bank_account_number: '0123456789', bank_name: 'BCA' },
      ...{ reference_id: null, description: null, meta_data: {}, fingerprint: 'f', approvals_required: 0 as const, approve_by: null },
      ...{ created_by: 'key', created_on: timestamp(at - MINUTE) },
    };
    this.tell(account, at - MINUTE, { type: 'PayoutRequested', data: requested });
    this.tell(account, at - 1, { type: 'PayoutSubmitted', data: { ...of, submitted_on: timestamp(at - 1) } });
    this.deeds.push(payoutDeed(ending, { payout_id: payout, currency, net_amount: amount }, at));
    const told = timestamp(at + TOLD_AFTER);
    this.tell(
      account,
      at + TOLD_AFTER,
      ending === 'PAYOUT'
        ? { type: 'PayoutSucceeded', data: { ...of, succeeded_on: told } }
        : { type: 'PayoutFailed', data: { ...of, reason: 'no such account', failed_on: told } },
    );
    return { payout, amount, currency };
  }

  private ofPayout(payout_id: string, currency: string, amount: number) {
    return { payout_id, merchant_id: this.merchants.live, currency, amount, fee_amount: 0, net_amount: amount };
  }

  private deed(
    kind: DeedKind,
    id: string,
    { id: record_id, reference, currency }: Paid,
    amount: number,
    at: number,
    channel_code: string | null,
  ): Deed {
    return { id, kind, record_id, reference, channel_code, currency, amount, done_on: timestamp(at) };
  }

  private code(n: number): string {
    return simulatedTransferReference(derivedId('test', `${this.seed} reference ${n}`)).slice(1, 13);
  }

  private tell(stream: string, at: number, event: LedgerEvent): void {
    this.events.push({ at, stream, event });
  }
}

type OfBack = { charge_id: string; merchant_id: string; currency: string; amount: number; fee_amount: number; net_amount: number; processor: string };

function eventOf(kind: 'REVERSAL' | 'REFUND' | 'DISPUTE', of: OfBack, id: string, on: string): LedgerEvent {
  switch (kind) {
    case 'REVERSAL':
      return { type: 'ChargeReversed', data: { ...of, reason: 'fraud', claimed_in: null, reversed_on: on } };
    case 'REFUND':
      return { type: 'ChargeRefundSucceeded', data: { ...of, refund_id: id, succeeded_on: on } };
    case 'DISPUTE': {
      const lost = { stage: 'CHARGEBACK' as const, lost_reason: 'DECIDED' as const, dispute_fee_amount: 0, lost_on: on };
      return { type: 'ChargeDisputeLost', data: { ...of, dispute_id: id, ...lost } };
    }
  }
}

/** When a day begins in Jakarta, milliseconds since the epoch. */
export const midnight = (day: string): number => Date.parse(`${day}T00:00:00+07:00`);
