/**
 * Events in `proposal-<id>`: a change that one operator proposes and others approve. Its effect is an event of another stream, its target, which
 * names the proposal.
 */
export const proposalStream = (id: string): string => `proposal-${id}`;

/** Every action on a proposal, and its end, belongs to no merchant. */
interface OfProposal {
  readonly merchant_id: null;
  readonly proposal_id: string;
}

/** An action of an operator, with one of the operator's keys. */
interface ActOnProposal extends OfProposal {
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
}

/** A file that supports the proposal. It is kept elsewhere. */
export interface ProposalEvidence {
  readonly name: string;
  /** SHA-256 of its bytes, hex. */
  readonly sha256: string;
}

export interface ProposalMade extends ActOnProposal {
  /** Kind of the change; a build that does not know the kind leaves the proposal alone. */
  readonly kind: string;
  /** Its form depends on the kind. */
  readonly content: Readonly<Record<string, unknown>>;
  /** SHA-256 of the content in canonical form (RFC 8785), hex. An approval names it. */
  readonly digest: string;
  readonly evidence: readonly ProposalEvidence[];
  /** Number of operators who must approve it; its maker is not one of them. */
  readonly approvals_required: number;
  /** Number of those who must be controllers. */
  readonly controllers_required: number;
  readonly approve_by: string;
  readonly made_on: string;
}

export type ProposalRole = 'approver' | 'controller';

interface ProposalApproved extends ActOnProposal {
  /** Role in which the operator counts. */
  readonly role: ProposalRole;
  readonly digest: string;
  readonly approved_on: string;
}

interface ProposalRejected extends ActOnProposal {
  readonly rejected_on: string;
}

/** Its maker withdrew it. */
interface ProposalWithdrawn extends ActOnProposal {
  readonly withdrawn_on: string;
}

/** It was not approved in time. */
interface ProposalExpired extends OfProposal {
  readonly expired_on: string;
}

/** From here on it takes effect, or its target rejects it; it can no longer be withdrawn. */
interface ProposalClaimed extends OfProposal {
  /** Stream that the proposal changes. */
  readonly target: string;
  /** The target's newest revision before any attempt, -1 when it had none: the outcome of the proposal follows it. */
  readonly mark: number;
  readonly claimed_on: string;
}

interface ProposalExecuted extends OfProposal {
  /** Revision of the effect in the target. */
  readonly revision: number;
  readonly executed_on: string;
}

interface ProposalFailed extends OfProposal {
  /** Revision of the target's refusal; for `item-resolved`, of the other proposal's claim in the item's stream. */
  readonly revision: number;
  readonly refusal: string;
  readonly detail: string;
  readonly failed_on: string;
}

/** A required approval is that of an operator who may not approve any more. */
interface ProposalVoided extends OfProposal {
  readonly person_id: string;
  readonly voided_on: string;
}

export type ProposalEvent =
  | { readonly type: 'ProposalMade'; readonly data: ProposalMade }
  | { readonly type: 'ProposalApproved'; readonly data: ProposalApproved }
  | { readonly type: 'ProposalRejected'; readonly data: ProposalRejected }
  | { readonly type: 'ProposalWithdrawn'; readonly data: ProposalWithdrawn }
  | { readonly type: 'ProposalExpired'; readonly data: ProposalExpired }
  | { readonly type: 'ProposalClaimed'; readonly data: ProposalClaimed }
  | { readonly type: 'ProposalExecuted'; readonly data: ProposalExecuted }
  | { readonly type: 'ProposalFailed'; readonly data: ProposalFailed }
  | { readonly type: 'ProposalVoided'; readonly data: ProposalVoided };

/** Recorded in the stream of a target, instead of the effect: the target's rules reject it. It changes nothing there. */
export interface ProposalRefused {
  /** The merchant that owns the stream; null: no merchant does. */
  readonly merchant_id: string | null;
  readonly proposal_id: string;
  readonly refusal: string;
  readonly detail: string;
  readonly refused_on: string;
}

export interface ProposalRefusedEvent {
  readonly type: 'ProposalRefused';
  readonly data: ProposalRefused;
}
