import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { FOUND_KINDS, type FoundKind } from '../../../projections/reconciliation/found-records.js';
import { IsMode, type Amount } from '../../ledger/dto/list-query.dto.js';
import type { Mode } from '../../ledger/mode.js';
import { Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsCurrency, IsText } from '../../platform/http/validation/validators.js';

const FOUND_DEFAULT = 50;

/** Query of GET /audit/search. */
export class FindRecordsQuery {
  @IsOptional()
  @IsText({
    max: 200,
    example: 'qr_6e7a1c',
    description: 'Beginning of a reference of a processor or a bank, case-sensitive. Lines of files: the whole reference.',
  })
  readonly Reference?: string;

  @IsOptional()
  @IsQueryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'Minor units, in or out. Instead of Reference.', example: 1_000_000 })
  readonly Amount?: number;

  @IsOptional() @IsCurrency({ description: 'Currency of Amount. Default: all currencies.' }) readonly Currency?: string;

  @IsMode() readonly Mode?: Mode;

  @IsQueryInteger({ min: 1, max: 100, description: 'Maximum number of records.', example: FOUND_DEFAULT })
  readonly Limit: number = FOUND_DEFAULT;
}

/** A record of the books, or a line of a file that matches nothing yet. */
export class FoundRecordDto {
  @ApiProperty({
    enum: FOUND_KINDS,
    description:
      'CHARGE: as its processor names it, also before it is paid; LINE: a line of a file that matches nothing yet; the others: a movement.',
  })
  readonly kind: FoundKind;
  @NullableText({ description: 'As the processor, the bank or the file has it.', example: 'qr_6e7a1c' }) readonly reference: string | null;
  @UuidField({ nullable: true, description: 'null for a line.' }) readonly merchant_id: string | null;
  @UuidField({ nullable: true }) readonly charge_id: string | null;
  @UuidField({ nullable: true }) readonly payout_id: string | null;
  @NullableText({ description: 'Source of a line; null for a record of the books.', example: null }) readonly source: string | null;
  @UuidField({ nullable: true, description: 'File of a line.' }) readonly statement_id: string | null;
  @UuidField({ nullable: true, description: 'The open break of a line.' }) readonly break_id: string | null;
  @ApiProperty({ example: 'IDR' }) readonly currency: string;
  @Int64Field({
    description: 'Minor units: amount of the charge; otherwise the change of the processor’s debt before its fee, or of the bank’s balance.',
    example: 1_000_000,
  })
  readonly amount: Amount;
  @TimeField({ nullable: true, description: 'null for a line, which has a booking date.' }) readonly occurred_on: string | null;
  @NullableText({ description: 'Booking date of a line.', example: null }) readonly booking_date: string | null;
}

export class FoundRecordsDto {
  @ApiProperty({ type: [FoundRecordDto] }) readonly items: readonly FoundRecordDto[];
  @ApiProperty({ description: 'True when there are more records than Limit.' }) readonly has_more: boolean;
}
