import { z } from 'zod';
import { twoDecimals } from '../../src/platform/text/amounts.js';
import { rupiah, text } from '../../src/rails/snap/answer.js';
import { jakartaTime } from '../../src/rails/snap/jakarta.js';
import type { Draws } from './faults.js';
import type { BookLine, QrCode, Transfer } from './snap-book.js';

/** Input of a simulated bank, and the form of its answers. Source of the forms: SNAP, services 11 to 78. */

export const rupiahOf = (amount: number): object => ({ value: twoDecimals(amount), currency: 'IDR' });

const account = text.regex(/^\d{5,34}$/);
const reference = text.max(64);

export const TOKEN_REQUEST = z.object({ granttype: z.literal('client_credentials') });
export const INTERNAL_INQUIRY = z.object({ partnerreferenceno: reference, beneficiaryaccountno: account });
export const EXTERNAL_INQUIRY = INTERNAL_INQUIRY.extend({ beneficiarybankcode: text });
export const INTRABANK = z.object({
  partnerreferenceno: reference,
  amount: rupiah,
  beneficiaryaccountno: account,
  sourceaccountno: account,
  transactiondate: text,
});
export const INTERBANK = INTRABANK.extend({ beneficiaryaccountname: text, beneficiarybankcode: text });
export const STATUS = z.object({ originalpartnerreferenceno: reference, servicecode: z.enum(['17', '18']) });
export const ACCOUNT = z.object({ accountno: account });
export const STATEMENT = ACCOUNT.extend({ fromdatetime: text, todatetime: text });
export const GENERATE = z.object({ partnerreferenceno: reference, amount: rupiah, validityperiod: text });
export const QUERY = z.object({ originalpartnerreferenceno: reference });
export const REFUND = z.object({ originalpartnerreferenceno: reference, partnerrefundno: reference, refundamount: rupiah });

/** latestTransactionStatus */
const STATUSES: Readonly<Record<Transfer['status'], readonly [string, string]>> = {
  paid: ['00', 'Transaction Success'],
  paying: ['03', 'Transaction in Progress'],
  returned: ['04', 'Refunded'],
  failed: ['06', 'Transaction Failed'],
};

/** `amount` as the bank states it, which may be wrong. */
export function shownStatus(transfer: Transfer, amount: number): object {
  const [latestTransactionStatus, transactionStatusDesc] = STATUSES[transfer.status];
  return {
    originalReferenceNo: transfer.reference,
    originalPartnerReferenceNo: transfer.partner_reference,
    originalExternalId: transfer.external_id,
    serviceCode: transfer.service,
    transactionDate: jakartaTime(transfer.received),
    amount: rupiahOf(amount),
    beneficiaryAccountNo: transfer.account,
    ...(transfer.bank_code !== null && { beneficiaryBankCode: transfer.bank_code }),
    latestTransactionStatus,
    transactionStatusDesc,
  };
}

export const dated = (amount: number, dateTime: string): object => ({ ...rupiahOf(amount), dateTime });

export const shownLine = ({ at, amount, reference, remark }: BookLine): object => ({
  amount: rupiahOf(Math.abs(amount)),
  transactionDate: jakartaTime(at),
  remark,
  transactionId: reference,
  type: amount < 0 ? 'DEBIT' : 'CREDIT',
});

/** Total of the lines of one side. */
export const shownTotal = (lines: readonly BookLine[]): object => ({
  numberOfEntries: String(lines.length),
  amount: rupiahOf(Math.abs(lines.reduce((sum, { amount }) => sum + amount, 0))),
});

export function qrStatusOf(code: QrCode): readonly [string, string] {
  if (code.payment) {
    const isRefunded = code.refunds.reduce((sum, { amount }) => sum + amount, 0) === code.payment.amount;
    return isRefunded ? ['04', 'Refunded'] : ['00', 'Success'];
  }
  return code.is_cancelled ? ['05', 'Cancelled'] : ['03', 'Pending'];
}

export function shownCode(code: QrCode, amount: number): object {
  const [latestTransactionStatus, transactionStatusDesc] = qrStatusOf(code);
  return {
    originalPartnerReferenceNo: code.partner_reference,
    ...(code.payment && { originalReferenceNo: code.payment.reference, paidTime: jakartaTime(code.payment.paid) }),
    serviceCode: '47',
    latestTransactionStatus,
    transactionStatusDesc,
    amount: rupiahOf(amount),
    additionalInfo: { issuerName: 'BCA' },
  };
}

/** The bank's notification of a payment; for an unpaid code it is a forgery. */
export function paymentNotification(code: QrCode, payment: { readonly reference: string }, amount: number): object {
  return {
    originalReferenceNo: payment.reference,
    originalPartnerReferenceNo: code.partner_reference,
    latestTransactionStatus: '00',
    transactionStatusDesc: 'success',
    customerNumber: '6281388370001',
    destinationNumber: '8377388292',
    destinationAccountName: 'John Doe',
    amount: rupiahOf(amount),
    bankCode: '002',
  };
}

/** Capitalises keys, and adds a space to some, at every depth, as one bank does. */
export function withOddKeys(value: unknown, draws: Draws): unknown {
  if (Array.isArray(value)) return value.map((each) => withOddKeys(each, draws));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      `${key[0]!.toUpperCase()}${key.slice(1)}${draws.below(2) === 0 ? ' ' : ''}`,
      withOddKeys(inner, draws),
    ]),
  );
}

/** Removes the decimals of amounts. */
export function withoutDecimals(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"(\d+)\.00"/g, '"$1"'));
}
