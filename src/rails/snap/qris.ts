import { z } from 'zod';
import type { Instruction, PaymentState, RefundState, RemoteOrder, RemoteRefund } from '../../domain/charges/remote/remote-processor.js';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { milliseconds } from '../../ledger/time.js';
import { twoDecimals } from '../../platform/text/amounts.js';
import { agrees, lineUpTo, optionalText, readAs, rupiah, text, type SnapAnswer } from './answer.js';
import type { SnapCredentials } from './credentials.js';
import { jakartaTime } from './jakarta.js';
import { PAY_VERDICTS, REFUND_VERDICTS, verdictOf } from './outcomes.js';
import { refused } from './transfer.js';

/** Bodies and answers of services 47, 51 and 78. */

/** The code of a query for an instruction that the provider does not know: alone it proves nothing about money. */
export const NOT_FOUND = '4045101';

/** Returns the rejection of an amount that SNAP cannot express, before anything is sent. */
export function unsendable(amount: number, currency: string): ProviderResult<never> | undefined {
  if (currency !== 'IDR') return { is: 'rejected', code: 'currency-not-supported', detail: 'SNAP moves rupiah' };
  return amount % 100 === 0 ? undefined : { is: 'rejected', code: 'amount-not-whole', detail: 'SNAP moves whole rupiah' };
}

const money = (amount: number): object => ({ value: twoDecimals(amount), currency: 'IDR' });

export function createBody({ merchant_id, terminal_id }: SnapCredentials, order: RemoteOrder, reference: string): object {
  const merchantId = merchant_id ?? order.merchant_name_id;
  return {
    partnerReferenceNo: reference,
    amount: money(order.amount),
    ...(merchantId !== null && { merchantId }),
    ...(merchant_id !== undefined && order.merchant_name_id !== null && { subMerchantId: order.merchant_name_id }),
    ...(terminal_id !== undefined && { terminalId: terminal_id }),
    validityPeriod: jakartaTime(milliseconds(order.expires_on)),
  };
}

const created = z.object({ qrcontent: lineUpTo(1_024).min(1), partnerreferenceno: optionalText });

export function readCreated(answer: SnapAnswer, order: RemoteOrder, reference: string): ProviderResult<Instruction> {
  if (answer.http !== 200 || answer.caseCode !== '00') return refused(answer, verdictOf(PAY_VERDICTS, answer.http, answer.caseCode));
  return readAs(created, answer, ({ qrcontent, partnerreferenceno }) =>
    agrees(partnerreferenceno, reference)
      ? { is: 'accepted', value: { processor_reference: reference, action: { qr_string: qrcontent }, valid_until: order.expires_on } }
      : { is: 'unknown', code: 'another-instruction' },
  );
}

export function queryBody({ merchant_id }: SnapCredentials, reference: string): object {
  return { originalPartnerReferenceNo: reference, serviceCode: '47', ...(merchant_id !== undefined && { merchantId: merchant_id }) };
}

/** The provider's state of an instruction. */
export interface Queried {
  readonly state: PaymentState;
  /** The payment was refunded, by any party. */
  readonly isRefunded: boolean;
  /** Minor units; null: not stated. */
  readonly amount: number | null;
  /** Time of the payment, and below its issuer, in the form that a refund has to name. */
  readonly paid_time: string | undefined;
  readonly issuer: string | undefined;
}

const queried = z.object({
  latesttransactionstatus: text,
  originalreferenceno: optionalText,
  originalpartnerreferenceno: optionalText,
  amount: rupiah.nullish(),
  paidtime: optionalText,
  additionalinfo: z.object({ issuername: optionalText }).nullish(),
});

/** latestTransactionStatus of unpaid instructions. 00 is paid, 04 was paid and refunded; others are unknown. */
const UNPAID: Readonly<Record<string, PaymentState>> = {
  '01': { status: 'WAITING' },
  '02': { status: 'WAITING' },
  '03': { status: 'WAITING' },
  '05': { status: 'CANCELLED' },
  '06': { status: 'FAILED', code: 'failed-at-provider' },
};

export function readQueried(answer: SnapAnswer, reference: string): ProviderResult<Queried> {
  if (answer.http !== 200 || answer.caseCode !== '00') return { is: 'unknown', code: answer.code };
  return readAs(queried, answer, (read) => {
    if (!agrees(read.originalpartnerreferenceno, reference)) return { is: 'unknown', code: 'another-instruction' };
    const status = read.latesttransactionstatus;
    const state = UNPAID[status] ?? paid(read);
    if (!state) return { is: 'unknown', code: status === '00' || status === '04' ? 'incomplete-answer' : 'another-status' };
    const { paidtime: paid_time, additionalinfo } = read;
    return {
      is: 'accepted',
      value: { state, isRefunded: status === '04', amount: read.amount ?? null, paid_time, issuer: additionalinfo?.issuername },
    };
  });
}

/** A refunded payment was a payment: the refund is separate. */
function paid(read: z.output<typeof queried>): PaymentState | undefined {
  const { latesttransactionstatus: status, originalreferenceno, originalpartnerreferenceno, amount } = read;
  if ((status !== '00' && status !== '04') || originalreferenceno === undefined || originalpartnerreferenceno === undefined) return undefined;
  return amount == null ? undefined : { status: 'PAID', payment: { payment_reference: originalreferenceno, amount, currency: 'IDR' } };
}

/** `payment` is set for a provider whose refunds name more of the payment than our reference. */
export function refundBody({ merchant_id, terminal_id }: SnapCredentials, refund: RemoteRefund, payment: Queried | undefined): object {
  return {
    ...(merchant_id !== undefined && { merchantId: merchant_id }),
    originalPartnerReferenceNo: refund.processor_reference,
    originalReferenceNo: refund.payment_reference,
    partnerRefundNo: refundReference(refund),
    refundAmount: money(refund.amount),
    ...(payment && {
      additionalInfo: {
        ...(terminal_id !== undefined && { terminalId: terminal_id }),
        ...(payment.paid_time !== undefined && { transactionDate: payment.paid_time }),
        ...(payment.issuer !== undefined && { issuerName: payment.issuer }),
      },
    }),
  };
}

/** Letters and digits only, like the reference of a charge. */
const refundReference = ({ refund_id }: RemoteRefund): string => refund_id.replaceAll('-', '');

const refunded = z.object({ refundno: text, partnerrefundno: optionalText, refundamount: rupiah });

export function readRefunded(answer: SnapAnswer, refund: RemoteRefund): ProviderResult<RefundState> {
  if (answer.http !== 200 || answer.caseCode !== '00') return refused(answer, verdictOf(REFUND_VERDICTS, answer.http, answer.caseCode));
  return readAs(refunded, answer, ({ partnerrefundno, refundamount }) =>
    agrees(partnerrefundno, refundReference(refund)) && refundamount === refund.amount
      ? { is: 'accepted', value: { status: 'REFUNDED' } }
      : { is: 'unknown', code: 'another-refund' },
  );
}
