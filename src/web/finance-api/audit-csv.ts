import type { TrialBalance } from '../../../projections/balances/trial-balance.js';
import { DISPUTE_FIELDS, type Dispute } from '../../../projections/disputes/dispute-reads.js';
import { REFUND_FIELDS, type Refund } from '../../../projections/refunds/refund-reads.js';
import { csvRow } from '../../platform/csv.js';
import { csvOf, type Csv } from '../../platform/http/answer-list.js';
import type { AuditDisputeDto } from './audit-disputes.dto.js';
import type { AuditMerchantDto } from './audit-merchants.dto.js';
import type { AuditPayoutDto } from './audit-payouts.dto.js';
import type { AuditRefundDto } from './audit-refunds.dto.js';
import type { AuditSettlementDto } from './audit-settlements.dto.js';
import type { JournalLineDto } from './journal.dto.js';

export const journalCsv = csvOf<JournalLineDto>([
  ...(['position', 'event_id', 'line', 'merchant_id', 'currency', 'account', 'debit', 'credit', 'balance_before', 'balance_after'] as const),
  ...(['occurred_on', 'mode', 'proposal_id', 'relates_to'] as const),
]);

export const merchantsCsv = csvOf<AuditMerchantDto>(['id', 'name', 'country', 'mode', 'default_currency', 'timezone', 'created_on', 'updated_on']);

/** Totals are columns beside the others. */
export const settlementsCsv: Csv<AuditSettlementDto> = {
  columns: [
    ...(['id', 'merchant_id', 'currency', 'number', 'lines', 'net_amount', 'charges', 'reversals', 'returns', 'opened_on'] as const),
    ...(['closed_on', 'settled_on', 'refunds', 'disputes'] as const),
  ],
  cells: ({ id, merchant_id, currency, number, lines, totals, opened_on, closed_on, settled_on }) => {
    const { net_amount, charges, reversals, returns, refunds, disputes } = totals;
    const counts = [charges, reversals, returns];
    return [id, merchant_id, currency, number, lines, net_amount, ...counts, opened_on, closed_on, settled_on, refunds, disputes];
  },
};

/** Fields with a single value. */
const REFUND_COLUMNS = REFUND_FIELDS.filter((field) => field !== 'meta_data');

export const refundCsv = csvOf<Refund>(REFUND_COLUMNS);
export const refundsCsv = csvOf<AuditRefundDto>([...REFUND_COLUMNS, 'age_days']);

export const payoutsCsv = csvOf<AuditPayoutDto>([
  ...(['id', 'merchant_id', 'amount', 'fee_amount', 'net_amount', 'currency', 'payout_status', 'pending_reason', 'rail'] as const),
  ...(['partner_reference', 'held_reason', 'held_on', 'bank_name', 'created_on', 'updated_on', 'age_days'] as const),
]);

const DISPUTE_COLUMNS = DISPUTE_FIELDS.filter((field) => field !== 'evidence');

export const disputeCsv = csvOf<Dispute>(DISPUTE_COLUMNS);
export const disputesCsv = csvOf<AuditDisputeDto>([...DISPUTE_COLUMNS, 'age_days']);

/** Yields a row for each account of each mode and currency. */
export async function* trialBalanceCsv(currencies: readonly TrialBalance[]): AsyncGenerator<string> {
  yield csvRow(['currency', 'account', 'merchant_id', 'debit', 'credit', 'balance', 'mode']);
  for (const { mode, currency, accounts } of currencies) {
    for (let at = 0; at < accounts.length; at += 1_000) {
      const rows = accounts.slice(at, at + 1_000);
      yield rows
        .map(({ account, merchant_id, debit, credit, balance }) => csvRow([currency, account, merchant_id, debit, credit, balance, mode]))
        .join('');
    }
  }
}
