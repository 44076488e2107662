import type { Sort } from '../shared/components.js';
import { endOfDay, startOfDay, type ChargesQuery, type DisputesQuery, type PayoutsQuery, type RefundsQuery } from '../shared/console.dto.js';
import type { Links } from '../shared/links.js';

/** Converts the query of a page to the filter of its list. */

export function chargeFilterOf({ Id, Currency, ChannelCode, Status, DateFrom, DateTo, SearchText }: ChargesQuery) {
  return { id: Id, currency: Currency, channel_code: ChannelCode, status: Status, ...daysOf({ DateFrom, DateTo }), search_text: SearchText };
}

export function payoutFilterOf({ Currency, Status, DateFrom, DateTo }: Omit<PayoutsQuery, 'PendingReason'>) {
  return { currency: Currency, payout_status: Status, ...daysOf({ DateFrom, DateTo }) };
}

export function refundFilterOf({ Currency, Status, ChargeId, DateFrom, DateTo }: RefundsQuery) {
  return { currency: Currency, refund_status: Status, charge_id: ChargeId, ...daysOf({ DateFrom, DateTo }) };
}

export function disputeFilterOf({ DueBefore, Status, ...rest }: DisputesQuery) {
  const { Currency: currency, ChargeId: charge_id } = rest;
  return { currency, dispute_status: Status, charge_id, ...daysOf(rest), due_before: endOfDay('DueBefore', DueBefore) };
}

function daysOf({ DateFrom, DateTo }: { readonly DateFrom?: string | undefined; readonly DateTo?: string | undefined }) {
  return { date_from: startOfDay('DateFrom', DateFrom), date_to: endOfDay('DateTo', DateTo) };
}

/** Records of all merchants have a single order. */
export const chargeOrder = ({ MerchantId, OrderBy }: ChargesQuery): string =>
  MerchantId === undefined || OrderBy === 'CREATED_ON' ? 'the newest first' : `by ${OrderBy.toLowerCase()}, the highest first`;

/** Orders of a merchant's charges by the heads of their table; undefined for all merchants. @param asked the query of the list */
export function chargeSort(
  links: Links,
  { MerchantId, OrderBy }: ChargesQuery,
  asked: object,
): ((order: ChargesQuery['OrderBy']) => Sort) | undefined {
  if (MerchantId === undefined) return undefined;
  return (order) => ({ address: links.to('charges', { ...asked, OrderBy: order }), is: order === OrderBy ? 'descending' : undefined });
}
