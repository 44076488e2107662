import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { STATEMENT_STATUSES, type StatementStatus } from '../../../projections/reconciliation/statements.js';
import { AMOUNT, IsDay, IsMode, ListQuery } from '../../ledger/dto/list-query.dto.js';
import { LINE_KINDS } from '../../ledger/events/reconciliation.events.js';
import type { Mode } from '../../ledger/mode.js';
import { IsId, IsQueryBoolean, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { BATCH_LENGTH_MAX } from './formats/references.js';
import { Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Maximum size of one file over HTTP. */
export const STATEMENT_BYTES_MAX = 256 * 1_048_576;
export const SOURCE = {
  max: 45,
  pattern: /^(live|test)-[a-z0-9-]+$/,
  description: 'Returns records of this source only.',
  example: 'live-bca',
} as const;
const DAY = { type: String, nullable: true, description: 'Day in the source’s time zone.', example: '2026-01-31' } as const;
const FIGURE = {
  ...AMOUNT,
  nullable: true,
  description: 'Minor units, with the sign of the amount; null if the format does not contain it.',
} as const;

/** Query of GET /audit/recon/sources. */
export class ListSourcesQuery extends ListQuery {
  @IsOptional() @IsText({ ...SOURCE, description: 'next_after of the previous page.' }) readonly After?: string;
}

/** A batch that is given with a file. Cells of a file have no spaces around them either. */
export const IsGivenBatch = (description: string): PropertyDecorator =>
  IsText({ max: BATCH_LENGTH_MAX, pattern: /^[^ ](.*[^ ])?$/, description, example: 'PAYOUT-20260131' });

/** Query of POST /audit/recon/sources/{id}/statements. */
export class ImportStatementQuery {
  @IsOptional()
  @IsGivenBatch('Batch of all lines of the file. Required if the profile of the source has the batch given, refused otherwise.')
  readonly Batch?: string;

  @IsOptional()
  @IsId({
    description: 'Id of an accepted file of the source that this file replaces. This file must repeat all statements or batches of the other.',
  })
  readonly Replaces?: string;

  @IsOptional()
  @IsText({ max: 500, description: 'Reason for replacing the other file; required with Replaces.', example: 'the bank has issued it again' })
  readonly Reason?: string;
}

/** Query of GET /audit/recon/statements. */
export class ListReconStatementsQuery extends ListQuery {
  @IsOptional() @IsText(SOURCE) readonly Source?: string;
  @IsOptional()
  @IsWord(STATEMENT_STATUSES, { description: 'Returns files with this status only.', example: 'ACCEPTED' })
  readonly Status?: StatementStatus;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

/** Query of lists that can be read as of a past moment. */
export class ReconAsOfQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;

  @IsOptional()
  @IsText({
    max: 40,
    description: 'Returns the state at this log position or moment. The response is as of the last file or run before, and names its position.',
    example: '4711',
  })
  readonly AsOf?: string;
}

/** Query of lists of lines, and of results that follow from lines. */
export class ReconListQuery extends ReconAsOfQuery {
  @IsOptional() @IsText(SOURCE) readonly Source?: string;
}

/** Query of GET /audit/recon/lines. */
export class ListReconLinesQuery extends ReconListQuery {
  @IsOptional() @IsId({ description: 'Returns lines of this file only.' }) readonly Statement?: string;
  @IsOptional() @IsDay('Booked on this day or later.') readonly BookedFrom?: string;
  @IsOptional() @IsDay('Booked on this day or earlier.') readonly BookedTo?: string;
  @IsOptional()
  @IsQueryBoolean({ description: 'true returns current lines only, false the other lines only.', example: true })
  readonly Counts?: boolean;

  @IsOptional()
  @IsText({ max: 18, pattern: /^[0-9]+$/, description: 'next_after of the previous page.', example: '4711000' })
  readonly After?: string;
}

export class LineSumsDto {
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Number of lines.', example: 120 }) readonly lines: number;
  @Int64Field({ description: 'Minor units.', example: 11_916_000 }) readonly amount: number;
  @Int64Field({ description: 'Minor units.', example: 12_000_000 }) readonly gross: number;
  @Int64Field({ description: 'Minor units.', example: 75_676 }) readonly fee: number;
  @Int64Field({ description: 'Minor units.', example: 8_324 }) readonly tax: number;
}

export class ReconStatementDto {
  @UuidField({ description: 'Derived from the source and the bytes.' }) readonly id: string;
  @ApiProperty({ description: 'Id of the source.', example: 'live-bca' }) readonly source: string;

  @ApiProperty({
    enum: STATEMENT_STATUSES,
    description:
      'RECEIVED and READ: the import was interrupted, and the same file resumes it. ACCEPTED: the file is current. REPLACED: another file has replaced it.',
  })
  readonly status: string;

  @ApiProperty({ description: 'SHA-256 of its bytes, hex.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  readonly sha256: string;

  @Int64Field({ description: 'Size in bytes.', example: 48_213 }) readonly size: number;
  @Int64Field({ description: 'Number of lines in the file.', example: 120 }) readonly lines: number;
  @Int64Field({ description: 'Number of lines that are recorded.', example: 120 }) readonly lines_read: number;
  @Int64Field({ description: 'Number of lines that earlier files already contain; they count there.', example: 0 }) readonly dropped_lines: number;
  @ApiProperty(DAY) readonly booked_from: string | null;
  @ApiProperty(DAY) readonly booked_to: string | null;
  @ApiProperty({ type: [LineSumsDto], description: 'Sums of all of its lines, by currency.' }) readonly sums: readonly LineSumsDto[];
  @UuidField({ nullable: true, description: 'The file that it replaced.', example: null }) readonly replaces: string | null;
  @UuidField({ nullable: true, description: 'The file that replaced it.', example: null }) readonly replaced_by: string | null;
  @UuidField({ description: 'The operator who started the import.' }) readonly received_by: string;
  @TimeField({ description: 'When the import started.' }) readonly received_on: string;
  @UuidField({ nullable: true, description: 'The operator who completed the import.' }) readonly accepted_by: string | null;
  @TimeField({ nullable: true, description: 'When the file was accepted.' }) readonly accepted_on: string | null;
  @TimeField({ nullable: true, description: 'When the people named in it were erased; null before.', example: null }) readonly forgotten_on:
    string | null;
}

export class StatementGroupDto {
  @ApiProperty({ description: 'The batch, or the position of the bank’s statement in the file, from 1.', example: '1' }) readonly name: string;
  @NullableText({ description: 'Number of the bank’s statement, after its year; null for a batch.', example: '2026/17' }) readonly number:
    string | null;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units: closing balance of the bank’s statement, or net sum of the batch.', example: 11_916_000 })
  readonly amount: number;
  @ApiProperty({ ...DAY, nullable: false, description: 'Closing day of the statement, or booking date of the batch.' }) readonly day: string;
  @ApiProperty({ description: 'Whether it is current; false once another file has replaced it.', example: true }) readonly counts: boolean;
}

export class ReconStatementDetailDto extends ReconStatementDto {
  @ApiProperty({ type: [StatementGroupDto], description: 'Statements or batches of the file that are or were current.' })
  readonly groups: readonly StatementGroupDto[];
}

export class ReconStatementPageDto extends pageOf(ReconStatementDto) {}

export class ReconLineDto {
  @ApiProperty({ description: 'Log position of the line; digits.', example: '4711000' }) readonly id: string;
  @UuidField({ description: 'Id of the file.' }) readonly statement_id: string;
  @ApiProperty({ description: 'Id of the source.', example: 'live-bca' }) readonly source: string;
  @Int64Field({ description: 'Line number in the file, from 1.', example: 12 }) readonly at: number;
  @ApiProperty({ description: 'Equal in every file that contains the line.', example: 'a3f1c29b7d0e4c5f8a6b1d2e3f405162' }) readonly line_key: string;
  @NullableText({ description: 'Key of the bank’s entry that the line is a detail of.', example: null }) readonly entry_key: string | null;
  @ApiProperty({ ...DAY, nullable: false }) readonly booking_date: string;
  @ApiProperty(DAY) readonly value_date: string | null;
  @Int64Field({ description: 'Minor units: change of the account or the batch; negative for a decrease.', example: 99_300 }) readonly amount: number;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: LINE_KINDS, example: 'PAYMENT' }) readonly kind: string;
  @ApiProperty({ ...FIGURE, example: 100_000 }) readonly gross: number | null;
  @ApiProperty({ ...FIGURE, example: 631 }) readonly fee: number | null;
  @ApiProperty({ ...FIGURE, example: 69 }) readonly tax: number | null;
  @NullableText({ description: 'Batch that the line is paid with.', example: 'B-20260131' }) readonly batch: string | null;

  @ApiProperty({ type: [String], description: 'References of ours and of the processor that the line contains.', example: ['P0198C0DE7A5E5C3'] })
  readonly references: readonly string[];

  @ApiProperty({
    description: 'Whether the line is current; false if its file is not accepted or was replaced, or if the line was dropped.',
    example: true,
  })
  readonly counts: boolean;
}

export class LinePeopleDto {
  @ApiProperty({ type: [String], description: 'Names of the counterparty.', example: ['Toko Melati'] }) readonly names: readonly string[];
  @ApiProperty({ type: [String], description: 'Accounts of the counterparty.', example: ['1234567890'] }) readonly accounts: readonly string[];
  @ApiProperty({ type: [String], description: 'Free text of the line.', example: ['order 1001'] }) readonly texts: readonly string[];
}

export class ReconLineDetailDto extends ReconLineDto {
  @ApiProperty({
    type: LinePeopleDto,
    nullable: true,
    description:
      'People and free text of the line, for a preparer or an approver; null for other roles, if there are none, and once they are erased.',
  })
  readonly people: LinePeopleDto | null;
}

export class ReconLinePageDto extends pageOf(ReconLineDto, { example: '4711119' }) {}
