import type { BalanceSnapshot } from '../../../projections/balances/statement.js';
import { csvRow } from '../../platform/csv.js';
import type { Statement } from './statement.js';
import type { MovementDto } from './statements.dto.js';

const COLUMNS = [
  'position',
  'event_id',
  'kind',
  'booked_on',
  'charge_id',
  'payout_id',
  'settlement_id',
  'settlement_number',
  'code',
  'reference_id',
  'pending_change',
  'available_change',
  'reserved_change',
  'fee_change',
  'pending_amount',
  'available_amount',
  'reserved_amount',
  'total_amount',
  'fee_amount',
  'refund_id',
  'dispute_id',
] as const satisfies readonly (keyof MovementDto)[];

/** The balances stand in rows of their own, first and last. */
export async function* statementCsv({ from, to, opening_balance, closing_balance, movements }: Statement): AsyncGenerator<string> {
  const balanceRow = (kind: string, booked_on: string | null, balance: BalanceSnapshot): string => {
    const row: Partial<Omit<MovementDto, 'kind'>> & { readonly kind: string } = { kind, ...(booked_on === null ? {} : { booked_on }), ...balance };
    return csvRow(COLUMNS.map((column) => row[column] ?? null));
  };
  yield csvRow(COLUMNS) + balanceRow('OPENING_BALANCE', from, opening_balance);
  for await (const page of movements) yield page.map((movement) => csvRow(COLUMNS.map((column) => movement[column]))).join('');
  yield balanceRow('CLOSING_BALANCE', to, closing_balance);
}
