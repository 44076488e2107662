import type { Pool } from 'pg';
import { findSettledRevisions } from '../../../projections/charges/settled-revisions.js';
import { findRefundRevisions } from '../../../projections/refunds/refund-reads.js';
import { readEvent, type LedgerEvent } from '../../ledger/catalogue.js';
import { accountStream } from '../../ledger/events/account.events.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { readRevisions } from '../../ledger/streams/read-revisions.js';
import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';

export type HistoryEvent = RecordedEvent & LedgerEvent;

/**
 * Returns a charge's own events, its settlements and its account's events for its refunds, in the order of the log; undefined when
 * the merchant has no such charge.
 * @throws StoreUnavailable
 */
export async function historyOf(store: EventStore, pool: Pool, chargeId: string, merchantId: string): Promise<HistoryEvent[] | undefined> {
  // A refused settlement line concerns the service and its settlements only; it is no event of the charge's history.
  const own = (await store.read(chargeStream(chargeId))).map(readEvent).filter(({ type }) => type !== 'SettlementLineRefused');
  const [created] = own;
  if (created?.type !== 'ChargeCreated' || created.data.merchant_id !== merchantId) return undefined;
  const numbers = own.flatMap((event) =>
    event.type === 'ChargeSettlementClaimed' || event.type === 'ChargeReversalClaimed' || event.type === 'ChargeLineClaimed'
      ? [event.data.settlement_number]
      : [],
  );
  const { currency } = created.data;
  const [settlements, reservations] = await Promise.all([
    numbers.length === 0 ? [] : findSettledRevisions(pool, merchantId, currency, numbers),
    findRefundRevisions(pool, chargeId),
  ]);
  const revisions = [...settlements, ...reservations];
  const account = accountStream(merchantId, currency);
  const settled = (await readRevisions(store, account, revisions)).map(readEvent);
  return [...own, ...settled].sort((a, b) => (a.position < b.position ? -1 : 1));
}
