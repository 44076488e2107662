import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `merchant-desk`: the policies that determine which requests need approval. The name begins as a merchant's stream does, so that every
 * process follows it with the merchants and the operators. Both modes share the stream: each event belongs to one of them.
 */
export const APPROVAL_POLICY_STREAM = 'merchant-desk';

/** Amounts in the currency above `above` minor units need this many approvals, each by another operator. */
export interface ApprovalTier {
  readonly currency: string;
  /** Minor units, from 0 on; exactly this amount is not above it. */
  readonly above: number;
  readonly approvals: 1 | 2;
}

/** Replaces the lists of the mode; when a list is absent, that of the mode applies. */
export interface MerchantApprovals {
  readonly payouts?: readonly ApprovalTier[];
  readonly payouts_day?: readonly ApprovalTier[];
}

/** Requests of one mode that need approval. When several tiers are exceeded, the one with the most approvals applies. */
export interface ApprovalPolicy {
  readonly mode: 'live' | 'test';
  /** Tiers by the amount of a payout. */
  readonly payouts: readonly ApprovalTier[];
  /** Tiers by the sum of an account's requests on the UTC day of a payout, including that payout. */
  readonly payouts_day: readonly ApprovalTier[];
  /** Exceptions by merchant. */
  readonly merchants: Readonly<Record<string, MerchantApprovals>>;
  /** Tiers by the amount of an adjustment, which needs at least one approval. */
  readonly adjustments: readonly ApprovalTier[];
  /** Approvals that a change of settings needs; 0: the command line makes it directly. */
  readonly settings: 0 | 1;
  /** Time within which a request may be approved. */
  readonly expires_hours: number;
}

/** Rules that determine how many approvals a payout of one merchant needs. */
export type PayoutRules = Pick<ApprovalPolicy, 'payouts' | 'payouts_day' | 'expires_hours'>;

/** Returns the rules for one merchant, by the policy of its mode; null: none of its payouts needs approval. */
export function payoutRulesOf(policy: ApprovalPolicy | null, merchantId: string): PayoutRules | null {
  if (policy === null) return null;
  const { merchants, payouts, payouts_day, expires_hours } = policy;
  return { payouts, payouts_day, ...(Object.hasOwn(merchants, merchantId) && merchants[merchantId]), expires_hours };
}

/** The whole policy of a mode from now on; earlier requests keep the policy that applied when they were made. */
export interface DeskPolicySet extends ApprovalPolicy {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  /** The proposal that caused it. */
  readonly proposal_id: string;
  readonly set_on: string;
}

interface DeskPolicySetEvent {
  readonly type: 'DeskPolicySet';
  readonly data: DeskPolicySet;
}

export type ApprovalPolicyEvent = DeskPolicySetEvent | ProposalRefusedEvent;
