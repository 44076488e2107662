import type { Payout } from '../../../projections/payouts/payouts.js';
import { milliseconds } from '../../ledger/time.js';
import type { BankRoute, BankRoutes, TransferTerms } from './transfer/remote-bank.js';
import { mustAcceptName, type TransferState } from './transfer/transfer.decider.js';
import { quietUntil, settledAt } from './transfer/transfer-times.js';

/** Why a payout is not submitted to a bank now. */
export type BlockingReason = 'no-rail' | 'bank-unknown' | 'beneficiary-differs' | 'rail-paused' | 'quiet-hours';

export const PENDING_REASONS = [
  'approval',
  'no-rail',
  'bank-unknown',
  'beneficiary-differs',
  'rail-paused',
  'quiet-hours',
  'rail-unavailable',
  'awaiting-bank',
  'waiting-rail',
  'outcome-unknown',
  'held',
] as const;

export type PendingReason = (typeof PENDING_REASONS)[number];

interface UnsentPayout {
  readonly route: BankRoute | undefined;
  readonly bank_code: string | null;
  readonly bank_name: string;
  readonly name: TransferState['name'];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the reason that lasts longest; undefined when the payout can be submitted. */
export function blockingReason({ route, bank_code, bank_name, name, now }: UnsentPayout): BlockingReason | undefined {
  if (!route) return 'no-rail';
  const { bank, is_stopped } = route;
  if (bank.bankCode({ bank_code, bank_name }) === undefined) return 'bank-unknown';
  if (mustAcceptName({ name }, bank.terms)) return 'beneficiary-differs';
  if (is_stopped) return 'rail-paused';
  return quietUntil(now, bank.terms.quiet_hours) === undefined ? undefined : 'quiet-hours';
}

/** Progress of a payout at its bank, from the read model. */
export interface TransferProgress
  extends
    Pick<Payout, 'merchant_id' | 'currency' | 'created_on' | 'bank_code' | 'bank_name' | 'rail' | 'beneficiary_match'>,
    Pick<Payout, 'is_name_accepted' | 'open_attempts' | 'attempted_on' | 'approvals_required' | 'approvals_given'> {
  readonly payout_status: string;
  readonly is_held: boolean;
}

/** Age of a payout without a name check at which its bank counts as unreachable, ms. */
const UNREACHABLE_AFTER_MS = 60_000;

/**
 * Returns why a payout has not ended; null when it has ended, the simulated bank pays it, or no reason is known. `now`: milliseconds
 * since the epoch.
 */
export function pendingReason(payout: TransferProgress, mode: 'test' | 'live', routes: BankRoutes, now: number): PendingReason | null {
  const { merchant_id, currency, payout_status, rail, beneficiary_match, is_name_accepted } = payout;
  if (payout_status === 'PROCESSING') return rail === null ? null : whyProcessing(payout, routes, now);
  if (payout_status !== 'PENDING') return null;
  if (payout.approvals_given < payout.approvals_required) return 'approval';
  const route = routes.route(merchant_id, mode, currency);
  if (mode === 'test' && rail === null && !route) return null;
  const name = beneficiary_match && { match: beneficiary_match, is_accepted: is_name_accepted };
  const blocking = blockingReason({ ...payout, route, name, now });
  if (blocking || name) return blocking ?? null;
  return now - milliseconds(payout.created_on) > UNREACHABLE_AFTER_MS ? 'rail-unavailable' : null;
}

function whyProcessing({ rail, is_held, open_attempts, attempted_on }: TransferProgress, routes: BankRoutes, now: number): PendingReason {
  if (is_held) return 'held';
  if (open_attempts === 0 || attempted_on === null) return 'waiting-rail';
  const terms = routes.named(rail!)?.terms;
  return terms && now < settledAt(attempted_on, terms.settle_after) ? 'awaiting-bank' : 'outcome-unknown';
}

/** An open payout, and the reason for which it has not ended. */
interface OnItsWay extends Pick<Payout, 'payout_status' | 'submitted_on'> {
  readonly pending_reason: PendingReason | null;
  /** Those of its rail. */
  readonly quiet_hours: TransferTerms['quiet_hours'];
  /** Time from the submission to the payment, seconds. */
  readonly usual_seconds: number;
}

/**
 * Pure. Returns the time by which an open payout is usually paid, counted from its submission or from the first time at which it can be submitted; a
 * past one for a payout that takes longer. undefined while that is open: it waits for people, for its rail or for an unknown result. All times are
 * milliseconds since the epoch.
 */
export function arrivesBy({ payout_status, submitted_on, pending_reason, quiet_hours, usual_seconds }: OnItsWay, now: number): number | undefined {
  const isOpen = pending_reason === 'held' || pending_reason === 'waiting-rail';
  if (payout_status === 'PROCESSING') return isOpen || submitted_on === null ? undefined : milliseconds(submitted_on) + usual_seconds * 1_000;
  const isSendable = payout_status === 'PENDING' && (pending_reason === null || pending_reason === 'quiet-hours');
  return isSendable ? (quietUntil(now, quiet_hours) ?? now) + usual_seconds * 1_000 : undefined;
}
