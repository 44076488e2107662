import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { ValuesInAnyCase } from '../../ledger/dto/any-case.js';
import { ROW_KINDS, type CsvProfile, type FigureColumns, type ProfileColumns, type RowKind } from '../../ledger/events/reconciliation.events.js';
import { IsTextList, IsWordRecord } from '../../platform/http/validation/collection-validators.js';
import { contentsOf, faultsOfObject, isObject, prepareDtosOf, readObject } from '../../platform/http/validation/validation.js';
import {
  describe,
  IsCharacter,
  IsCurrency,
  IsFlag,
  IsName,
  IsNested,
  IsText,
  membersRule,
  rule,
  type Described,
} from '../../platform/http/validation/validators.js';
import { profileNamed, SHIPPED_PROFILES } from './formats/shipped-profiles.js';

/** A name in a file's row of names, or a value in its column of kinds. */
export const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;
const COLUMNS_MAX = 200;
const KINDS_MAX = 100;
const SIGN_TEXTS_MAX = 20;
/** Columns of one figure, of kinds, of references, or of currencies. */
const LISTED_COLUMNS_MAX = 8;

const column = (description: string) => ({ min: 1, max: 100, description });

const columnSchema = { type: 'string', minLength: 1, maxLength: 100 } as const;
const columnsSchema = { type: 'array', items: columnSchema, minItems: 1, maxItems: LISTED_COLUMNS_MAX } as const;
const isColumn = (value: unknown): boolean => typeof value === 'string' && NAME.test(value);
const isColumnList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= LISTED_COLUMNS_MAX && value.every(isColumn);
const isDebitAndCredit = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).sort().join() === 'credit,debit' && Object.values(value).every(isColumn);

/** The name of a column, or a list of names. */
const IsColumns = (options: Described): PropertyDecorator =>
  applyDecorators(
    describe({ oneOf: [columnSchema, columnsSchema] }, options),
    Transform(({ value }) => contentsOf(value)),
    rule('wrong-format', 'Must be the name of a column, or a list of names.', (value: unknown) => isColumn(value) || isColumnList(value)),
  );

/** The columns of an amount. */
const IsFigure = (options: Described): PropertyDecorator => {
  const sides = {
    type: 'object',
    properties: {
      debit: { ...columnSchema, description: 'Column of amounts that are subtracted.', example: 'Debit' },
      credit: { ...columnSchema, description: 'Column of amounts that are added.', example: 'Credit' },
    },
    required: ['debit', 'credit'],
  };
  return applyDecorators(
    describe({ oneOf: [columnSchema, columnsSchema, sides] }, options),
    Transform(({ value }) => contentsOf(value)),
    rule(
      'wrong-format',
      'Must be the name of a column, a list of names, or an object of debit and credit.',
      (value: unknown) => isColumn(value) || isColumnList(value) || isDebitAndCredit(value),
    ),
  );
};

const FIGURE_FORMS = 'One column, a list of columns that are added, or debit and credit for two columns without signs.';

export class ProfileColumnsDto implements ProfileColumns {
  @IsText({ ...column('Booking date.'), example: 'Settlement Date' }) readonly booking_date: string;
  @IsOptional() @IsText({ ...column('Date from which interest is calculated.'), example: 'Value Date' }) readonly value_date?: string;
  @IsOptional() @IsText({ ...column('Batch that the row is paid with.'), example: 'Batch' }) readonly batch?: string;

  @IsOptional()
  @IsColumns({
    description: 'Kind of the row; without this column every row is a PAYMENT. The texts of several columns are joined by a slash.',
    example: 'Type',
  })
  readonly kind?: string | readonly string[];

  @IsOptional() @IsText({ ...column('Text that is the sign of the row’s amounts.'), example: 'Debit or Credit' }) readonly sign?: string;

  @IsColumns({ description: 'The code of our charge, or the processor’s reference of the payment; several columns for both.', example: 'Reference' })
  readonly reference: string | readonly string[];

  @IsOptional()
  @IsText({
    ...column('Equal in the row of a payment and the rows of its fee and tax. It may have another meaning as well.'),
    example: 'Transaction ID',
  })
  readonly joined_by?: string;

  @IsOptional()
  @IsFigure({ description: `Amount that the customer paid; without it the net plus fee and tax. ${FIGURE_FORMS}`, example: 'Gross' })
  readonly gross?: FigureColumns;

  @IsOptional() @IsFigure({ description: `Fee that the processor keeps. ${FIGURE_FORMS}`, example: 'Fee' }) readonly fee?: FigureColumns;
  @IsOptional() @IsFigure({ description: `Tax on the fee. ${FIGURE_FORMS}`, example: 'VAT' }) readonly tax?: FigureColumns;

  @IsOptional()
  @IsFigure({ description: `Gross less fee and tax; without it, it is computed. ${FIGURE_FORMS}`, example: 'Net' })
  readonly amount?: FigureColumns;

  @IsOptional()
  @IsColumns({ description: 'ISO 4217. Several columns: those that are filled must be equal.', example: 'Currency' })
  readonly currency?: string | readonly string[];
}

export class ProfileTotalsDto {
  @IsText({ ...column('Column that identifies the row of totals.'), example: 'Settlement Date' }) readonly column: string;
  @IsText({ ...column('Value of that column in the row of totals.'), example: 'TOTAL' }) readonly value: string;
}

export class CsvProfileDto implements CsvProfile {
  @IsCharacter([',', ';', '\t', '|'], { description: 'Character between two columns: comma, semicolon, tab or vertical bar.', example: ',' })
  readonly delimiter: CsvProfile['delimiter'];

  @IsName(['utf-8', 'windows-1252'], { description: 'Encoding of the file. A UTF-8 byte order mark is ignored.', example: 'utf-8' })
  readonly encoding: CsvProfile['encoding'];

  @IsNested(() => ProfileColumnsDto, { description: 'Names in the row of names, by meaning.' }) readonly columns: ProfileColumnsDto;

  @IsOptional()
  @IsName(['day', 'given'], {
    description: 'Only without a column batch. day: the booking date and the currency, such as 2026-01-31-IDR. given: the value of Batch at import.',
    example: 'day',
  })
  readonly batch?: 'day' | 'given';

  @IsOptional() @IsCurrency({ description: 'Only without a column currency: that of all rows.', example: 'IDR' }) readonly currency?: string;
  @IsCharacter(['.', ','], { description: 'Character before the decimals.', example: '.' }) readonly decimal: CsvProfile['decimal'];

  @IsCharacter(['', '.', ',', ' ', '’', "'"], {
    description: 'Character between groups of three digits; empty for none. A space also matches U+00A0 and U+202F.',
    example: '',
  })
  readonly grouping: CsvProfile['grouping'];

  @IsName(['major', 'minor'], { description: 'Whether 15000 means fifteen thousand or 150.00.', example: 'major' }) readonly unit: CsvProfile['unit'];

  @IsText({
    max: 40,
    description:
      'YYYY, MM (or MMM for Jan) and DD once each, with separators between them; with HH, mm, ss and Z if a time of day and its offset follow. Or iso for ISO 8601.',
    example: 'DD/MM/YYYY HH:mm:ss',
  })
  readonly dates: string;

  @IsName(['written', 'kinds', 'column'], {
    description:
      'written: amounts have their own signs. kinds: all amounts are above 0, and every kind except PAYMENT and TRANSFER is deducted. column: all amounts are above 0, and the column sign states which are deducted.',
    example: 'written',
  })
  readonly signs: CsvProfile['signs'];

  @IsOptional()
  @ValuesInAnyCase()
  @IsWordRecord(['PLUS', 'MINUS'], {
    max: SIGN_TEXTS_MAX,
    pattern: NAME,
    description: 'Values of the column of signs, with their meanings.',
    example: { CREDIT: 'PLUS', DEBIT: 'MINUS' },
  })
  readonly sign_texts?: Readonly<Record<string, 'PLUS' | 'MINUS'>>;

  @ValuesInAnyCase()
  @IsWordRecord(ROW_KINDS, {
    max: KINDS_MAX,
    pattern: NAME,
    description:
      'Values of the column of kinds, with their meanings. FEE and TAX belong to the payment or refund with the same joined_by, REVERSED_FEE and REVERSED_TAX to its reversal. SKIPPED rows are not read. Empty if there is no such column.',
    example: { Payment: 'PAYMENT' },
  })
  readonly kinds: Readonly<Record<string, RowKind>> = {};

  @IsOptional()
  @IsNested(() => ProfileTotalsDto, { description: 'Row with the sums of the rows before it. If set, a file without this row is refused.' })
  readonly totals?: ProfileTotalsDto;

  @IsOptional()
  @IsFlag({ description: 'true: up to 20 rows before the row of names are skipped.', example: false })
  readonly title_rows?: boolean;

  @IsTextList({
    max: COLUMNS_MAX,
    pattern: NAME,
    description: 'Columns that are present but not read. A file with any other column is refused.',
    example: ['Customer'],
  })
  readonly ignored: readonly string[] = [];
}

/** A profile, or the name of a shipped one, which is replaced by its profile. */
export function IsProfile(): PropertyDecorator {
  prepareDtosOf({ body: CsvProfileDto });
  const names = SHIPPED_PROFILES.map(({ name }) => name);
  return applyDecorators(
    (target: object) => void ApiExtraModels(CsvProfileDto)(target.constructor),
    describe(
      { oneOf: [{ $ref: getSchemaPath(CsvProfileDto) }, { type: 'string', enum: names }] },
      {
        description: 'csv only: how its rows are read, or the name of a shipped profile. The profile itself is recorded, not its name.',
        example: 'xendit-balance',
      },
    ),
    Transform(({ value }) => readObject(profileNamed(contentsOf(value)) ?? contentsOf(value), CsvProfileDto)),
    rule('unknown-value', `Must be an object, or one of ${names.join(', ')}.`, isObject),
    membersRule((profile: CsvProfileDto) => faultsOfObject(profile)),
  );
}
