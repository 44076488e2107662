import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `merchant-desk`: what the house has decided about who must approve what. The name begins as a merchant's stream does, so that
 * every process follows it with the merchants and the operators. Both modes share the stream: each event is of one of them.
 */
export const DESK_STREAM = 'merchant-desk';

/** Amounts in the currency above `above` minor units take so many approvals, each of another person. */
export interface ApprovalTier {
  readonly currency: string;
  /** Minor units, from 0 on; exactly this amount is not above it. */
  readonly above: number;
  readonly approvals: 1 | 2;
}

/** In the place of the mode's own lists, which count where one is absent. */
export interface MerchantApprovals {
  readonly payouts?: readonly ApprovalTier[];
  readonly payouts_day?: readonly ApprovalTier[];
}

/** What waits for approval in one mode. Of tiers that are exceeded, the one with the most approvals counts. */
export interface DeskPolicy {
  readonly mode: 'live' | 'test';
  /** By the amount of a payout. */
  readonly payouts: readonly ApprovalTier[];
  /** By the sum of what an account has requested on the UTC day of a payout, that payout among it. */
  readonly payouts_day: readonly ApprovalTier[];
  /** By merchant. */
  readonly merchants: Readonly<Record<string, MerchantApprovals>>;
  /** By the amount of an adjustment, which takes one approval at least. */
  readonly adjustments: readonly ApprovalTier[];
  /** Approvals that a change of settings takes; 0: the command line makes it directly. */
  readonly settings: 0 | 1;
  /** So long what waits may be approved. */
  readonly expires_hours: number;
}

/** What says how many approvals a payout of one merchant takes. */
export type PayoutRules = Pick<DeskPolicy, 'payouts' | 'payouts_day' | 'expires_hours'>;

/** Of one merchant, by the policy of its mode; null: none of its payouts waits. */
export function payoutRulesOf(policy: DeskPolicy | null, merchantId: string): PayoutRules | null {
  if (policy === null) return null;
  const { merchants, payouts, payouts_day, expires_hours } = policy;
  return { payouts, payouts_day, ...(Object.hasOwn(merchants, merchantId) && merchants[merchantId]), expires_hours };
}

/** All of the policy of a mode from now on; what was requested before keeps what it was requested with. */
export interface DeskPolicySet extends DeskPolicy {
  /** Of no merchant. */
  readonly merchant_id: null;
  /** The proposal that it is the effect of. */
  readonly proposal_id: string;
  readonly set_on: string;
}

interface DeskPolicySetEvent {
  readonly type: 'DeskPolicySet';
  readonly data: DeskPolicySet;
}

export type DeskEvent = DeskPolicySetEvent | ProposalRefusedEvent;
