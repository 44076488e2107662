import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { PROPOSAL_STATUSES, type ProposalStatus } from '../../../../projections/approvals/proposals.js';
import { CONTENT_CLASSES } from '../../../domain/approvals/proposal-contents.js';
import { PROPOSAL_KINDS, type ProposalKindName } from '../../../domain/approvals/proposal-kind.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import type { ProposalEvidence, ProposalRole } from '../../../ledger/events/proposal.events.js';
import { IsListOf, IsOneOf } from '../../../platform/http/validation/collection-validators.js';
import { IsId, IsName, IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { ListQuery } from '../../../ledger/dto/list-query.dto.js';
import { ID, Int32Field, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const DIGEST = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2';
const HEX = { min: 64, max: 64, pattern: /^[0-9a-f]+$/, example: DIGEST } as const;
const REASON = { max: 500, description: 'Reason for people who read the log.', example: 'agreed with the bank in May' } as const;
const KIND = { description: 'Kind of the proposal.', example: 'ROLES' } as const;
const STATUS =
  'PENDING: approvals are missing. APPROVED: it takes effect, or is about to. FAILED: its target refuses the change. VOIDED: an approval became invalid before it took effect.';

export class ProposalEvidenceDto implements ProposalEvidence {
  @IsText({ max: 255, description: 'Name of the file.', example: 'fees-2026.pdf' }) readonly name: string;
  @IsText({ ...HEX, description: 'SHA-256 of its bytes, in lower-case hex. The file is stored elsewhere.' }) readonly sha256: string;
}

/** Body of POST /audit/proposals. */
export class MakeProposalBody {
  @IsWord(PROPOSAL_KINDS, KIND) readonly kind: ProposalKindName;
  @IsOneOf(CONTENT_CLASSES, { description: 'Content as its kind defines it.' }) readonly content: object;
  @IsText(REASON) readonly reason: string;

  @IsListOf(ProposalEvidenceDto, { max: 20, keyOf: ({ sha256 }) => sha256, description: 'Files that support the proposal.' })
  readonly evidence: readonly ProposalEvidenceDto[] = [];
}

/** A proposal that is accepted as it is, with the id of a merchant. */
export const PROPOSAL_EXAMPLE: MakeProposalBody = {
  kind: 'FEE',
  content: { merchant_id: ID, of: { kind: 'charge', channel_code: 'QR_QRIS' }, fee: { type: 'PERCENTAGE', value: 0.63 } },
  reason: 'agreed with the merchant in May',
  evidence: [{ name: 'fees-2026.pdf', sha256: DIGEST }],
};

/** Body of POST /audit/proposals/{id}/approve. */
export class ApproveProposalBody {
  @IsText({ ...HEX, description: 'Digest of the proposal as it was shown.' }) readonly digest: string;
  @IsText(REASON) readonly reason: string;
}

/** Body of POST /audit/proposals/{id}/reject and …/withdraw. */
export class EndProposalBody {
  @IsText(REASON) readonly reason: string;
}

/** Query of GET /audit/proposals. */
export class ListProposalsQuery extends ListQuery {
  @IsOptional()
  @IsName(MODES, {
    description: 'Returns proposals about merchants of this mode, or about its rules. Proposals about both modes are returned for either.',
    example: 'live',
  })
  readonly Mode?: Mode;

  @IsOptional() @IsWord(PROPOSAL_STATUSES) readonly Status?: ProposalStatus;
  @IsOptional() @IsWord(PROPOSAL_KINDS, KIND) readonly Kind?: ProposalKindName;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class GivenProposalApprovalDto {
  @UuidField({ description: 'Id of the operator.' }) readonly person_id: string;
  @ApiProperty({ example: 'Siti Rahma' }) readonly name: string;
  @ApiProperty({ description: 'Key that was used.', example: 'key_0123456789abcdef0123' }) readonly key_id: string;

  @ApiProperty({ enum: ['APPROVER', 'CONTROLLER'], description: 'Role that the approval counts for.', example: 'CONTROLLER' })
  readonly role: Uppercase<ProposalRole>;

  @ApiProperty({ example: 'as agreed' }) readonly reason: string;
  @TimeField({ description: 'When it was approved.' }) readonly approved_on: string;
}

export class ProposalDto {
  @UuidField() readonly id: string;
  @ApiProperty({ ...KIND, enum: PROPOSAL_KINDS }) readonly kind: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Content as its kind defines it.',
    example: { person_id: ID, roles: ['approver'] },
  })
  readonly content: Readonly<Record<string, unknown>>;

  @ApiProperty({ description: 'SHA-256 of the content in canonical form (RFC 8785), lower-case hex. An approval names it.', example: DIGEST })
  readonly digest: string;

  @ApiProperty({ enum: PROPOSAL_STATUSES, description: STATUS, example: 'PENDING' }) readonly status: ProposalStatus;
  @ApiProperty({ example: 'approves payouts from May on' }) readonly reason: string;
  @ApiProperty({ type: [ProposalEvidenceDto], description: 'Files that support the proposal.' }) readonly evidence: readonly ProposalEvidence[];
  @UuidField({ description: 'Id of the operator who made it and cannot approve it.' }) readonly proposed_by: string;
  @ApiProperty({ description: 'Name of that operator.', example: 'Budi Santoso' }) readonly proposed_by_name: string;
  @ApiProperty({ description: 'Key that was used.', example: 'key_0123456789abcdef0123' }) readonly key_id: string;
  @TimeField({ description: 'When it was made.' }) readonly created_on: string;
  @Int32Field({ description: 'Number of operators who must approve it.', example: 1 }) readonly approvals_required: number;
  @Int32Field({ description: 'Number of them who must be controllers.', example: 1 }) readonly controllers_required: number;
  @TimeField({ description: 'The proposal expires at this moment if approvals are missing.' }) readonly approve_by: string;
  @ApiProperty({ type: [GivenProposalApprovalDto], description: 'Approvals, in order.' }) readonly approvals: readonly GivenProposalApprovalDto[];

  @NullableText({ description: 'Stream in which it takes effect; null until that has started.', example: 'merchant-operators' })
  readonly target: string | null;

  @NullableText({ description: 'FAILED only: reason for programs.', example: null }) readonly refusal: string | null;
  @NullableText({ description: 'FAILED only: reason for people.', example: null }) readonly detail: string | null;

  @NullableText({ description: 'Id of the operator who rejected or withdrew it, or whose approval became invalid.', example: null })
  readonly ended_by: string | null;

  @NullableText({ description: 'Reason why it was rejected or withdrawn.', example: null }) readonly end_reason: string | null;
  @TimeField() readonly updated_on: string;
  @Int32Field({ description: 'Whole days since it was made.', example: 0 }) readonly age_days: number;
}

export class ProposalPageDto extends pageOf(ProposalDto) {}
