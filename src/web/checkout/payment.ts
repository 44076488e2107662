import type {
  ChargeCreated,
  ChargeEvent,
  ChargeFailed,
  ChargeInstructed,
  ChargePaid,
  ChargeReversed,
  ChargeStatus,
  InstructedAction,
} from '../../ledger/events/charge.events.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { evolveCharge, NO_CHARGE, type ExistingCharge, type Refund } from '../../domain/charges/charge-state.js';
import type { Dispute } from '../../domain/charges/disputes/dispute-state.js';
import { readEvent } from '../../ledger/catalogue.js';
import { handling } from '../../ledger/read-model.js';
import type { EventStore, Position, RecordedEvent } from '../../platform/event-store/event-store.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Events of a payment. A refused settlement line concerns the service and its settlements only. */
export type PaymentEvent = Exclude<ChargeEvent, { readonly type: 'SettlementLineRefused' }>;

/** A charge as its customer sees it, read from its own stream: decisions show at once. */
export interface Payment {
  readonly created: ChargeCreated;
  readonly status: ChargeStatus;
  /** The instruction of a remote processor that is still valid. */
  readonly instructed: ChargeInstructed | null;
  /** A push went to the customer's phone, or may have gone; its outcome is not recorded. */
  readonly isAsked: boolean;
  readonly paid: ChargePaid | null;
  readonly failed: ChargeFailed | null;
  readonly reversed: ChargeReversed | null;
  /** When it reached `status`. */
  readonly since: string;
  readonly isClaimed: boolean;
  /** The state that its decisions depend on. */
  readonly charge: ExistingCharge;
  /** In the order of their claims. */
  readonly refunds: readonly Refund[];
  /** In the order of their opening. */
  readonly disputes: readonly Dispute[];
  /** Oldest first. */
  readonly history: readonly (PaymentEvent & { readonly occurred_on: string })[];
  /** Position of the newest event. */
  readonly position: Position;
}

/** Returns how it is paid: as the charge's processor last stated. */
export const actionOf = ({ created, instructed }: Pick<Payment, 'created' | 'instructed'>): InstructedAction => instructed?.action ?? created.action;

/** The state of a payment for its customer. */
export type PaymentState = Payment['status'] | 'REVERSED';

export function paymentState({ status, reversed }: Payment): PaymentState {
  return reversed ? 'REVERSED' : status;
}

/** Returns null when there is no such charge. @throws StoreUnavailable */
export async function findPayment(store: EventStore, chargeId: string): Promise<Payment | null> {
  const recorded = await store.read(chargeStream(chargeId));
  const payment = recorded.reduce<FoldedPayment | null>(evolve, null);
  const state = recorded.map((event) => readEvent(event) as RecordedEvent & ChargeEvent).reduce(evolveCharge, NO_CHARGE);
  if (!payment || state.status === 'NONE') return null;
  return { ...payment, charge: state, refunds: [...state.refunds.values()], disputes: [...state.disputes.values()] };
}

/** Events that change more than the history of the page. */
const changesPayment = handling({ charges: { except: ['ChargePaymentUnmatched', 'ChargeReversalClaimed', 'refunds', 'ChargeLineClaimed'] } });

type FoldedPayment = Omit<Payment, 'charge'>;

function evolve(payment: FoldedPayment | null, recorded: RecordedEvent): FoldedPayment | null {
  const event = readEvent(recorded) as RecordedEvent & ChargeEvent;
  if (event.type === 'SettlementLineRefused') return payment && { ...payment, position: recorded.position };
  const { occurred_on } = recorded.metadata;
  const { position } = recorded;
  const entry = { ...({ type: event.type, data: event.data } as PaymentEvent), occurred_on };
  if (event.type === 'ChargeCreated') {
    return {
      created: event.data,
      status: 'PENDING',
      instructed: null,
      isAsked: false,
      paid: null,
      failed: null,
      reversed: null,
      since: occurred_on,
      isClaimed: false,
      refunds: [],
      disputes: [],
      history: [entry],
      position,
    };
  }
  if (payment === null) throw new Error(`${recorded.stream} begins with ${recorded.type}`);
  const known = { ...payment, history: [...payment.history, entry], position };
  if (!changesPayment(event)) return known;
  switch (event.type) {
    case 'ChargePaid':
      return { ...known, status: 'SUCCEEDED', paid: event.data, since: event.data.paid_on };
    case 'ChargeFailed':
      return { ...known, status: 'FAILED', failed: event.data, since: event.data.failed_on };
    case 'ChargeExpired':
      return { ...known, status: 'EXPIRED', since: event.data.expired_on };
    case 'ChargeCancelled':
      return { ...known, status: 'CANCELLED', since: event.data.cancelled_on };
    case 'ChargeReversed':
      return { ...known, reversed: event.data, since: event.data.reversed_on };
    case 'ChargeSettlementClaimed':
      return { ...known, isClaimed: true };
    case 'ChargeInstructed':
      return { ...known, instructed: event.data, isAsked: false };
    case 'ChargeInstructionClosed':
      return { ...known, instructed: null, isAsked: false };
    case 'ChargeInstructing':
      return { ...known, isAsked: true };
    default:
      return unreachable(event);
  }
}
