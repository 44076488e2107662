import type { CsvProfile, RowKind } from '../../../ledger/events/reconciliation.events.js';

/** A profile that is a part of the service, for a report that its owner documents. */
export interface ShippedProfile {
  readonly name: string;
  /** The owner's report, for people. */
  readonly report: string;
  /** Title and address of the owner's document, and the part of the profile that it does not state. */
  readonly source: string;
  /** YYYY-MM-DD: when the document was read. */
  readonly read_on: string;
  readonly profile: CsvProfile;
}

const PLAIN = { delimiter: ',', encoding: 'utf-8', decimal: '.', grouping: '', unit: 'major', signs: 'written', kinds: {}, ignored: [] } as const;
const READ_ON = '2026-11-27';

/** Returns kinds by their texts, from texts by their kind. */
const kindsOf = (texts: Readonly<Partial<Record<RowKind, readonly string[]>>>): Record<string, RowKind> =>
  Object.fromEntries(Object.entries(texts).flatMap(([kind, of]) => of.map((text) => [text, kind as RowKind])));

type XenditRows = Readonly<Record<'TRANSACTION' | 'FEE' | 'VAT', RowKind>>;

/** Returns the kinds of a transaction type of Xendit by the types of its rows. */
const xenditKinds = (type: string, rows: XenditRows, reversed: XenditRows): Record<string, RowKind> =>
  Object.fromEntries(
    (['TRANSACTION', 'FEE', 'VAT'] as const).flatMap((row): [string, RowKind][] => [
      [`${type}/${row}`, rows[row]],
      [`${type}/${row}_REVERSAL`, reversed[row]],
    ]),
  );
/** With the offset, because the reports are in UTC and the days of a source are not. */
const XENDIT_DATES = 'YYYY-MM-DDTHH:mm:ssZ';
const CHARGED = { FEE: 'CHARGE', VAT: 'CHARGE' } as const;
const PAID = { TRANSACTION: 'PAYMENT', FEE: 'FEE', VAT: 'TAX' } as const;
const PAID_BACK = { TRANSACTION: 'REVERSAL', FEE: 'REVERSED_FEE', VAT: 'REVERSED_TAX' } as const;
const MOVED = { TRANSACTION: 'TRANSFER', ...CHARGED } as const;
/** A withdrawal pays the sum of other rows to the bank, whose statement contains it. */
const WITHDRAWN = { TRANSACTION: 'SKIPPED', ...CHARGED } as const;

const xenditBalance: ShippedProfile = {
  name: 'xendit-balance',
  report: 'Balance report of Xendit: payments, refunds and disbursements, with rows for fees and VAT; a batch per day',
  source:
    'Balance report, https://docs.xendit.co/docs/balance-report and https://docs.xendit.co/reports/balance-report. Rows of the type OTHER have no documented meaning and refuse a file. Columns behind Payment Date, if there are any, were not readable.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'Created Date ISO',
      kind: ['Transaction Type', 'Line Type'],
      sign: 'Debit or Credit',
      reference: ['Product ID', 'Reference'],
      joined_by: 'Transaction ID',
      amount: 'Amount',
      currency: 'Currency',
    },
    batch: 'day',
    dates: XENDIT_DATES,
    signs: 'column',
    sign_texts: { CREDIT: 'PLUS', DEBIT: 'MINUS' },
    kinds: {
      ...xenditKinds('PAYMENT', PAID, PAID_BACK),
      ...xenditKinds('IN_PERSON_PAYMENT', PAID, PAID_BACK),
      ...xenditKinds('REFUND', { TRANSACTION: 'REFUND', FEE: 'FEE', VAT: 'TAX' }, { TRANSACTION: 'REFUND', ...CHARGED }),
      ...xenditKinds('DISBURSEMENT', MOVED, MOVED),
      ...xenditKinds('BATCH_DISBURSEMENT', MOVED, MOVED),
      ...xenditKinds('REMITTANCE_PAYOUT', MOVED, MOVED),
      ...xenditKinds('TRANSFER', MOVED, MOVED),
      ...xenditKinds('WITHDRAWAL', WITHDRAWN, WITHDRAWN),
      ...xenditKinds('PLATFORM_FEE', { TRANSACTION: 'CHARGE', ...CHARGED }, { TRANSACTION: 'CHARGE', ...CHARGED }),
    },
    ignored: ['Payment Channel', 'Balance', 'Time Zone', 'Created Date', 'Payment Date'],
  },
};

const xenditTransactions: ShippedProfile = {
  name: 'xendit-transactions',
  report: 'Transactions report of Xendit, version 2: a row per transaction with its fee and VAT; a batch per day',
  source:
    'Transactions report, https://docs.xendit.co/v1/docs/transactions-report. The columns behind Net Amount were not readable; they are those of the balance report, and not verified against a file.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'Created Date ISO',
      kind: ['Type', 'Status'],
      reference: ['Product ID', 'Reference'],
      gross: 'Amount',
      fee: 'Total Fee',
      tax: 'Total VAT',
      amount: 'Net Amount',
      currency: 'Currency',
    },
    batch: 'day',
    dates: XENDIT_DATES,
    signs: 'kinds',
    kinds: kindsOf({
      PAYMENT: ['PAYMENT/SUCCESS', 'IN_PERSON_PAYMENT/SUCCESS'],
      REFUND: ['REFUND/SUCCESS'],
      SKIPPED: [
        ...['PAYMENT', 'IN_PERSON_PAYMENT', 'REFUND'].flatMap((type) => [`${type}/PENDING`, `${type}/FAILED`]),
        ...['DISBURSEMENT', 'BATCH_DISBURSEMENT', 'REMITTANCE_PAYOUT', 'TRANSFER', 'WITHDRAWAL'].flatMap((type) =>
          ['SUCCESS', 'PENDING', 'FAILED'].map((status) => `${type}/${status}`),
        ),
      ],
    }),
    ignored: ['Channel', 'Channel Name', 'Account Number', 'Transaction ID', 'Settlement Status', 'Time Zone'],
  },
};

const midtrans: ShippedProfile = {
  name: 'midtrans',
  report: 'Report of a payout (withdrawal) of Midtrans, saved as CSV; the batch is given with the file',
  source:
    'Unified Reporting: Menu Saldo / Pembayaran, https://docs.midtrans.com/docs/merchant-administration-portal-unified-reporting-menu-saldo-pembayaran-1. The page names the report and not its columns: these are the fields of the JSON objects of Midtrans, and not verified against a file.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'Settlement Time',
      kind: 'Transaction Type',
      reference: ['Transaction ID', 'Order ID'],
      gross: 'Gross Amount',
      fee: 'Fee',
      tax: 'VAT',
      amount: 'Net Amount',
    },
    batch: 'given',
    currency: 'IDR',
    dates: 'YYYY-MM-DD HH:mm:ss',
    kinds: { Payment: 'PAYMENT', Refund: 'REFUND', Chargeback: 'DISPUTE', Adjustment: 'TRANSFER', Withdrawal: 'SKIPPED' },
    ignored: ['Transaction Time', 'Payment Type', 'Merchant ID'],
  },
};

const doku: ShippedProfile = {
  name: 'doku',
  report: 'Settlement report of DOKU by e-mail or SFTP, as CSV; the batch is given with the file',
  source:
    'Settlement, https://dashboard.doku.com/docs/docs/finance/settlement/, and Settlement Report, https://docs.doku.com/get-started/manage-business/manage-reports/settlement-report. The pages state the delivery and not the columns: these are not verified against a file.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'Settlement Date',
      kind: 'Transaction Type',
      reference: ['Invoice Number', 'Reference Number'],
      gross: 'Amount',
      fee: 'Fee',
      tax: 'VAT',
      amount: 'Net Amount',
    },
    batch: 'given',
    currency: 'IDR',
    grouping: ',',
    dates: 'DD/MM/YYYY HH:mm:ss',
    signs: 'kinds',
    kinds: { Payment: 'PAYMENT', Refund: 'REFUND', Chargeback: 'DISPUTE' },
    title_rows: true,
    ignored: ['No', 'Transaction Date', 'Channel', 'Service'],
  },
};

const dana: ShippedProfile = {
  name: 'dana',
  report: 'Settlement file of DANA for payment services (MERCHANT_SETTLEMENT_…csv)',
  source:
    'Payment Services Settlement File Specification 1.2.0, https://dashboard.dana.id/api-docs-v2/guide/settlement-file/payment-services. The columns after TXN_CURRENCY were not readable; they are named as in the specification of disbursements beside it, and not verified against a file.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    delimiter: ';',
    unit: 'minor',
    columns: {
      booking_date: 'SETTLE_DATE',
      batch: 'SETTLEMENT_TXN_ID',
      kind: 'TXN_TYPE',
      reference: ['ACQUIREMENT_ID', 'MERCHANT_TRANS_ID'],
      gross: 'TXN_AMOUNT',
      fee: 'FEE',
      tax: 'VAT',
      amount: 'SETTLE_AMOUNT',
      currency: 'TXN_CURRENCY',
    },
    dates: 'YYYY-MM-DDTHH:mm:ssZ',
    kinds: { ACQUIRING_ORDER: 'PAYMENT', CAPTURE: 'PAYMENT', REFUND: 'REFUND', CANCEL: 'REVERSAL', VOUCHER_DEDUCTION: 'CHARGE' },
    ignored: ['TXN_ID', 'MID', 'MERCHANT_NAME', 'TXN_DATE', 'PAY_METHOD', 'CHARGE_AMOUNT', 'WHT'],
  },
};

const adyen: ShippedProfile = {
  name: 'adyen-settlement-details',
  report: 'Settlement details report of Adyen, in the standard columns, settled in the currency of the payments',
  source:
    'Settlement details report, https://docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report, and its sample. A payment whose gross and net are in two currencies refuses a file.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'Creation Date',
      batch: 'Batch Number',
      kind: 'Type',
      reference: ['Psp Reference', 'Merchant Reference'],
      gross: { debit: 'Gross Debit (GC)', credit: 'Gross Credit (GC)' },
      fee: ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'],
      amount: { debit: 'Net Debit (NC)', credit: 'Net Credit (NC)' },
      currency: ['Gross Currency', 'Net Currency'],
    },
    dates: 'YYYY-MM-DD HH:mm:ss',
    kinds: kindsOf({
      PAYMENT: ['Settled'],
      REFUND: ['Refunded', 'RefundedReversed'],
      DISPUTE: ['Chargeback', 'SecondChargeback', 'ChargebackReversed'],
      CHARGE: ['Fee', 'MiscCosts', 'InvoiceDeduction', 'PaymentCost'],
      TRANSFER: ['Balancetransfer', 'DepositCorrection', 'MerchantPayin'],
      SKIPPED: ['MerchantPayout'],
    }),
    ignored: [
      ...['Company Account', 'Merchant Account', 'Payment Method', 'TimeZone', 'Modification Reference', 'Exchange Rate'],
      ...['Payment Method Variant', 'Modification Merchant Reference'],
      ...['Reserved4', 'Reserved5', 'Reserved6', 'Reserved7', 'Reserved8', 'Reserved9', 'Reserved10'],
    ],
  },
};

const stripe: ShippedProfile = {
  name: 'stripe-payout-reconciliation',
  report: 'Itemized payout reconciliation report of Stripe (payout_reconciliation.itemized.5), run with the columns of this profile',
  source:
    'Payout reconciliation report type, https://docs.stripe.com/reports/report-types/payout-reconciliation. Its parameter columns selects the columns; the parameter timezone is the time zone of the source.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'automatic_payout_effective_at',
      batch: 'automatic_payout_id',
      kind: 'reporting_category',
      reference: ['charge_id', 'payment_intent_id'],
      gross: 'gross',
      fee: 'fee',
      amount: 'net',
      currency: 'currency',
    },
    dates: 'iso',
    kinds: kindsOf({
      PAYMENT: ['charge'],
      REVERSAL: ['charge_failure'],
      REFUND: ['refund', 'refund_failure'],
      DISPUTE: ['dispute', 'dispute_reversal'],
      CHARGE: ['fee', 'network_cost', 'tax'],
      TRANSFER: ['other_adjustment', 'risk_reserved_funds', 'topup', 'topup_reversal', 'transfer', 'transfer_reversal'],
      SKIPPED: ['payout'],
    }),
    ignored: ['balance_transaction_id', 'created', 'available_on', 'source_id', 'description'],
  },
};

const snap: ShippedProfile = {
  name: 'snap',
  report: 'List of payments of a SNAP provider, with the field names of SNAP as columns; the batch is given with the file',
  source:
    'API Bank Statement SNAP BI, https://developers.bri.co.id/en/snap-bi/api-bank-statement-snap-bi, for the form of amounts and times. SNAP defines JSON services and no settlement file: the columns are its fields, joined by a point, for exports of a provider or of a program of yours.',
  read_on: READ_ON,
  profile: {
    ...PLAIN,
    columns: {
      booking_date: 'transactionDate',
      kind: 'type',
      reference: ['referenceNo', 'partnerReferenceNo'],
      gross: 'amount.value',
      fee: 'feeAmount.value',
      currency: ['amount.currency', 'feeAmount.currency'],
    },
    batch: 'given',
    dates: 'YYYY-MM-DDTHH:mm:ssZ',
    signs: 'kinds',
    kinds: { PAYMENT: 'PAYMENT', REFUND: 'REFUND', CANCEL: 'REVERSAL' },
    ignored: ['merchantId', 'additionalInfo'],
  },
};

export const SHIPPED_PROFILES: readonly ShippedProfile[] = [xenditBalance, xenditTransactions, midtrans, doku, dana, adyen, stripe, snap];

/** Returns the profile of that name; undefined when there is none. */
export const profileNamed = (name: unknown): CsvProfile | undefined => SHIPPED_PROFILES.find((shipped) => shipped.name === name)?.profile;
