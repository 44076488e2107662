import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BREAK_ACTS, type BreakActKind } from '../../../../projections/reconciliation/matches/break-acts.js';
import type { DifferenceAccount } from '../../../ledger/events/break.events.js';
import { IsId, IsText } from '../../../platform/http/validation/validators.js';
import { DIFFERENCE, DIFFERENCE_TO, ReconBreakDto, ReconBreakLineDto, ReconItemDto, ReconRemittanceDto } from './matches.dto.js';
import { Int32Field, NullableText, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const REASON = { max: 500, description: 'Reason for people who read the log.', example: 'their reference has a letter changed' } as const;

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
  @IsId({ description: 'The preparer who owns the break from now on. Null or absent: no owner.' })
  readonly owner?: string | null;
}

/** Body of POST /audit/recon/breaks/{id}/match. */
export class MatchBreakBody extends ActOnBreakBody {
  @IsOptional()
  @IsText({ max: 18, pattern: /^[0-9]+$/, description: 'Id of a line, for a break without one.', example: '4711000' })
  readonly line_id?: string;

  @IsOptional() @IsId({ description: 'Id of the event of the item in the books, for a break with a line.' }) readonly event_id?: string;
}

/** Body of POST /audit/recon/breaks/{id}/take-as-paid. */
export class TakeAsPaidBody extends ActOnBreakBody {
  @IsOptional() @IsId({ description: 'Id of the charge; required if the line does not name its code.' }) readonly charge_id?: string;

  @IsOptional()
  @IsText({
    max: 64,
    pattern: /^[!-~]+$/,
    description: 'The processor’s reference of the payment. Default: the reference in the line, other than the code of the charge.',
    example: 'SIM-7F3K2M9Q',
  })
  readonly payment_reference?: string;
}

export class ReconBreakActDto {
  @ApiProperty({ enum: BREAK_ACTS, description: 'The action.', example: 'NOTED' }) readonly act: BreakActKind;
  @UuidField({ nullable: true, description: 'Id of the operator; null for a proposal.' }) readonly person_id: string | null;
  @NullableText({ description: 'Name of the operator.', example: 'Siti Rahma' }) readonly name: string | null;
  @ApiProperty({ description: 'The reason, or the text of the note.', example: 'the processor has been asked' }) readonly reason: string;
  @TimeField({ description: 'When it happened.' }) readonly acted_on: string;
  @UuidField({ nullable: true, description: 'ASSIGNED: the new owner.', example: null }) readonly owner: string | null;

  @ApiProperty({ type: [String], nullable: true, description: 'MATCHED: events of the items in the books.', example: null })
  readonly items: readonly string[] | null;

  @NullableText({ description: 'MATCHED with a batch: the processor’s source of the batch.', example: null }) readonly batch_source: string | null;
  @NullableText({ description: 'MATCHED with a batch: the processor’s id of the batch.', example: null }) readonly batch: string | null;

  @ApiProperty({ ...DIFFERENCE, description: 'MATCHED with another amount: amount of the line less the amount in the books, minor units.' })
  readonly difference: number | null;

  @ApiProperty({ ...DIFFERENCE_TO, description: 'Account that the difference is booked to.' }) readonly difference_to: DifferenceAccount | null;
  @NullableText({ description: 'ACCEPTED: last day of the acceptance.', example: null }) readonly accepted_until: string | null;

  @UuidField({ nullable: true, description: 'ACCEPTED, or MATCHED with a difference: id of the proposal.', example: null })
  readonly proposal_id: string | null;
}

export class ReconSuggestedBatchDto extends ReconRemittanceDto {
  @UuidField({ nullable: true, description: 'Id of the open REMITTANCE_MISSING break of the batch; null if there is none.' }) readonly break_id:
    string | null;
}

export class ReconSuggestionDto {
  @ApiProperty({ type: ReconBreakLineDto, nullable: true, description: 'Set for a break without a line.' }) readonly line: ReconBreakLineDto | null;
  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'Set for a break with a line.' }) readonly item: ReconItemDto | null;

  @ApiProperty({
    type: [ReconSuggestedBatchDto],
    description:
      'Batches that add up to the bank’s credit, at most three; for REMITTANCE_MISSING, the other batches that add up to the line together with it.',
  })
  readonly batches: readonly ReconSuggestedBatchDto[];

  @UuidField({ nullable: true, description: 'Break that the match also resolves.' }) readonly break_id: string | null;

  @Int32Field({ nullable: true, description: 'Number of characters by which the closest references differ; null if more than 2.', example: 1 })
  readonly distance: number | null;

  @Int32Field({ description: 'Banking days between the line and the item, or the most distant batch.', example: 0 })
  readonly days: number;
}

export class ReconBreakDetailDto extends ReconBreakDto {
  @ApiProperty({ type: [ReconBreakActDto], description: 'Decisions of operators, the newest 200, in order.' })
  readonly acts: readonly ReconBreakActDto[];

  @ApiProperty({ type: [ReconSuggestionDto], description: 'Suggested matches, at most 5, the closest first. Only operators match a break.' })
  readonly suggestions: readonly ReconSuggestionDto[];
}
