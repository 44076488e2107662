import { withRefused, type RefusedLines } from '../accounts/listed-line.js';
import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { AtProcessor } from '../../ledger/events/at-processor.js';
import type {
  ChargeCreated,
  ChargeEvent,
  ChargeFailed,
  ChargeInstructed,
  ChargeSettlementClaimed,
  ChargeStatus,
} from '../../ledger/events/charge.events.js';
import type { ChargeDisputeEvent } from '../../ledger/events/dispute.events.js';
import type { ChargeRefundClaimed, ChargeRefundEvent, RefundReturnsTo } from '../../ledger/events/refund.events.js';
import type { GoneBack } from '../../ledger/money.js';
import { claimDisputeLine, evolveDisputes, NO_DISPUTES, type Disputes } from './disputes/dispute-state.js';
import { unreachable } from '../../ledger/unreachable.js';

export type ChargeState = { readonly status: 'NONE'; readonly refused: RefusedLines } | ExistingCharge;

export interface ExistingCharge extends Disputes {
  readonly status: ChargeStatus;
  readonly created: ChargeCreated;
  /** Lines of it that people have refused. */
  readonly refused: RefusedLines;
  /** At a remote processor; NO_ATTEMPTS for all others. */
  readonly attempts: Attempts;
  /** The payment that made it SUCCEEDED. */
  readonly paid: { readonly reference: string; readonly on: string } | null;
  /** How it failed; also of one that was paid after that. */
  readonly failed: ChargeFailed | null;
  /** References of payments it could not take, kept so that a repeated notification adds nothing. */
  readonly unmatched: readonly string[];
  /** The settlement that holds it, and what that takes of it. */
  readonly claim: (Amounts & { readonly settlement_number: number }) | null;
  /** Where it stood when it was reversed, and what went back. */
  readonly reversed: (Amounts & { readonly claimed_in: number | null; readonly reversal_claimed_in: number | null }) | null;
  /** In the order in which they were claimed. */
  readonly refunds: ReadonlyMap<string, Refund>;
  /** Reservations of the account that it has declined. */
  readonly declined: ReadonlySet<string>;
}

/** How a customer of a remote processor came to know how to pay. */
export interface Attempts {
  /** The newest that is on record; 0: none. */
  readonly newest: number;
  /** It has begun, and what became of it is not on record. */
  readonly isOpen: boolean;
  /** What there is to pay with; null before, and once the processor has said that it leads nowhere. */
  readonly instructed: ChargeInstructed | null;
  /** Every one that was ever shown, the newest last: money may still come by any of them. */
  readonly references: readonly string[];
}

export const NO_ATTEMPTS: Attempts = { newest: 0, isOpen: false, instructed: null, references: [] };

/** Minor units. */
type Amounts = Pick<SettlementLine, 'net_amount' | 'fee_amount'>;

export interface Refund {
  readonly claimed: ChargeRefundClaimed;
  readonly status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** It is FAILED because it came back after it had succeeded. */
  readonly hasBounced: boolean;
  /** Where the money went that does not reach the customer; null while it may. */
  readonly to: RefundReturnsTo | null;
  /** Number of the settlement that gives the money back; null before, and where none has to. */
  readonly line_claimed_in: number | null;
}

export const NO_CHARGE: ChargeState = { status: 'NONE', refused: [] };

export function evolveCharge(state: ChargeState, event: ChargeEvent): ChargeState {
  if (event.type === 'ChargeCreated') {
    const { refused } = state;
    const nothingYet = {
      attempts: NO_ATTEMPTS,
      paid: null,
      failed: null,
      unmatched: [],
      claim: null,
      reversed: null,
      refunds: NO_REFUNDS,
      declined: NO_DECLINES,
      ...NO_DISPUTES,
    };
    return { status: 'PENDING', created: event.data, refused, ...nothingYet };
  }
  if (event.type === 'SettlementLineRefused') return { ...state, refused: withRefused(state.refused, event.data) };
  if (state.status === 'NONE') throw new Error(`${event.type} without ChargeCreated`);
  switch (event.type) {
    case 'ChargeInstructing':
      return { ...state, attempts: { ...state.attempts, newest: event.data.attempt, isOpen: true } };
    case 'ChargeInstructed': {
      const { attempt: newest, processor_reference } = event.data;
      const references = [...state.attempts.references.filter((reference) => reference !== processor_reference), processor_reference];
      return { ...state, attempts: { newest, isOpen: false, instructed: event.data, references } };
    }
    case 'ChargeInstructionClosed':
      return { ...state, attempts: { ...state.attempts, isOpen: false, instructed: null } };
    case 'ChargePaid':
      return { ...state, status: 'SUCCEEDED', paid: { reference: event.data.payment_reference, on: event.data.paid_on } };
    case 'ChargePaymentUnmatched':
      return { ...state, unmatched: [...state.unmatched, event.data.payment_reference] };
    case 'ChargeFailed':
      return { ...state, status: 'FAILED', failed: event.data };
    case 'ChargeExpired':
      return { ...state, status: 'EXPIRED' };
    case 'ChargeCancelled':
      return { ...state, status: 'CANCELLED' };
    case 'ChargeSettlementClaimed':
      return { ...state, claim: claimOf(state.created, event.data) };
    case 'ChargeReversed': {
      const { claimed_in, net_amount, fee_amount } = event.data;
      return { ...state, reversed: { claimed_in, net_amount, fee_amount, reversal_claimed_in: null } };
    }
    case 'ChargeReversalClaimed':
      if (!state.reversed) throw new Error('ChargeReversalClaimed without ChargeReversed');
      return { ...state, reversed: { ...state.reversed, reversal_claimed_in: event.data.settlement_number } };
    case 'ChargeLineClaimed':
      return event.data.kind === 'refund-return'
        ? withRefund(state, event.data.record_id, { line_claimed_in: event.data.settlement_number })
        : { ...state, ...claimDisputeLine(state, event.data) };
    default:
      return isOfDispute(event) ? { ...state, ...evolveDisputes(state, event) } : evolveRefunds(state, event);
  }
}

const NO_REFUNDS: ReadonlyMap<string, Refund> = new Map();
const NO_DECLINES: ReadonlySet<string> = new Set();

function claimOf({ net_amount, fee_amount }: ChargeCreated, claimed: ChargeSettlementClaimed): ExistingCharge['claim'] {
  const { settlement_number } = claimed;
  return { settlement_number, net_amount: claimed.net_amount ?? net_amount, fee_amount: claimed.fee_amount ?? fee_amount };
}

const isOfDispute = (event: ChargeEvent): event is ChargeDisputeEvent => event.type.startsWith('ChargeDispute');

function evolveRefunds(state: ExistingCharge, event: ChargeRefundEvent): ExistingCharge {
  switch (event.type) {
    case 'ChargeRefundClaimed': {
      const refund: Refund = { claimed: event.data, status: 'PENDING', hasBounced: false, to: null, line_claimed_in: null };
      return { ...state, refunds: new Map(state.refunds).set(event.data.refund_id, refund) };
    }
    case 'ChargeRefundDeclined':
      return { ...state, declined: new Set(state.declined).add(event.data.reservation_id) };
    case 'ChargeRefundSubmitted':
      return withRefund(state, event.data.refund_id, { status: 'PROCESSING' });
    case 'ChargeRefundSucceeded':
      return withRefund(state, event.data.refund_id, { status: 'SUCCEEDED' });
    case 'ChargeRefundFailed':
      return withRefund(state, event.data.refund_id, { status: 'FAILED', to: event.data.to });
    case 'ChargeRefundCancelled':
      return withRefund(state, event.data.refund_id, { status: 'CANCELLED', to: event.data.to });
    case 'ChargeRefundBounced':
      return withRefund(state, event.data.refund_id, { status: 'FAILED', hasBounced: true, to: event.data.to });
    default:
      return unreachable(event);
  }
}

function withRefund(state: ExistingCharge, refundId: string, change: Partial<Refund>): ExistingCharge {
  const refund = state.refunds.get(refundId);
  if (!refund) throw new Error(`something happens to refund ${refundId}, which was never claimed`);
  return { ...state, refunds: new Map(state.refunds).set(refundId, { ...refund, ...change }) };
}

/** What has gone back of the charge, or may: of refunds that have neither failed nor been cancelled, and what disputes hold or have taken. */
export function goneBackOf({ refunds, disputes }: ExistingCharge): GoneBack {
  let [amount, fee_amount] = [0, 0];
  for (const { status, claimed } of refunds.values()) {
    if (status === 'FAILED' || status === 'CANCELLED') continue;
    amount += claimed.amount;
    fee_amount += claimed.fee_amount;
  }
  for (const { held } of disputes.values()) {
    amount += held.amount;
    fee_amount += held.fee_amount;
  }
  return { amount, fee_amount };
}

/** What a reversal or a settlement takes: all that has not gone back, and is not about to. */
export function restOf(state: ExistingCharge): GoneBack & Amounts {
  const { created } = state;
  const gone = goneBackOf(state);
  const [amount, fee_amount] = [created.amount - gone.amount, created.fee_amount - gone.fee_amount];
  return { amount, fee_amount, net_amount: amount - fee_amount };
}

export function ofCharge({ created }: ExistingCharge): { charge_id: string; merchant_id: string; currency: string } {
  const { charge_id, merchant_id, currency } = created;
  return { charge_id, merchant_id, currency };
}

/** Money that came back belongs where the charge's is: in pending until a settlement claims it. */
export function whereItReturns({ claim, reversed }: ExistingCharge): Exclude<RefundReturnsTo, 'PROCESSOR'> {
  return claim === null && reversed === null ? 'PENDING' : 'RETURNS';
}

/** What has not gone to the customer follows a reversal: the processor takes all that is left of the charge. */
export function whereUnpaidGoes(state: ExistingCharge): RefundReturnsTo {
  return state.reversed ? 'PROCESSOR' : whereItReturns(state);
}

/** What every event of a refund repeats. */
/** Which processor has, or had, the charge's money. */
export const atProcessor = ({ created: { processor } }: ExistingCharge): AtProcessor => ({ processor });

export function ofRefund({ claimed: { charge_id, merchant_id, currency, refund_id, amount, fee_amount, net_amount } }: Refund) {
  return { charge_id, merchant_id, currency, refund_id, amount, fee_amount, net_amount };
}
