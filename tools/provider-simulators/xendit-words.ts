import { z } from 'zod';
import { jsonNumber } from '../../src/platform/text/amounts.js';
import { moneyOf } from '../../src/rails/xendit/answers.js';
import type { Order, Payment, PaymentRequest, Refund } from './xendit-book.js';

/** Required form of an order. Numbers are strings of the digits that were sent. */
const ORDER = z.object({
  reference_id: z.string().min(1).max(255),
  type: z.literal('PAY'),
  country: z.enum(['ID', 'MY', 'SG']),
  currency: z.enum(['IDR', 'MYR', 'SGD']),
  request_amount: z.string(),
  capture_method: z.literal('AUTOMATIC'),
  channel_code: z.string().regex(/^(QRIS|DANA|SHOPEEPAY|OVO|TOUCHNGO|GRABPAY|SGQR|[A-Z0-9]{2,20}_FPX)$/),
  channel_properties: z.record(z.string(), z.unknown()),
  description: z.string().max(1_000).optional(),
});

const REFUND = z.object({
  reference_id: z.string().min(1).max(255),
  payment_request_id: z.string(),
  currency: z.string(),
  amount: z.string(),
  reason: z.enum(['FRAUDULENT', 'DUPLICATE', 'REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'OTHERS']),
});

const CURRENCY = { ID: 'IDR', MY: 'MYR', SG: 'SGD' } as const;
const REDIRECTED = /^(DANA|SHOPEEPAY|TOUCHNGO|GRABPAY)$|_FPX$/;

/** undefined: the interface would reject it. */
export function readOrder(body: unknown): Order | undefined {
  const { data } = ORDER.safeParse(body);
  if (!data || data.currency !== CURRENCY[data.country]) return undefined;
  const { request_amount, description = null, reference_id, country, currency, channel_code, channel_properties } = data;
  const amount = moneyOf({ amount: request_amount, currency });
  if (!amount || !isComplete(channel_code, channel_properties)) return undefined;
  return { reference_id, country, currency, channel_code, channel_properties, amount, description };
}

function isComplete(code: string, properties: Readonly<Record<string, unknown>>): boolean {
  if (code === 'OVO') return /^\+62\d{9,13}$/.test(String(properties.account_mobile_number));
  if (code === 'SGQR') return !Number.isNaN(Date.parse(String(properties.expires_at)));
  if (!REDIRECTED.test(code)) return true;
  return ['success_return_url', 'failure_return_url'].every((name) => URL.canParse(String(properties[name])));
}

export function readRefund(body: unknown): Pick<Refund, 'reference_id' | 'payment_request_id' | 'amount' | 'currency' | 'reason'> | undefined {
  const { data } = REFUND.safeParse(body);
  const amount = data && moneyOf(data);
  return amount ? { ...data, amount } : undefined;
}

const BUSINESS = '5f27a14a9bf05c73dd040bc8';
const iso = (ms: number): string => new Date(ms).toISOString();
const decimal = (minor: number): number => Number(jsonNumber(minor));

/** The interface's form of a payment request: for a paid one, with the paid amount. `more`: deviation of the amount, minor units. */
export function shownRequest(request: PaymentRequest, more = 0): Record<string, unknown> {
  const { amount, paid_amount, status, created, updated, expires: _, failure_code, latest_payment_id, description, ...same } = request;
  return {
    business_id: BUSINESS,
    ...same,
    type: 'PAY',
    request_amount: decimal((paid_amount ?? amount) + more),
    capture_method: 'AUTOMATIC',
    actions: status === 'REQUIRES_ACTION' ? actionsOf(request) : [],
    status,
    ...(description === null ? {} : { description }),
    ...(failure_code === null ? {} : { failure_code }),
    ...(latest_payment_id === null ? {} : { latest_payment_id }),
    created: iso(created),
    updated: iso(updated),
  };
}

function actionsOf({ channel_code, payment_request_id }: PaymentRequest): unknown[] {
  const code = payment_request_id.slice('pr-'.length);
  if (channel_code === 'OVO') return [];
  if (channel_code === 'QRIS' || channel_code === 'SGQR') {
    const value = channel_code === 'QRIS' ? `00020101021226650013ID.CO.XENDIT0136${code}` : `00020101021226380009SG.PAYNOW0336${code}`;
    return [{ type: 'PRESENT_TO_CUSTOMER', descriptor: 'QR_STRING', value }];
  }
  const descriptor = channel_code === 'SHOPEEPAY' ? 'DEEPLINK_URL' : 'WEB_URL';
  return [{ type: 'REDIRECT_CUSTOMER', descriptor, value: `https://checkout.simulator.example/${code}` }];
}

export function shownRefund(refund: Refund): Record<string, unknown> {
  const { amount, created, updated, ...same } = refund;
  return { ...same, amount: decimal(amount), refund_fee_amount: null, created: iso(created), updated: iso(updated) };
}

/** The form in the list of transactions. */
export function listedPayment(payment: Payment): Record<string, unknown> {
  const { payment_id, payment_request_id, amount, created } = payment;
  return {
    ...listed(payment, amount, created),
    id: `txn_${payment_id}`,
    product_id: payment_id,
    type: 'PAYMENT',
    status: 'SUCCESS',
    cashflow: 'MONEY_IN',
    product_data: { payment_request_id },
  };
}

const LISTED_STATUS = { SUCCEEDED: 'SUCCESS', PENDING: 'PENDING', FAILED: 'FAILED', CANCELLED: 'FAILED' } as const;

export function listedRefund(refund: Refund): Record<string, unknown> {
  const { id, amount, created, status } = refund;
  return {
    ...listed(refund, amount, created),
    id: `txn_${id}`,
    product_id: id,
    type: 'REFUND',
    status: LISTED_STATUS[status],
    cashflow: 'MONEY_OUT',
  };
}

function listed(of: Pick<Payment, 'reference_id' | 'currency' | 'channel_code'>, amount: number, created: number): Record<string, unknown> {
  const { reference_id, currency, channel_code } = of;
  return {
    channel_category: 'EWALLET',
    channel_code: `${currency.slice(0, 2)}_${channel_code}`,
    reference_id,
    account_identifier: null,
    currency,
    amount: decimal(amount),
    net_amount: decimal(amount),
    net_amount_currency: currency,
    settlement_status: 'PENDING',
    business_id: BUSINESS,
    created: iso(created),
    updated: iso(created),
  };
}

/** The callback for a payment, a failed one, or a request that ended. `created`: time of the callback, ms. */
export function paymentCallback(event: string, request: PaymentRequest, created: number): Record<string, unknown> {
  const { amount, paid_amount, expires: _, latest_payment_id, failure_code, description, created: began, updated, ...same } = request;
  const { status, payment_request_id, reference_id } = same;
  if (event === 'payment_request.expiry') return callback(event, created, { business_id: BUSINESS, status, payment_request_id, reference_id });
  return callback(event, created, {
    business_id: BUSINESS,
    ...same,
    payment_id: latest_payment_id,
    request_amount: decimal(paid_amount ?? amount),
    type: 'SINGLE_PAYMENT',
    ...(failure_code === null ? {} : { failure_code }),
    ...(description === null ? {} : { description }),
    created: iso(began),
    updated: iso(updated),
  });
}

/** Printed with data inside data. */
export function refundCallback(refund: Refund, created: number): Record<string, unknown> {
  const event = refund.status === 'SUCCEEDED' ? 'refund.succeeded' : 'refund.failed';
  return callback(event, created, callback(event, created, shownRefund(refund)));
}

function callback(event: string, created: number, data: unknown): Record<string, unknown> {
  return { event, business_id: BUSINESS, created: iso(created), data };
}
