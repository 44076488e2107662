import type { ChargeRow } from './charges-table.js';

/** Shape C: an item of the list, as the API returns it. */
export type ChargeListRow = ReturnType<typeof listItem>;

/** Fields of one status are absent in all others; `return_url` is absent when the charge was created without one. */
export function listItem(row: ChargeRow) {
  return {
    id: row.id,
    code: row.code,
    reference_id: row.reference_id,
    merchant_id: row.merchant_id,
    amount: row.amount,
    currency: row.currency,
    channel_code: row.channel_code,
    action_flow: row.action_flow,
    status: row.status,
    fee_amount: row.fee_amount,
    net_amount: row.net_amount,
    settlement_status: row.settlement_status,
    description: row.description,
    meta_data: row.meta_data,
    created_by: row.created_by,
    created_on: row.created_on,
    updated_by: row.updated_by,
    updated_on: row.updated_on,
    settlement_on: row.settlement_on,
    refunded_amount: row.refunded_amount,
    disputed_amount: row.disputed_amount,
    ...(row.status === 'SUCCEEDED' && row.paid_on !== null ? { paid_on: row.paid_on } : {}),
    ...(row.status === 'SUCCEEDED' && row.settlement_date !== null ? { settlement_date: row.settlement_date } : {}),
    ...(row.status === 'FAILED' && row.failed_on !== null ? { failed_on: row.failed_on } : {}),
    ...(row.return_url === null ? {} : { return_url: row.return_url }),
  };
}
