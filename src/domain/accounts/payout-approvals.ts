import { NOTHING_TO_DO, refuse, type Decision } from '../../ledger/decider.js';
import type { AccountEvent, CancelCause } from '../../ledger/events/account.events.js';
import type { ApprovalTier, PayoutRules } from '../../ledger/events/approval-policy.events.js';
import { HOUR_MS, milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import type { AccountState, OpenPayout, PayoutApproval } from './account-state.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Commands of operators for payouts that wait for approval. Source of the rules: finance-desk.md, "Payouts". Pure. */
export type ApprovalCommand =
  | {
      readonly kind: 'approve-payout';
      readonly payout_id: string;
      readonly person_id: string;
      readonly key_id: string;
      /** The command's sender has compared it with the digest of the stored request. */
      readonly digest: string;
      readonly reason: string;
      readonly now: Timestamp;
    }
  | {
      readonly kind: 'decline-payout';
      readonly payout_id: string;
      readonly person_id: string;
      readonly reason: string;
      readonly cancelled_by: string;
      readonly now: Timestamp;
    }
  /** Sent by a worker whose read model may lag: the account decides. */
  | { readonly kind: 'expire-payout'; readonly payout_id: string; readonly cancelled_by: string; readonly now: Timestamp };

/** An open PENDING payout, and the common fields of its events. */
export interface PendingPayout {
  readonly payout: OpenPayout;
  readonly of: { payout_id: string; merchant_id: string; currency: string; amount: number; fee_amount: number; net_amount: number };
}

/** UTC day of a timestamp. */
const dayOf = (moment: Timestamp): string => moment.slice(0, 10);

/** Adds a request to the sum of its day. A clock that is behind does not start an earlier day again. */
export function withRequested(requested: AccountState['requested'], created_on: Timestamp, amount: number): AccountState['requested'] {
  const day = dayOf(created_on);
  const isLater = requested === null || day > requested.day;
  return isLater ? { day, amount: BigInt(amount) } : { day: requested.day, amount: requested.amount + BigInt(amount) };
}

interface Asked {
  readonly currency: string;
  readonly amount: number;
  readonly now: Timestamp;
}

/** Returns the required approvals of a payout that is requested now, and their time limit. */
export function approvalsFor(
  rules: PayoutRules | null,
  { currency, amount, now }: Asked,
  before: AccountState['requested'],
): { readonly approvals_required: 0 | 1 | 2; readonly approve_by: Timestamp | null } {
  if (rules === null) return { approvals_required: 0, approve_by: null };
  const ofDay = withRequested(before, now, amount)!.amount;
  const most = (tiers: readonly ApprovalTier[], sum: bigint): number =>
    Math.max(0, ...tiers.filter((tier) => tier.currency === currency && sum > BigInt(tier.above)).map(({ approvals }) => approvals));
  const approvals_required = Math.max(most(rules.payouts, BigInt(amount)), most(rules.payouts_day, ofDay)) as 0 | 1 | 2;
  const approve_by = approvals_required === 0 ? null : timestamp(milliseconds(now) + rules.expires_hours * HOUR_MS);
  return { approvals_required, approve_by };
}

/** `approvals-complete`: other operators have given all required approvals. */
type ApprovalRefusal = 'approval-not-required' | 'approval-too-late' | 'approvals-complete';

export function decideApproval({ payout: { approval }, of }: PendingPayout, command: ApprovalCommand): Decision<AccountEvent, ApprovalRefusal> {
  switch (command.kind) {
    case 'approve-payout': {
      const { person_id, key_id, digest, reason, now } = command;
      if (approval?.given.includes(person_id)) return NOTHING_TO_DO;
      if (!approval) return waitsForNobody();
      if (isOver(approval, now)) return refuse('approval-too-late', `The deadline for approvals was ${approval.approve_by}.`);
      if (isComplete(approval)) return refuse('approvals-complete', 'The payout already has all approvals that it needs.');
      return { events: [{ type: 'PayoutApproved', data: { ...of, person_id, key_id, digest, reason, approved_on: now } }] };
    }
    case 'decline-payout': {
      const { person_id, reason, cancelled_by, now } = command;
      return approval ? cancelled(of, { cause: 'declined', person_id, reason, cancelled_by, now }) : waitsForNobody();
    }
    case 'expire-payout': {
      const { cancelled_by, now } = command;
      if (!approval || isComplete(approval) || !isOver(approval, now)) return NOTHING_TO_DO;
      return cancelled(of, { cause: 'approval-expired', person_id: null, reason: null, cancelled_by, now });
    }
    default:
      return unreachable(command);
  }
}

/**
 * Returns undefined when the payout may be submitted to a bank. Approvals of operators who may no longer approve are voided
 * permanently, so that the payout can expire.
 * @param approvers operators who may approve, read before; undefined: not read
 */
export function decideBeforeSubmission(
  { payout: { approval }, of }: PendingPayout,
  approvers: ReadonlySet<string> | undefined,
  now: Timestamp,
): Decision<AccountEvent, 'approval-missing'> | undefined {
  if (!approval) return undefined;
  const gone = approvers ? approval.given.filter((operator) => !approvers.has(operator)) : [];
  if (gone.length > 0) {
    return { events: gone.map((person_id) => ({ type: 'PayoutApprovalVoided', data: { ...of, person_id, voided_on: now } })) };
  }
  if (approvers && isComplete(approval)) return undefined;
  return refuse('approval-missing', `The payout has ${approval.given.length} of ${approval.required} approvals.`);
}

export function withApproval(payout: OpenPayout, change: (given: readonly string[]) => readonly string[]): OpenPayout {
  if (!payout.approval) throw new Error('the payout needs no approval');
  return { ...payout, approval: { ...payout.approval, given: change(payout.approval.given) } };
}

/** Author, reason and time of a cancellation. */
interface Cancelling {
  readonly cause: CancelCause;
  readonly person_id: string | null;
  readonly reason: string | null;
  readonly cancelled_by: string;
  readonly now: Timestamp;
}

export function cancelled(of: PendingPayout['of'], { now, ...by }: Cancelling): { readonly events: readonly AccountEvent[] } {
  return { events: [{ type: 'PayoutCancelled', data: { ...of, ...by, cancelled_on: now } }] };
}

const isComplete = ({ given, required }: PayoutApproval): boolean => given.length >= required;
/** True from `approve_by` on, inclusive. */
const isOver = ({ approve_by }: PayoutApproval, now: Timestamp): boolean => milliseconds(now) >= milliseconds(approve_by);

const waitsForNobody = () => refuse('approval-not-required', 'The payout needs no approval.');
