import { channelByCode } from '../../../ledger/channels.js';
import { NOTHING_TO_DO, refuse, type Decision, type Refused } from '../../../ledger/decider.js';
import type { ChargeCreated, ChargeEvent } from '../../../ledger/events/charge.events.js';
import type { ChargeRefundClaimed, ChargeRefundFailed, RefundDetails, RefundReserved } from '../../../ledger/events/refund.events.js';
import { refundedFeeBounds, refundedFeeRoundedHalfUp } from '../../../ledger/money.js';
import { DAY_MS, milliseconds, type Timestamp } from '../../../ledger/time.js';
import { heldOfFreed } from '../disputes/charge-disputes.js';
import {
  atProcessor,
  evolveCharge,
  goneBackOf,
  ofCharge,
  ofRefund,
  whereItReturns,
  whereUnpaidGoes,
  type ExistingCharge,
  type Refund,
} from '../charge-state.js';
import { holdsMoney } from '../disputes/dispute-state.js';
import { unreachable } from '../../../ledger/unreachable.js';
import { formatAmount } from '../../../platform/text/format.js';

/** A refund as a merchant requests it. */
export interface RefundOrder extends Omit<RefundDetails, 'charge_id' | 'merchant_id' | 'currency' | 'amount' | 'fee_amount' | 'net_amount'> {
  /** Minor units; null: all that is left of the charge. */
  readonly amount: number | null;
}

export type RefundCommand =
  | {
      readonly kind: 'refund';
      /** The requesting merchant. Another merchant's charge is reported as not found. */
      readonly merchant_id: string;
      readonly order: RefundOrder;
      /** True when the merchant's processor supports refunds. */
      readonly isRefundable: boolean;
      /** Returns whether the charge's rail supports refunds; absent: there are no rails. */
      readonly isRefundableByRail?: (created: ChargeCreated) => boolean;
      readonly now: Timestamp;
    }
  /** `reserved` is the stored RefundReserved, never the current request. */
  | { readonly kind: 'claim-refund'; readonly reserved: RefundReserved; readonly now: Timestamp }
  | { readonly kind: 'submit-refund'; readonly refund_id: string; readonly now: Timestamp }
  | { readonly kind: 'succeed-refund'; readonly refund_id: string; readonly now: Timestamp }
  | { readonly kind: 'fail-refund' | 'bounce-refund'; readonly refund_id: string; readonly reason: string; readonly now: Timestamp }
  | { readonly kind: 'cancel-refund'; readonly refund_id: string; readonly cancelled_by: string; readonly now: Timestamp };

/** Reasons for which a charge permits no refund, or not that amount. */
export type RefundPermitRefusal =
  | 'charge-not-refundable'
  | 'charge-disputed'
  | 'refund-channel-cannot'
  | 'refund-whole-only'
  | 'refund-too-late'
  | 'refund-no-processor'
  | 'refund-too-many'
  | 'refund-exceeds-charge';

export type RefundRefusal =
  | RefundPermitRefusal
  | 'charge-not-found'
  /** A settlement has claimed the charge: the account must reserve the money first. */
  | 'refund-needs-reservation'
  | 'refund-not-found'
  | 'refund-not-pending'
  | 'refund-not-submitted'
  | 'refund-not-succeeded'
  | 'refund-ended';

type RefundDecision = Decision<ChargeEvent, RefundRefusal>;
type Amounts = Pick<RefundDetails, 'amount' | 'fee_amount' | 'net_amount'>;

/** Maximum refunds per charge, in any state. */
export const REFUNDS_MAX = 100;

export function decideRefund(state: ExistingCharge, command: RefundCommand): RefundDecision {
  switch (command.kind) {
    case 'refund':
      return decideRequest(state, command);
    case 'claim-refund':
      return decideReserved(state, command.reserved, command.now);
    default:
      return decideStep(state, command);
  }
}

/**
 * Returns the amounts of a refund of `amount` (null: all that is left), including the refunded part of the fee, or the reason why it
 * is not permitted.
 * @param terms absent: the terms permitted the refund before, and the money for it is reserved
 */
export function permitRefund(
  state: ExistingCharge,
  amount: number | null,
  now: Timestamp,
  terms?: { readonly isRefundable: boolean },
): Amounts | Refused<RefundPermitRefusal> {
  const { created, paid, reversed, refunds } = state;
  if (state.status !== 'SUCCEEDED' || !paid) return refuse('charge-not-refundable', `The charge is ${state.status}.`);
  if (reversed) return refuse('charge-not-refundable', 'The charge is reversed.');
  if ([...state.disputes.values()].some(holdsMoney)) return refuse('charge-disputed', 'The charge has an open dispute.');
  const refusal = terms && refusalByTerms(state, amount, paid.on, now, terms.isRefundable);
  if (refusal) return refusal;
  if (refunds.size >= REFUNDS_MAX) return refuse('refund-too-many', `The charge has ${REFUNDS_MAX} refunds.`);
  const gone = goneBackOf(state);
  const left = created.amount - gone.amount;
  const refunded = amount ?? left;
  if (left === 0) return refuse('refund-exceeds-charge', 'Nothing of the charge is left to refund.');
  if (refunded > left) return refuse('refund-exceeds-charge', `The rest of the charge is ${formatAmount(left, created.currency)}.`);
  const fee_amount = refundedFeeRoundedHalfUp(created, gone, refunded);
  return { amount: refunded, fee_amount, net_amount: refunded - fee_amount };
}

function refusalByTerms({ created }: ExistingCharge, amount: number | null, paidOn: string, now: Timestamp, isRefundable: boolean) {
  const terms = channelByCode(created.channel_code)?.refund ?? null;
  if (!terms) return refuse('refund-channel-cannot', `${created.channel_code} does not support refunds.`);
  if (!terms.partial && amount !== null && amount < created.amount)
    return refuse('refund-whole-only', `${created.channel_code} supports only refunds of the whole charge.`);
  if (milliseconds(now) - milliseconds(paidOn) > terms.days * DAY_MS)
    return refuse('refund-too-late', `${created.channel_code} supports refunds for ${terms.days} days after the payment.`);
  return isRefundable ? undefined : refuse('refund-no-processor', 'The payment provider of the charge does not support refunds.');
}

/** Returns whether the processor that received the payment supports refunds: only it can refund. */
export function canGiveBack(
  { created }: ExistingCharge,
  { isRefundable, isRefundableByRail }: Pick<Extract<RefundCommand, { kind: 'refund' }>, 'isRefundable' | 'isRefundableByRail'>,
): boolean {
  return created.remote === true ? (isRefundableByRail?.(created) ?? false) : isRefundable;
}

function decideRequest(state: ExistingCharge, command: Extract<RefundCommand, { kind: 'refund' }>): RefundDecision {
  const { merchant_id, order, now } = command;
  const isRefundable = canGiveBack(state, command);
  if (state.created.merchant_id !== merchant_id) return refuse('charge-not-found', 'There is no such charge.');
  if (state.refunds.has(order.refund_id)) return NOTHING_TO_DO;
  if (state.claim) return refuse('refund-needs-reservation', 'A settlement has claimed the charge.');
  const amounts = permitRefund(state, order.amount, now, { isRefundable });
  if ('refusal' in amounts) return amounts;
  return { events: [claimed({ ...ofCharge(state), ...order, ...amounts }, 'PENDING', null, now)] };
}

/** The charge decides again after the account has reserved the money. It decides once, and records the decision. */
function decideReserved(state: ExistingCharge, reserved: RefundReserved, now: Timestamp): RefundDecision {
  const { refund_id, reservation_id, amount, fee_amount, net_amount } = reserved;
  const existing = state.refunds.get(refund_id);
  if (existing?.claimed.reservation_id === reservation_id || state.declined.has(reservation_id)) return NOTHING_TO_DO;
  const refusal = existing ? 'refund-exists' : refusalOfReserved(state, reserved, now);
  if (refusal === undefined) return { events: [claimed(reserved, 'AVAILABLE', reservation_id, now)] };
  const data = { ...ofCharge(state), refund_id, amount, fee_amount, net_amount, reservation_id, reason: refusal, declined_on: now };
  return { events: [{ type: 'ChargeRefundDeclined', data }] };
}

function refusalOfReserved(state: ExistingCharge, { amount, fee_amount }: RefundReserved, now: Timestamp): string | undefined {
  const permitted = permitRefund(state, amount, now);
  if ('refusal' in permitted) return permitted.refusal;
  const { min, max } = refundedFeeBounds(state.created, goneBackOf(state), amount);
  return fee_amount < min || fee_amount > max ? 'refund-fee-out-of-bounds' : undefined;
}

/** Copies field by field, in the order in which they are stored, from the request or the reservation. */
function claimed(
  details: RefundDetails,
  source: ChargeRefundClaimed['source'],
  reservation_id: string | null,
  claimed_on: Timestamp,
): Extract<ChargeEvent, { type: 'ChargeRefundClaimed' }> {
  const { charge_id, merchant_id, currency, refund_id, amount, fee_amount, net_amount } = details;
  const { reason, reference_id, description, meta_data, fingerprint, created_by } = details;
  const of = { charge_id, merchant_id, currency, refund_id, amount, fee_amount, net_amount };
  const asked = { reason, reference_id, description, meta_data, fingerprint, created_by };
  return { type: 'ChargeRefundClaimed', data: { ...of, source, reservation_id, ...asked, claimed_on } };
}

type Step = Exclude<RefundCommand, { kind: 'refund' | 'claim-refund' }>;

function decideStep(state: ExistingCharge, command: Step): RefundDecision {
  const refund = state.refunds.get(command.refund_id);
  if (!refund) return refuse('refund-not-found', 'There is no such refund.');
  const { now } = command;
  const of = ofRefund(refund);
  const at = { ...of, ...atProcessor(state) };
  switch (command.kind) {
    case 'submit-refund':
      if (refund.status === 'PROCESSING') return NOTHING_TO_DO;
      if (refund.status !== 'PENDING') return refuse('refund-ended', `The refund is ${refund.status}.`);
      return { events: [{ type: 'ChargeRefundSubmitted', data: { ...of, submitted_on: now } }] };
    case 'cancel-refund': {
      if (refund.status === 'CANCELLED') return NOTHING_TO_DO;
      if (refund.status !== 'PENDING') return refuse('refund-not-pending', `The refund is ${refund.status}.`);
      const { cancelled_by } = command;
      const data = { ...at, reason: 'REQUESTED' as const, to: whereUnpaidGoes(state), cancelled_by, cancelled_on: now };
      return { events: [{ type: 'ChargeRefundCancelled', data }] };
    }
    case 'succeed-refund':
      if (refund.status === 'SUCCEEDED' || refund.hasBounced) return NOTHING_TO_DO;
      if (refund.status !== 'PROCESSING') return refuseAnswer(refund);
      return { events: [{ type: 'ChargeRefundSucceeded', data: { ...at, succeeded_on: now } }] };
    case 'fail-refund':
      if (refund.status === 'FAILED' && !refund.hasBounced) return NOTHING_TO_DO;
      if (refund.status !== 'PROCESSING') return refuseAnswer(refund);
      return decideFailed(state, { ...at, reason: command.reason, to: whereUnpaidGoes(state), failed_on: now }, now);
    case 'bounce-refund':
      if (refund.hasBounced) return NOTHING_TO_DO;
      if (refund.status !== 'SUCCEEDED') return refuse('refund-not-succeeded', `The refund is ${refund.status}.`);
      return { events: [{ type: 'ChargeRefundBounced', data: { ...at, reason: command.reason, to: whereItReturns(state), bounced_on: now } }] };
    default:
      return unreachable(command);
  }
}

/** Money of a failed refund may go to the customer by an open dispute that lacks money. */
function decideFailed(state: ExistingCharge, data: ChargeRefundFailed, now: Timestamp): RefundDecision {
  const failed: ChargeEvent = { type: 'ChargeRefundFailed', data };
  if (data.to === 'PROCESSOR') return { events: [failed] };
  return { events: [failed, ...heldOfFreed(evolveCharge(state, failed) as ExistingCharge, data.amount, now)] };
}

/** Refuses a result that the processor reports before the refund was submitted, or that contradicts the recorded end. */
function refuseAnswer({ status }: Refund): Refused<RefundRefusal> {
  return status === 'PENDING'
    ? refuse('refund-not-submitted', 'The refund has not been handed to the processor.')
    : refuse('refund-ended', `The refund is ${status}.`);
}
