import type { ChargeRow } from '../../../projections/charges/charges-table.js';
import type { ChargeDetailDto } from './charges.dto.js';

// A separate file: the worker renders webhook bodies, serves no requests and does not load the framework of a DTO.

/** Shape B of the row. */
export function toChargeDetail(row: ChargeRow): ChargeDetailDto {
  const { expires_on: _, failure_reason: __, revision: ___, reversed_at: ____, taken_amount, reversed_on, ...stored } = row;
  const { paid_on, failed_on, settlement_date, return_url, is_remote, processor_reference, action, failure_code, ...shown } = stored;
  return {
    ...shown,
    ...(row.status === 'SUCCEEDED' && paid_on !== null && settlement_date !== null ? { paid_on, settlement_date } : {}),
    ...(row.status === 'FAILED' && failed_on !== null ? { failed_on } : {}),
    ...(return_url === null ? {} : { return_url }),
    ...(is_remote ? { action, processor_reference } : {}),
    ...(failure_code === null ? {} : { failure_code }),
    refundable_amount: row.status === 'SUCCEEDED' && reversed_on === null ? row.amount - taken_amount : 0,
    owned_by: row.merchant_id,
    last_modified_by: row.updated_by,
    last_modified_on: row.updated_on,
  };
}
