import type { LedgerEvent, LedgerEventType, TypesOf } from './catalogue.js';
import { derivedId } from './idempotency.js';

/**
 * Kinds of messages. A kind's place in this list stands for it in the outbox: kinds are added at the end, never moved,
 * never removed.
 */
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
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A message to a merchant, about one record. */
export interface OutboxMessage {
  readonly kind: EventKind;
  /** The line of the settlement, from 0, that the message is about; 0 otherwise. */
  readonly line: number;
  /** Id of the charge, payout or customer; of a balance its currency. */
  readonly record: string;
}

/** Events that give merchants no message. */
type Silent =
  | TypesOf<'payouts' | 'settlements' | 'merchants' | 'webhooks' | 'operators'>
  | 'ChargePaymentUnmatched'
  | 'ChargeSettlementClaimed'
  | 'ChargeReversalClaimed';

type Sent = Exclude<LedgerEventType, Silent>;
type DataOf<Type extends LedgerEventType> = Extract<LedgerEvent, { readonly type: Type }>['data'];

/**
 * Which event gives which messages, in which order: frozen. The sequence numbers that merchants have been given are the result of applying
 * this to the log from its first event, so an entry never changes for an event that may stand in a log. An event that is new in the
 * catalogue does not compile until it stands here or among the silent ones. A balance comes after the record that moved it.
 */
const MESSAGES: { readonly [Type in Sent]: (data: DataOf<Type>) => readonly OutboxMessage[] } = {
  ChargeCreated: ({ charge_id }) => [message('charge.created', charge_id)],
  ChargePaid: ({ charge_id, currency }) => [message('charge.succeeded', charge_id), balance(currency)],
  ChargeFailed: ({ charge_id }) => [message('charge.failed', charge_id)],
  ChargeExpired: ({ charge_id }) => [message('charge.expired', charge_id)],
  ChargeCancelled: ({ charge_id }) => [message('charge.cancelled', charge_id)],
  // Of a charge that a settlement has claimed, the settlement that takes the money back gives the message.
  ChargeReversed: ({ charge_id, currency, claimed_in }) => (claimed_in === null ? [message('charge.reversed', charge_id), balance(currency)] : []),
  FundsSettled: ({ lines, currency }) =>
    lines.length === 0 ? [] : [...lines.map(({ kind, record_id }, line) => message(SETTLED[kind], record_id, line)), balance(currency)],
  PayoutRequested: ({ payout_id, currency }) => [message('payout.created', payout_id), balance(currency)],
  PayoutSubmitted: ({ payout_id }) => [message('payout.processing', payout_id)],
  PayoutSucceeded: ({ payout_id, currency }) => [message('payout.succeeded', payout_id), balance(currency)],
  PayoutFailed: ({ payout_id, currency }) => [message('payout.failed', payout_id), balance(currency)],
  PayoutCancelled: ({ payout_id, currency }) => [message('payout.cancelled', payout_id), balance(currency)],
  CustomerCreated: ({ customer_id }) => [message('customer.created', customer_id)],
  CustomerUpdated: ({ customer_id }) => [message('customer.updated', customer_id)],
  CustomerDeleted: ({ customer_id }) => [message('customer.deleted', customer_id)],
};

const SETTLED = { charge: 'charge.settled', reversal: 'charge.reversed', return: 'payout.reversed' } as const;

/** The event's messages to its merchant, in order; none for most events of the service's own. */
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

/** `webhook-id`: the same however often, and by whatever process, it is sent. */
export function messageId(eventId: string, kind: string, line: number): string {
  return derivedId(eventId, `${kind} ${line}`);
}
