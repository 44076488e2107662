import { IsOptional } from 'class-validator';
import type { ChargeListQuery, ChargeOrderBy } from '../../../projections/charges/charge-list.js';
import { IsCurrency, IsId, IsQueryBoolean, IsText, IsTimestamp, IsWord } from '../../platform/http/validation/validators.js';
import { toPage } from '../../platform/http/pages.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import type { ChargeStatus } from '../../ledger/events/charge.events.js';
import { CHANNEL_CODES, STATUSES } from './charges.dto.js';

/** Query of GET /v1/charges. */
export class ListChargesQuery extends PageQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsTimestamp({ round: 'up', description: 'Created at or after this moment.' }) readonly DateFrom?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Created at or before this moment.' }) readonly DateTo?: string;
  @IsOptional() @IsId() readonly Id?: string;
  @IsOptional() @IsWord(CHANNEL_CODES) readonly ChannelCode?: string;
  @IsOptional() @IsWord(STATUSES) readonly Status?: ChargeStatus;

  @IsOptional()
  @IsText({ max: 200, description: 'Text contained in code, reference_id or description; case-insensitive, without wildcards.' })
  readonly SearchText?: string;

  @IsWord(['CREATED_ON', 'AMOUNT', 'STATUS'], { description: 'Field that the list is ordered by. Ties are ordered by id.' })
  readonly OrderBy: 'CREATED_ON' | 'AMOUNT' | 'STATUS' = 'CREATED_ON';

  @IsQueryBoolean({ description: 'Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
}

const ORDERS: Readonly<Record<ListChargesQuery['OrderBy'], ChargeOrderBy>> = { CREATED_ON: 'created_on', AMOUNT: 'amount', STATUS: 'status' };

export function toListQuery(query: ListChargesQuery): ChargeListQuery {
  const {
    Id: id,
    Currency: currency,
    ChannelCode: channel_code,
    Status: status,
    DateFrom: date_from,
    DateTo: date_to,
    SearchText: search_text,
  } = query;
  return { ...toPage(query), order_by: ORDERS[query.OrderBy], id, currency, channel_code, status, date_from, date_to, search_text };
}
