import type { ChargeChange } from '../../domain/charges/charge.handlers.js';
import { restOf, type ExistingCharge } from '../../domain/charges/charge-state.js';
import { simulatedTransferReference } from '../../ledger/ids/id-codes.js';
import { timestamp, type Timestamp } from '../../ledger/time.js';
import type { BankInstruction } from '../../domain/payouts/bank-rail.js';
import type { RefundInstruction } from '../../domain/charges/processor.js';

/** REJECTED moves nothing: `amount` is the unpaid amount. */
export type DeedKind = 'PAYMENT' | 'REVERSAL' | 'REFUND' | 'DISPUTE' | 'PAYOUT' | 'REJECTED' | 'RETURN';

/** An actual movement of money at the simulated processor or bank, independent of the service's view. */
export interface Deed {
  /** A repeated deed has the same id. */
  readonly id: string;
  readonly kind: DeedKind;
  /** Id of the charge or the payout. */
  readonly record_id: string;
  /** Reference of the payment at the processor, or of the payout on the bank's statement. */
  readonly reference: string;
  /** Channel of a payment; null for other deeds. */
  readonly channel_code: string | null;
  readonly currency: string;
  /** Minor units: increase of the money that the processor holds for us, or of the balance of our account. */
  readonly amount: number;
  readonly done_on: Timestamp;
}

/** Stores deeds before the service learns of them. */
export interface SimulatorJournal {
  /** Stores the new ones. @returns their ids */
  record(deeds: readonly Deed[]): Promise<ReadonlySet<string>>;
  /** Removes deeds that the service rejected, which therefore did not happen. */
  withdraw(ids: ReadonlySet<string>): Promise<void>;
}

/** Name of the simulated processor. */
export const SIMULATOR = 'SIMULATOR';
export const SIMULATOR_JOURNAL = Symbol('SimulatorJournal');

/** The journal of programs that give instructions and check signatures, and move no money. */
export const NO_JOURNAL: SimulatorJournal = { record: () => Promise.resolve(new Set()), withdraw: () => Promise.resolve() };

/**
 * Returns the movements of money that a change of a charge makes at its processor; none when it moves no money there. @param state before the change;
 * `at`: milliseconds since the epoch
 */
export function deedsOf(state: ExistingCharge, change: ChargeChange, at: number): readonly Deed[] {
  const { charge_id, currency, channel_code } = state.created;
  const of = { record_id: charge_id, reference: state.paid?.reference ?? '', channel_code: null, currency, done_on: timestamp(at) };
  const deed = (kind: DeedKind, id: string, amount: number): Deed[] => (amount === 0 ? [] : [{ ...of, id, kind, amount }]);
  switch (change.kind) {
    case 'pay': {
      const { amount, payment_reference: reference } = change;
      return [{ ...of, id: `paid/${charge_id}/${reference}`, kind: 'PAYMENT', reference, channel_code, amount }];
    }
    case 'reverse':
      return state.reversed ? [] : deed('REVERSAL', `reversed/${charge_id}`, -restOf(state).amount);
    case 'succeed-refund':
      return deed('REFUND', `refunded/${change.refund_id}`, -refundedAmount(state, change.refund_id));
    case 'fail-refund':
      // A reversal excludes money on its way to the customer. Money that does not arrive there is taken now.
      return state.reversed ? deed('REFUND', `kept/${change.refund_id}`, -refundedAmount(state, change.refund_id)) : [];
    case 'bounce-refund':
      return deed('REFUND', `bounced/${change.refund_id}`, refundedAmount(state, change.refund_id));
    case 'win-dispute':
    case 'lose-dispute':
    case 'accept-dispute': {
      const dispute = [...state.disputes.values()].find(({ opened }) =>
        change.kind === 'accept-dispute' ? opened.dispute_id === change.dispute_id : opened.reference === change.reference,
      );
      const id = `${change.kind === 'win-dispute' ? 'won' : 'lost'}/${dispute?.opened.dispute_id}/${dispute?.stage}`;
      // A dispute that was answered meanwhile is not conceded.
      if (change.kind === 'accept-dispute' && dispute?.status !== 'ACTION_REQUIRED') return [];
      if (change.kind !== 'win-dispute') return dispute && dispute.status !== 'LOST' ? deed('DISPUTE', id, -dispute.held.amount) : [];
      return dispute?.status === 'LOST' ? deed('DISPUTE', id, dispute.held.amount) : [];
    }
    default:
      return [];
  }
}

const refundedAmount = ({ refunds }: ExistingCharge, refundId: string): number => refunds.get(refundId)?.claimed.amount ?? 0;

/** Returns the deed of the processor that has refunded a payment. */
export function refundDeed(kind: 'refunded' | 'bounced', refund: Omit<RefundInstruction, 'simulate' | 'claimed_on'>, at: number): Deed {
  const { refund_id, charge_id, payment_reference, currency, amount } = refund;
  const of = { record_id: charge_id, reference: payment_reference, channel_code: null, currency, done_on: timestamp(at) };
  return { ...of, id: `${kind}/${refund_id}`, kind: 'REFUND', amount: kind === 'refunded' ? -amount : amount };
}

/** Returns the deed of the bank for the end of a payout. */
export function payoutDeed(
  kind: Extract<DeedKind, 'PAYOUT' | 'REJECTED' | 'RETURN'>,
  { payout_id, currency, net_amount }: Pick<BankInstruction, 'payout_id' | 'currency' | 'net_amount'>,
  at: number,
): Deed {
  const of = { record_id: payout_id, reference: simulatedTransferReference(payout_id), channel_code: null, currency, done_on: timestamp(at) };
  return { ...of, id: `${kind.toLowerCase()}/${payout_id}`, kind, amount: kind === 'RETURN' ? net_amount : -net_amount };
}
