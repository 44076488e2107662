import type { RemoteOrder, RemoteRefund } from '../../domain/charges/remote/remote-processor.js';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { jsonNumber } from '../../platform/text/amounts.js';
import type { XenditChannel } from './channels.js';

type Refused = Extract<ProviderResult<never>, { readonly is: 'rejected' }>;

/** Returns the body of an order, or the reason why nothing is sent. */
export function orderBody(channel: XenditChannel, order: RemoteOrder, returnUrl: string): string | Refused {
  if (!isWhole(order.amount, order.channel.currency)) return NOT_WHOLE;
  const channel_code = channel.code(order.input);
  const channel_properties = channel.properties(order, returnUrl);
  if (channel_code === undefined || channel_properties === undefined) return UNUSABLE_INPUT;
  return withNumber('request_amount', order.amount, {
    reference_id: order.charge_id,
    type: 'PAY',
    country: order.channel.country,
    currency: order.channel.currency,
    capture_method: 'AUTOMATIC',
    channel_code,
    channel_properties,
    ...(order.description === null ? {} : { description: order.description }),
  });
}

export function refundBody(refund: RemoteRefund): string | Refused {
  if (!isWhole(refund.amount, refund.currency)) return NOT_WHOLE;
  return withNumber('amount', refund.amount, {
    reference_id: refund.refund_id,
    payment_request_id: refund.processor_reference,
    currency: refund.currency,
    reason: 'REQUESTED_BY_CUSTOMER',
  });
}

const NOT_WHOLE: Refused = { is: 'rejected', code: 'amount-not-whole', detail: 'rupiah are sent without sen' };
const UNUSABLE_INPUT: Refused = { is: 'rejected', code: 'input-not-usable', detail: 'the channel cannot use the input of the payer' };

const isWhole = (amount: number, currency: string): boolean => currency !== 'IDR' || amount % 100 === 0;

/** Writes JSON with one additional number, by its digits. */
function withNumber(name: string, amount: number, others: Readonly<Record<string, unknown>>): string {
  return `{${JSON.stringify(name)}:${jsonNumber(amount)},${JSON.stringify(others).slice(1)}`;
}
