import { OPERATOR_ROLES, type OperatorRole } from '../ledger/events/operator.events.js';
import { DeskPolicyContent } from '../merchants/desk-policy.dto.js';
import type { DtoClass } from '../platform/http/validation.js';
import { IsId, IsNameList } from '../platform/http/validators.js';

/** What can be proposed. */
export const PROPOSAL_KINDS = ['POLICY', 'ROLES'] as const;
export type ProposalKindName = (typeof PROPOSAL_KINDS)[number];

/** What a proposal of each kind holds; that of POLICY is DeskPolicyContent. */

export class RolesContent {
  @IsId({ description: 'Of the person.' })
  readonly person_id: string;

  @IsNameList(OPERATOR_ROLES, { description: 'All roles that the person has from then on; none: reading alone.', example: ['preparer', 'approver'] })
  readonly roles: readonly OperatorRole[];
}

export const PROPOSAL_CONTENTS: readonly DtoClass[] = [DeskPolicyContent, RolesContent];
