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
  /** Lines of the charge that operators have refused. */
  readonly refused: RefusedLines;
  /** Attempts at a remote processor; NO_ATTEMPTS for all other charges. */
  readonly attempts: Attempts;
  /** The payment that made the charge SUCCEEDED. */
  readonly paid: { readonly reference: string; readonly on: string } | null;
  /** The failure of the charge. It stays when the charge is paid later. */
  readonly failed: ChargeFailed | null;
  /** References of payments that the charge could not accept, kept so that a repeated notification adds nothing. */
  readonly unmatched: readonly string[];
  /** The settlement that claimed the charge, and the amounts that it settles. */
  readonly claim: (Amounts & { readonly settlement_number: number }) | null;
  /** The settlement that had claimed the charge when it was reversed (null: none), and the amounts that were taken back. */
  readonly reversed: (Amounts & { readonly claimed_in: number | null; readonly reversal_claimed_in: number | null }) | null;
  /** In the order of their claims. */
  readonly refunds: ReadonlyMap<string, Refund>;
  /** Reservations of the account that the charge has declined. */
  readonly declined: ReadonlySet<string>;
}

/** The attempts to get payment instructions from a remote processor. */
export interface Attempts {
  /** Number of the newest recorded attempt; 0: none. */
  readonly newest: number;
  /** The newest attempt has begun, and its outcome is not recorded. */
  readonly isOpen: boolean;
  /** The current payment instruction; null before the first one, and after the processor has reported that it cannot be paid. */
  readonly instructed: ChargeInstructed | null;
  /** References of all instructions that were ever shown, the newest last. Money may still arrive by any of them. */
  readonly references: readonly string[];
}

export const NO_ATTEMPTS: Attempts = { newest: 0, isOpen: false, instructed: null, references: [] };

/** Minor units. */
type Amounts = Pick<SettlementLine, 'net_amount' | 'fee_amount'>;

export interface Refund {
  readonly claimed: ChargeRefundClaimed;
  readonly status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** The refund is FAILED because the money came back after the refund had succeeded. */
  readonly hasBounced: boolean;
  /** Destination of money that does not reach the customer; null while it may still reach them. */
  readonly to: RefundReturnsTo | null;
  /** Number of the settlement that returns the money; null before, and when no settlement has to. */
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
  if (!refund) throw new Error(`an event changes refund ${refundId}, which was never claimed`);
  return { ...state, refunds: new Map(state.refunds).set(refundId, { ...refund, ...change }) };
}

/** Returns the sum of refunds that have neither failed nor been cancelled, and of the amounts that disputes hold or have taken. */
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

/** Returns the amounts that a reversal or a settlement takes: the charge less refunds and disputes, including those under way. */
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

/** Returned money joins the charge's own money: in pending until a settlement claims the charge. */
export function whereItReturns({ claim, reversed }: ExistingCharge): Exclude<RefundReturnsTo, 'PROCESSOR'> {
  return claim === null && reversed === null ? 'PENDING' : 'RETURNS';
}

/** After a reversal, money that has not reached the customer goes to the processor, which takes all that is left of the charge. */
export function whereUnpaidGoes(state: ExistingCharge): RefundReturnsTo {
  return state.reversed ? 'PROCESSOR' : whereItReturns(state);
}

/** Returns the processor that has, or had, the charge's money. */
export const atProcessor = ({ created: { processor } }: ExistingCharge): AtProcessor => ({ processor });

/** Returns the fields that every event of a refund repeats. */
export function ofRefund({ claimed: { charge_id, merchant_id, currency, refund_id, amount, fee_amount, net_amount } }: Refund) {
  return { charge_id, merchant_id, currency, refund_id, amount, fee_amount, net_amount };
}
