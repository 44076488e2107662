import type { AccountEvent, SettlementLine } from '../../src/ledger/events/account.events.js';
import {
  isSuspenseKind,
  type AccountAdjusted,
  type AdjustmentKind,
  type HouseAdjusted,
  type HouseEvent,
} from '../../src/ledger/events/adjustment.events.js';
import type { ChargeEvent } from '../../src/ledger/events/charge.events.js';
import type { ChargeRefundClaimed } from '../../src/ledger/events/refund.events.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import { moneyMove, movesMoney, type Account } from '../../src/ledger/postings.js';
import type { ReconciliationEvent } from '../../src/ledger/events/reconciliation.events.js';
import type { PayoutEvent } from '../../src/ledger/events/payout.events.js';
import type { SettlementEvent } from '../../src/ledger/events/settlement.events.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';

export type MovingEvent =
  ChargeEvent | AccountEvent | PayoutEvent | SettlementEvent | HouseEvent | Extract<ReconciliationEvent, { readonly type: 'BankLinesBooked' }>;

export type Sums = Readonly<Record<Account, bigint>> & { readonly pending_count: number; readonly available_count: number };

const ACCOUNTS: readonly Account[] = [
  ...(['processor', 'bank', 'returns', 'suspense', 'fees', 'costs', 'tax', 'losses', 'equity'] as const),
  ...(['pending', 'available', 'reserved', 'refunding', 'disputed'] as const),
];

/** Sums of the postings table over the events of one merchant and currency. */
export class PostedSums {
  readonly #sums = new Map<Account, bigint>(ACCOUNTS.map((account) => [account, 0n]));
  #pendingCount = 0;
  #availableCount = 0;

  add(event: MovingEvent): void {
    if (!movesMoney(event)) return;
    const { postings, counts } = moneyMove(event);
    for (const { from, to, amount } of postings) {
      this.#sums.set(from, this.#sums.get(from)! - amount);
      this.#sums.set(to, this.#sums.get(to)! + amount);
    }
    this.#pendingCount += counts.pending_count;
    this.#availableCount += counts.available_count;
  }

  sums(): Sums {
    return {
      ...(Object.fromEntries(this.#sums) as Record<Account, bigint>),
      pending_count: this.#pendingCount,
      available_count: this.#availableCount,
    };
  }
}

interface ChargeRow {
  readonly amount: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly status: 'PENDING' | 'PROCESSING' | 'SETTLED' | 'REVERSED';
  /** Net amount that a settlement has claimed. */
  readonly claimedNet: bigint | null;
  /** Amounts of ChargeReversed; the row turns REVERSED with the money. */
  readonly reversed: { readonly amount: bigint; readonly net: bigint; readonly fee: bigint } | null;
}

interface RefundRow {
  readonly charge: string;
  readonly amount: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly source: 'PENDING' | 'AVAILABLE';
  readonly status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly to: 'PENDING' | 'RETURNS' | 'PROCESSOR' | null;
  /** A settlement has given it back. */
  readonly isBack: boolean;
}

interface DisputeRow {
  readonly charge: string;
  /** In dispute. */
  readonly wanted: bigint;
  readonly isInquiry: boolean;
  readonly status: 'OPEN' | 'WON' | 'LOST';
  /** Held while it is open, gone once it is lost. */
  readonly amount: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly hasPaidFee: boolean;
}

/** Amount that a settlement is to move for a dispute, and whether one has. */
interface DisputeLineRow {
  readonly kind: SettlementLine['kind'];
  readonly net: bigint;
  readonly isSettled: boolean;
}

interface PayoutRow {
  readonly amount: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'REVERSED';
  /** PayoutSucceeded, PayoutReturned have been recorded. */
  readonly hasLeft: boolean;
  readonly hasComeBack: boolean;
}

interface AdjustmentRow {
  readonly proposal_id: string;
  readonly kind: AdjustmentKind;
  /** In suspense. */
  readonly item: string | null;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly isBack: boolean;
}

/**
 * Balances that every account must have, from the records alone, as a merchant sees them: the postings table is not read.
 * Written from the design's table of states, so that a posting that is wrong disagrees with it.
 */
export class Records {
  readonly charges = new Map<string, ChargeRow>();
  readonly payouts = new Map<string, PayoutRow>();
  readonly refunds = new Map<string, RefundRow>();
  readonly disputes = new Map<string, DisputeRow>();
  readonly disputeLines = new Map<string, DisputeLineRow>();
  /** Amounts that the account reserves for refunds which their charges have not claimed. */
  readonly reservations = new Map<string, bigint>();
  /** Payments that no charge could take, by their references. */
  readonly suspenseItems = new Map<string, bigint>();
  readonly adjustments: AdjustmentRow[] = [];

  /** @throws when an event cannot follow, or a row would go back */
  add(event: MovingEvent): void {
    switch (event.type) {
      case 'ChargePaid': {
        const { charge_id, amount, net_amount, fee_amount } = event.data;
        if (this.charges.has(charge_id)) throw new Error(`charge ${charge_id} paid twice`);
        this.charges.set(charge_id, {
          amount: BigInt(amount),
          net: BigInt(net_amount),
          fee: BigInt(fee_amount),
          status: 'PENDING',
          claimedNet: null,
          reversed: null,
        });
        return;
      }
      case 'ChargePaymentUnmatched': {
        const { payment_reference, amount } = event.data;
        if (this.suspenseItems.has(payment_reference)) throw new Error(`payment ${payment_reference} twice`);
        return void this.suspenseItems.set(payment_reference, BigInt(amount));
      }
      case 'ChargeSettlementClaimed':
        return this.#charge(event.data.charge_id, ['PENDING'], {
          status: 'PROCESSING',
          claimedNet: event.data.net_amount === null ? null : BigInt(event.data.net_amount),
        });
      case 'ChargeReversed': {
        const { charge_id, claimed_in, amount, net_amount, fee_amount } = event.data;
        const reversed = { amount: BigInt(amount), net: BigInt(net_amount), fee: BigInt(fee_amount) };
        if (claimed_in === null) return this.#charge(charge_id, ['PENDING'], { status: 'REVERSED', reversed });
        return this.#charge(charge_id, ['PROCESSING', 'SETTLED'], { reversed });
      }
      case 'AccountAdjusted':
      case 'HouseAdjusted':
        return this.#adjust(event.data);
      case 'RefundReserved':
        if (this.reservations.has(event.data.reservation_id)) throw new Error(`reservation ${event.data.reservation_id} twice`);
        return void this.reservations.set(event.data.reservation_id, BigInt(event.data.net_amount));
      case 'RefundReleased':
        if (!this.reservations.delete(event.data.reservation_id))
          throw new Error(`reservation ${event.data.reservation_id} released without being held`);
        return;
      case 'RefundConfirmed':
        if (this.reservations.has(event.data.reservation_id)) throw new Error(`reservation ${event.data.reservation_id} confirmed without a claim`);
        return;
      case 'ChargeRefundClaimed':
        return this.#claimRefund(event.data);
      case 'ChargeRefundSubmitted':
        return this.#refund(event.data.refund_id, ['PENDING'], { status: 'PROCESSING' });
      case 'ChargeRefundSucceeded':
        return this.#refund(event.data.refund_id, ['PROCESSING'], { status: 'SUCCEEDED' });
      case 'ChargeRefundFailed':
        return this.#refund(event.data.refund_id, ['PROCESSING'], { status: 'FAILED', to: event.data.to });
      case 'ChargeRefundCancelled':
        return this.#refund(event.data.refund_id, ['PENDING'], { status: 'CANCELLED', to: event.data.to });
      case 'ChargeRefundBounced':
        return this.#refund(event.data.refund_id, ['SUCCEEDED'], { status: 'FAILED', to: event.data.to });
      case 'ChargeDisputeOpened': {
        const { dispute_id, charge_id, amount, stage } = event.data;
        if (this.disputes.has(dispute_id)) throw new Error(`dispute ${dispute_id} opened twice`);
        const none = { amount: 0n, net: 0n, fee: 0n, hasPaidFee: false };
        const row = { charge: charge_id, wanted: BigInt(amount), isInquiry: stage === 'INQUIRY', status: 'OPEN' as const, ...none };
        return void this.disputes.set(dispute_id, row);
      }
      case 'ChargeDisputeReopened': {
        const row = this.#dispute(event.data.dispute_id);
        if (!row.isInquiry && row.status !== 'WON') throw new Error(`dispute ${event.data.dispute_id} reopened, which is ${row.status}`);
        this.disputes.set(event.data.dispute_id, { ...row, wanted: BigInt(event.data.amount), isInquiry: false, status: 'OPEN' });
        return;
      }
      case 'ChargeDisputeHeld':
      case 'ChargeDisputeWon':
      case 'ChargeDisputeLost':
        return this.#moveDispute(event);
      case 'FundsSettled':
        for (const line of event.data.lines) this.#settle(line);
        return;
      case 'PayoutRequested': {
        const { payout_id, amount, net_amount, fee_amount } = event.data;
        if (this.payouts.has(payout_id)) throw new Error(`payout ${payout_id} requested twice`);
        this.payouts.set(payout_id, {
          amount: BigInt(amount),
          net: BigInt(net_amount),
          fee: BigInt(fee_amount),
          status: 'PENDING',
          hasLeft: false,
          hasComeBack: false,
        });
        return;
      }
      case 'PayoutSubmitted':
        return this.#payout(event.data.payout_id, ['PENDING'], { status: 'PROCESSING' });
      case 'PayoutSucceeded':
        return this.#payout(event.data.payout_id, ['PROCESSING'], { status: 'SUCCEEDED', hasLeft: true });
      case 'PayoutFailed':
        return this.#payout(event.data.payout_id, ['PROCESSING'], { status: 'FAILED' });
      case 'PayoutCancelled':
        return this.#payout(event.data.payout_id, ['PENDING'], { status: 'CANCELLED' });
      case 'PayoutReturned':
        return this.#payout(event.data.payout_id, ['SUCCEEDED'], { hasComeBack: true });
      default:
        return;
    }
  }

  /** An item in suspense is resolved whole, and once. */
  #adjust(data: AccountAdjusted | HouseAdjusted): void {
    const { kind, item_id, amount, proposal_id } = data;
    if (this.adjustments.some((row) => row.proposal_id === proposal_id)) throw new Error(`proposal ${proposal_id} took effect twice`);
    if (isSuspenseKind(kind)) {
      if (![...this.suspenseItems.values()].includes(BigInt(amount))) throw new Error(`item ${item_id} is resolved with ${amount}`);
      if (this.adjustments.some((row) => row.item === item_id)) throw new Error(`item ${item_id} is resolved twice`);
    }
    const fee = 'fee_amount' in data ? BigInt(data.fee_amount) : 0n;
    const isBack = 'direction' in data && data.direction === 'back';
    this.adjustments.push({ proposal_id, kind, item: isSuspenseKind(kind) ? item_id : null, amount: BigInt(amount), fee, isBack });
  }

  #dispute(id: string): DisputeRow {
    const row = this.disputes.get(id);
    if (!row) throw new Error(`dispute ${id} was never opened`);
    return row;
  }

  #moveDispute(event: Extract<MovingEvent, { readonly type: `ChargeDispute${'Held' | 'Won' | 'Lost'}` }>): void {
    const { dispute_id } = event.data;
    const row = this.#dispute(dispute_id);
    const moved = { amount: BigInt(event.data.amount), net: BigInt(event.data.net_amount), fee: BigInt(event.data.fee_amount) };
    if (moved.amount !== moved.net + moved.fee) throw new Error(`${event.type} of ${dispute_id} does not add up`);
    if (event.type === 'ChargeDisputeHeld') {
      if (row.status !== 'OPEN' || row.isInquiry) throw new Error(`money is held for dispute ${dispute_id}, which is ${row.status}`);
      const held = { amount: row.amount + moved.amount, net: row.net + moved.net, fee: row.fee + moved.fee };
      if (held.amount > row.wanted) throw new Error(`${held.amount} are held for dispute ${dispute_id} of ${row.wanted}`);
      this.disputes.set(dispute_id, { ...row, ...held });
      if (event.data.from === 'RETURNS') this.#disputeLine('dispute-hold', event.data.hold_id, moved.net);
      return;
    }
    if (moved.amount !== row.amount || moved.net !== row.net || moved.fee !== row.fee)
      throw new Error(`dispute ${dispute_id} ends with another amount`);
    if (event.type === 'ChargeDisputeWon') {
      if (row.status === 'WON' || (row.status === 'LOST') !== (event.data.from === 'PROCESSOR'))
        throw new Error(`dispute ${dispute_id} is won from ${event.data.from}`);
      this.disputes.set(dispute_id, { ...row, status: 'WON', amount: 0n, net: 0n, fee: 0n });
      if (event.data.to === 'RETURNS') this.#disputeLine('dispute-release', event.data.release_id, moved.net);
      return;
    }
    if (row.status !== 'OPEN') throw new Error(`dispute ${dispute_id} is lost, which is ${row.status}`);
    const costs = BigInt(event.data.dispute_fee_amount);
    if (costs > 0n && (row.hasPaidFee || row.isInquiry)) throw new Error(`dispute ${dispute_id} costs its fee`);
    this.disputes.set(dispute_id, { ...row, status: 'LOST', hasPaidFee: row.hasPaidFee || costs > 0n });
    this.#disputeLine('dispute-fee', dispute_id, costs);
  }

  #disputeLine(kind: SettlementLine['kind'], id: string, net: bigint): void {
    if (net === 0n) return;
    if (this.disputeLines.has(`${kind} ${id}`)) throw new Error(`${kind} ${id} twice`);
    this.disputeLines.set(`${kind} ${id}`, { kind, net, isSettled: false });
  }

  /** Nothing is under way, and settlements have moved all that there is to move. */
  isAtRest(): boolean {
    return (
      [...this.disputes.values()].every(({ status, net }) => status !== 'OPEN' || net === 0n) &&
      [...this.disputeLines.values()].every(({ isSettled }) => isSettled) &&
      [...this.refunds.values()].every(
        ({ status, to, isBack, net }) => status !== 'PENDING' && status !== 'PROCESSING' && (to !== 'RETURNS' || isBack || net === 0n),
      ) &&
      [...this.charges.values()].every(({ reversed, status }) => reversed === null || status === 'REVERSED') &&
      [...this.payouts.values()].every(({ hasComeBack, status }) => !hasComeBack || status === 'REVERSED') &&
      this.reservations.size === 0
    );
  }

  #settle({ kind, record_id, net_amount }: SettlementLine): void {
    if (kind === 'dispute-hold' || kind === 'dispute-release' || kind === 'dispute-fee') {
      const line = this.disputeLines.get(`${kind} ${record_id}`);
      if (!line || line.isSettled || line.net !== BigInt(net_amount)) throw new Error(`${kind} ${record_id} settles with ${net_amount}`);
      this.disputeLines.set(`${kind} ${record_id}`, { ...line, isSettled: true });
    }
    if (kind === 'charge') this.#charge(record_id, ['PROCESSING'], { status: 'SETTLED' });
    if (kind === 'reversal') this.#charge(record_id, ['SETTLED'], { status: 'REVERSED' });
    if (kind === 'return') this.#payout(record_id, ['SUCCEEDED'], { status: 'REVERSED' });
    if (kind === 'refund-return') {
      if (this.refunds.get(record_id)?.to !== 'RETURNS' || this.refunds.get(record_id)?.isBack) throw new Error(`refund ${record_id} is given back`);
      this.#refund(record_id, ['FAILED', 'CANCELLED'], { isBack: true });
    }
  }

  #claimRefund({ refund_id, charge_id, amount, net_amount, fee_amount, source, reservation_id }: ChargeRefundClaimed): void {
    if (this.refunds.has(refund_id)) throw new Error(`refund ${refund_id} claimed twice`);
    if (amount !== net_amount + fee_amount) throw new Error(`refund ${refund_id} does not add up`);
    if (reservation_id !== null && this.reservations.get(reservation_id) !== BigInt(net_amount))
      throw new Error(`refund ${refund_id} is not reserved`);
    if (reservation_id !== null) this.reservations.delete(reservation_id);
    const amounts = { amount: BigInt(amount), net: BigInt(net_amount), fee: BigInt(fee_amount) };
    this.refunds.set(refund_id, { charge: charge_id, ...amounts, source, status: 'PENDING', to: null, isBack: false });
  }

  #refund(id: string, from: readonly RefundRow['status'][], change: Partial<RefundRow>): void {
    const row = this.refunds.get(id);
    if (!row || !from.includes(row.status)) throw new Error(`refund ${id} is ${row?.status}, not ${from.join(' or ')}`);
    this.refunds.set(id, { ...row, ...change });
  }

  #charge(id: string, from: readonly ChargeRow['status'][], change: Partial<ChargeRow>): void {
    const row = this.charges.get(id);
    if (!row || !from.includes(row.status)) throw new Error(`charge ${id} is ${row?.status}, not ${from.join(' or ')}`);
    this.charges.set(id, { ...row, ...change });
  }

  #payout(id: string, from: readonly PayoutRow['status'][], change: Partial<PayoutRow>): void {
    const row = this.payouts.get(id);
    if (!row || !from.includes(row.status)) throw new Error(`payout ${id} is ${row?.status}, not ${from.join(' or ')}`);
    this.payouts.set(id, { ...row, ...change });
  }

  sums(): Sums {
    const charges = [...this.charges.entries()].map(([id, row]) => ({ ...row, refunds: this.#refundsOf(id), disputes: this.#disputesOf(id) }));
    const payouts = [...this.payouts.values()];
    const refunds = [...this.refunds.values()];
    const of = <Row>(rows: readonly Row[], holds: (row: Row) => boolean, amount: (row: Row) => bigint): bigint =>
      rows.filter(holds).reduce((sum, row) => sum + amount(row), 0n);
    const isPending = ({ status }: ChargeRow): boolean => status === 'PENDING' || status === 'PROCESSING';
    const isOpen = ({ status }: { readonly status: string }): boolean => status === 'PENDING' || status === 'PROCESSING';
    const isPaidBack = ({ status, to }: RefundRow): boolean => status === 'SUCCEEDED' || to === 'PROCESSOR';
    const isWaiting = ({ to, isBack }: RefundRow): boolean => to === 'RETURNS' && !isBack;
    const amount = (row: { readonly amount: bigint }): bigint => row.amount;
    const net = (row: { readonly net: bigint }): bigint => row.net;
    const fee = (row: { readonly fee: bigint }): bigint => row.fee;
    const all = (): boolean => true;
    const disputes = [...this.disputes.values()];
    const isLost = ({ status }: DisputeRow): boolean => status === 'LOST';
    const ofLines = (kind: SettlementLine['kind'], isSettled: boolean): bigint =>
      of([...this.disputeLines.values()], (line) => line.kind === kind && line.isSettled === isSettled, net);
    const came = [...this.suspenseItems.values()].reduce((sum, item) => sum + item, 0n);
    const suspense = came - of(this.adjustments, ({ item }) => item !== null, amount);
    const adjusted = (...kinds: readonly AdjustmentKind[]): bigint => of(this.adjustments, ({ kind }) => kinds.includes(kind), amount);
    const corrected =
      of(this.adjustments, ({ kind, isBack }) => kind === 'FEE_CORRECTION' && !isBack, amount) - of(this.adjustments, ({ isBack }) => isBack, amount);
    const isReversed = ({ status }: ChargeRow): boolean => status === 'REVERSED';
    const reversed = charges.flatMap((charge) => charge.reversed ?? []);
    const settledReversals = charges.flatMap((charge) => (charge.reversed && isReversed(charge) ? [charge.reversed] : []));
    return {
      // Amounts that processors owe us, less repayments to them.
      processor:
        of(reversed, all, amount) +
        of(refunds, isPaidBack, amount) +
        of(disputes, isLost, amount) -
        of(charges, all, amount) -
        came +
        adjusted('UNMATCHED_SENT_BACK', 'WRITE_OFF'),
      suspense,
      ...{ costs: 0n, tax: 0n, losses: adjusted('CLAWBACK', 'GAIN') - adjusted('COVER', 'WRITE_OFF'), equity: 0n },
      bank: of(payouts, ({ hasLeft }) => hasLeft, net) - of(payouts, ({ hasComeBack }) => hasComeBack, net),
      // Paid back to the processor, not yet taken from the merchant; come back, not yet given to the merchant.
      returns:
        of(payouts, ({ hasComeBack, status }) => hasComeBack && status !== 'REVERSED', net) -
        of(
          charges,
          (row) => row.reversed !== null && !isReversed(row),
          (row) => row.reversed!.amount,
        ) +
        of(refunds, isWaiting, net) +
        ofLines('dispute-release', false) -
        ofLines('dispute-hold', false),
      fees:
        of(charges, all, fee) -
        of(settledReversals, all, fee) -
        of(refunds, isPaidBack, fee) -
        of(disputes, isLost, fee) +
        ofLines('dispute-fee', true) +
        of(payouts, ({ status }) => status === 'SUCCEEDED', fee) +
        of(this.adjustments, all, fee) -
        corrected,
      pending: of(
        charges,
        isPending,
        (row) =>
          row.claimedNet ??
          row.net - of(row.refunds, ({ status }) => status !== 'FAILED' && status !== 'CANCELLED', net) - of(row.disputes, all, net),
      ),
      available:
        of(
          charges,
          ({ status, claimedNet }) => status === 'SETTLED' || (status === 'REVERSED' && claimedNet !== null),
          (row) => row.claimedNet ?? row.net,
        ) -
        of(
          charges,
          (row) => isReversed(row) && row.claimedNet !== null,
          (row) => row.reversed!.net,
        ) -
        of(refunds, ({ source }) => source === 'AVAILABLE', net) -
        [...this.reservations.values()].reduce((sum, held) => sum + held, 0n) +
        of(refunds, ({ isBack }) => isBack, net) +
        ofLines('dispute-release', true) -
        ofLines('dispute-hold', true) -
        ofLines('dispute-fee', true) -
        of(payouts, (row) => isOpen(row) || row.status === 'SUCCEEDED', amount) +
        adjusted('UNMATCHED_TO_MERCHANT', 'TOP_UP', 'COVER') -
        of(this.adjustments, all, fee) -
        adjusted('CLAWBACK') +
        corrected,
      reserved: of(payouts, isOpen, amount),
      refunding: of(refunds, isOpen, net) + [...this.reservations.values()].reduce((sum, held) => sum + held, 0n),
      disputed: of(disputes, ({ status }) => status === 'OPEN', net),
      pending_count: charges.filter(isPending).length,
      available_count: charges.filter(({ status }) => status === 'SETTLED').length,
    };
  }

  /** Amounts of a charge and of its fee that were returned, or are about to be. */
  goneBack(chargeId: string): { readonly amount: bigint; readonly fee: bigint } {
    const live = this.#refundsOf(chargeId).filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED');
    const all = [...live, ...this.#disputesOf(chargeId)];
    return { amount: all.reduce((sum, row) => sum + row.amount, 0n), fee: all.reduce((sum, row) => sum + row.fee, 0n) };
  }

  #disputesOf(chargeId: string): DisputeRow[] {
    return [...this.disputes.values()].filter(({ charge }) => charge === chargeId);
  }

  #refundsOf(chargeId: string): RefundRow[] {
    return [...this.refunds.values()].filter(({ charge }) => charge === chargeId);
  }
}

/** Returns the balance of an account of all owners together after each event, by the postings of the events alone. */
export function balancesAfterEach(events: readonly OrdinalEvent[], account: Account): bigint[] {
  let balance = 0n;
  return events.map((recorded) => {
    const event = readEvent(recorded);
    for (const { from, to, amount } of movesMoney(event) ? moneyMove(event).postings : []) {
      if (to === account) balance += amount;
      if (from === account) balance -= amount;
    }
    return balance;
  });
}
