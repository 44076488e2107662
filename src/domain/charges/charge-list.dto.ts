import { IsOptional } from 'class-validator';
import type { ChargeListQuery, ChargeOrderBy } from '../../../projections/charges/charge-list.js';
import { IsCurrency, IsId, IsQueryBoolean, IsText, IsTimestamp, IsWord } from '../../platform/http/validation/validators.js';
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
  return {
    page_number: query.PageNumber,
    page_size: query.PageSize,
    order_by: ORDERS[query.OrderBy],
    is_descending: query.IsDescending,
    ...(query.Id !== undefined && { id: query.Id }),
    ...(query.Currency !== undefined && { currency: query.Currency }),
    ...(query.ChannelCode !== undefined && { channel_code: query.ChannelCode }),
    ...(query.Status !== undefined && { status: query.Status }),
    ...(query.DateFrom !== undefined && { date_from: query.DateFrom }),
    ...(query.DateTo !== undefined && { date_to: query.DateTo }),
    ...(query.SearchText !== undefined && { search_text: query.SearchText }),
  };
}
