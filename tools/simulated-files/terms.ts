import { CHANNELS } from '../../src/ledger/channels.js';
import type { CsvProfile } from '../../src/ledger/events/reconciliation.events.js';
import { feeOnRoundedHalfUp, type Fee } from '../../src/ledger/money.js';

/** Terms of the simulated processor and the simulated bank. */
export const TIME_ZONE = 'Asia/Jakarta';
/** The house account at the simulated bank; the number is fictitious. */
export const ACCOUNT = '8800112233';
export const CURRENCIES: readonly string[] = [...new Set(CHANNELS.map(({ currency }) => currency))];
/** Tax on the processor's fee, in percent. */
const TAX: Fee = { type: 'PERCENTAGE', value: 11 };
const PROCESSOR_DUE_DAYS = 2;
const BANK_DUE_DAYS = 1;

const COSTS: Readonly<Record<string, Fee>> = Object.fromEntries(
  CHANNELS.map(({ code, fee }) => [code, fee.type === 'PERCENTAGE' ? { type: 'PERCENTAGE', value: 0.5 } : { type: 'FIXED', value: 50 }]),
);

export const PROFILE: CsvProfile = {
  delimiter: ',',
  encoding: 'utf-8',
  columns: {
    booking_date: 'Date',
    batch: 'Batch',
    kind: 'Type',
    reference: 'Reference',
    gross: 'Gross',
    fee: 'Fee',
    tax: 'Tax',
    amount: 'Net',
    currency: 'Currency',
  },
  decimal: '.',
  grouping: '',
  unit: 'major',
  dates: 'YYYY-MM-DD',
  signs: 'written',
  kinds: { Payment: 'PAYMENT', Reversal: 'REVERSAL', Refund: 'REFUND', Dispute: 'DISPUTE' },
  totals: { column: 'Date', value: 'TOTAL' },
  ignored: [],
};

export type BankFormat = 'camt053' | 'mt940';

/** In the form of `recon source`. */
export const processorSettings = (): object => ({
  kind: 'PROCESSOR',
  currencies: CURRENCIES,
  format: 'csv',
  profile: PROFILE,
  time_zone: TIME_ZONE,
  processor: 'SIMULATOR',
  due_days: PROCESSOR_DUE_DAYS,
  costs: COSTS,
  tax: TAX.value,
});

/** In the form of `recon source`. */
export const bankSettings = (format: BankFormat): object => ({
  kind: 'BANK',
  currencies: CURRENCIES,
  account: ACCOUNT,
  format,
  time_zone: TIME_ZONE,
  due_days: BANK_DUE_DAYS,
});

/** The processor's fee and tax for a payment; minor units. */
export function costOf(channel: string, amount: number): { readonly fee: number; readonly tax: number } {
  const fee = feeOnRoundedHalfUp(amount, COSTS[channel]!);
  return { fee, tax: taxOn(fee) };
}

export const taxOn = (fee: number): number => feeOnRoundedHalfUp(fee, TAX);
