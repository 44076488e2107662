import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** Example id and moment of the documents. */
export const ID = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
export const WHEN = '2026-01-31T08:15:30.123+00:00';

/** Makes a decorator for properties of one kind. Its argument adds the property's other OpenAPI attributes. */
const fieldOf =
  (kind: ApiPropertyOptions) =>
  (more: ApiPropertyOptions = {}): PropertyDecorator =>
    ApiProperty({ ...kind, ...more } as ApiPropertyOptions);

/** A UUID. */
export const UuidField = fieldOf({ type: 'string', format: 'uuid' });
/** RFC 3339 with milliseconds: `2026-01-31T08:15:30.123+00:00`. */
export const TimeField = fieldOf({ type: 'string', format: 'date-time' });
/** An integer of up to 64 bits, of which those beyond 2^53 − 1 are bigint: an amount in minor units, a position or number, a size, a count of records. */
export const Int64Field = fieldOf({ type: 'integer', format: 'int64' });
/** An integer whose meaning keeps it small: days, approvals, attempts, an HTTP status. */
export const Int32Field = fieldOf({ type: 'integer', format: 'int32' });
/** A text, or null. */
export const NullableText = fieldOf({ type: 'string', nullable: true });

export interface Page<Item> {
  readonly items: readonly Item[];
  /** null at the end. */
  readonly next_after: string | null;
}

/**
 * Returns the base class of a page, whose subclass names it in the documents: `export class RefundPageDto extends pageOf(RefundDto) {}`.
 * @param next OpenAPI attributes of `next_after` when it is not the id of a record
 */
export function pageOf<Item>(item: Type<Item>, next: ApiPropertyOptions = { format: 'uuid', example: ID }): Type<Page<Item>> {
  class PageDto implements Page<Item> {
    @ApiProperty({ type: [item] }) readonly items: readonly Item[];
    @NullableText({ description: 'After for the next page; null at the end.', ...next }) readonly next_after: string | null;
  }
  return PageDto;
}
