import type { RailReport } from '../calls/rail-report.js';

export interface Verdict {
  /** `query`: the outcome has to be queried. */
  readonly is: 'rejected' | 'retryable' | 'unknown' | 'query';
  /** An explanation for our operators. */
  readonly means: string;
  readonly report?: RailReport['level'];
}

type Report = RailReport['level'];
const no = (means: string, report?: Report): Verdict => ({ is: 'rejected', means, ...(report && { report }) });
const notNow = (means: string, report?: Report): Verdict => ({ is: 'retryable', means, ...(report && { report }) });
const unknown = (means: string, report?: Report): Verdict => ({ is: 'unknown', means, ...(report && { report }) });
const query = (means: string): Verdict => ({ is: 'query', means });

/** Verdicts by `<http> <error_code>`, else by `<http>`. Unlisted answers are unknown. */
export type Verdicts = Readonly<Record<string, Verdict>>;

const BAD_KEY = notNow('the secret key is not accepted', 'red');
const TOO_MANY = notNow('too many requests');

export const CREATE_VERDICTS: Verdicts = {
  '400 API_VALIDATION_ERROR': no('a field is malformed'),
  '400 INVALID_VALUE_ERROR': no('a value is outside its bounds'),
  '400 PAYMENT_REQUEST_RATE_LIMITED': TOO_MANY,
  '400 TEMPORARILY_UNAVAILABLE': notNow('the service is not available for now'),
  '401': BAD_KEY,
  '403': no('the account, or its contract, does not allow it', 'amber'),
  '404': no('it refers to a record that does not exist', 'amber'),
  // Its documented code is DATA_NOT_FOUND.
  '409': unknown('it was sent before'),
  '429': TOO_MANY,
  '500': unknown('an error of the provider'),
  '503 CHANNEL_UNAVAILABLE': unknown('the channel is not available, and there may be a request'),
  '503 ISSUER_UNAVAILABLE': unknown('the issuer is not available, and there may be a request'),
};

export const QUERY_VERDICTS: Verdicts = {
  '401': BAD_KEY,
  // Never "not paid".
  '404': unknown('the provider has no such request', 'alarm'),
  '429': TOO_MANY,
};

export const CANCEL_VERDICTS: Verdicts = {
  '400 INACTIVE_PAYMENT_REQUEST': query('it has ended before'),
  '400 INELIGIBLE_TRANSACTION_STATUS': query('it may be paid'),
  '401': BAD_KEY,
  '429': TOO_MANY,
};

/** Verdicts on the first and only call of a refund: an unknown outcome is looked up. */
export const REFUND_VERDICTS: Verdicts = {
  '400 REFUND_AMOUNT_EXCEEDED': no('it exceeds the amount that can still be refunded'),
  '400 INELIGIBLE_TRANSACTION_STATUS': no('the payment’s status allows no refund'),
  '400 INVALID_VALUE_ERROR': no('a value is outside its bounds'),
  '400 API_VALIDATION_ERROR': no('a field is malformed'),
  '400 PARTIAL_REFUND_COUNTS_EXCEEDED': no('the provider allows no further partial refund'),
  '400 REFUND_IN_PROGRESS': notNow('another refund of the payment is under way'),
  '400 INSUFFICIENT_BALANCE': notNow('the account with the provider is short', 'alarm'),
  '400 TEMPORARILY_UNAVAILABLE': notNow('the service is not available for now', 'alarm'),
  '403 REFUND_NOT_SUPPORTED': no('the channel has no refunds'),
  '403 PARTIAL_REFUND_NOT_SUPPORTED': no('the channel gives back the whole only'),
  '403 INVALID_MERCHANT_SETTINGS': no('the account is not set up for it'),
  '404 DATA_NOT_FOUND': unknown('the provider has no such payment', 'alarm'),
};

/** Statuses of a payment request. Unlisted ones are unknown. CANCELLED and EXPIRED are not final: the money may arrive later. */
export const PAYMENT_STATUSES: Readonly<Record<string, 'PAID' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | 'WAITING'>> = {
  SUCCEEDED: 'PAID',
  FAILED: 'FAILED',
  CANCELED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
  REQUIRES_ACTION: 'WAITING',
  ACCEPTING_PAYMENTS: 'WAITING',
  AUTHORIZED: 'WAITING',
};

export const REFUND_STATUSES: Readonly<Record<string, 'REFUNDED' | 'FAILED' | 'PROCESSING'>> = {
  SUCCEEDED: 'REFUNDED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
  PENDING: 'PROCESSING',
};

/** Statuses of a payment in the list of transactions: true when its money has arrived. Source: docs.xendit.co, List transactions, 2025-11-26. */
export const LISTED_PAYMENTS: Readonly<Record<string, boolean>> = { SUCCESS: true, PENDING: false, FAILED: false, VOIDED: false, REVERSED: false };

/** Statuses of a refund in the list of transactions. Unlisted ones are unknown. */
export const LISTED_REFUNDS: Readonly<Record<string, 'REFUNDED' | 'FAILED' | 'PROCESSING'>> = {
  SUCCESS: 'REFUNDED',
  PENDING: 'PROCESSING',
  FAILED: 'FAILED',
};
