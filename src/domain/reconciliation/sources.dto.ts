import { IsBoolean, IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ItemsInAnyCase, KeysInAnyCase, ValuesInAnyCase } from '../../ledger/any-case.js';
import { CHANNELS } from '../../ledger/channels.js';
import {
  LINE_KINDS,
  SOURCE_KINDS,
  STATEMENT_FORMATS,
  type CsvProfile,
  type LineKind,
  type ProfileColumns,
  type SourceKind,
  type StatementFormat,
} from '../../ledger/events/reconciliation.events.js';
import type { Fee } from '../../ledger/money.js';
import { IsRecordOf, IsTextList, IsWordRecord } from '../../platform/http/validation/collection-validators.js';
import { describe, IsInteger, IsName, IsNested, IsText, rule } from '../../platform/http/validation/validators.js';
import { IntegerField, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Of a file's first row, and of what stands in its column of kinds. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;
const COLUMNS_MAX = 200;
const KINDS_MAX = 100;
const CURRENCIES_MAX = 20;
/** A quarter. */
const DUE_DAYS_MAX = 92;
const CHANNEL_CODES = new Set(CHANNELS.map(({ code }) => code));

const column = (description: string) => ({ min: 1, max: 100, description });

export class ProfileColumnsDto implements ProfileColumns {
  @IsText({ ...column('When it was booked.'), example: 'Settlement Date' }) readonly booking_date: string;
  @IsOptional() @IsText({ ...column('When it counts for interest.'), example: 'Value Date' }) readonly value_date?: string;
  @IsText({ ...column('What it is paid together with.'), example: 'Batch' }) readonly batch: string;
  @IsOptional() @IsText({ ...column('What kind of line it is; without it every line is a PAYMENT.'), example: 'Type' }) readonly kind?: string;
  @IsText({ ...column('Our code, or the payment’s reference at the processor.'), example: 'Reference' }) readonly reference: string;
  @IsText({ ...column('What the customer paid.'), example: 'Gross' }) readonly gross: string;
  @IsOptional() @IsText({ ...column('What the processor keeps.'), example: 'Fee' }) readonly fee?: string;
  @IsOptional() @IsText({ ...column('On the fee.'), example: 'VAT' }) readonly tax?: string;
  @IsText({ ...column('Gross less fee and tax.'), example: 'Net' }) readonly amount: string;
  @IsText({ ...column('ISO 4217.'), example: 'Currency' }) readonly currency: string;
}

export class ProfileTotalsDto {
  @IsText({ ...column('The column that tells the row of totals.'), example: 'Settlement Date' }) readonly column: string;
  @IsText({ ...column('What stands in it.'), example: 'TOTAL' }) readonly value: string;
}

export class CsvProfileDto implements CsvProfile {
  @IsName([',', ';', '\t', '|'], { description: 'Between two columns.', example: ',' }) readonly delimiter: CsvProfile['delimiter'];

  @IsName(['utf-8', 'windows-1252'], { description: 'A mark of UTF-8 at its beginning is read over.', example: 'utf-8' })
  readonly encoding: CsvProfile['encoding'];

  @IsNested(() => ProfileColumnsDto, { description: 'Names in the first row, by what the columns hold.' }) readonly columns: ProfileColumnsDto;
  @IsName(['.', ','], { description: 'Before decimals.', example: '.' }) readonly decimal: CsvProfile['decimal'];

  @IsName(['', '.', ',', ' ', '’', "'"], {
    description: 'Between groups of three digits; empty: none. A space is U+00A0 and U+202F as well.',
    example: '',
  })
  readonly grouping: CsvProfile['grouping'];

  @IsName(['major', 'minor'], { description: 'Whether 15000 is fifteen thousand, or 150.00.', example: 'major' }) readonly unit: CsvProfile['unit'];

  @IsText({ max: 20, description: 'YYYY, MM and DD once, with what stands between them; or iso: ISO 8601.', example: 'DD/MM/YYYY' })
  readonly dates: string;

  @IsName(['written', 'kinds'], {
    description: 'written: amounts have their signs. kinds: all are above 0, and what is not a PAYMENT or TRANSFER is taken away.',
    example: 'written',
  })
  readonly signs: CsvProfile['signs'];

  @ValuesInAnyCase()
  @IsWordRecord(LINE_KINDS, {
    max: KINDS_MAX,
    pattern: NAME,
    description: 'What stands in the column of kinds, and means. Empty without the column.',
    example: { Payment: 'PAYMENT' },
  })
  readonly kinds: Readonly<Record<string, LineKind>> = {};

  @IsOptional()
  @IsNested(() => ProfileTotalsDto, { description: 'The row that states the sums of the rows before it; a file without it is refused then.' })
  readonly totals?: ProfileTotalsDto;

  @IsTextList({
    max: COLUMNS_MAX,
    pattern: NAME,
    description: 'Columns that are there and not read. Any other one refuses the file.',
    example: ['Customer'],
  })
  readonly ignored: readonly string[] = [];
}

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

/** What a source is, apart from its name and mode. */
export class SourceSettingsBody {
  @IsName(SOURCE_KINDS, { description: 'Whose statements they are. There is one BANK for each mode and currency.', example: 'BANK' })
  readonly kind: SourceKind;

  @ItemsInAnyCase()
  @IsTextList({ max: CURRENCIES_MAX, pattern: /^[A-Z]{3}$/, description: 'ISO 4217.', example: ['IDR'] })
  readonly currencies: readonly string[];

  @IsOptional()
  @IsText({
    max: 64,
    description: 'Of a BANK: the account’s number as it stands in its statements. It is kept as an HMAC, and never shown.',
    example: '1234567890',
  })
  readonly account?: string;

  @IsName(STATEMENT_FORMATS, { description: 'camt053 (versions .02 to .13) or mt940 of a BANK, csv of a PROCESSOR.', example: 'camt053' })
  readonly format: StatementFormat;

  @IsOptional() @IsNested(() => CsvProfileDto, { description: 'Of csv: how its rows are read.' }) readonly profile?: CsvProfileDto;
  @IsText({ max: 64, description: 'IANA name: where the days of its lines are days.', example: 'Asia/Jakarta' }) readonly time_zone: string;

  @IsOptional()
  @IsText({ max: 64, pattern: /^[A-Z0-9_-]+$/, description: 'Of a PROCESSOR: which.', example: 'SIMULATOR' })
  readonly processor?: string;

  @IsInteger({ min: 0, max: DUE_DAYS_MAX, description: 'Banking days until a payment is remitted, or a payout presented.', example: 2 })
  readonly due_days: number = 2;

  @KeysInAnyCase('upper')
  @IsRecordOf(CostDto, {
    max: CHANNELS.length,
    isName: (name) => CHANNEL_CODES.has(name),
    description: 'By payment channel: what the processor charges.',
  })
  readonly costs: Readonly<Record<string, CostDto>> = {};

  @IsOptional()
  @describe(
    { type: Number, minimum: 0, maximum: 100 },
    { description: 'On the processor’s fee, in percent, rounded half up. Without it taxes are not looked at.', example: 11 },
  )
  @rule('out-of-range', 'Must be a percentage of 0 to 100 with at most 8 decimals.', (value: unknown) => isCost(value) && (value as number) <= 100)
  readonly tax?: number;

  @describe({ type: Boolean }, { description: 'Whether a credit may be matched with a batch by its amount alone.', example: false })
  @IsBoolean({ message: 'Must be true or false.' })
  readonly by_amount: boolean = false;
}

/** Body of POST /audit/recon/sources. */
export class SetSourceBody extends SourceSettingsBody {
  @IsName(['live', 'test'], { description: 'Whose money it is about.', example: 'live' }) readonly mode: 'live' | 'test';

  @IsText({ max: 40, pattern: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, description: 'Of 1 to 40 of a-z, 0-9 and -.', example: 'bca' })
  readonly name: string;

  @IsText({ max: 500, description: 'Why, for whoever reads the log.', example: 'the account that Xendit pays into' }) readonly reason: string;
}

/** Body of POST /audit/recon/sources/{id}/run. */
export class RunSourceBody {
  @IsText({ max: 500, description: 'Why, for whoever reads the log.', example: 'the processor has told of a payment' }) readonly reason: string;
}

export class ReconRunDto {
  @ApiProperty({ description: 'Id of the source.', example: 'live-xendit' }) readonly source: string;
  @ApiProperty({ description: 'In the source’s time zone: what is overdue then is missed.', example: '2026-01-31' }) readonly day: string;
  @TimeField({ description: 'When that was.' }) readonly ran_on: string;
  @IntegerField({ description: 'Breaks of the source that are open now.', example: 3 }) readonly open_breaks: number;
}

export class SourceDto {
  @ApiProperty({ description: 'Mode and name.', example: 'live-bca' }) readonly id: string;
  @ApiProperty({ enum: ['live', 'test'], example: 'live' }) readonly mode: string;
  @ApiProperty({ example: 'bca' }) readonly name: string;
  @ApiProperty({ enum: SOURCE_KINDS, example: 'BANK' }) readonly kind: string;
  @ApiProperty({ type: [String], description: 'Of its lines.', example: ['IDR'] }) readonly currencies: readonly string[];
  @ApiProperty({ enum: STATEMENT_FORMATS, description: 'Of its files.', example: 'camt053' }) readonly format: string;
  @ApiProperty({ type: CsvProfileDto, nullable: true, description: 'Of csv: how its rows are read.' }) readonly profile: CsvProfile | null;
  @ApiProperty({ description: 'Where the days of its lines are days.', example: 'Asia/Jakarta' }) readonly time_zone: string;
  @NullableText({ example: null }) readonly processor: string | null;
  @IntegerField({ description: 'Banking days until a payment is remitted, or a payout presented.', example: 2 }) readonly due_days: number;

  @ApiProperty({ type: 'object', additionalProperties: { $ref: '#/components/schemas/CostDto' }, description: 'By payment channel.', example: {} })
  readonly costs: Readonly<Record<string, Fee>>;

  @ApiProperty({ type: Number, nullable: true, description: 'On the fee, in percent; null: taxes are not looked at.', example: 11 })
  readonly tax: number | null;

  @ApiProperty({ description: 'Whether a credit may be matched with a batch by its amount alone.', example: false }) readonly by_amount: boolean;

  @IntegerField({ description: 'How often its settings were given: files keep those that they were received with.', example: 1 })
  readonly version: number;

  @UuidField({ description: 'The person who set it last.' }) readonly set_by: string;
  @TimeField({ description: 'When that was.' }) readonly set_on: string;
}

export class SourcePageDto extends pageOf(SourceDto, { example: 'live-bca' }) {}
