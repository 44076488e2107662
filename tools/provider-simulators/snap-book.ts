import { randomUUID } from 'node:crypto';
import { jakartaMidnight } from '../../src/rails/snap/jakarta.js';
import type { SnapProfile } from '../../src/rails/snap/profiles.js';
import { DAY_MS } from '../../src/ledger/time.js';

export interface TransferOrder {
  readonly partner_reference: string;
  readonly external_id: string;
  readonly service: '17' | '18';
  /** Minor units. */
  readonly amount: number;
  readonly bank_code: string | null;
  readonly account: string;
}

/** The bank's record of a transfer. Times are ms since the epoch, by the bank's clock. */
export interface Transfer extends TransferOrder {
  readonly reference: string;
  readonly received: number;
  /** Time from which the bank knows of it. */
  readonly lands: number;
  status: 'paying' | 'paid' | 'failed' | 'returned';
  /** The answer to the newest inquiry, delivered or not; null: none was made. */
  told: Transfer['status'] | null;
  /** Time at which it reaches its final state; null: when /control/settle sets it. */
  settles: number | null;
  /** Times at which it left the account and was returned. */
  paid_at: number | null;
  returned_at: number | null;
}

export interface QrPayment {
  readonly reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly paid: number;
}

export interface QrCode {
  readonly partner_reference: string;
  readonly amount: number;
  readonly expires: number;
  is_cancelled: boolean;
  /** It has expired, and the consequences of that have been drawn. */
  is_overdue: boolean;
  payment: QrPayment | null;
  readonly refunds: { readonly partner_refund_no: string; readonly reference: string; readonly amount: number; readonly at: number }[];
}

/**
 * Endings of account numbers that select the end of a transfer: it is returned; it never settles. The one of an unknown account is in
 * snap-services.ts.
 */
const RETURNED = '0002';
const NEVER_SETTLED = '0003';

/** A line of a statement. */
export interface BookLine {
  readonly at: number;
  /** Minor units; negative: a debit. */
  readonly amount: number;
  readonly reference: string;
  readonly remark: string;
}

/** The true state of a simulated bank: all that it has received and done. */
export class SnapBook {
  readonly transfers: Transfer[] = [];
  readonly codes = new Map<string, QrCode>();
  /** Minor units, of the house account. */
  balance: number;
  readonly #byReference = new Map<string, Transfer[]>();
  /** On their way to the bank. */
  readonly #late = new Set<Transfer>();
  /** Transfers that reach their final state by themselves. */
  readonly #unsettled = new Set<Transfer>();
  #day = 0;
  #externalIds = new Set<string>();

  constructor(
    private readonly profile: SnapProfile,
    private readonly now: () => number,
    private readonly settlesAfterMs: number | null,
    /** Balance before the first booking. */
    private readonly opening: number,
  ) {
    this.balance = opening;
  }

  /** Returns false when it was already used today, in Jakarta's days. */
  takeExternalId(id: string): boolean {
    const day = jakartaMidnight(this.now());
    if (day !== this.#day) this.#externalIds = new Set();
    this.#day = day;
    if (this.#externalIds.has(id)) return false;
    this.#externalIds.add(id);
    return true;
  }

  /** Returns whether a reference is recognised as used: by the profile's memory, within its window. `forgetsAtMidnight`: only those of today. */
  remembers(reference: string, forgetsAtMidnight: boolean): boolean {
    const { reference_window_days } = this.profile;
    const since = forgetsAtMidnight ? jakartaMidnight(this.now()) : this.now() - reference_window_days * DAY_MS;
    return this.#landed(reference).some((transfer) => transfer.received >= since && this.#isRemembered(transfer));
  }

  /** `lateMs`: delay until it arrives. */
  take(order: TransferOrder, lateMs: number): Transfer {
    const received = this.now();
    const lands = received + lateMs;
    const isSettled = this.settlesAfterMs !== null && !order.account.endsWith(NEVER_SETTLED);
    const transfer: Transfer = {
      ...order,
      reference: randomUUID().replaceAll('-', ''),
      received,
      lands,
      status: 'paying',
      told: null,
      settles: isSettled ? lands + this.settlesAfterMs : null,
      paid_at: null,
      returned_at: null,
    };
    this.transfers.push(transfer);
    this.#byReference.set(order.partner_reference, [...(this.#byReference.get(order.partner_reference) ?? []), transfer]);
    if (isSettled) this.#unsettled.add(transfer);
    if (lateMs > 0) this.#late.add(transfer);
    return transfer;
  }

  /** Returns the most significant transfer with a reference: paid before paying, and that before the others. undefined: the bank knows none. */
  statusOf(reference: string): Transfer | undefined {
    const landed = this.#landed(reference).filter(({ received }) => received >= this.now() - this.profile.inquiry_window_days * DAY_MS);
    const order: readonly Transfer['status'][] = ['paid', 'paying', 'returned', 'failed'];
    return landed.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))[0];
  }

  /** `at`: time of the change. A returned transfer has left the account before. */
  settle(transfer: Transfer, status: 'paid' | 'failed' | 'returned', at = this.now()): void {
    const [wasPaid, isPaid] = [transfer.status === 'paid', status === 'paid'];
    if (wasPaid !== isPaid) this.balance += (wasPaid ? 1 : -1) * transfer.amount;
    if (status !== 'failed') transfer.paid_at ??= at;
    if (status === 'returned') transfer.returned_at = at;
    transfer.status = status;
    transfer.settles = null;
    this.#unsettled.delete(transfer);
  }

  /** Performs all changes that are due. */
  settleDue(): void {
    const arrived = [...this.#late].filter(({ lands }) => lands <= this.now()).sort((a, b) => a.lands - b.lands);
    for (const transfer of arrived) {
      // A bank that remembers references rejects the later arrival, even if that request was sent first.
      if (this.#hasOther(transfer)) this.settle(transfer, 'failed');
      this.#late.delete(transfer);
    }
    for (const transfer of this.#unsettled) {
      if (transfer.settles === null || transfer.settles > this.now()) continue;
      const comesBack = transfer.account.endsWith(RETURNED);
      const due = transfer.settles;
      if (!comesBack || transfer.status === 'paid') this.settle(transfer, comesBack ? 'returned' : 'paid', due);
      else {
        this.settle(transfer, 'paid', due);
        transfer.settles = this.now() + this.settlesAfterMs!;
        this.#unsettled.add(transfer);
      }
    }
  }

  /** Returns the lines of the house account's statement, oldest first: together they make up its balance. */
  lines(): BookLine[] {
    this.settleDue();
    const transfers = this.transfers.flatMap(({ paid_at, returned_at, amount, reference, partner_reference }) => [
      ...(paid_at === null ? [] : [{ at: paid_at, amount: -amount, reference, remark: `TRF ${partner_reference}` }]),
      ...(returned_at === null ? [] : [{ at: returned_at, amount, reference, remark: `RETUR ${partner_reference}` }]),
    ]);
    const codes = [...this.codes.values()].flatMap(({ payment, refunds }) => [
      ...(payment ? [{ at: payment.paid, amount: payment.amount, reference: payment.reference, remark: 'QRIS' }] : []),
      ...refunds.map(({ at, amount, reference }) => ({ at, amount: -amount, reference, remark: 'REFUND QRIS' })),
    ]);
    return [...transfers, ...codes].sort((a, b) => a.at - b.at);
  }

  /** Returns the balance before everything booked at `at` or later. */
  balanceAt(at: number): number {
    return this.lines()
      .filter((line) => line.at < at)
      .reduce((sum, { amount }) => sum + amount, this.opening);
  }

  pay(code: QrCode, amount: number): QrPayment {
    if (code.payment) throw new Error('the code has been paid');
    this.balance += amount;
    return (code.payment = { reference: randomUUID(), amount, paid: this.now() });
  }

  #isRemembered({ status }: Transfer): boolean {
    const { reference_remembers } = this.profile;
    return reference_remembers === 'all' || (reference_remembers === 'successes' && (status === 'paid' || status === 'returned'));
  }

  /** Returns whether another transfer with the reference arrived before, and is remembered. */
  #hasOther({ partner_reference, lands }: Transfer): boolean {
    const since = lands - this.profile.reference_window_days * DAY_MS;
    const all = this.#byReference.get(partner_reference) ?? [];
    return all.some((other) => !this.#late.has(other) && other.lands >= since && other.lands < lands && this.#isRemembered(other));
  }

  #landed(reference: string): Transfer[] {
    this.settleDue();
    return (this.#byReference.get(reference) ?? []).filter(({ lands }) => lands <= this.now());
  }
}
