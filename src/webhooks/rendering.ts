import type { Pool } from 'pg';
import { findBalancesAfter } from '../../projections/books/balances.js';
import { findChargesById, type ChargeRow } from '../../projections/charges/charges.js';
import { findCustomer } from '../../projections/customers/customers.js';
import type { StoredNotice } from '../../projections/webhooks/outbox.js';
import { findPayoutsById, type Payout, type PayoutStatus } from '../../projections/payouts/payouts.js';
import type { ChargeStatus, SettlementStatus } from '../ledger/events/charge.events.js';
import { toChargeDetail } from '../charges/charges.dto.js';
import { toCustomer } from '../customers/customers.dto.js';
import type { KeyWrapping } from '../ledger/customer-seal.js';
import { later, type Timestamp } from '../ledger/time.js';
import { noticeId, type EventKind } from '../ledger/outbox-messages.js';

/** What a merchant receives, and reads at GET /v1/events. */
export interface EventBody {
  /** The same however often it is sent. */
  readonly id: string;
  readonly type: EventKind;
  readonly timestamp: Timestamp;
  readonly sequence: number;
  readonly merchant_id: string;
  readonly data: object;
}

type ChargeKind = Extract<EventKind, `charge.${string}`>;
type PayoutKind = Extract<EventKind, `payout.${string}`>;

/** What a charge is once it was told of in this way: a kind leaves no doubt. */
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
  readonly wrapping: KeyWrapping;
  /** When a merchant was registered. */
  readonly merchantCreatedOn: (merchantId: string) => Promise<Timestamp> | Timestamp;
}

/**
 * The bodies of notices, in their order, made anew each time from the read models, which must have come as far as the notices.
 * A charge, a payout and a balance are as the event left them, so a late or repeated delivery says the same as the first one.
 * A customer is as it is now, and gone when it was deleted: erasure reaches what was told before.
 */
export async function render({ pool, wrapping, merchantCreatedOn }: RenderingSources, notices: readonly StoredNotice[]): Promise<EventBody[]> {
  const about = (subject: string): StoredNotice[] => notices.filter(({ kind }) => kind.startsWith(subject));
  const [charges, payouts, balances, customers] = await Promise.all([
    chargesOf(pool, about('charge.')),
    payoutsOf(pool, about('payout.')),
    balancesOf(pool, about('balance.'), merchantCreatedOn),
    customersOf(pool, wrapping, about('customer.')),
  ]);
  return notices.map((notice) => {
    const data = charges.get(notice) ?? payouts.get(notice) ?? balances.get(notice) ?? customers.get(notice);
    if (!data) throw new Error(`the read models do not hold what ${notice.kind} ${notice.sequence} of ${notice.merchant_id} tells of`);
    const { event_id, kind, line, occurred_on, sequence, merchant_id } = notice;
    return { id: noticeId(event_id, kind, line), type: kind, timestamp: occurred_on, sequence, merchant_id, data };
  });
}

async function chargesOf(pool: Pool, notices: readonly StoredNotice[]): Promise<Map<StoredNotice, object>> {
  if (notices.length === 0) return new Map();
  const rows = new Map((await findChargesById(pool, recordsOf(notices))).map((row) => [row.id, row]));
  return paired(notices, ({ kind, record, actor, occurred_on }) => {
    const row = rows.get(record);
    return row && toChargeDetail(chargeAfter(row, kind as ChargeKind, actor, occurred_on));
  });
}

/** Later facts set what only the kinds behind them show; those fields are left out or taken back. */
function chargeAfter(row: ChargeRow, kind: ChargeKind, actor: string, occurred_on: Timestamp): ChargeRow {
  const isSettled = kind === 'charge.settled' || kind === 'charge.reversed';
  return {
    ...row,
    ...CHARGE_STATES[kind],
    settlement_on: isSettled ? row.settlement_on : null,
    updated_by: actor,
    updated_on: later(row.created_on, occurred_on),
  };
}

async function payoutsOf(pool: Pool, notices: readonly StoredNotice[]): Promise<Map<StoredNotice, object>> {
  if (notices.length === 0) return new Map();
  const rows = new Map((await findPayoutsById(pool, recordsOf(notices))).map((row) => [row.id, row]));
  return paired(notices, ({ kind, record, occurred_on }): Payout | undefined => {
    const row = rows.get(record);
    return row && { ...row, payout_status: PAYOUT_STATES[kind as PayoutKind], updated_on: later(row.created_on, occurred_on) };
  });
}

async function balancesOf(
  pool: Pool,
  notices: readonly StoredNotice[],
  merchantCreatedOn: RenderingSources['merchantCreatedOn'],
): Promise<Map<StoredNotice, object>> {
  if (notices.length === 0) return new Map();
  const wanted = await Promise.all(
    notices.map(async ({ merchant_id, record, ordinal }) => ({
      owner: { merchant_id, created_on: await merchantCreatedOn(merchant_id) },
      currency: record,
      ordinal,
    })),
  );
  const balances = await findBalancesAfter(pool, wanted);
  return new Map(notices.map((notice, place) => [notice, balances[place]!]));
}

async function customersOf(pool: Pool, wrapping: KeyWrapping, notices: readonly StoredNotice[]): Promise<Map<StoredNotice, object>> {
  const rendered = await Promise.all(
    notices.map(async (notice): Promise<[StoredNotice, object]> => {
      const found = await findCustomer(pool, wrapping, notice.merchant_id, notice.record);
      if (!found) return [notice, { id: notice.record, deleted: true }];
      return [notice, toCustomer(found.id, found.details, found.created_on, found.updated_on)];
    }),
  );
  return new Map(rendered);
}

function recordsOf(notices: readonly StoredNotice[]): string[] {
  return [...new Set(notices.map(({ record }) => record))];
}

function paired(notices: readonly StoredNotice[], data: (notice: StoredNotice) => object | undefined): Map<StoredNotice, object> {
  const pairs = new Map<StoredNotice, object>();
  for (const notice of notices) {
    const found = data(notice);
    if (found) pairs.set(notice, found);
  }
  return pairs;
}
