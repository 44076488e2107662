import type { ProposalEvent, ProposalMade, ProposalRole } from '../../ledger/events/proposal.events.js';
import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import { milliseconds, type Timestamp } from '../../ledger/time.js';
import { roleFor } from './role-for.js';
import { unreachable } from '../../ledger/unreachable.js';

/** The decisions of operators about a proposal, and its outcome. The rules are those of decision 68. Pure. */
export interface Proposal {
  readonly made: ProposalMade;
  /** In their order; each by a different operator. */
  readonly approvals: readonly ProposalApproval[];
  /** The target and its revision at the claim; null: not claimed yet. */
  readonly claim: { readonly target: string; readonly mark: number } | null;
  readonly end: ProposalEnd | null;
}

export interface ProposalApproval {
  readonly person_id: string;
  readonly role: ProposalRole;
}

export type ProposalEnd = 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'VOIDED' | 'EXECUTED' | 'FAILED';

export type ProposalState = Proposal | null;

/** Ids of the operators who may approve, by role, looked up before the decision. */
export type Entitled = Readonly<Record<ProposalRole, ReadonlySet<string>>>;

interface Act {
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
  readonly now: Timestamp;
}

export type ProposalCommand =
  | { readonly kind: 'make'; readonly made: Omit<ProposalMade, 'merchant_id' | 'made_on'>; readonly now: Timestamp }
  /** `roles`: those of the operator. */
  | ({ readonly kind: 'approve'; readonly roles: readonly string[]; readonly digest: string } & Act)
  | ({ readonly kind: 'reject'; readonly roles: readonly string[] } & Act)
  | ({ readonly kind: 'withdraw' } & Act)
  /** Sent by a worker whose read model may be behind; the proposal decides. */
  | { readonly kind: 'expire'; readonly now: Timestamp }
  /** `mark`: the newest revision of the target, looked up before the decision. */
  | { readonly kind: 'claim'; readonly entitled: Entitled; readonly target: string; readonly mark: number; readonly now: Timestamp }
  /** The outcome that was found in the target. */
  | { readonly kind: 'execute'; readonly revision: number; readonly now: Timestamp }
  | { readonly kind: 'fail'; readonly revision: number; readonly refusal: string; readonly detail: string; readonly now: Timestamp };

export type ProposalRefusal =
  | 'proposal-exists'
  | 'proposal-not-found'
  | 'role-missing'
  | 'own-proposal'
  | 'digest-mismatch'
  | 'proposal-ended'
  | 'proposal-claimed'
  | 'approval-too-late'
  | 'approvals-complete'
  | 'approval-missing'
  | 'not-the-proposer';

type ProposalDecision = Decision<ProposalEvent, ProposalRefusal>;
type CommandOf<Kind extends ProposalCommand['kind']> = Extract<ProposalCommand, { readonly kind: Kind }>;

export const proposal: Decider<ProposalState, ProposalCommand, ProposalEvent, ProposalRefusal> = {
  initial: null,

  evolve(state, { type, data }): Proposal {
    if (type === 'ProposalMade') return { made: data, approvals: [], claim: null, end: null };
    if (state === null) throw new Error(`${type} without ProposalMade`);
    switch (type) {
      case 'ProposalApproved':
        return { ...state, approvals: [...state.approvals, { person_id: data.person_id, role: data.role }] };
      case 'ProposalClaimed':
        return { ...state, claim: { target: data.target, mark: data.mark } };
      case 'ProposalRejected':
        return { ...state, end: 'REJECTED' };
      case 'ProposalWithdrawn':
        return { ...state, end: 'WITHDRAWN' };
      case 'ProposalExpired':
        return { ...state, end: 'EXPIRED' };
      case 'ProposalVoided':
        return { ...state, end: 'VOIDED' };
      case 'ProposalExecuted':
        return { ...state, end: 'EXECUTED' };
      case 'ProposalFailed':
        return { ...state, end: 'FAILED' };
      default:
        return unreachable(type);
    }
  },

  decide(state, command): ProposalDecision {
    if (command.kind === 'make') {
      if (state !== null) return refuse('proposal-exists', 'The proposal exists already.');
      const { made, now } = command;
      return { events: [{ type: 'ProposalMade', data: { merchant_id: null, ...made, made_on: now } }] };
    }
    if (state === null) return refuse('proposal-not-found', 'There is no such proposal.');
    switch (command.kind) {
      case 'approve':
        return decideApprove(state, command);
      case 'reject':
        return decideReject(state, command);
      case 'withdraw':
        return decideWithdraw(state, command);
      case 'expire':
        return decideExpire(state, command);
      case 'claim':
        return decideClaim(state, command);
      case 'execute':
      case 'fail':
        return decideEnd(state, command);
      default:
        return unreachable(command);
    }
  },
};

/** Returns whether it has all required approvals. */
export const isApproved = ({ made, approvals }: Proposal): boolean => approvals.length >= made.approvals_required;

function decideApprove(state: Proposal, command: CommandOf<'approve'>): ProposalDecision {
  const { made, approvals } = state;
  const { person_id, key_id, roles, digest, reason, now } = command;
  if (person_id === made.person_id) return refuse('own-proposal', 'The operator who made the proposal cannot approve it.');
  if (digest !== made.digest) return refuse('digest-mismatch', 'The proposal has changed since it was shown. Read it again before you decide.');
  if (approvals.some((approval) => approval.person_id === person_id)) return NOTHING_TO_DO;
  if (state.end !== null) return hasEnded(state.end);
  if (isApproved(state)) return refuse('approvals-complete', 'The proposal already has all approvals that it needs.');
  if (isOver(made, now)) return refuse('approval-too-late', `The deadline for approvals was ${made.approve_by}.`);
  const role = roleFor(made, approvals, roles);
  if (role === undefined) return roleMissing(made);
  return { events: [{ type: 'ProposalApproved', data: { ...of(made), person_id, key_id, role, digest, reason, approved_on: now } }] };
}

function decideReject(state: Proposal, { person_id, key_id, roles, reason, now }: CommandOf<'reject'>): ProposalDecision {
  const { made } = state;
  if (person_id === made.person_id) return refuse('own-proposal', 'The operator who made the proposal withdraws it instead.');
  if (roleFor(made, [], roles) === undefined) return roleMissing(made);
  if (state.end === 'REJECTED') return NOTHING_TO_DO;
  return refusedTaking(state) ?? { events: [{ type: 'ProposalRejected', data: { ...of(made), person_id, key_id, reason, rejected_on: now } }] };
}

function decideWithdraw(state: Proposal, { person_id, key_id, reason, now }: CommandOf<'withdraw'>): ProposalDecision {
  const { made } = state;
  if (person_id !== made.person_id) return refuse('not-the-proposer', 'The operator who made the proposal withdraws it; other operators reject it.');
  if (state.end === 'WITHDRAWN') return NOTHING_TO_DO;
  return refusedTaking(state) ?? { events: [{ type: 'ProposalWithdrawn', data: { ...of(made), person_id, key_id, reason, withdrawn_on: now } }] };
}

function decideExpire(state: Proposal, { now }: CommandOf<'expire'>): ProposalDecision {
  if (state.end !== null || isApproved(state) || !isOver(state.made, now)) return NOTHING_TO_DO;
  return { events: [{ type: 'ProposalExpired', data: { ...of(state.made), expired_on: now } }] };
}

/** Starts the effect, once. Later attempts use the recorded mark. */
function decideClaim(state: Proposal, { entitled, target, mark, now }: CommandOf<'claim'>): ProposalDecision {
  const { made, approvals } = state;
  if (state.end !== null || state.claim !== null) return NOTHING_TO_DO;
  if (!isApproved(state)) return refuse('approval-missing', `It has ${approvals.length} of ${made.approvals_required} approvals.`);
  const gone = approvals.find(({ person_id, role }) => !entitled[role].has(person_id));
  if (gone) return { events: [{ type: 'ProposalVoided', data: { ...of(made), person_id: gone.person_id, voided_on: now } }] };
  return { events: [{ type: 'ProposalClaimed', data: { ...of(made), target, mark, claimed_on: now } }] };
}

function decideEnd(state: Proposal, command: CommandOf<'execute' | 'fail'>): ProposalDecision {
  if (state.end !== null) return NOTHING_TO_DO;
  if (state.claim === null) throw new Error(`proposal ${state.made.proposal_id} has an effect without a claim`);
  const { revision, now } = command;
  if (command.kind === 'execute') return { events: [{ type: 'ProposalExecuted', data: { ...of(state.made), revision, executed_on: now } }] };
  const { refusal, detail } = command;
  return { events: [{ type: 'ProposalFailed', data: { ...of(state.made), revision, refusal, detail, failed_on: now } }] };
}

/** Returns why the proposal can no longer be rejected or withdrawn. */
function refusedTaking({ end, claim }: Proposal): ProposalDecision | undefined {
  if (end !== null) return hasEnded(end);
  return claim === null ? undefined : refuse('proposal-claimed', 'The proposal is already taking effect.');
}

const of = ({ proposal_id }: ProposalMade) => ({ merchant_id: null, proposal_id }) as const;
/** The time limit is exclusive. */
const isOver = ({ approve_by }: ProposalMade, now: Timestamp): boolean => milliseconds(now) >= milliseconds(approve_by);

const hasEnded = (end: ProposalEnd) => refuse('proposal-ended', `The proposal is ${end}.`);
const roleMissing = ({ controllers_required }: ProposalMade) =>
  refuse('role-missing', controllers_required === 0 ? 'This operation needs the role approver.' : 'This operation needs the role controller.');
