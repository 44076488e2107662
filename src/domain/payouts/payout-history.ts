import type { Pool } from 'pg';
import { findPayoutRevisions, type Payout } from '../../../projections/payouts/payouts.js';
import { readEvent, type LedgerEvent, type LedgerEventType } from '../../ledger/catalogue.js';
import { accountStream } from '../../ledger/events/account.events.js';
import { payoutStream } from '../../ledger/events/payout.events.js';
import { transferStream } from '../../ledger/events/transfer.events.js';
import { onlyLinesOf } from '../../ledger/published/lines-of.js';
import { headOf } from '../../ledger/published/shown-event.js';
import { readRevisions } from '../../ledger/streams/read-revisions.js';
import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';
import type { PayoutEventDto } from './payouts.dto.js';

export type OwnedPayout = Pick<Payout, 'id' | 'merchant_id' | 'currency'>;
type Store = Pick<EventStore, 'read'>;

/**
 * Returns all events about a payout, as stored, in the order of the log: those of its account, its own, and those of its transfer at a bank. A
 * settlement has the lines about the payout only.
 * @throws StoreUnavailable
 */
export async function payoutHistory(store: Store, pool: Pool, payout: OwnedPayout): Promise<RecordedEvent[]> {
  const found = await Promise.all([ofAccount(store, pool, payout), store.read(payoutStream(payout.id)), store.read(transferStream(payout.id))]);
  return found
    .flat()
    .map((event) => onlyLinesOf(payout.id, event))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Events that a merchant sees of its payout, each with the members that only the operators of the service see. */
const SEEN_BY_MERCHANTS: ReadonlyMap<LedgerEventType, readonly string[]> = new Map<LedgerEventType, readonly string[]>([
  ['PayoutRequested', []],
  ['PayoutApproved', ['person_id', 'key_id', 'digest', 'reason']],
  ['PayoutApprovalVoided', ['person_id']],
  ['PayoutSubmitted', []],
  ['PayoutSucceeded', []],
  ['PayoutFailed', []],
  ['PayoutCancelled', ['person_id', 'reason', 'cancelled_by']],
  ['PayoutReturned', []],
  ['FundsSettled', []],
]);

/** Returns the events that its merchant sees of a payout, in the order of the log. @throws StoreUnavailable */
export async function payoutHistoryOfMerchant(store: Store, pool: Pool, payout: OwnedPayout): Promise<PayoutEventDto[]> {
  const events = (await payoutHistory(store, pool, payout)).map(readEvent);
  return events.flatMap((event) => {
    const hidden = SEEN_BY_MERCHANTS.get(event.type);
    if (hidden === undefined) return [];
    const { actor, ...head } = headOf(event);
    return [{ ...head, actor: isOfOperator(event) ? 'Operator' : actor, data: without(event.data, hidden) }];
  });
}

/** True for decisions of the operators of the service, whose keys their merchants do not see. */
const isOfOperator = ({ type, data }: LedgerEvent): boolean => type === 'PayoutApproved' || (type === 'PayoutCancelled' && data.cause === 'declined');

async function ofAccount(store: Store, pool: Pool, { id, merchant_id, currency }: OwnedPayout): Promise<RecordedEvent[]> {
  return readRevisions(store, accountStream(merchant_id, currency), await findPayoutRevisions(pool, id));
}

function without(data: LedgerEvent['data'], members: readonly string[]): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !members.includes(name)));
}
