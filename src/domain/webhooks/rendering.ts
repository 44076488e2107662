import type { Pool } from 'pg';
import { findBalancesAfter } from '../../../projections/balances/balance-reads.js';
import { findChargesById } from '../../../projections/charges/charge-reads.js';
import type { ChargeRow } from '../../../projections/charges/charges-table.js';
import { findCustomer } from '../../../projections/customers/customers.js';
import type { StoredMessage } from '../../../projections/webhooks/outbox-reads.js';
import { findDisputedThen, findDisputesThen } from '../../../projections/disputes/dispute-states.js';
import { findRefundedThen, findRefundsById, type Refund } from '../../../projections/refunds/refund-reads.js';
import type { RefundStatus } from '../../../projections/refunds/refunds.js';
import { findPayoutsById, type PayoutStatus } from '../../../projections/payouts/payouts.js';
import type { ChargeStatus, SettlementStatus } from '../../ledger/events/charge.events.js';
import { payoutOfRow } from '../payouts/payout-answer.js';
import { toDispute } from '../charges/disputes/dispute-answer.js';
import type { EvidenceStore } from '../charges/disputes/evidence-store.js';
import { toChargeDetail } from '../charges/charge-detail.js';
import { toCustomer } from '../customers/customer-answer.js';
import type { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import { later, type Timestamp } from '../../ledger/time.js';
import type { EventKind } from '../../ledger/published/outbox-messages.js';
import { webhookId } from './delivery-messages.js';

/** The body of a webhook, and an item of GET /v1/events. */
export interface EventBody {
  /** The same in every delivery. */
  readonly id: string;
  readonly type: EventKind;
  readonly timestamp: Timestamp;
  readonly sequence: number;
  readonly merchant_id: string;
  readonly data: object;
}

type ChargeKind = Extract<EventKind, `charge.${string}`>;
type RefundKind = Extract<EventKind, `refund.${string}`>;
type PayoutKind = Extract<EventKind, `payout.${string}`>;

/** The status of a charge after a message of this kind. */
const CHARGE_STATES: Readonly<Record<ChargeKind, { readonly status: ChargeStatus; readonly settlement_status: SettlementStatus }>> = {
  'charge.created': { status: 'PENDING', settlement_status: 'UNKNOWN' },
  'charge.succeeded': { status: 'SUCCEEDED', settlement_status: 'PENDING' },
  'charge.failed': { status: 'FAILED', settlement_status: 'UNKNOWN' },
  'charge.expired': { status: 'EXPIRED', settlement_status: 'UNKNOWN' },
  'charge.cancelled': { status: 'CANCELLED', settlement_status: 'UNKNOWN' },
  'charge.settled': { status: 'SUCCEEDED', settlement_status: 'SETTLED' },
  'charge.reversed': { status: 'SUCCEEDED', settlement_status: 'REVERSED' },
};

const PAYOUT_STATES: Readonly<Record<PayoutKind, PayoutStatus>> = {
  'payout.created': 'PENDING',
  'payout.processing': 'PROCESSING',
  'payout.succeeded': 'SUCCEEDED',
  'payout.failed': 'FAILED',
  'payout.cancelled': 'CANCELLED',
  'payout.reversed': 'REVERSED',
};

export interface RenderingSources {
  readonly pool: Pool;
  /** Source of the names of evidence. */
  readonly evidence: Pick<EvidenceStore, 'namesOf'>;
  readonly wrapping: KeyWrapping;
  /** Returns when a merchant was registered. */
  readonly merchantCreatedOn: (merchantId: string) => Promise<Timestamp> | Timestamp;
}

/**
 * Renders the bodies of messages, in their order, each time from the read models, which must have applied the messages' events.
 * Charges, payouts and balances are rendered as the event left them, so a late or repeated delivery has the same content as the
 * first. A customer is rendered with its current data, and as deleted after a deletion: an erasure also covers earlier messages, and
 * the names of evidence in them.
 */
export async function render(
  { pool, wrapping, evidence, merchantCreatedOn }: RenderingSources,
  messages: readonly StoredMessage[],
): Promise<EventBody[]> {
  const about = (subject: string): StoredMessage[] => messages.filter(({ kind }) => kind.startsWith(subject));
  const [charges, refunds, disputes, payouts, balances, customers] = await Promise.all([
    chargesOf(pool, about('charge.')),
    refundsOf(pool, about('refund.')),
    disputesOf(pool, evidence, about('dispute.')),
    payoutsOf(pool, about('payout.')),
    balancesOf(pool, about('balance.'), merchantCreatedOn),
    customersOf(pool, wrapping, about('customer.')),
  ]);
  return messages.map((message) => {
    const data = [charges, refunds, disputes, payouts, balances, customers].find((found) => found.has(message))?.get(message);
    if (!data) throw new Error(`the read models do not contain the record of ${message.kind} ${message.sequence} of ${message.merchant_id}`);
    const { kind, occurred_on, sequence, merchant_id } = message;
    return { id: webhookId(message), type: kind, timestamp: occurred_on, sequence, merchant_id, data };
  });
}

async function chargesOf(pool: Pool, messages: readonly StoredMessage[]): Promise<Map<StoredMessage, object>> {
  if (messages.length === 0) return new Map();
  const rows = new Map((await findChargesById(pool, recordsOf(messages))).map((row) => [row.id, row]));
  const taken = await takenThen(
    pool,
    messages.filter(({ kind }) => isSettlement(kind)),
  );
  return paired(messages, (message) => {
    const row = rows.get(message.record);
    return row && toChargeDetail({ ...chargeAfter(row, message), ...taken.get(message) });
  });
}

/** Refunds and disputes may precede these kinds. */
const isSettlement = (kind: EventKind): boolean => kind === 'charge.settled' || kind === 'charge.reversed';

type Taken = Pick<ChargeRow, 'refunded_amount' | 'disputed_amount' | 'taken_amount'>;

/** Returns the amounts that refunds and disputes had taken of the charges at each message. */
async function takenThen(pool: Pool, messages: readonly StoredMessage[]): Promise<Map<StoredMessage, Taken>> {
  if (messages.length === 0) return new Map();
  const wanted = messages.map(({ record: charge_id, ordinal }) => ({ charge_id, ordinal }));
  const [refunded, disputed] = await Promise.all([findRefundedThen(pool, wanted), findDisputedThen(pool, wanted)]);
  return new Map(
    messages.map((message, place) => {
      const [{ refunded_amount, taken_amount }, disputed_amount] = [refunded[place]!, disputed[place]!];
      return [message, { refunded_amount, disputed_amount, taken_amount: taken_amount + disputed_amount }];
    }),
  );
}

/** The status of a refund after a message of this kind. */
const REFUND_STATES: Readonly<Record<RefundKind, RefundStatus>> = {
  'refund.created': 'PENDING',
  'refund.processing': 'PROCESSING',
  'refund.succeeded': 'SUCCEEDED',
  'refund.failed': 'FAILED',
  'refund.cancelled': 'CANCELLED',
};

async function refundsOf(pool: Pool, messages: readonly StoredMessage[]): Promise<Map<StoredMessage, object>> {
  if (messages.length === 0) return new Map();
  const rows = new Map((await findRefundsById(pool, recordsOf(messages))).map((row) => [row.id, row]));
  return paired(messages, ({ kind, record, actor, occurred_on }): Refund | undefined => {
    const row = rows.get(record);
    return row && refundAfter(row, REFUND_STATES[kind as RefundKind], actor, occurred_on);
  });
}

/** Resets the fields that later events have set. */
function refundAfter(row: Refund, refund_status: RefundStatus, updated_by: string, occurred_on: Timestamp): Refund {
  const hasEnded = refund_status === 'FAILED' || refund_status === 'CANCELLED';
  return {
    ...row,
    refund_status,
    status_reason: hasEnded ? row.status_reason : null,
    processor_reason: hasEnded ? row.processor_reason : null,
    submitted_on: refund_status === 'PENDING' ? null : row.submitted_on,
    succeeded_on: refund_status === 'SUCCEEDED' || hasEnded ? row.succeeded_on : null,
    failed_on: hasEnded ? row.failed_on : null,
    cancelled_on: hasEnded ? row.cancelled_on : null,
    updated_by,
    updated_on: later(row.created_on, occurred_on),
  };
}

/** Later events set fields that only their own kinds show. Those fields are reset or left out. */
function chargeAfter(row: ChargeRow, { kind, actor, occurred_on, ordinal }: StoredMessage): ChargeRow {
  // When a charge was reversed between its claim and its settlement, the settlement's message shows the reversal.
  const isReversed = kind === 'charge.reversed' || (row.reversed_at !== null && row.reversed_at < ordinal);
  return {
    ...row,
    ...CHARGE_STATES[kind as ChargeKind],
    // No refund or dispute precedes these kinds; see takenThen for the kinds that they may precede.
    refunded_amount: 0,
    disputed_amount: 0,
    taken_amount: 0,
    reversed_on: isReversed ? row.reversed_on : null,
    settlement_on: isSettlement(kind) ? row.settlement_on : null,
    failure_code: kind === 'charge.created' ? null : row.failure_code,
    updated_by: actor,
    updated_on: later(row.created_on, occurred_on),
  };
}

async function disputesOf(
  pool: Pool,
  evidence: RenderingSources['evidence'],
  messages: readonly StoredMessage[],
): Promise<Map<StoredMessage, object>> {
  if (messages.length === 0) return new Map();
  const [found, names] = await Promise.all([
    findDisputesThen(
      pool,
      messages.map(({ record: dispute_id, ordinal }) => ({ dispute_id, ordinal })),
    ),
    evidence.namesOf(recordsOf(messages)),
  ]);
  return new Map(messages.flatMap((message, place) => (found[place] ? [[message, toDispute(found[place], names)] as const] : [])));
}

async function payoutsOf(pool: Pool, messages: readonly StoredMessage[]): Promise<Map<StoredMessage, object>> {
  if (messages.length === 0) return new Map();
  const rows = new Map((await findPayoutsById(pool, recordsOf(messages))).map((row) => [row.id, row]));
  return paired(messages, ({ kind, record, occurred_on }) => {
    const row = rows.get(record);
    if (!row) return undefined;
    // All approvals precede the submission to a bank or the cancellation; none follows.
    const given = kind === 'payout.created' ? 0 : row.approvals_given;
    const then = { payout_status: PAYOUT_STATES[kind as PayoutKind], updated_on: later(row.created_on, occurred_on) };
    return payoutOfRow({ ...row, ...then, approvals_given: given });
  });
}

async function balancesOf(
  pool: Pool,
  messages: readonly StoredMessage[],
  merchantCreatedOn: RenderingSources['merchantCreatedOn'],
): Promise<Map<StoredMessage, object>> {
  if (messages.length === 0) return new Map();
  const wanted = await Promise.all(
    messages.map(async ({ merchant_id, record, ordinal }) => ({
      owner: { merchant_id, created_on: await merchantCreatedOn(merchant_id) },
      currency: record,
      ordinal,
    })),
  );
  const balances = await findBalancesAfter(pool, wanted);
  return new Map(messages.map((message, place) => [message, balances[place]!]));
}

async function customersOf(pool: Pool, wrapping: KeyWrapping, messages: readonly StoredMessage[]): Promise<Map<StoredMessage, object>> {
  const rendered = await Promise.all(
    messages.map(async (message): Promise<[StoredMessage, object]> => {
      const found = await findCustomer(pool, wrapping, message.merchant_id, message.record);
      if (!found) return [message, { id: message.record, deleted: true }];
      return [message, toCustomer(found.id, found.details, found.created_on, found.updated_on)];
    }),
  );
  return new Map(rendered);
}

function recordsOf(messages: readonly StoredMessage[]): string[] {
  return [...new Set(messages.map(({ record }) => record))];
}

function paired(messages: readonly StoredMessage[], data: (message: StoredMessage) => object | undefined): Map<StoredMessage, object> {
  const pairs = new Map<StoredMessage, object>();
  for (const message of messages) {
    const found = data(message);
    if (found) pairs.set(message, found);
  }
  return pairs;
}
