import type { TrialBalance } from '../../projections/books/trial-balance.js';
import type { Dispute } from '../../projections/disputes/dispute-reads.js';
import type { Refund } from '../../projections/refunds/refund-reads.js';
import { csvRow } from '../platform/csv.js';
import { csvOf, type Csv } from '../platform/http/answer-list.js';
import type { AuditDisputeDto, AuditMerchantDto, AuditSettlementDto, JournalLineDto, AuditRefundDto } from './audit.dto.js';

export const journalCsv = csvOf<JournalLineDto>([
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
]);

export const merchantsCsv = csvOf<AuditMerchantDto>(['id', 'name', 'country', 'mode', 'default_currency', 'timezone', 'created_on', 'updated_on']);

/** The totals side by side with the rest. */
export const settlementsCsv: Csv<AuditSettlementDto> = {
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
    'refunds',
    'disputes',
  ],
  cells: ({ id, merchant_id, currency, number, lines, totals, opened_on, closed_on, settled_on }) => {
    const { net_amount, charges, reversals, returns, refunds, disputes } = totals;
    const counts = [charges, reversals, returns];
    return [id, merchant_id, currency, number, lines, net_amount, ...counts, opened_on, closed_on, settled_on, refunds, disputes];
  },
};

const REFUND_COLUMNS = [
  'id',
  'charge_id',
  'merchant_id',
  'amount',
  'fee_amount',
  'net_amount',
  'currency',
  'source',
  'refund_status',
  'status_reason',
  'processor_reason',
  'reason',
  'reference_id',
  'description',
  'submitted_on',
  'succeeded_on',
  'failed_on',
  'cancelled_on',
  'created_by',
  'created_on',
  'updated_by',
  'updated_on',
] as const satisfies readonly (keyof Refund)[];

export const refundCsv = csvOf<Refund>(REFUND_COLUMNS);
export const refundsCsv = csvOf<AuditRefundDto>([...REFUND_COLUMNS, 'age_days']);

const DISPUTE_COLUMNS = [
  'id',
  'charge_id',
  'merchant_id',
  'currency',
  'reference',
  'stage',
  'dispute_status',
  'amount',
  'held_amount',
  'excess_amount',
  'refunded_amount',
  'fee_amount',
  'reason_code',
  'reason',
  'due_by',
  'is_final',
  'lost_reason',
  'opened_on',
  'challenged_on',
  'submitted_on',
  'won_on',
  'lost_on',
  'updated_by',
  'updated_on',
] as const satisfies readonly (keyof Dispute)[];

export const disputeCsv = csvOf<Dispute>(DISPUTE_COLUMNS);
export const disputesCsv = csvOf<AuditDisputeDto>([...DISPUTE_COLUMNS, 'age_days']);

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
