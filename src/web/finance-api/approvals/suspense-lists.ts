import type { Pool } from 'pg';
import { findAdjustments, type AdjustmentsQuery, type StoredAdjustment } from '../../../../projections/approvals/adjustments.js';
import { findSuspenseItems, type ListedSuspenseItem, type SuspenseQuery } from '../../../../projections/approvals/suspense.js';
import { csvOf, noSuchCursor } from '../../../platform/http/answer-list.js';
import { daysSince, type Source } from '../lists.js';
import type { AuditAdjustmentDto, SuspenseItemDto } from './suspense.dto.js';

/** The oldest first, unless it is descending. @param now milliseconds since the epoch: for the age of each */
export function suspenseList(pool: Pool, query: Omit<SuspenseQuery, 'after' | 'limit'>, now: number): Source<SuspenseItemDto> {
  return {
    name: 'suspense',
    csv: suspenseCsv,
    page: async (after, limit) => {
      const found = await findSuspenseItems(pool, { ...query, after, limit: limit + 1 });
      if (found === undefined) throw noSuchCursor('item');
      const items = found.slice(0, limit).map((item) => toSuspenseItem(item, now));
      return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
    },
  };
}

/** The oldest first. */
export function adjustmentsList(pool: Pool, query: Omit<AdjustmentsQuery, 'after' | 'limit'>): Source<AuditAdjustmentDto> {
  return {
    name: 'adjustments',
    csv: adjustmentsCsv,
    page: async (after, limit) => {
      const found = await findAdjustments(pool, { ...query, after, limit: limit + 1 });
      if (found === undefined) throw noSuchCursor('adjustment');
      const items = found.slice(0, limit).map(toAdjustment);
      return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
    },
  };
}

function toSuspenseItem({ item_status: status, ordinal: position, ...item }: ListedSuspenseItem, now: number): SuspenseItemDto {
  const { id, mode, reason, merchant_id, charge_id, processor, payment_reference, currency, amount, since } = item;
  const { source, line_key, proposal_id, resolved_as, resolved_on } = item;
  return {
    ...{ id, position, mode, status, reason, merchant_id, charge_id, processor, payment_reference, source, line_key, currency, amount, since },
    ...{ age_days: daysSince(since, now), proposal_id, resolved_as, resolved_on },
  };
}

function toAdjustment({ ordinal: position, ...adjustment }: StoredAdjustment): AuditAdjustmentDto {
  const { id, event_id, mode, merchant_id, currency, kind, amount, fee_amount, available_change } = adjustment;
  const { item_id, charge_id, source, relates_to, adjusted_on } = adjustment;
  return {
    ...{ id, position, event_id, mode, merchant_id, currency, kind, amount, fee_amount, available_change },
    ...{ item_id, charge_id, source, relates_to, adjusted_on },
  };
}

const suspenseCsv = csvOf<SuspenseItemDto>([
  ...(['id', 'position', 'mode', 'status', 'reason', 'merchant_id', 'charge_id', 'processor', 'payment_reference', 'currency', 'amount'] as const),
  ...(['source', 'line_key', 'since', 'age_days', 'proposal_id', 'resolved_as', 'resolved_on'] as const),
]);

const adjustmentsCsv = csvOf<AuditAdjustmentDto>([
  ...(['id', 'position', 'event_id', 'mode', 'merchant_id', 'currency', 'kind', 'amount', 'fee_amount', 'available_change'] as const),
  ...(['item_id', 'charge_id', 'source', 'relates_to', 'adjusted_on'] as const),
]);
