import { findOpenItem, findOwedUpTo } from '../../../projections/approvals/at-processor.js';
import { findSuspensePlace } from '../../../projections/approvals/suspense.js';
import { findBookedItem } from '../../../projections/reconciliation/days/day-close-reads.js';
import { findSource } from '../../../projections/reconciliation/sources.js';
import { readEvent } from '../../ledger/catalogue.js';
import { firstEventOf } from '../../ledger/streams/create-record.js';
import { suspenseStream, type SuspenseItem } from '../../ledger/events/adjustment.events.js';
import type { BankLinesBooked } from '../../ledger/events/day-close.events.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { merchantStream } from '../../ledger/events/merchant.events.js';
import type { Mode } from '../../ledger/mode.js';
import type { Fee } from '../../ledger/money.js';
import { StoreUnavailable, type EventStore } from '../../platform/event-store/event-store.js';
import type { DecisionReads } from '../../platform/projector/decision-reads.js';
import type { ItemAtProcessor, OpenedSource } from './house.decider.js';

/** Returns undefined when there is no such merchant. @throws StoreUnavailable */
export async function modeOfMerchant(store: EventStore, merchantId: string): Promise<Mode | undefined> {
  const [first] = await store.read(merchantStream(merchantId), { limit: 1 });
  const event = first && readEvent(first);
  return event?.type === 'MerchantRegistered' ? event.data.mode : undefined;
}

/** Returns the fee in the terms that the charge was created with. @throws StoreUnavailable */
export async function feeOfCharge(store: EventStore, chargeId: string): Promise<Fee> {
  const first = await firstEventOf(store, chargeStream(chargeId));
  const event = first && readEvent(first);
  if (event?.type !== 'ChargeCreated') throw new Error(`charge ${chargeId} has a payment, but was never created`);
  return event.data.fee;
}

/** Returns the item as the event that created it records it; null when there is none. @throws StoreUnavailable */
export async function itemInSuspense(store: EventStore, reads: DecisionReads, item_id: string): Promise<SuspenseItem | null> {
  const place = await reads.find('ledger', () => findSuspensePlace(reads.pool, item_id));
  const [found] = place ? await store.read(place.stream, { from: place.revision, limit: 1 }) : [];
  if (!found) return null;
  const event = readEvent(found);
  if (event.type === 'BankLinesBooked') return lineInSuspense(store, reads, item_id, event.data);
  // The read model was built from another history of the store, and is not corrected yet.
  if (found.id !== item_id) return null;
  if (event.type !== 'ChargePaymentUnmatched') throw new Error(`${event.type} ${item_id} moves no money into suspense`);
  const { merchant_id, charge_id, processor, currency, amount, received_on: since } = event.data;
  const mode = await modeOfMerchant(store, merchant_id);
  if (mode === undefined) throw new Error(`charge ${charge_id} belongs to merchant ${merchant_id}, which was never registered`);
  return { item_id, mode, merchant_id, charge_id, processor, currency, amount, since, is_matched: false };
}

/**
 * A day close takes a line out of suspense when it finds the item or batch of the line, and a proposal may resolve the line at the same time. The
 * first in the log wins: the tick of the close or the claim. So when a claim exists, the read model must have applied the claim before its answer
 * counts.
 */
async function lineInSuspense(store: EventStore, reads: DecisionReads, item_id: string, { mode, currency, rows, booked_on: since }: BankLinesBooked) {
  const row = rows.find((each) => each.item_id === item_id && !each.reversed);
  if (!row) return null;
  const [claim] = await store.read(suspenseStream(item_id), { limit: 1 });
  await reads.requireApplied(['recon'], claim ?? null);
  const booked = await findBookedItem(reads.pool, item_id);
  if (!booked) throw new StoreUnavailable('the result of the line is not known yet');
  const of = { mode, merchant_id: null, charge_id: null, processor: null };
  return { item_id, ...of, currency, amount: row.amount, since, is_matched: booked.is_taken };
}

/** Returns null when there is no such item, or when it is paid. @throws StoreUnavailable */
export async function itemAtProcessor(reads: DecisionReads, itemId: string): Promise<ItemAtProcessor | null> {
  return (await reads.find('recon', () => findOpenItem(reads.pool, itemId))) ?? null;
}

/**
 * Returns null when there is no such source of this mode and currency, or when `position` does not fit its kind: processors have one, banks do not.
 * @throws StoreUnavailable
 */
export async function openedSource(
  reads: DecisionReads,
  { source, mode, currency, position }: { source: string; mode: Mode; currency: string; position: number | null },
): Promise<OpenedSource | null> {
  const settings = (await reads.find('recon', () => findSource(reads.pool, source)))?.settings;
  if (!settings || settings.mode !== mode || !settings.currencies.includes(currency)) return null;
  const { processor } = settings;
  if ((processor === null) !== (position === null)) return null;
  if (processor === null || position === null) return { source, processor: null, position: null, owed: null };
  const isInLog = await reads.isApplied('recon', position);
  return { source, processor, position, owed: isInLog ? await findOwedUpTo(reads.pool, { processor, mode, currency, position }) : null };
}
