import type { LedgerEvent, LedgerEventType } from './catalogue.js';
import { derivedId } from './idempotency.js';

/**
 * What a merchant is told of. A kind's place in this list stands for it in the outbox: kinds are added at the end, never moved,
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

/** One thing that a merchant is told, of one record. */
export interface Notice {
  readonly kind: EventKind;
  /** Of the settlement, for what a settlement tells; 0 otherwise. From 0. */
  readonly line: number;
  /** Id of the charge, payout or customer; of a balance its currency. */
  readonly record: string;
}

/** Facts that concern no merchant, or that merchants are not told of. */
type Silent =
  | 'ChargePaymentUnmatched'
  | 'ChargeSettlementClaimed'
  | 'ChargeReversalClaimed'
  | 'PayoutRegistered'
  | 'PayoutReturned'
  | 'PayoutOutcomeContradicted'
  | 'PayoutReturnClaimed'
  | 'SettlementLineRefused'
  | 'SettlementOpened'
  | 'SettlementClosed'
  | 'MerchantRegistered'
  | 'ApiKeyIssued'
  | 'ApiKeyRevoked'
  | 'MerchantChannelSet'
  | 'MerchantFeeSet'
  | 'WebHookSet'
  | 'WebHookDeleted'
  | 'WebHookDisabled'
  | 'FinanceKeyIssued'
  | 'FinanceKeyRevoked'
  | 'EventSetAside';

type Told = Exclude<LedgerEventType, Silent>;
type DataOf<Type extends LedgerEventType> = Extract<LedgerEvent, { readonly type: Type }>['data'];

/**
 * Which fact tells what, in which order: frozen. The sequence numbers that merchants have been given are the result of applying
 * this to the log from its first event, so an entry never changes for a fact that may stand in a log. A fact that is new in the
 * catalogue does not compile until it stands here or among the silent ones. A balance comes after the record that moved it.
 */
const NOTICES: { readonly [Type in Told]: (data: DataOf<Type>) => readonly Notice[] } = {
  ChargeCreated: ({ charge_id }) => [notice('charge.created', charge_id)],
  ChargePaid: ({ charge_id, currency }) => [notice('charge.succeeded', charge_id), balance(currency)],
  ChargeFailed: ({ charge_id }) => [notice('charge.failed', charge_id)],
  ChargeExpired: ({ charge_id }) => [notice('charge.expired', charge_id)],
  ChargeCancelled: ({ charge_id }) => [notice('charge.cancelled', charge_id)],
  // Of a charge that a settlement has claimed, the settlement that takes the money back tells.
  ChargeReversed: ({ charge_id, currency, claimed_in }) => (claimed_in === null ? [notice('charge.reversed', charge_id), balance(currency)] : []),
  FundsSettled: ({ lines, currency }) =>
    lines.length === 0 ? [] : [...lines.map(({ kind, record_id }, line) => notice(SETTLED[kind], record_id, line)), balance(currency)],
  PayoutRequested: ({ payout_id, currency }) => [notice('payout.created', payout_id), balance(currency)],
  PayoutSubmitted: ({ payout_id }) => [notice('payout.processing', payout_id)],
  PayoutSucceeded: ({ payout_id, currency }) => [notice('payout.succeeded', payout_id), balance(currency)],
  PayoutFailed: ({ payout_id, currency }) => [notice('payout.failed', payout_id), balance(currency)],
  PayoutCancelled: ({ payout_id, currency }) => [notice('payout.cancelled', payout_id), balance(currency)],
  CustomerCreated: ({ customer_id }) => [notice('customer.created', customer_id)],
  CustomerUpdated: ({ customer_id }) => [notice('customer.updated', customer_id)],
  CustomerDeleted: ({ customer_id }) => [notice('customer.deleted', customer_id)],
};

const SETTLED = { charge: 'charge.settled', reversal: 'charge.reversed', return: 'payout.reversed' } as const;

/** What the fact tells its merchant, in order; nothing for most facts of the service's own. */
export function noticesOf(fact: LedgerEvent): readonly Notice[] {
  const told = Object.hasOwn(NOTICES, fact.type) ? (NOTICES[fact.type as Told] as (data: object) => readonly Notice[]) : undefined;
  return told?.(fact.data) ?? [];
}

function notice(kind: EventKind, record: string, line = 0): Notice {
  return { kind, line, record };
}

function balance(currency: string): Notice {
  return notice('balance.updated', currency);
}

/** `webhook-id`: the same however often, and by whatever process, it is sent. */
export function messageId(eventId: string, kind: string, line: number): string {
  return derivedId(eventId, `${kind} ${line}`);
}
