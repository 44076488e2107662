import type { ChargeChange } from '../../domain/charges/charge.handlers.js';
import { restOf, type ExistingCharge } from '../../domain/charges/charge-state.js';
import { simulatedTransferReference } from '../../ledger/id-codes.js';
import { timestamp, type Timestamp } from '../../ledger/time.js';
import type { BankInstruction } from '../../domain/payouts/bank-rail.js';

/** REJECTED moves nothing: `amount` is what was not paid. */
export type DeedKind = 'PAYMENT' | 'REVERSAL' | 'REFUND' | 'DISPUTE' | 'PAYOUT' | 'REJECTED' | 'RETURN';

/** What the simulated processor or the simulated bank has truly done with money, whatever the service makes of it. */
export interface Deed {
  /** The same deed has the same, however often it is done. */
  readonly id: string;
  readonly kind: DeedKind;
  /** Of the charge or the payout. */
  readonly record_id: string;
  /** Of the payment at the processor, or of the payout on the bank's statement. */
  readonly reference: string;
  /** How a payment was made; null of all else. */
  readonly channel_code: string | null;
  readonly currency: string;
  /** Minor units: what the processor holds for us more, or what stands on our account more. */
  readonly amount: number;
  readonly done_on: Timestamp;
}

/** Where deeds are kept, before the service is told of them. */
export interface SimulatorJournal {
  /** Keeps those that are new. @returns their ids */
  record(deeds: readonly Deed[]): Promise<ReadonlySet<string>>;
  /** What the service would not hear of was not done. */
  withdraw(ids: ReadonlySet<string>): Promise<void>;
}

/** Name of the simulated processor. */
export const SIMULATOR = 'SIMULATOR';
export const SIMULATOR_JOURNAL = Symbol('SimulatorJournal');

/** Of who gives instructions and checks signatures, and does nothing with money. */
export const NO_JOURNAL: SimulatorJournal = { record: () => Promise.resolve(new Set()), withdraw: () => Promise.resolve() };

/** What a change of a charge is at its processor; nothing where it moves no money there. @param state before the change; `at`: milliseconds since the epoch */
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
      // A reversal leaves what is on its way to the customer: what does not arrive there is taken then.
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
      // Nobody concedes what was answered meanwhile.
      if (change.kind === 'accept-dispute' && dispute?.status !== 'ACTION_REQUIRED') return [];
      if (change.kind !== 'win-dispute') return dispute && dispute.status !== 'LOST' ? deed('DISPUTE', id, -dispute.held.amount) : [];
      return dispute?.status === 'LOST' ? deed('DISPUTE', id, dispute.held.amount) : [];
    }
    default:
      return [];
  }
}

const refundedAmount = ({ refunds }: ExistingCharge, refundId: string): number => refunds.get(refundId)?.claimed.amount ?? 0;

/** What a refund is at the processor that has given it back. */
export function refundDeed(
  kind: 'refunded' | 'bounced',
  refund: {
    readonly refund_id: string;
    readonly charge_id: string;
    readonly payment_reference: string;
    readonly currency: string;
    readonly amount: number;
  },
  at: number,
): Deed {
  const { refund_id, charge_id, payment_reference, currency, amount } = refund;
  const of = { record_id: charge_id, reference: payment_reference, channel_code: null, currency, done_on: timestamp(at) };
  return { ...of, id: `${kind}/${refund_id}`, kind: 'REFUND', amount: kind === 'refunded' ? -amount : amount };
}

/** What became of a payout at its bank. */
export function payoutDeed(
  kind: Extract<DeedKind, 'PAYOUT' | 'REJECTED' | 'RETURN'>,
  { payout_id, currency, net_amount }: Pick<BankInstruction, 'payout_id' | 'currency' | 'net_amount'>,
  at: number,
): Deed {
  const of = { record_id: payout_id, reference: simulatedTransferReference(payout_id), channel_code: null, currency, done_on: timestamp(at) };
  return { ...of, id: `${kind.toLowerCase()}/${payout_id}`, kind, amount: kind === 'RETURN' ? net_amount : -net_amount };
}
