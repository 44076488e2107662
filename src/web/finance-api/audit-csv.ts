import type { TrialBalance } from '../../../projections/balances/trial-balance.js';
import { DisputeDto } from '../../domain/charges/disputes/disputes.dto.js';
import { RefundDto } from '../../domain/charges/refunds/refunds.dto.js';
import type { Part } from '../../../projections/balances/explanation.js';
import { csvRow } from '../../platform/text/csv.js';
import { csvOf, type Csv } from '../../platform/http/answer-list.js';
import { csvOfDto } from '../../platform/http/csv-of-dto.js';
import { BreakDayDto, ChargeDayDto, JournalDayDto, SourceDayDto } from './audit-days.dto.js';
import { AuditDisputeDto } from './audit-disputes.dto.js';
import { AuditMerchantDto, MerchantTermDto } from './audit-merchants.dto.js';
import { AuditPayoutDto, PayoutFundingDto } from './audit-payouts.dto.js';
import { AuditRefundDto } from './audit-refunds.dto.js';
import type { AuditSettlementDto } from './audit-settlements.dto.js';
import { JournalLineDto, JournalTotalDto } from './journal.dto.js';

export const journalCsv = csvOfDto(JournalLineDto);
export const journalTotalsCsv = csvOfDto(JournalTotalDto);
export const journalDaysCsv = csvOfDto(JournalDayDto);
export const breakDaysCsv = csvOfDto(BreakDayDto);
export const sourceDaysCsv = csvOfDto(SourceDayDto);
export const chargeDaysCsv = csvOfDto(ChargeDayDto);
/** Leaves out the sources of a payout's money: its funding has them. */
export const partsCsv = csvOf<Part>(['kind', 'id', 'settlement_number', 'code', 'reference_id', 'status', 'amount']);
export const merchantTermsCsv = csvOfDto(MerchantTermDto);
export const merchantsCsv = csvOfDto(AuditMerchantDto);
export const payoutsCsv = csvOfDto(AuditPayoutDto);
export const payoutFundingCsv = csvOfDto(PayoutFundingDto);
export const refundCsv = csvOfDto(RefundDto, 'meta_data');
export const refundsCsv = csvOfDto(AuditRefundDto, 'meta_data');
export const disputeCsv = csvOfDto(DisputeDto, 'evidence');
export const disputesCsv = csvOfDto(AuditDisputeDto, 'evidence');

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
