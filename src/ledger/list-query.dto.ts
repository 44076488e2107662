import { applyDecorators } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { LIMIT_DEFAULT } from '../platform/http/answer-list.js';
import { MODES, type Mode } from './mode.js';
import { IsCurrency, IsId, IsName, IsQueryInteger } from '../platform/http/validation/validators.js';

export const AMOUNT = { type: 'integer', format: 'int64' } as const;

/** bigint only beyond 2^53: numbers are serialised faster. */
export type Amount = number | bigint;

export const MERCHANT_FILTER = { description: 'Of this merchant only.' } as const;

/** Validates `Mode` of a query. */
export const IsMode = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsName(MODES, { description: 'Of merchants of this mode only; of both when absent.', example: 'live' }));

export class ListQuery {
  @IsOptional()
  @IsQueryInteger({
    min: 1,
    max: 1_000,
    description: `Items of a page; ${LIMIT_DEFAULT} when absent. A streamed list ends after so many; without it, with the last item there is.`,
    example: LIMIT_DEFAULT,
  })
  readonly Limit?: number;
}

/** Query of a list whose records belong to merchants, each in one currency. */
export class MerchantsListQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;
  @IsOptional() @IsId(MERCHANT_FILTER) readonly MerchantId?: string;
  @IsOptional() @IsCurrency() readonly Currency?: string;
}
