import { NOTHING_TO_DO, type Decider } from '../../ledger/decider.js';
import type { ApprovalPolicyEvent, ApprovalPolicy, DeskPolicySet } from '../../ledger/events/approval-policy.events.js';
import type { Timestamp } from '../../ledger/time.js';

/** The policies in force. As shipped there is none, and nothing needs approval. Pure. */
export interface ApprovalPolicies {
  readonly live: DeskPolicySet | null;
  readonly test: DeskPolicySet | null;
  /** The last proposal that took effect here, and the number of those proposals. */
  readonly proposals: { readonly count: number; readonly last_id: string | null };
}

/** DeskPolicyContent checks `policy`; the proposal decides who may set it. */
export interface SetApprovalPolicy {
  readonly kind: 'set';
  readonly policy: ApprovalPolicy;
  readonly proposal_id: string;
  readonly now: Timestamp;
}

export const approvalPolicies: Decider<ApprovalPolicies, SetApprovalPolicy, ApprovalPolicyEvent, never> = {
  initial: { live: null, test: null, proposals: { count: 0, last_id: null } },

  evolve(state, { type, data }): ApprovalPolicies {
    if (type === 'ProposalRefused') return state;
    return { ...state, [data.mode]: data, proposals: { count: state.proposals.count + 1, last_id: data.proposal_id } };
  },

  /** An unchanged policy is an event too, because the proposal has taken effect. */
  decide({ proposals }, { policy, proposal_id, now }) {
    if (proposals.last_id === proposal_id) return NOTHING_TO_DO;
    const { mode, payouts, payouts_day, merchants, adjustments, settings, expires_hours } = policy;
    const set = { mode, payouts, payouts_day, merchants, adjustments, settings, expires_hours };
    return { events: [{ type: 'DeskPolicySet', data: { merchant_id: null, ...set, proposal_id, set_on: now } }] };
  },
};
