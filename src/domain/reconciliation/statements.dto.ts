import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { STATEMENT_STATUSES, type StatementStatus } from '../../../projections/reconciliation/statements.js';
import { AMOUNT, IsMode, ListQuery } from '../../ledger/list-query.dto.js';
import { LINE_KINDS } from '../../ledger/events/reconciliation.events.js';
import type { Mode } from '../../ledger/mode.js';
import { IsId, IsQueryBoolean, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { Int64Field, IntegerField, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Of one file, over HTTP. */
export const STATEMENT_BYTES_MAX = 256 * 1_048_576;
export const SOURCE = { max: 45, pattern: /^(?:live|test)-[a-z0-9-]+$/, description: 'Of this source only.', example: 'live-bca' } as const;
const DAY = { type: String, nullable: true, description: 'A day in the source’s time zone.', example: '2026-01-31' } as const;
const FIGURE = { ...AMOUNT, nullable: true, description: 'Minor units, with the sign of the amount; null where the format does not tell.' } as const;

/** Query of GET /audit/recon/sources. */
export class ListSourcesQuery extends ListQuery {
  @IsOptional() @IsText({ ...SOURCE, description: 'The next_after of the page before: what to go on behind.' }) readonly After?: string;
}

/** Query of POST /audit/recon/sources/{id}/statements. */
export class ImportStatementQuery {
  @IsOptional()
  @IsId({ description: 'Id of an accepted file of the source whose place this one takes. It says anew all that the other says.' })
  readonly Replaces?: string;

  @IsOptional()
  @IsText({ max: 500, description: 'Why the other is replaced; needed with Replaces.', example: 'the bank has issued it again' })
  readonly Reason?: string;
}

/** Query of GET /audit/recon/statements. */
export class ListReconStatementsQuery extends ListQuery {
  @IsOptional() @IsText(SOURCE) readonly Source?: string;
  @IsOptional() @IsWord(STATEMENT_STATUSES, { description: 'Only files that stand so.', example: 'ACCEPTED' }) readonly Status?: StatementStatus;
  @IsOptional() @IsId({ description: 'The next_after of the page before: what to go on behind.' }) readonly After?: string;
}

export const IsDay = (description: string) => IsText({ min: 10, max: 10, pattern: /^\d{4}-\d{2}-\d{2}$/, description, example: '2026-01-31' });

/** As of when. */
export class ReconAsOfQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;

  @IsOptional()
  @IsText({
    max: 40,
    description: 'As it was at this position of the log, or at this moment: the answer is as of the last file or run before, and names its position.',
    example: '4711',
  })
  readonly AsOf?: string;
}

/** Of lines, and of what follows from them. */
export class ReconListQuery extends ReconAsOfQuery {
  @IsOptional() @IsText(SOURCE) readonly Source?: string;
}

/** Query of GET /audit/recon/lines. */
export class ListReconLinesQuery extends ReconListQuery {
  @IsOptional() @IsId({ description: 'Of this file only.' }) readonly Statement?: string;
  @IsOptional() @IsDay('Booked on this day or later.') readonly BookedFrom?: string;
  @IsOptional() @IsDay('Booked on this day or before.') readonly BookedTo?: string;
  @IsOptional() @IsQueryBoolean({ description: 'Only lines that count, or only the others.', example: true }) readonly Counts?: boolean;

  @IsOptional()
  @IsText({ max: 18, pattern: /^\d+$/, description: 'The next_after of the page before: what to go on behind.', example: '4711000' })
  readonly After?: string;
}

export class LineSumsDto {
  @ApiProperty() readonly currency: string;
  @IntegerField({ description: 'How many.', example: 120 }) readonly lines: number;
  @Int64Field({ description: 'Minor units.', example: 11_916_000 }) readonly amount: number;
  @Int64Field({ description: 'Minor units.', example: 12_000_000 }) readonly gross: number;
  @Int64Field({ description: 'Minor units.', example: 75_676 }) readonly fee: number;
  @Int64Field({ description: 'Minor units.', example: 8_324 }) readonly tax: number;
}

export class ReconStatementDto {
  @UuidField({ description: 'Of source and bytes.' }) readonly id: string;
  @ApiProperty({ description: 'Id of its source.', example: 'live-bca' }) readonly source: string;

  @ApiProperty({
    enum: STATEMENT_STATUSES,
    description:
      'RECEIVED and READ: its import was cut short, and the same file goes on with it. ACCEPTED: it counts. REPLACED: another one does in its place.',
  })
  readonly status: string;

  @ApiProperty({ description: 'Of its bytes, in hex.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  readonly sha256: string;

  @Int64Field({ description: 'Bytes.', example: 48_213 }) readonly size: number;
  @IntegerField({ description: 'Lines of the file.', example: 120 }) readonly lines: number;
  @IntegerField({ description: 'Those that are recorded.', example: 120 }) readonly lines_read: number;
  @IntegerField({ description: 'Those that other files had before: they count there.', example: 0 }) readonly dropped_lines: number;
  @ApiProperty(DAY) readonly booked_from: string | null;
  @ApiProperty(DAY) readonly booked_to: string | null;
  @ApiProperty({ type: [LineSumsDto], description: 'Of all of its lines, by currency.' }) readonly sums: readonly LineSumsDto[];
  @UuidField({ nullable: true, description: 'The file whose place it has taken.', example: null }) readonly replaces: string | null;
  @UuidField({ nullable: true, description: 'The file that has taken its place.', example: null }) readonly replaced_by: string | null;
  @UuidField({ description: 'The person who began its import.' }) readonly received_by: string;
  @TimeField({ description: 'When its import was begun.' }) readonly received_on: string;
  @UuidField({ nullable: true, description: 'The person who ended it.' }) readonly accepted_by: string | null;
  @TimeField({ nullable: true, description: 'Since when it counts.' }) readonly accepted_on: string | null;
  @TimeField({ nullable: true, description: 'Since when nobody knows whom it names.', example: null }) readonly forgotten_on: string | null;
}

export class StatementGroupDto {
  @ApiProperty({ description: 'The batch; or the place of the bank’s statement in the file, from 1.', example: '1' }) readonly name: string;
  @NullableText({ description: 'Of a bank’s statement, behind its year; null of a batch.', example: '2026/17' }) readonly number: string | null;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units: a bank’s closing balance, or the net sum of a batch.', example: 11_916_000 }) readonly amount: number;
  @ApiProperty({ ...DAY, nullable: false, description: 'That it closes on, or that the batch was booked on.' }) readonly day: string;
  @ApiProperty({ description: 'False once another file has taken its place.', example: true }) readonly counts: boolean;
}

export class ReconStatementDetailDto extends ReconStatementDto {
  @ApiProperty({ type: [StatementGroupDto], description: 'What of it counts, or did.' }) readonly groups: readonly StatementGroupDto[];
}

export class ReconStatementPageDto extends pageOf(ReconStatementDto) {}

export class ReconLineDto {
  @ApiProperty({ description: 'Its place in the log; digits.', example: '4711000' }) readonly id: string;
  @UuidField({ description: 'Id of its file.' }) readonly statement_id: string;
  @ApiProperty({ description: 'Id of its source.', example: 'live-bca' }) readonly source: string;
  @IntegerField({ description: 'Line of the file, from 1.', example: 12 }) readonly at: number;
  @ApiProperty({ description: 'The same in every file that has the line.', example: 'a3f1c29b7d0e4c5f8a6b1d2e3f405162' }) readonly line_key: string;
  @NullableText({ description: 'Of the bank’s entry that it is a detail of.', example: null }) readonly entry_key: string | null;
  @ApiProperty({ ...DAY, nullable: false }) readonly booking_date: string;
  @ApiProperty(DAY) readonly value_date: string | null;
  @Int64Field({ description: 'Minor units: what the account, or the batch, has more; below 0 less.', example: 99_300 }) readonly amount: number;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: LINE_KINDS, example: 'PAYMENT' }) readonly kind: string;
  @ApiProperty({ ...FIGURE, example: 100_000 }) readonly gross: number | null;
  @ApiProperty({ ...FIGURE, example: 631 }) readonly fee: number | null;
  @ApiProperty({ ...FIGURE, example: 69 }) readonly tax: number | null;
  @NullableText({ description: 'What it is paid together with.', example: 'B-20260131' }) readonly batch: string | null;

  @ApiProperty({ type: [String], description: 'Ours and the processor’s, as far as they stand in the line.', example: ['P0198C0DE7A5E5C3'] })
  readonly references: readonly string[];

  @ApiProperty({ description: 'False of a file that is not accepted or was replaced, and of what was dropped.', example: true })
  readonly counts: boolean;
}

export class LinePeopleDto {
  @ApiProperty({ type: [String], description: 'Of whoever is on the other side.', example: ['Toko Melati'] }) readonly names: readonly string[];
  @ApiProperty({ type: [String], description: 'Theirs.', example: ['1234567890'] }) readonly accounts: readonly string[];
  @ApiProperty({ type: [String], description: 'What was written.', example: ['order 1001'] }) readonly texts: readonly string[];
}

export class ReconLineDetailDto extends ReconLineDto {
  @ApiProperty({
    type: LinePeopleDto,
    nullable: true,
    description: 'Whom it names and what was written, to a preparer or an approver; null to others, where there is nothing, and once it is erased.',
  })
  readonly people: LinePeopleDto | null;
}

export class ReconLinePageDto extends pageOf(ReconLineDto, { example: '4711119' }) {}
