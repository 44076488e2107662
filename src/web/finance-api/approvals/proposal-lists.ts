import type { Pool } from 'pg';
import { findProposals, type ProposalsQuery, type StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { KnownOperators } from '../../../domain/operators/known-operators.js';
import { pagesById, type PagedList } from '../../../platform/http/answer-list.js';
import { daysSince } from '../lists.js';
import type { ProposalDto } from './proposals.dto.js';

/** Lists the oldest first. @param now milliseconds since the epoch, for the age of each */
export function proposalsList(
  pool: Pool,
  query: Omit<ProposalsQuery, 'after' | 'limit'>,
  operators: KnownOperators,
  now: number,
): PagedList<ProposalDto> {
  return {
    name: 'proposals',
    page: pagesById(
      'proposal',
      (after, limit) => findProposals(pool, { ...query, after, limit }),
      (proposal) => toProposal(proposal, operators, now),
    ),
  };
}

/** @param now milliseconds since the epoch, for its age */
export function toProposal(proposal: StoredProposal, operators: KnownOperators, now: number): ProposalDto {
  const { id, kind, content, digest, proposal_status: status, reason, evidence, proposed_by, key_id, made_on: created_on } = proposal;
  const { approvals_required, controllers_required, approve_by, approvals, target, refusal, detail, ended_by, end_reason, updated_on } = proposal;
  const nameOf = (id: string): string => operators.operator(id)?.name ?? id;
  return {
    id,
    kind,
    content,
    digest,
    status,
    reason,
    evidence,
    proposed_by,
    proposed_by_name: nameOf(proposed_by),
    key_id,
    created_on,
    approvals_required,
    controllers_required,
    approve_by,
    approvals: approvals.map(({ person_id, role, ...given }) => ({
      ...{ person_id, name: nameOf(person_id), role: role === 'controller' ? ('CONTROLLER' as const) : ('APPROVER' as const) },
      ...given,
    })),
    target,
    refusal,
    detail,
    ended_by,
    end_reason,
    updated_on,
    age_days: daysSince(created_on, now),
  };
}
