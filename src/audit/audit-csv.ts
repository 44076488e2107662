import type { TrialBalance } from '../../projections/books/trial-balance.js';
import { csvRow } from '../platform/csv.js';
import type { PagedList } from '../platform/http/answer-list.js';
import type { AuditMerchantDto, AuditSettlementDto, JournalLineDto } from './audit.dto.js';

/** A column for each field, named and ordered as in JSON. */
type CsvOf<Item> = NonNullable<PagedList<Item, never>['csv']>;

const JOURNAL_COLUMNS = [
  'position',
  'event_id',
  'line',
  'merchant_id',
  'currency',
  'account',
  'debit',
  'credit',
  'balance_before',
  'balance_after',
  'occurred_on',
] as const satisfies readonly (keyof JournalLineDto)[];

export const journalCsv: CsvOf<JournalLineDto> = { columns: JOURNAL_COLUMNS, cells: (line) => JOURNAL_COLUMNS.map((column) => line[column]) };

const MERCHANT_COLUMNS = [
  'id',
  'name',
  'country',
  'mode',
  'default_currency',
  'timezone',
  'created_on',
  'updated_on',
] as const satisfies readonly (keyof AuditMerchantDto)[];

export const merchantsCsv: CsvOf<AuditMerchantDto> = {
  columns: MERCHANT_COLUMNS,
  cells: (merchant) => MERCHANT_COLUMNS.map((column) => merchant[column]),
};

/** The totals side by side with the rest. */
export const settlementsCsv: CsvOf<AuditSettlementDto> = {
  columns: [
    'id',
    'merchant_id',
    'currency',
    'number',
    'lines',
    'net_amount',
    'charges',
    'reversals',
    'returns',
    'opened_on',
    'closed_on',
    'settled_on',
  ],
  cells: ({ id, merchant_id, currency, number, lines, totals, opened_on, closed_on, settled_on }) => {
    const { net_amount, charges, reversals, returns } = totals;
    return [id, merchant_id, currency, number, lines, net_amount, charges, reversals, returns, opened_on, closed_on, settled_on];
  },
};

/** A row for each account of each currency. */
export async function* trialBalanceCsv(currencies: readonly TrialBalance[]): AsyncGenerator<string> {
  yield csvRow(['currency', 'account', 'merchant_id', 'debit', 'credit', 'balance']);
  for (const { currency, accounts } of currencies) {
    for (let at = 0; at < accounts.length; at += 1_000) {
      const rows = accounts.slice(at, at + 1_000);
      yield rows.map(({ account, merchant_id, debit, credit, balance }) => csvRow([currency, account, merchant_id, debit, credit, balance])).join('');
    }
  }
}
