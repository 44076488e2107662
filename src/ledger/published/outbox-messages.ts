import type { LedgerEvent, LedgerEventType, TypesOf } from '../catalogue.js';
import type { SettlementLine } from '../events/account.events.js';
import { derivedId } from '../ids/idempotency.js';

/** Kinds of messages. The outbox stores a kind by its place in this list: kinds are added at the end, never moved, never removed. */
export const EVENT_KINDS = [
  'charge.created',
  'charge.succeeded',
  'charge.failed',
  'charge.expired',
  'charge.cancelled',
  'charge.settled',
  'charge.reversed',
  'payout.created',
  'payout.processing',
  'payout.succeeded',
  'payout.failed',
  'payout.cancelled',
  'payout.reversed',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'balance.updated',
  'refund.created',
  'refund.processing',
  'refund.succeeded',
  'refund.failed',
  'refund.cancelled',
  'dispute.opened',
  'dispute.reopened',
  'dispute.due_soon',
  'dispute.under_review',
  'dispute.won',
  'dispute.lost',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A message to a merchant, about one record. */
export interface OutboxMessage {
  readonly kind: EventKind;
  /** The line of the settlement, from 0, that the message is about; 0 otherwise. */
  readonly line: number;
  /** Id of the charge, payout, refund, dispute or customer; for a balance, its currency. */
  readonly record: string;
}

/** Events that produce no message to merchants. */
type Silent =
  | TypesOf<'payouts' | 'settlements' | 'merchants' | 'webhooks' | 'operators' | 'proposals' | 'calendar' | 'rails' | 'recon'>
  | 'ChargePaymentUnmatched'
  | 'ChargeSettlementClaimed'
  | 'ChargeReversalClaimed'
  | 'ChargeRefundDeclined'
  | 'ChargeLineClaimed'
  | 'ChargeInstructing'
  | 'ChargeInstructed'
  | 'ChargeInstructionClosed'
  | 'ChargeDisputeSubmitted'
  | 'ChargeDisputeEvidenceAdded'
  | 'ChargeDisputeEvidenceErased'
  | 'RefundConfirmed'
  | 'HouseAdjusted'
  | 'AdjustmentRefused'
  | 'SuspenseItemClaimed'
  | 'PayoutApproved'
  | 'PayoutApprovalVoided';

type Sent = Exclude<LedgerEventType, Silent>;
type DataOf<Type extends LedgerEventType> = Extract<LedgerEvent, { readonly type: Type }>['data'];

/**
 * Which event produces which messages, in which order: frozen. The sequence numbers that merchants have received are the result of applying this to
 * the log from its first event, so an entry never changes for an event that may be in a log. A new event in the catalogue does not compile until it
 * is listed here or among the silent ones. The message of a balance follows that of the record that moved it.
 */
const MESSAGES: { readonly [Type in Sent]: (data: DataOf<Type>) => readonly OutboxMessage[] } = {
  ChargeCreated: ({ charge_id }) => [message('charge.created', charge_id)],
  ChargePaid: ({ charge_id, currency }) => [message('charge.succeeded', charge_id), balance(currency)],
  ChargeFailed: ({ charge_id }) => [message('charge.failed', charge_id)],
  ChargeExpired: ({ charge_id }) => [message('charge.expired', charge_id)],
  ChargeCancelled: ({ charge_id }) => [message('charge.cancelled', charge_id)],
  // When a settlement has claimed the charge, the settlement that takes the money back produces the message.
  ChargeReversed: ({ charge_id, currency, claimed_in }) => (claimed_in === null ? [message('charge.reversed', charge_id), balance(currency)] : []),
  // When a settlement has claimed the charge, the reservation has moved the money before.
  ChargeRefundClaimed: ({ refund_id, currency, source }) => [
    message('refund.created', refund_id),
    ...(source === 'PENDING' ? [balance(currency)] : []),
  ],
  ChargeRefundSubmitted: ({ refund_id }) => [message('refund.processing', refund_id)],
  ChargeRefundSucceeded: ({ refund_id, currency }) => [message('refund.succeeded', refund_id), balance(currency)],
  ChargeRefundFailed: ({ refund_id, currency }) => [message('refund.failed', refund_id), balance(currency)],
  ChargeRefundCancelled: ({ refund_id, currency }) => [message('refund.cancelled', refund_id), balance(currency)],
  ChargeRefundBounced: ({ refund_id, currency }) => [message('refund.failed', refund_id), balance(currency)],
  ChargeDisputeOpened: ({ dispute_id }) => [message('dispute.opened', dispute_id)],
  ChargeDisputeReopened: ({ dispute_id }) => [message('dispute.reopened', dispute_id)],
  ChargeDisputeDueSoon: ({ dispute_id }) => [message('dispute.due_soon', dispute_id)],
  ChargeDisputeChallenged: ({ dispute_id }) => [message('dispute.under_review', dispute_id)],
  ChargeDisputeHeld: ({ currency }) => [balance(currency)],
  ChargeDisputeLost: ({ dispute_id, currency, amount }) => [message('dispute.lost', dispute_id), ...(amount === 0 ? [] : [balance(currency)])],
  ChargeDisputeWon: ({ dispute_id, currency, amount }) => [message('dispute.won', dispute_id), ...(amount === 0 ? [] : [balance(currency)])],
  RefundReserved: ({ currency }) => [balance(currency)],
  RefundReleased: ({ currency }) => [balance(currency)],
  AccountAdjusted: ({ currency }) => [balance(currency)],
  FundsSettled: ({ lines, currency }) =>
    lines.length === 0 ? [] : [...lines.flatMap(({ kind, record_id }, line) => settled(SETTLED[kind], record_id, line)), balance(currency)],
  PayoutRequested: ({ payout_id, currency }) => [message('payout.created', payout_id), balance(currency)],
  PayoutSubmitted: ({ payout_id }) => [message('payout.processing', payout_id)],
  PayoutSucceeded: ({ payout_id, currency }) => [message('payout.succeeded', payout_id), balance(currency)],
  PayoutFailed: ({ payout_id, currency }) => [message('payout.failed', payout_id), balance(currency)],
  PayoutCancelled: ({ payout_id, currency }) => [message('payout.cancelled', payout_id), balance(currency)],
  CustomerCreated: ({ customer_id }) => [message('customer.created', customer_id)],
  CustomerUpdated: ({ customer_id }) => [message('customer.updated', customer_id)],
  CustomerDeleted: ({ customer_id }) => [message('customer.deleted', customer_id)],
};

/** The charge's own events have produced the messages of refunds and disputes. */
const SETTLED = {
  charge: 'charge.settled',
  reversal: 'charge.reversed',
  return: 'payout.reversed',
  'refund-return': null,
  'dispute-hold': null,
  'dispute-release': null,
  'dispute-fee': null,
} as const satisfies Record<SettlementLine['kind'], EventKind | null>;

function settled(kind: EventKind | null, record: string, line: number): OutboxMessage[] {
  return kind === null ? [] : [message(kind, record, line)];
}

/** Returns the event's messages to its merchant, in order; none for most of the service's own events. */
export function messagesOf(event: LedgerEvent): readonly OutboxMessage[] {
  const render = Object.hasOwn(MESSAGES, event.type) ? (MESSAGES[event.type as Sent] as (data: object) => readonly OutboxMessage[]) : undefined;
  return render?.(event.data) ?? [];
}

function message(kind: EventKind, record: string, line = 0): OutboxMessage {
  return { kind, line, record };
}

function balance(currency: string): OutboxMessage {
  return message('balance.updated', currency);
}

/** `webhook-id`: the same in every attempt and in every process. */
export function messageId(eventId: string, kind: string, line: number): string {
  return derivedId(eventId, `${kind} ${line}`);
}
