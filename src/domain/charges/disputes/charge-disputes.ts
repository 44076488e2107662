import { NOTHING_TO_DO, refuse, type Decision, type Refused } from '../../../ledger/decider.js';
import type { ChargeEvent } from '../../../ledger/events/charge.events.js';
import {
  DISPUTE_STAGES,
  type ChargeDisputeOpened,
  type ChargeDisputeEvidenceAdded,
  type DisputeLostReason,
  type DisputeStage,
} from '../../../ledger/events/dispute.events.js';
import { holdId, releaseId } from '../../../ledger/ids/dispute-ids.js';
import { derivedId } from '../../../ledger/ids/idempotency.js';
import { refundedFeeRoundedHalfUp } from '../../../ledger/money.js';
import { SYSTEM } from '../../../ledger/streams/new-event.js';
import { milliseconds, type Timestamp } from '../../../ledger/time.js';
import { atProcessor, evolveCharge, goneBackOf, ofCharge, ofRefund, whereItReturns, whereUnpaidGoes, type ExistingCharge } from '../charge-state.js';
import { holdsMoney, lacks, type Dispute, type DisputedAmounts } from './dispute-state.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** A dispute as the processor reports it. */
export type DisputeClaim = Pick<ChargeDisputeOpened, 'reference' | 'stage' | 'amount' | 'reason_code' | 'reason' | 'due_by'>;

/** A file as stored outside the log. */
export type NewEvidence = Pick<ChargeDisputeEvidenceAdded, 'evidence_id' | 'category' | 'media_type' | 'size' | 'sha256' | 'added_by'>;

export type DisputeCommand =
  /** `dispute_fee_amount`: by the merchant's current terms. */
  | { readonly kind: 'open-dispute'; readonly claim: DisputeClaim; readonly dispute_fee_amount: number; readonly now: Timestamp }
  | { readonly kind: 'win-dispute'; readonly reference: string; readonly stage: DisputeStage; readonly is_final: boolean; readonly now: Timestamp }
  | { readonly kind: 'lose-dispute'; readonly reference: string; readonly stage: DisputeStage; readonly now: Timestamp }
  | { readonly kind: 'challenge-dispute'; readonly dispute_id: string; readonly challenged_by: string; readonly now: Timestamp }
  | { readonly kind: 'accept-dispute'; readonly dispute_id: string; readonly now: Timestamp }
  | { readonly kind: 'lapse-dispute'; readonly dispute_id: string; readonly now: Timestamp }
  /** The processor has accepted the challenge of this stage. */
  | { readonly kind: 'submit-dispute'; readonly dispute_id: string; readonly stage: DisputeStage; readonly now: Timestamp }
  | { readonly kind: 'remind-of-dispute'; readonly dispute_id: string; readonly seconds_before: number; readonly now: Timestamp }
  | { readonly kind: 'add-evidence'; readonly dispute_id: string; readonly evidence: NewEvidence; readonly now: Timestamp }
  | { readonly kind: 'erase-evidence'; readonly dispute_id: string; readonly erased_by: string; readonly now: Timestamp };

export type DisputeRefusal =
  | 'charge-not-paid'
  | 'dispute-not-found'
  /** The processor reports on a dispute or stage that it has not opened yet. */
  | 'dispute-not-opened'
  | 'dispute-not-answerable'
  | 'dispute-overdue'
  | 'evidence-missing'
  /** The dispute's key is destroyed, and there is never a second one. */
  | 'evidence-erased'
  | 'evidence-limit-reached';

type DisputeDecision = Decision<ChargeEvent, DisputeRefusal>;
type DisputeEvent = Extract<ChargeEvent, { readonly type: `ChargeDispute${string}` }>;

/** Limits per dispute. */
const EVIDENCE_FILES_MAX = 10;
const EVIDENCE_BYTES_MAX = 20 * 1024 * 1024;

/** Derived from the charge and the processor's reference, so that every notification yields the same id. */
export const disputeId = (chargeId: string, reference: string): string => derivedId(chargeId, reference);

const orderOf = (stage: DisputeStage): number => DISPUTE_STAGES.indexOf(stage);

export function decideDispute(state: ExistingCharge, command: DisputeCommand): DisputeDecision {
  switch (command.kind) {
    case 'open-dispute':
      return decideOpen(state, command);
    case 'win-dispute':
      return decideWin(state, command);
    case 'lose-dispute':
      return decideLose(state, command);
    default: {
      const dispute = state.disputes.get(command.dispute_id);
      return dispute ? decideStep(state, dispute, command) : refuse('dispute-not-found', 'There is no such dispute.');
    }
  }
}

/** Never refused for a paid charge: the processor holds the money anyway. A late repeat reopens nothing. */
function decideOpen(state: ExistingCharge, { claim, dispute_fee_amount, now }: Extract<DisputeCommand, { kind: 'open-dispute' }>): DisputeDecision {
  if (state.status !== 'SUCCEEDED') return refuse('charge-not-paid', `The charge is ${state.status}.`);
  const before = state.disputes.get(disputeId(state.created.charge_id, claim.reference));
  if (before && !comesBack(before, claim.stage)) return NOTHING_TO_DO;
  const { stage, amount, reason_code, reason, due_by } = claim;
  const dispute_id = disputeId(state.created.charge_id, claim.reference);
  // A reopened dispute means that the merchant won the stage before, even if the processor has not reported that.
  const won = before && holdsMoney(before) ? [wonBack(state, before, before.stage, false, now)] : [];
  const cancelled = stage === 'INQUIRY' ? [] : cancelPending(state, now);
  const released = evolved(state, [...won, ...cancelled]);
  const held = stage === 'INQUIRY' ? 0 : Math.min(amount, leftOf(released));
  const of = { ...ofCharge(state), dispute_id };
  const said = { stage, amount, excess_amount: stage === 'INQUIRY' ? 0 : amount - held, reason_code, reason, due_by };
  const begun: DisputeEvent = before
    ? { type: 'ChargeDisputeReopened', data: { ...of, ...said, reopened_on: now } }
    : {
        type: 'ChargeDisputeOpened',
        data: { ...of, ...said, reference: claim.reference, refunded_amount: refundedOf(state), dispute_fee_amount, opened_on: now },
      };
  const events = [...won, ...cancelled, begun];
  return { events: held === 0 ? events : [...events, hold(evolved(released, [begun]), dispute_id, held, now)] };
}

/**
 * A dispute is reopened only at a later stage without a result, and not after a final win or a loss. An inquiry holds no money, so
 * its loss does not prevent that.
 */
export function comesBack({ status, stage, wonAt, isFinal }: Dispute, later: DisputeStage): boolean {
  if ([stage, ...wonAt].some((before) => orderOf(later) <= orderOf(before))) return false;
  return status === 'LOST' ? stage === 'INQUIRY' : !(status === 'WON' && isFinal);
}

function decideWin(state: ExistingCharge, command: Extract<DisputeCommand, { kind: 'win-dispute' }>): DisputeDecision {
  const { reference, stage, is_final, now } = command;
  const dispute = state.disputes.get(disputeId(state.created.charge_id, reference));
  if (!dispute) return refuse('dispute-not-opened', `No dispute ${reference} has been opened.`);
  const isRepeated = dispute.status === 'WON' && (dispute.wonAt.has(stage) || stage === dispute.stage);
  if (isRepeated || orderOf(stage) < orderOf(dispute.stage)) return NOTHING_TO_DO;
  // A lost dispute may be won at any later stage that the processor names.
  if (orderOf(stage) > orderOf(dispute.stage) && dispute.status !== 'LOST') return notYetAt(dispute, stage);
  return { events: [wonBack(state, dispute, stage, is_final, now)] };
}

function decideLose(state: ExistingCharge, { reference, stage, now }: Extract<DisputeCommand, { kind: 'lose-dispute' }>): DisputeDecision {
  const dispute = state.disputes.get(disputeId(state.created.charge_id, reference));
  if (!dispute) return refuse('dispute-not-opened', `No dispute ${reference} has been opened.`);
  if (dispute.status === 'LOST' || dispute.wonAt.has(stage) || orderOf(stage) < orderOf(dispute.stage)) return NOTHING_TO_DO;
  // A lost dispute may have been won after all, at a later stage than this one.
  if (dispute.status === 'WON' && stage === dispute.stage) return NOTHING_TO_DO;
  if (orderOf(stage) > orderOf(dispute.stage)) return notYetAt(dispute, stage);
  return { events: [lost(state, dispute, 'DECIDED', now)] };
}

type Step = Exclude<DisputeCommand, { kind: 'open-dispute' | 'win-dispute' | 'lose-dispute' }>;

function decideStep(state: ExistingCharge, dispute: Dispute, command: Step): DisputeDecision {
  const { now } = command;
  const { status, stage } = dispute;
  const of = ofDispute(dispute);
  switch (command.kind) {
    case 'challenge-dispute':
      return decideChallenge(dispute, command.challenged_by, now);
    case 'accept-dispute':
      if (status === 'LOST' && dispute.lostReason === 'ACCEPTED') return NOTHING_TO_DO;
      if (status !== 'ACTION_REQUIRED') return notAnswerable(dispute);
      return { events: [lost(state, dispute, 'ACCEPTED', now)] };
    case 'lapse-dispute':
      if (status !== 'ACTION_REQUIRED' || milliseconds(now) < milliseconds(dispute.due_by)) return NOTHING_TO_DO;
      return { events: [lost(state, dispute, 'LAPSED', now)] };
    case 'submit-dispute':
      if (status !== 'UNDER_REVIEW' || dispute.isSubmitted || command.stage !== stage) return NOTHING_TO_DO;
      return { events: [{ type: 'ChargeDisputeSubmitted', data: { ...of, stage, submitted_on: now } }] };
    case 'remind-of-dispute': {
      const { seconds_before } = command;
      if (!isReminderDue(dispute, seconds_before, milliseconds(now))) return NOTHING_TO_DO;
      return { events: [{ type: 'ChargeDisputeDueSoon', data: { ...of, due_by: dispute.due_by, seconds_before, reminded_on: now } }] };
    }
    case 'add-evidence':
      return decideEvidence(dispute, command.evidence, now);
    case 'erase-evidence':
      if (evidenceOf(dispute).length === 0) return NOTHING_TO_DO;
      return { events: [{ type: 'ChargeDisputeEvidenceErased', data: { ...of, erased_by: command.erased_by, erased_on: now } }] };
    default:
      return unreachable(command);
  }
}

/** A reminder is due while the merchant may respond, once each, and never when its time had passed before the stage began. */
export function isReminderDue({ status, due_by, since, reminders }: Dispute, secondsBefore: number, nowMs: number): boolean {
  if (status !== 'INQUIRY' && status !== 'ACTION_REQUIRED') return false;
  const dueMs = milliseconds(due_by);
  const remindMs = dueMs - secondsBefore * 1000;
  return remindMs <= nowMs && nowMs < dueMs && remindMs >= milliseconds(since) && !reminders.includes(secondsBefore);
}

/** Returns the files that are not erased. */
export function evidenceOf({ evidence }: Dispute): readonly ChargeDisputeEvidenceAdded[] {
  return [...evidence.values()].filter(({ isErased }) => !isErased).map(({ added }) => added);
}

/** The same bytes are the same evidence, even under another name. */
export function withSameBytes({ evidence }: Dispute, { sha256 }: Pick<NewEvidence, 'sha256'>): ChargeDisputeEvidenceAdded | undefined {
  return [...evidence.values()].find(({ added }) => added.sha256 === sha256)?.added;
}

function decideChallenge(dispute: Dispute, challenged_by: string, now: Timestamp): DisputeDecision {
  const { status, stage, due_by } = dispute;
  if (status === 'UNDER_REVIEW') return NOTHING_TO_DO;
  if (status !== 'INQUIRY' && status !== 'ACTION_REQUIRED') return notAnswerable(dispute);
  if (milliseconds(now) > milliseconds(due_by)) return refuse('dispute-overdue', `The deadline for an answer was ${due_by}.`);
  if (evidenceOf(dispute).length === 0) return refuse('evidence-missing', 'A challenge needs evidence. Add a file first.');
  return { events: [{ type: 'ChargeDisputeChallenged', data: { ...ofDispute(dispute), stage, challenged_by, challenged_on: now } }] };
}

function decideEvidence(dispute: Dispute, added: NewEvidence, now: Timestamp): DisputeDecision {
  const there = evidenceOf(dispute);
  if (there.length < dispute.evidence.size) return refuse('evidence-erased', 'The evidence of this dispute was erased. None can be added.');
  if (withSameBytes(dispute, added)) return NOTHING_TO_DO;
  if (dispute.status !== 'INQUIRY' && dispute.status !== 'ACTION_REQUIRED') return notAnswerable(dispute);
  const bytes = there.reduce((sum, { size }) => sum + size, added.size);
  if (there.length >= EVIDENCE_FILES_MAX || bytes > EVIDENCE_BYTES_MAX)
    return refuse('evidence-limit-reached', `A dispute takes at most ${EVIDENCE_FILES_MAX} files and ${EVIDENCE_BYTES_MAX} bytes.`);
  const { evidence_id, category, media_type, size, sha256, added_by } = added;
  const data = { ...ofDispute(dispute), evidence_id, category, media_type, size, sha256, added_by, added_on: now };
  return { events: [{ type: 'ChargeDisputeEvidenceAdded', data }] };
}

/** A failed refund frees `freed` minor units: open disputes that lack money hold them, the oldest first. */
export function heldOfFreed(state: ExistingCharge, freed: number, now: Timestamp): readonly ChargeEvent[] {
  const events: ChargeEvent[] = [];
  let [after, left] = [state, freed];
  for (const [dispute_id, dispute] of state.disputes) {
    const amount = Math.min(lacks(dispute), left);
    if (amount === 0) continue;
    const held = hold(after, dispute_id, amount, now);
    events.push(held);
    [after, left] = [evolved(after, [held]), left - amount];
  }
  return events;
}

/** Cancels refunds that have not been submitted to the processor: the dispute takes the money for the customer. */
function cancelPending(state: ExistingCharge, now: Timestamp): ChargeEvent[] {
  return [...state.refunds.values()]
    .filter(({ status }) => status === 'PENDING')
    .map((refund) => {
      const data = {
        ...ofRefund(refund),
        ...atProcessor(state),
        reason: 'CHARGE_DISPUTED' as const,
        to: whereUnpaidGoes(state),
        cancelled_by: SYSTEM,
        cancelled_on: now,
      };
      return { type: 'ChargeRefundCancelled', data };
    });
}

/** Returns the amount of the charge that is left after refunds, disputes and a reversal. */
function leftOf(state: ExistingCharge): number {
  return state.reversed ? 0 : state.created.amount - goneBackOf(state).amount;
}

function hold(state: ExistingCharge, dispute_id: string, amount: number, now: Timestamp): DisputeEvent {
  const dispute = state.disputes.get(dispute_id)!;
  const fee_amount = refundedFeeRoundedHalfUp(state.created, goneBackOf(state), amount);
  const data = {
    ...ofDispute(dispute),
    hold_id: holdId(dispute_id, dispute.holds + 1),
    amount,
    fee_amount,
    net_amount: amount - fee_amount,
    excess_amount: lacks(dispute) - amount,
    from: whereItReturns(state),
    held_on: now,
  };
  return { type: 'ChargeDisputeHeld', data };
}

function wonBack(state: ExistingCharge, dispute: Dispute, stage: DisputeStage, is_final: boolean, now: Timestamp): DisputeEvent {
  const { opened, releases, status } = dispute;
  const release_id = releaseId(opened.dispute_id, releases + 1);
  const from = status === 'LOST' ? ('PROCESSOR' as const) : ('DISPUTED' as const);
  const data = {
    ...ofDispute(dispute),
    ...atProcessor(state),
    release_id,
    stage,
    is_final,
    ...amountsOf(dispute.held),
    from,
    to: whereItReturns(state),
    won_on: now,
  };
  return { type: 'ChargeDisputeWon', data };
}

/** The fee is charged at the first loss; an inquiry costs nothing. */
function lost(state: ExistingCharge, dispute: Dispute, lost_reason: DisputeLostReason, now: Timestamp): DisputeEvent {
  const { stage, hasBeenLost, opened } = dispute;
  const dispute_fee_amount = hasBeenLost || stage === 'INQUIRY' ? 0 : opened.dispute_fee_amount;
  return {
    type: 'ChargeDisputeLost',
    data: { ...ofDispute(dispute), ...atProcessor(state), stage, ...amountsOf(dispute.held), lost_reason, dispute_fee_amount, lost_on: now },
  };
}

const amountsOf = ({ amount, fee_amount, net_amount }: DisputedAmounts): DisputedAmounts => ({ amount, fee_amount, net_amount });

/** Returns the sum of refunds that have succeeded or are under way. */
function refundedOf({ refunds }: ExistingCharge): number {
  return [...refunds.values()]
    .filter(({ status }) => status === 'SUCCEEDED' || status === 'PROCESSING')
    .reduce((sum, { claimed }) => sum + claimed.amount, 0);
}

function evolved(state: ExistingCharge, events: readonly ChargeEvent[]): ExistingCharge {
  return events.reduce(evolveCharge, state) as ExistingCharge;
}

function ofDispute({ opened: { charge_id, merchant_id, currency, dispute_id } }: Dispute) {
  return { charge_id, merchant_id, currency, dispute_id };
}

function notAnswerable({ status }: Dispute): Refused<DisputeRefusal> {
  return refuse('dispute-not-answerable', `The dispute is ${status}.`);
}

function notYetAt({ stage }: Dispute, later: DisputeStage): Refused<DisputeRefusal> {
  return refuse('dispute-not-opened', `The dispute is at stage ${stage}; it has not been opened at ${later}.`);
}
