import type { Pool } from 'pg';
import type { ChargeListQuery } from '../../../../projections/charges/charge-list.js';
import { findChargesById } from '../../../../projections/charges/charge-reads.js';
import type { ChargeRow } from '../../../../projections/charges/charges-table.js';
import { holdsText, searchedPart } from '../../../../projections/charges/search.js';
import { findCustomersById, type KnownCustomer } from '../../../../projections/customers/customers.js';
import { findDisputesByOrdinal, type Dispute, type DisputeListQuery } from '../../../../projections/disputes/dispute-reads.js';
import { findNewestOpenPayouts } from '../../../../projections/payouts/payout-lists.js';
import { findPayoutsById, type Payout, type PayoutListQuery } from '../../../../projections/payouts/payouts.js';
import { findRefundsByOrdinal, type Refund, type RefundListQuery } from '../../../../projections/refunds/refund-reads.js';
import { findSettlementsByNumber, type Settlement } from '../../../../projections/settlements/settlements.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { customerStream } from '../../../ledger/events/customer.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { PendingReason } from '../../../domain/payouts/pending-reason.js';
import type { ListPage } from '../../../platform/http/answer-list.js';
import { byStream, newestFirst, type Kind, type NewestQuery } from './newest.js';
import { stateOf } from './record-tables.js';

const ID_CHARACTERS = 36;
const idOf = (stream: string): string => stream.slice(-ID_CHARACTERS);

const createdOn = ({ created_on }: { readonly created_on: string }): string => created_on;
const openedOn = ({ opened_on }: { readonly opened_on: string }): string => opened_on;

export const chargesKind = (pool: Pool): Kind<ChargeRow> => ({
  type: 'ChargeCreated',
  rowsOf: byStream(
    (streams) => findChargesById(pool, streams.map(idOf)),
    ({ id }) => chargeStream(id),
  ),
  beganOn: createdOn,
});

export type ShownPayout = Payout & { readonly pending_reason: PendingReason | null };

type ReasonOf = (payout: Payout) => PendingReason | null;

export const payoutsKind = (pool: Pool, reasonOf: ReasonOf): Kind<ShownPayout> => ({
  type: 'PayoutRegistered',
  rowsOf: byStream(
    async (streams) => (await findPayoutsById(pool, streams.map(idOf))).map((payout) => ({ ...payout, pending_reason: reasonOf(payout) })),
    ({ id }) => payoutStream(id),
  ),
  beganOn: createdOn,
});

/** Maximum number of payouts that are read for one page. */
const LOOKED_AT_MAX = 10_000;
const BATCH = 1_000;

/**
 * Returns a page of pending payouts, newest first. Only payouts that have not ended are read, which are few. The next page has records
 * before the event with the ordinal `next_after`. A page may be short or empty without being the last.
 */
export async function findWaitingPayouts(
  pool: Pool,
  reasonOf: ReasonOf,
  { mode, merchant_id, matches }: NewestQuery<ShownPayout>,
  before: number | undefined,
  limit: number,
): Promise<ListPage<ShownPayout, number>> {
  const items: ShownPayout[] = [];
  const page = (next_after: number | null): ListPage<ShownPayout, number> => ({ items: newestFirst(items, createdOn), next_after });
  let next = before;
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += BATCH) {
    const found = await findNewestOpenPayouts(pool, { mode, merchant_id, before: next, limit: BATCH });
    for (const { ordinal, payout } of found) {
      if (items.length === limit) return page(next!);
      next = ordinal;
      const shown = { ...payout, pending_reason: reasonOf(payout) };
      if (matches?.(shown) ?? true) items.push(shown);
    }
    if (found.length < BATCH) return page(null);
  }
  return page(next!);
}

export const customersKind = (pool: Pool): Kind<KnownCustomer> => ({
  type: 'CustomerCreated',
  rowsOf: byStream(
    (streams) => findCustomersById(pool, streams.map(idOf)),
    ({ id }) => customerStream(id),
  ),
  beganOn: createdOn,
});

const SETTLEMENT = /^settlement-(.{36})-([A-Z]{3})-(\d+)$/;

export const settlementsKind = (pool: Pool): Kind<Settlement> => ({
  type: 'SettlementOpened',
  rowsOf: byStream(
    (streams) =>
      findSettlementsByNumber(
        pool,
        streams.map((stream) => {
          const [, merchant_id = '', currency = '', number] = SETTLEMENT.exec(stream)!;
          return { merchant_id, currency, number: Number(number) };
        }),
      ),
    ({ merchant_id, currency, number }) => settlementStream(merchant_id, currency, number),
  ),
  beganOn: openedOn,
});

/** Refunds are in the streams of their charges. */
export const refundsKind = (pool: Pool): Kind<Refund> => ({
  type: 'ChargeRefundClaimed',
  rowsOf: (began) =>
    findRefundsByOrdinal(
      pool,
      began.map(({ ordinal }) => ordinal),
    ),
  beganOn: createdOn,
});

/** Disputes are in the streams of their charges. */
export const disputesKind = (pool: Pool): Kind<Dispute> => ({
  type: 'ChargeDisputeOpened',
  rowsOf: (began) =>
    findDisputesByOrdinal(
      pool,
      began.map(({ ordinal }) => ordinal),
    ),
  beganOn: openedOn,
});

type ChargeFilter = Pick<ChargeListQuery, 'id' | 'currency' | 'channel_code' | 'status' | 'date_from' | 'date_to' | 'search_text'>;

/** Returns a test for the charges that a merchant's list has for this filter; undefined for an empty filter. */
export function chargeFilter(filter: ChargeFilter): ((charge: ChargeRow) => boolean) | undefined {
  const { id, currency, channel_code, status, search_text } = filter;
  if (Object.values(filter).every((value) => value === undefined)) return undefined;
  const part = search_text === undefined ? undefined : searchedPart(search_text);
  if (search_text !== undefined && part === undefined) return () => false;
  const isWithin = within(filter);
  return (charge) =>
    is(id, charge.id) &&
    is(currency, charge.currency) &&
    is(channel_code, charge.channel_code) &&
    is(status, charge.status) &&
    isWithin(charge) &&
    (part === undefined || holdsText(charge, part));
}

type PayoutFilter = Pick<PayoutListQuery, 'currency' | 'payout_status' | 'date_from' | 'date_to'> & {
  readonly pending_reason?: PendingReason | undefined;
};

export function payoutFilter(filter: PayoutFilter): ((payout: ShownPayout) => boolean) | undefined {
  if (Object.values(filter).every((value) => value === undefined)) return undefined;
  const isWithin = within(filter);
  return (payout) =>
    is(filter.currency, payout.currency) &&
    is(filter.payout_status, payout.payout_status) &&
    is(filter.pending_reason, payout.pending_reason) &&
    isWithin(payout);
}

type RefundFilter = Pick<RefundListQuery, 'currency' | 'refund_status' | 'charge_id' | 'date_from' | 'date_to'>;

export function refundFilter(filter: RefundFilter): ((refund: Refund) => boolean) | undefined {
  if (Object.values(filter).every((value) => value === undefined)) return undefined;
  const isWithin = within(filter);
  return (refund) =>
    is(filter.currency, refund.currency) &&
    is(filter.refund_status, refund.refund_status) &&
    is(filter.charge_id, refund.charge_id) &&
    isWithin(refund);
}

type DisputeFilter = Pick<DisputeListQuery, 'currency' | 'dispute_status' | 'charge_id' | 'date_from' | 'date_to' | 'due_before'>;

export function disputeFilter(filter: DisputeFilter): ((dispute: Dispute) => boolean) | undefined {
  if (Object.values(filter).every((value) => value === undefined)) return undefined;
  const { due_before } = filter;
  const isWithin = within(filter);
  return (dispute) =>
    is(filter.currency, dispute.currency) &&
    is(filter.dispute_status, dispute.dispute_status) &&
    is(filter.charge_id, dispute.charge_id) &&
    isWithin({ created_on: dispute.opened_on }) &&
    (due_before === undefined || (isAnswerable(dispute) && dispute.due_by <= due_before));
}

const isAnswerable = ({ dispute_status }: Dispute): boolean => dispute_status === 'INQUIRY' || dispute_status === 'ACTION_REQUIRED';

const is = <Value>(wanted: Value | undefined, value: Value): boolean => wanted === undefined || wanted === value;

/** Compares moments as texts, which have the same order. */
function within({ date_from, date_to }: Pick<ChargeFilter, 'date_from' | 'date_to'>): (record: { readonly created_on: string }) => boolean {
  return ({ created_on }) => (date_from === undefined || created_on >= date_from) && (date_to === undefined || created_on <= date_to);
}

export function settlementFilter(currency: string | undefined, state: string | undefined): ((settlement: Settlement) => boolean) | undefined {
  if (currency === undefined && state === undefined) return undefined;
  return (settlement) => is(currency, settlement.currency) && is(state, stateOf(settlement));
}
