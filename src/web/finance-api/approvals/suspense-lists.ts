import type { Pool } from 'pg';
import { findAdjustments, type AdjustmentsQuery, type StoredAdjustment } from '../../../../projections/approvals/adjustments.js';
import {
  findSuspenseAges,
  findSuspenseItems,
  type ListedSuspenseItem,
  type SuspenseAge,
  type SuspenseQuery,
} from '../../../../projections/approvals/suspense.js';
import type { Mode } from '../../../ledger/mode.js';
import { timestamp } from '../../../ledger/time.js';
import { csvOf, pagesById, type PagedList } from '../../../platform/http/answer-list.js';
import { csvOfDto } from '../../../platform/http/csv-of-dto.js';
import { daysSince } from '../lists.js';
import { AuditAdjustmentDto, SuspenseAgeDto, type SuspenseItemDto } from './suspense.dto.js';

/** Lists the oldest first, unless it is descending. @param now milliseconds since the epoch, for the age of each */
export function suspenseList(pool: Pool, query: Omit<SuspenseQuery, 'after' | 'limit'>, now: number): PagedList<SuspenseItemDto> {
  return {
    name: 'suspense',
    csv: suspenseCsv,
    page: pagesById(
      'item',
      (after, limit) => findSuspenseItems(pool, { ...query, after, limit }),
      (item) => toSuspenseItem(item, now),
    ),
  };
}

/** The whole list is one page. */
export const suspenseAgesList = (pool: Pool, mode: Mode | undefined, now: number): PagedList<SuspenseAge> => ({
  name: 'suspense-ages',
  csv: csvOfDto(SuspenseAgeDto),
  page: async () => ({ items: await findSuspenseAges(pool, mode, timestamp(now)), next_after: null }),
});

/** Lists the oldest first. */
export function adjustmentsList(pool: Pool, query: Omit<AdjustmentsQuery, 'after' | 'limit'>): PagedList<AuditAdjustmentDto> {
  return {
    name: 'adjustments',
    csv: adjustmentsCsv,
    page: pagesById('adjustment', (after, limit) => findAdjustments(pool, { ...query, after, limit }), toAdjustment),
  };
}

function toSuspenseItem({ item_status: status, ordinal: position, ...item }: ListedSuspenseItem, now: number): SuspenseItemDto {
  const { id, mode, reason, merchant_id, charge_id, processor, payment_reference, currency, amount, since } = item;
  const { source, line_key, proposal_id, pending_proposal_id, resolved_as, resolved_on } = item;
  return {
    id,
    position,
    mode,
    status,
    reason,
    merchant_id,
    charge_id,
    processor,
    payment_reference,
    source,
    line_key,
    currency,
    amount,
    since,
    age_days: daysSince(since, now),
    proposal_id,
    pending_proposal_id,
    resolved_as,
    resolved_on,
  };
}

function toAdjustment({ ordinal: position, ...adjustment }: StoredAdjustment): AuditAdjustmentDto {
  const { id, event_id, mode, merchant_id, currency, kind, amount, fee_amount, available_change } = adjustment;
  const { item_id, charge_id, source, relates_to, adjusted_on } = adjustment;
  return {
    id,
    position,
    event_id,
    mode,
    merchant_id,
    currency,
    kind,
    amount,
    fee_amount,
    available_change,
    item_id,
    charge_id,
    source,
    relates_to,
    adjusted_on,
  };
}

const suspenseCsv = csvOf<SuspenseItemDto>([
  ...(['id', 'position', 'mode', 'status', 'reason', 'merchant_id', 'charge_id', 'processor', 'payment_reference', 'currency', 'amount'] as const),
  ...(['source', 'line_key', 'since', 'age_days', 'proposal_id', 'resolved_as', 'resolved_on', 'pending_proposal_id'] as const),
]);

const adjustmentsCsv = csvOfDto(AuditAdjustmentDto);
