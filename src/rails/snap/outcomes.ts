import type { TransferStatus } from '../../domain/payouts/transfer/remote-bank.js';

/** A verdict with `report` is reported to the operators of the rail. */
export interface Verdict {
  readonly is: 'rejected' | 'retryable' | 'unknown';
  /** An explanation for our operators. */
  readonly means: string;
  readonly report?: 'red' | 'alarm';
}

const no = (means: string, report?: 'red'): Verdict => ({ is: 'rejected', means, ...(report && { report }) });
const notNow = (means: string, report?: 'red' | 'alarm'): Verdict => ({ is: 'retryable', means, ...(report && { report }) });
const unknown = (means: string): Verdict => ({ is: 'unknown', means });

/** Verdicts by `<http>:<case code>`; `*` is any case. Unlisted answers are unknown. */
type Verdicts = Readonly<Record<string, Verdict>>;

/**
 * Verdicts on answers to a transfer and to the creation of a QR code: `rejected` and `retryable` only when nothing has happened.
 * Source: SNAP, "Response code", read with the pages of BCA, Mandiri and BRI.
 */
export const PAY_VERDICTS: Verdicts = {
  '200:00': unknown('taken'),
  '202:00': unknown('in progress'),
  '400:00': unknown('bad request'),
  '400:01': no('a field has the wrong format'),
  '400:02': no('a mandatory field is missing'),
  '401:00': notNow('the signature is not accepted', 'red'),
  '401:01': notNow('the access token is not accepted'),
  '401:03': notNow('no access token was found', 'red'),
  '401:*': notNow('not authorised'),
  '403:00': unknown('the transaction has expired'),
  '403:01': notNow('the merchant may not use the service', 'red'),
  '403:02': notNow('beyond the limit of an amount', 'alarm'),
  '403:03': no('suspected of fraud'),
  '403:04': notNow('too much activity', 'alarm'),
  '403:05': no('do not honour'),
  '403:06': notNow('the service is not offered at this time'),
  '403:09': no('the account is dormant'),
  '403:14': notNow('the house account is short', 'alarm'),
  '403:15': no('the transaction is not permitted'),
  '403:16': no('the transaction is suspended'),
  '403:18': no('the account is inactive'),
  '403:20': notNow('the merchant is beyond a limit', 'alarm'),
  '403:23': notNow('the account is beyond a limit', 'alarm'),
  '404:01': unknown('not found'),
  '404:02': unknown('invalid routing, or a switch that cannot be reached'),
  '404:03': no('the bank is not supported by the switch'),
  '404:11': no('the account does not exist'),
  '404:13': no('the amount is not valid'),
  '404:16': no('the partner is not known', 'red'),
  '404:18': unknown('inconsistent with an earlier request, which may have been paid'),
  '409:00': unknown('the external id was used today'),
  '409:01': unknown('the reference was used, and may have been paid'),
  '429:*': notNow('too many requests'),
  '500:*': unknown('an error of the bank'),
  '504:*': unknown('the bank did not answer in time'),
};

/** Verdicts on answers to the refund of a QR payment. */
export const REFUND_VERDICTS: Verdicts = {
  '202:00': unknown('in progress'),
  '403:15': no('the transaction is not permitted'),
  '404:13': no('the amount is not valid'),
  '405:01': no('the issuer gives no refunds'),
};

/** Definite rejections of the inquiry for an account's holder: the payout fails. Every other answer leads to another inquiry. */
export const INQUIRY_VERDICTS: Verdicts = {
  '404:03': no('the bank is not supported by the switch'),
  '404:11': no('the account does not exist'),
};

/** latestTransactionStatus of an answer 2003600. Other values are unknown, never not found. */
export const TRANSFER_STATUSES: Readonly<Record<string, TransferStatus>> = {
  '00': 'paid',
  '01': 'paying',
  '02': 'paying',
  '03': 'paying',
  '04': 'returned',
  '05': 'failed',
  '06': 'failed',
  '07': 'not-found',
};

/** The only error of service 36 with a meaning for us: 4043601. */
export const STATUS_NOT_FOUND = '404:01';

const UNLISTED: Verdict = unknown('not a documented answer');

/** @param caseCode the last two digits of the response code */
export function verdictOf(verdicts: Verdicts, http: number, caseCode: string): Verdict {
  return verdicts[`${http}:${caseCode}`] ?? verdicts[`${http}:*`] ?? UNLISTED;
}
