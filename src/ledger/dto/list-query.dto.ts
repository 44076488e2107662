import { applyDecorators } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { LIMIT_DEFAULT } from '../../platform/http/answer-list.js';
import { isDay } from '../days.js';
import { MODES, type Mode } from '../mode.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsCurrency, IsId, IsName, IsText, rule } from '../../platform/http/validation/validators.js';

export const AMOUNT = { type: 'integer', format: 'int64' } as const;

/** bigint only beyond 2^53: numbers are serialised faster. */
export type Amount = number | bigint;

export const MERCHANT_FILTER = { description: 'Returns records of this merchant only.' } as const;

/** Validates `Mode` of a query. */
export const IsMode = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    IsName(MODES, { description: 'Returns records of merchants of this mode only. Default: both modes.', example: 'live' }),
  );

/** Maximum days of one answer by days: a leap year. */
export const DAYS_MAX = 366;
/** Days of such an answer when the request names one end of the period, or none. */
export const DAYS_DEFAULT = 30;

/** Validates a day of the calendar, such as 2026-01-31. */
export const IsDay = (description: string): PropertyDecorator =>
  applyDecorators(
    IsText({ min: 10, max: 10, pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, description, example: '2026-01-31' }),
    rule('wrong-format', 'There is no such day.', isDay),
  );

export class ListQuery {
  @IsOptional()
  @IsQueryInteger({
    min: 1,
    max: 1_000,
    description: `Maximum number of items; default ${LIMIT_DEFAULT}. For a streamed list, the maximum of the whole list; without it, all items.`,
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
