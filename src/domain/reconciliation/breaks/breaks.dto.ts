import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BREAK_ACTS, type BreakActKind } from '../../../../projections/reconciliation/break-acts.js';
import type { DifferenceAccount } from '../../../ledger/events/break.events.js';
import { IsId, IsText } from '../../../platform/http/validation/validators.js';
import { DIFFERENCE, DIFFERENCE_TO, ReconBreakDto, ReconBreakLineDto, ReconItemDto, ReconRemittanceDto } from './matches.dto.js';
import { IntegerField, NullableText, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const REASON = { max: 500, description: 'For whoever reads the log.', example: 'their reference has a letter changed' } as const;

/** Body of POST /audit/recon/breaks/{id}/unmatch. */
export class ActOnBreakBody {
  @IsText(REASON) readonly reason: string;
}

/** Body of POST /audit/recon/breaks/{id}/note. */
export class NoteBreakBody {
  @IsText({ ...REASON, description: 'The note.', example: 'the processor has been asked' }) readonly reason: string;
}

/** Body of POST /audit/recon/breaks/{id}/assign. */
export class AssignBreakBody extends ActOnBreakBody {
  @IsOptional()
  @IsId({ description: 'The preparer whose it is from then on; null or absent: nobody’s.' })
  readonly owner?: string | null;
}

/** Body of POST /audit/recon/breaks/{id}/match. */
export class MatchBreakBody extends ActOnBreakBody {
  @IsOptional()
  @IsText({ max: 18, pattern: /^\d+$/, description: 'Id of a line, for a break that has none.', example: '4711000' })
  readonly line_id?: string;

  @IsOptional() @IsId({ description: 'Of the event of what the books have, for a break that has a line.' }) readonly event_id?: string;
}

/** Body of POST /audit/recon/breaks/{id}/take-as-paid. */
export class TakeAsPaidBody extends ActOnBreakBody {
  @IsOptional() @IsId({ description: 'Of the charge, where the line does not name its code.' }) readonly charge_id?: string;

  @IsOptional()
  @IsText({
    max: 64,
    pattern: /^[!-~]+$/,
    description: 'What the processor calls the payment; absent: what the line has beside the code of the charge.',
    example: 'SIM-7F3K2M9Q',
  })
  readonly payment_reference?: string;
}

export class ReconBreakActDto {
  @ApiProperty({ enum: BREAK_ACTS, description: 'What was done.', example: 'NOTED' }) readonly act: BreakActKind;
  @UuidField({ nullable: true, description: 'Who did it; null: a proposal.' }) readonly person_id: string | null;
  @NullableText({ description: 'Of that person.', example: 'Siti Rahma' }) readonly name: string | null;
  @ApiProperty({ description: 'Why, or the note itself.', example: 'the processor has been asked' }) readonly reason: string;
  @TimeField({ description: 'When it was done.' }) readonly acted_on: string;
  @UuidField({ nullable: true, description: 'ASSIGNED: whose it is from then on.', example: null }) readonly owner: string | null;

  @ApiProperty({ type: [String], nullable: true, description: 'MATCHED: events of what the books have.', example: null })
  readonly items: readonly string[] | null;

  @NullableText({ description: 'MATCHED with a batch: the processor’s source that has it.', example: null }) readonly batch_source: string | null;
  @NullableText({ description: 'MATCHED with a batch: its id at the processor.', example: null }) readonly batch: string | null;

  @ApiProperty({ ...DIFFERENCE, description: 'MATCHED with another amount: what the line has more, minor units; below 0 less.' })
  readonly difference: number | null;

  @ApiProperty({ ...DIFFERENCE_TO, description: 'Where that is booked.' }) readonly difference_to: DifferenceAccount | null;
  @NullableText({ description: 'ACCEPTED: the last day.', example: null }) readonly accepted_until: string | null;

  @UuidField({ nullable: true, description: 'ACCEPTED, or MATCHED with a difference: by which proposal.', example: null })
  readonly proposal_id: string | null;
}

export class ReconSuggestedBatchDto extends ReconRemittanceDto {
  @UuidField({ nullable: true, description: 'REMITTANCE_MISSING of it, where that is open.' }) readonly break_id: string | null;
}

export class ReconSuggestionDto {
  @ApiProperty({ type: ReconBreakLineDto, nullable: true, description: 'For a break without a line.' }) readonly line: ReconBreakLineDto | null;
  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'For a break with a line.' }) readonly item: ReconItemDto | null;

  @ApiProperty({
    type: [ReconSuggestedBatchDto],
    description: 'Batches that come to a bank’s credit, three at most; for REMITTANCE_MISSING the others that come to the line with it.',
  })
  readonly batches: readonly ReconSuggestedBatchDto[];

  @UuidField({ nullable: true, description: 'The break that is resolved with it.' }) readonly break_id: string | null;

  @IntegerField({ nullable: true, description: 'By how many characters the nearest of their references differ; null: by more than 2.', example: 1 })
  readonly distance: number | null;

  @IntegerField({ description: 'Banking days between the line and the item, or the batch that is farthest from it.', example: 0 })
  readonly days: number;
}

export class ReconBreakDetailDto extends ReconBreakDto {
  @ApiProperty({ type: [ReconBreakActDto], description: 'What persons have decided, the newest 200, in their order.' })
  readonly acts: readonly ReconBreakActDto[];

  @ApiProperty({ type: [ReconSuggestionDto], description: 'What it may be of, 5 at most, the nearest first. Nobody matches it but persons.' })
  readonly suggestions: readonly ReconSuggestionDto[];
}
