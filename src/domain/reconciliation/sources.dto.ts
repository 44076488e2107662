import { IsBoolean, IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ItemsInAnyCase, KeysInAnyCase } from '../../ledger/dto/any-case.js';
import { CHANNELS } from '../../ledger/channels.js';
import {
  SOURCE_KINDS,
  STATEMENT_FORMATS,
  type CsvProfile,
  type SourceKind,
  type StatementFormat,
} from '../../ledger/events/reconciliation.events.js';
import type { Fee } from '../../ledger/money.js';
import { IsRecordOf, IsTextList } from '../../platform/http/validation/collection-validators.js';
import { IsInteger } from '../../platform/http/validation/number-validators.js';
import { describe, IsName, IsText, rule } from '../../platform/http/validation/validators.js';
import { Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';
import { CsvProfileDto, IsProfile, NAME } from './profile.dto.js';

const CURRENCIES_MAX = 20;
const BATCH_NAMES_MAX = 20;
/** A quarter of a year. */
const DUE_DAYS_MAX = 92;
const CHANNEL_CODES = new Set(CHANNELS.map(({ code }) => code));

export class CostDto implements Fee {
  @IsName(['PERCENTAGE', 'FIXED'], { example: 'PERCENTAGE' }) readonly type: Fee['type'];

  @describe(
    { type: Number, minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    { description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 0.7 },
  )
  @rule('out-of-range', 'Must be a percentage of 0 to 100 with at most 8 decimals, or minor units.', (value: unknown) => isCost(value))
  readonly value: number;
}

const isCost = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER && /^\d+(\.\d{1,8})?$/.test(String(value));

/** All settings of a source, without its name and mode. */
export class SourceSettingsBody {
  @IsName(SOURCE_KINDS, { description: 'Issuer of the statements. There is one BANK for each mode and currency.', example: 'BANK' })
  readonly kind: SourceKind;

  @ItemsInAnyCase()
  @IsTextList({ max: CURRENCIES_MAX, pattern: /^[A-Z]{3}$/, description: 'ISO 4217.', example: ['IDR'] })
  readonly currencies: readonly string[];

  @IsOptional()
  @IsText({
    max: 64,
    description: 'BANK only: account number as written in its statements. It is stored as an HMAC and never returned.',
    example: '1234567890',
  })
  readonly account?: string;

  @IsName(STATEMENT_FORMATS, { description: 'camt053 (versions .02 to .13) or mt940 for a BANK, csv for a PROCESSOR.', example: 'camt053' })
  readonly format: StatementFormat;

  @IsOptional() @IsProfile() readonly profile?: CsvProfile;
  @IsText({ max: 64, description: 'IANA time zone of the dates in its lines.', example: 'Asia/Jakarta' }) readonly time_zone: string;

  @IsOptional()
  @IsText({ max: 64, pattern: /^[A-Z0-9_-]+$/, description: 'PROCESSOR only: name of the processor.', example: 'SIMULATOR' })
  readonly processor?: string;

  @IsInteger({ min: 0, max: DUE_DAYS_MAX, description: 'Banking days until a payment is remitted, or a payout is debited.', example: 2 })
  readonly due_days: number = 2;

  @KeysInAnyCase('upper')
  @IsRecordOf(CostDto, {
    max: CHANNELS.length,
    isName: (name) => CHANNEL_CODES.has(name),
    description: 'Fees of the processor, by payment channel.',
  })
  readonly costs: Readonly<Record<string, CostDto>> = {};

  @IsOptional()
  @describe(
    { type: Number, minimum: 0, maximum: 100 },
    { description: 'Tax on the processor’s fee, in percent, rounded half up. Without it taxes are not checked.', example: 11 },
  )
  @rule('out-of-range', 'Must be a percentage of 0 to 100 with at most 8 decimals.', (value: unknown) => isCost(value) && (value as number) <= 100)
  readonly tax?: number;

  @describe({ type: Boolean }, { description: 'Whether a credit may be matched with a batch by its amount alone.', example: false })
  @IsBoolean({ message: 'Must be true or false.' })
  readonly by_amount: boolean = false;

  @IsOptional()
  @IsTextList({
    max: BATCH_NAMES_MAX,
    pattern: NAME,
    description:
      'BANK only: names of batches in its texts that have other forms than SIM-20261120-IDR-1. # is a digit, * letters and digits up to the end of the word. Texts that fit are stored in plain.',
    example: ['STL########-*'],
  })
  readonly batch_names?: readonly string[];
}

/** Body of POST /audit/recon/sources. */
export class SetSourceBody extends SourceSettingsBody {
  @IsName(['live', 'test'], { description: 'Mode of the money in its statements.', example: 'live' }) readonly mode: 'live' | 'test';

  @IsText({ max: 40, pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, description: '1 to 40 characters of a-z, 0-9 and -.', example: 'bca' })
  readonly name: string;

  @IsText({ max: 500, description: 'Reason for people who read the log.', example: 'the account that Xendit pays into' }) readonly reason: string;
}

/** Body of POST /audit/recon/sources/{id}/run. */
export class RunSourceBody {
  @IsText({ max: 500, description: 'Reason for people who read the log.', example: 'the processor has confirmed a payment' }) readonly reason: string;
}

export class ReconRunDto {
  @ApiProperty({ description: 'Id of the source.', example: 'live-xendit' }) readonly source: string;
  @ApiProperty({ description: 'Day in the source’s time zone. Items that are overdue on that day are reported.', example: '2026-01-31' })
  readonly day: string;
  @TimeField({ description: 'When the run took place.' }) readonly ran_on: string;
  @Int64Field({ description: 'Number of breaks of the source that are open now.', example: 3 }) readonly open_breaks: number;
}

export class SourceDto {
  @ApiProperty({ description: 'Mode and name.', example: 'live-bca' }) readonly id: string;
  @ApiProperty({ enum: ['live', 'test'], example: 'live' }) readonly mode: string;
  @ApiProperty({ example: 'bca' }) readonly name: string;
  @ApiProperty({ enum: SOURCE_KINDS, example: 'BANK' }) readonly kind: string;
  @ApiProperty({ type: [String], description: 'Currencies of its lines.', example: ['IDR'] }) readonly currencies: readonly string[];
  @ApiProperty({ enum: STATEMENT_FORMATS, description: 'Format of its files.', example: 'camt053' }) readonly format: string;
  @ApiProperty({ type: CsvProfileDto, nullable: true, description: 'csv only: how its rows are read.' }) readonly profile: CsvProfile | null;
  @ApiProperty({ description: 'Time zone of the dates in its lines.', example: 'Asia/Jakarta' }) readonly time_zone: string;
  @NullableText({ example: null }) readonly processor: string | null;
  @Int32Field({ description: 'Banking days until a payment is remitted, or a payout is debited.', example: 2 }) readonly due_days: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/CostDto' },
    description: 'Fees by payment channel.',
    example: {},
  })
  readonly costs: Readonly<Record<string, Fee>>;

  @ApiProperty({ type: Number, nullable: true, description: 'Tax on the fee, in percent; null if taxes are not checked.', example: 11 })
  readonly tax: number | null;

  @ApiProperty({ description: 'Whether a credit may be matched with a batch by its amount alone.', example: false }) readonly by_amount: boolean;

  @ApiProperty({ type: [String], description: 'BANK only: further names of batches in its texts.', example: ['STL########-*'] })
  readonly batch_names: readonly string[];

  @Int64Field({ description: 'Number of times that the settings were set. Files keep the settings with which they were received.', example: 1 })
  readonly version: number;

  @UuidField({ description: 'The operator who set it last.' }) readonly set_by: string;
  @TimeField({ description: 'When it was set last.' }) readonly set_on: string;
}

export class SourcePageDto extends pageOf(SourceDto, { example: 'live-bca' }) {}

/** A processor's source that is accepted as it is. */
export const SOURCE_EXAMPLE: SetSourceBody = {
  mode: 'test',
  name: 'xendit',
  kind: 'PROCESSOR',
  currencies: ['IDR'],
  format: 'csv',
  profile: {
    delimiter: ',',
    encoding: 'utf-8',
    columns: {
      booking_date: 'Settlement Date',
      batch: 'Batch',
      kind: 'Type',
      reference: 'Reference',
      gross: 'Gross',
      fee: 'Fee',
      tax: 'VAT',
      amount: 'Net',
      currency: 'Currency',
    },
    decimal: '.',
    grouping: '',
    unit: 'major',
    dates: 'DD/MM/YYYY',
    signs: 'written',
    kinds: { Payment: 'PAYMENT', Refund: 'REFUND' },
    ignored: ['Customer'],
  },
  time_zone: 'Asia/Jakarta',
  processor: 'XENDIT',
  due_days: 2,
  costs: {},
  by_amount: false,
  reason: 'the account that Xendit pays into',
};
