/**
 * Events in `proposal-<id>`: what one person of the house proposes and others approve. What comes of it is a fact of another stream, its
 * target, which names the proposal.
 */
export const proposalStream = (id: string): string => `proposal-${id}`;

/** All that may be done about a proposal, and its end, belongs to no merchant. */
interface OfProposal {
  readonly merchant_id: null;
  readonly proposal_id: string;
}

/** Of a person, with one of the person's keys. */
interface ActOnProposal extends OfProposal {
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
}

/** A file that the proposal rests on. It is kept elsewhere. */
export interface ProposalEvidence {
  readonly name: string;
  /** Hex, of its bytes. */
  readonly sha256: string;
}

export interface ProposalMade extends ActOnProposal {
  /** What is proposed; a build that does not know the kind leaves the proposal alone. */
  readonly kind: string;
  /** As its kind says. */
  readonly content: Readonly<Record<string, unknown>>;
  /** SHA-256 of the content in canonical form (RFC 8785), hex: what an approval names. */
  readonly digest: string;
  readonly evidence: readonly ProposalEvidence[];
  /** So many persons must approve it, none of them who made it. */
  readonly approvals_required: number;
  /** So many of those must be controllers. */
  readonly controllers_required: number;
  readonly approve_by: string;
  readonly made_on: string;
}

export type ProposalRole = 'approver' | 'controller';

interface ProposalApproved extends ActOnProposal {
  /** As which the person counts. */
  readonly role: ProposalRole;
  readonly digest: string;
  readonly approved_on: string;
}

interface ProposalRejected extends ActOnProposal {
  readonly rejected_on: string;
}

/** By who made it. */
interface ProposalWithdrawn extends ActOnProposal {
  readonly withdrawn_on: string;
}

/** Nobody approved it in time. */
interface ProposalExpired extends OfProposal {
  readonly expired_on: string;
}

/** From here on it takes effect, or is refused by its target; nobody takes it back. */
interface ProposalClaimed extends OfProposal {
  /** A stream. */
  readonly target: string;
  /** The target's newest revision before any attempt, -1 where it had none: what became of the proposal stands behind it. */
  readonly mark: number;
  readonly claimed_on: string;
}

interface ProposalExecuted extends OfProposal {
  /** Where the effect stands in the target. */
  readonly revision: number;
  readonly executed_on: string;
}

interface ProposalFailed extends OfProposal {
  /** Where the target's refusal stands; of `item-resolved`, the other proposal's claim in the item's stream. */
  readonly revision: number;
  readonly refusal: string;
  readonly detail: string;
  readonly failed_on: string;
}

/** An approval that it needs is that of somebody who may not approve any more. */
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

/** In the stream of a target, in the place of the effect: the target's rules say no. It changes nothing there. */
export interface ProposalRefused {
  /** Whose stream it is; null: no merchant's. */
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
