import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../../ledger/decider.js';
import type {
  HeldReason,
  NameMatch,
  PayoutDecided,
  TransferEvent,
  TransferStreamEvent,
  TransferVerdict,
  VerdictSource,
} from '../../../ledger/events/transfer.events.js';
import { milliseconds, type Timestamp } from '../../../ledger/time.js';
import { answersUntil, mayPayAgain, provesNotFound, type NotFoundTwice, type OpenAttempt } from './not-found.js';
import type { TransferTerms } from './remote-bank.js';
import { dayOf, quietUntil } from './transfer-times.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** The payout of a transfer, and its owner. */
export interface TransferOf {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
}

/** Definite results of a status inquiry. */
type Inquired = 'paid' | 'failed' | 'returned';

/** `seen`: the revision on which the bank's call was based. After any other change of the stream, its result is out of date. */
export type TransferCommand = { readonly now: Timestamp } & (
  | { readonly kind: 'check-name'; readonly of: TransferOf; readonly rail: string; readonly match: NameMatch; readonly name_masked: string | null }
  | { readonly kind: 'accept-name'; readonly accepted_by: string }
  /** The bank has no such account. */
  | { readonly kind: 'reject-account'; readonly seen: number; readonly code: string }
  | {
      readonly kind: 'attempt';
      readonly seen: number;
      readonly rail: string;
      readonly partner_reference: string;
      readonly external_id: string;
      readonly bank_code: string;
      readonly terms: TransferTerms;
      /** undefined when no attempt is open. */
      readonly not_found?: NotFoundTwice | undefined;
    }
  | { readonly kind: 'close-attempt'; readonly seen: number; readonly attempt: number; readonly code: string }
  | { readonly kind: 'refuse-attempt'; readonly seen: number; readonly attempt: number; readonly code: string }
  | { readonly kind: 'tell-status'; readonly seen: number; readonly status: Inquired }
  | { readonly kind: 'hold-not-found'; readonly seen: number; readonly terms: TransferTerms; readonly not_found: NotFoundTwice }
  | { readonly kind: 'hold-unanswered'; readonly seen: number; readonly terms: TransferTerms }
  /** The account has another end than the decision in this stream. */
  | { readonly kind: 'hold-contradiction'; readonly evidence: string }
  | {
      readonly kind: 'resolve';
      readonly verdict: 'paid' | 'failed';
      readonly decided_by: string;
      readonly evidence: string;
      /** The bank's final statement was checked: no line of the transfer can follow. */
      readonly is_final: boolean;
      /** Days for which its rail answers inquiries; undefined when the rail is not known: then only a recorded end of inquiries counts. */
      readonly inquiry_window_days: number | undefined;
      /** Id of the proposal by which it was approved. */
      readonly proposal_id?: string;
    }
);

export type TransferRefusal =
  /** The stream has changed since the bank was called. */
  | 'changed-meanwhile'
  | 'already-decided'
  | 'already-held'
  | 'name-not-checked'
  | 'name-differs'
  | 'quiet-hours'
  | 'not-attempted'
  | 'not-the-open-attempt'
  /** A refusal answers only one attempt, and another attempt may still be paid. */
  | 'another-attempt-open'
  | 'not-the-same-reference'
  | 'not-settled'
  | 'may-pay-again'
  | 'may-not-pay-again'
  | 'may-still-answer'
  | 'not-held'
  | 'may-still-be-paid';

export interface TransferState {
  /** Revision of the newest event folded in; -1 before the first. */
  readonly revision: number;
  /** null before the first event. */
  readonly of: TransferOf | null;
  readonly name: { readonly match: NameMatch; readonly is_accepted: boolean } | null;
  /** Number of attempts, including closed ones. */
  readonly attempts: number;
  /** Rail and reference of the first attempt, closed or not. The payout keeps both. */
  readonly rail: string | null;
  readonly partner_reference: string | null;
  /** Oldest first. */
  readonly open: readonly OpenAttempt[];
  /** The newest attempt, open or not. */
  readonly last: OpenAttempt | null;
  readonly decided: PayoutDecided | null;
  /** True when the bank returned the transfer after it was decided as paid. */
  readonly is_returned: boolean;
  readonly held: readonly HeldReason[];
}

type TransferDecision = Decision<TransferEvent, TransferRefusal>;

/**
 * Decides when a bank may be instructed to pay, and interprets its answers. Every rule is one of docs/models/rail.ts, which shows
 * the failure without it.
 */
export const transfer: Decider<TransferState, TransferCommand, TransferStreamEvent, TransferRefusal> = {
  initial: {
    revision: -1,
    of: null,
    name: null,
    attempts: 0,
    rail: null,
    partner_reference: null,
    open: [],
    last: null,
    decided: null,
    is_returned: false,
    held: [],
  },

  evolve(state, event): TransferState {
    if (event.type === 'ProposalRefused') return { ...state, revision: state.revision + 1 };
    const { payout_id, merchant_id, currency } = event.data;
    return { ...state, ...change(state, event), of: state.of ?? { payout_id, merchant_id, currency }, revision: state.revision + 1 };
  },

  decide(state, command): TransferDecision {
    if ('seen' in command && command.seen !== state.revision)
      return refuse('changed-meanwhile', 'The transfer has changed since the bank was asked.');
    switch (command.kind) {
      case 'check-name':
        return decideCheck(state, command);
      case 'accept-name':
        return decideAccept(state, command.accepted_by, command.now);
      case 'reject-account':
        if (state.decided) return NOTHING_TO_DO;
        if (state.attempts > 0) return refuse('another-attempt-open', 'The bank has received an order to pay before.');
        return decided(state, 'failed', 'name-check', command);
      case 'attempt':
        return decideAttempt(state, command);
      case 'close-attempt':
        return decideClose(state, command);
      case 'refuse-attempt':
        return decideRefused(state, command);
      case 'tell-status':
        return decideStatus(state, command.status, command.now);
      case 'hold-not-found':
        return decideHoldNotFound(state, command);
      case 'hold-unanswered':
        return decideHoldUnanswered(state, command);
      case 'hold-contradiction':
        return held(state, 'contradiction', command.evidence, command.now);
      case 'resolve':
        return decideResolve(state, command);
      default:
        return unreachable(command);
    }
  },
};

type Command<Kind extends TransferCommand['kind']> = Extract<TransferCommand, { readonly kind: Kind }>;

// --- state change of each event -------------------------------------------------------------------------------------

function change(state: TransferState, event: TransferEvent): Partial<TransferState> {
  switch (event.type) {
    case 'BeneficiaryChecked':
      return { name: { match: event.data.match, is_accepted: false } };
    case 'BeneficiaryAccepted':
      return { name: { match: state.name?.match ?? 'UNKNOWN', is_accepted: true } };
    case 'PayoutAttempted': {
      const { attempt, rail, partner_reference, external_id, bank_code, at } = event.data;
      const last = { attempt, rail, partner_reference, external_id, bank_code, at };
      return {
        attempts: state.attempts + 1,
        rail: state.rail ?? rail,
        partner_reference: state.partner_reference ?? partner_reference,
        open: [...state.open, last],
        last,
      };
    }
    case 'PayoutAttemptClosed':
      return { open: state.open.filter(({ attempt }) => attempt !== event.data.attempt) };
    case 'PayoutDecided':
      return state.decided ? { is_returned: state.is_returned || event.data.verdict === 'returned' } : { decided: event.data };
    case 'PayoutHeld':
      return { held: [...state.held, event.data.reason] };
    default:
      return unreachable(event);
  }
}

// --- decision of each command ---------------------------------------------------------------------------------------

function decideCheck(state: TransferState, { of, rail, match, name_masked, now }: Command<'check-name'>): TransferDecision {
  if (state.name || state.attempts > 0) return NOTHING_TO_DO;
  return { events: [{ type: 'BeneficiaryChecked', data: { ...of, rail, match, name_masked, checked_on: now } }] };
}

function decideAccept(state: TransferState, accepted_by: string, now: Timestamp): TransferDecision {
  if (!state.name) return refuse('name-not-checked', 'The bank has not been asked who holds the account.');
  if (state.name.is_accepted || state.name.match !== 'DIFFERENT' || state.attempts > 0) return NOTHING_TO_DO;
  if (state.decided) return refuse('already-decided', 'The payout has ended.');
  return { events: [{ type: 'BeneficiaryAccepted', data: { ...ofTransfer(state), accepted_by, accepted_on: now } }] };
}

/** Returns whether an operator has to confirm the account. */
export function mustAcceptName({ name }: Pick<TransferState, 'name'>, terms: Pick<TransferTerms, 'on_name_difference'>): boolean {
  return name?.match === 'DIFFERENT' && !name.is_accepted && terms.on_name_difference === 'wait';
}

function decideAttempt(state: TransferState, command: Command<'attempt'>): TransferDecision {
  const { terms, now } = command;
  if (state.decided) return refuse('already-decided', 'The result of the payout is decided.');
  if (state.held.length > 0) return refuse('already-held', 'An operator has to decide.');
  if (!state.name) return refuse('name-not-checked', 'The bank has not been asked who holds the account.');
  if (mustAcceptName(state, terms)) return refuse('name-differs', 'The bank knows the account under another name.');
  if (quietUntil(milliseconds(now), terms.quiet_hours) !== undefined) return refuse('quiet-hours', 'The bank accepts no transfers at this time.');
  if (state.partner_reference !== null && (state.partner_reference !== command.partner_reference || state.rail !== command.rail))
    return refuse('not-the-same-reference', 'Another attempt carries the same reference on the same rail.');
  if (state.open.length > 0) {
    if (!command.not_found || !provesNotFound(state.open, command.not_found, terms, now))
      return refuse('not-settled', 'The attempt before may still be paid.');
    if (!mayPayAgain(state, terms, now)) return refuse('may-not-pay-again', 'A second payment is not safe.');
  }
  const { rail, partner_reference, external_id, bank_code } = command;
  const attempt = state.attempts + 1;
  const data = { ...ofTransfer(state), attempt, rail, partner_reference, external_id, bank_code, day: dayOf(now), at: now };
  return { events: [{ type: 'PayoutAttempted', data }] };
}

function decideClose(state: TransferState, { attempt, code, now }: Command<'close-attempt'>): TransferDecision {
  if (state.open.at(-1)?.attempt !== attempt) return refuse('not-the-open-attempt', `Attempt ${attempt} is not open.`);
  return { events: [{ type: 'PayoutAttemptClosed', data: { ...ofTransfer(state), attempt, code, closed_on: now } }] };
}

function decideRefused(state: TransferState, command: Command<'refuse-attempt'>): TransferDecision {
  if (state.decided) return refuse('already-decided', 'The result of the payout is decided.');
  if (state.open.at(-1)?.attempt !== command.attempt) return refuse('not-the-open-attempt', `Attempt ${command.attempt} is not open.`);
  if (state.open.length > 1) return refuse('another-attempt-open', 'The attempt before may still be paid.');
  return decided(state, 'failed', 'refusal', command);
}

function decideStatus(state: TransferState, status: Inquired, now: Timestamp): TransferDecision {
  if (state.attempts === 0) return refuse('not-attempted', 'The bank has never received an order to pay.');
  // A closed attempt counts as never made, so it cannot fail.
  if (!state.decided && state.open.length === 0 && status === 'failed') return refuse('not-attempted', 'No attempt is open.');
  if (!state.decided) return decided(state, status, 'inquiry', { code: null, now });
  if (state.decided.verdict === 'failed') {
    return status === 'failed' ? NOTHING_TO_DO : held(state, 'contradiction', `Recorded as failed; an inquiry on ${now} returned ${status}.`, now);
  }
  if (status === 'failed') return held(state, 'contradiction', `Recorded as ${state.decided.verdict}; an inquiry on ${now} returned failed.`, now);
  if (status === 'paid' || state.is_returned || state.decided.verdict === 'returned') return NOTHING_TO_DO;
  return decided(state, 'returned', 'inquiry', { code: null, now });
}

function decideHoldNotFound(state: TransferState, { terms, not_found, now }: Command<'hold-not-found'>): TransferDecision {
  if (state.decided || state.held.length > 0) return NOTHING_TO_DO;
  if (state.open.length === 0) return refuse('not-attempted', 'No attempt is open.');
  if (!provesNotFound(state.open, not_found, terms, now)) return refuse('not-settled', 'The attempt may still be paid.');
  if (mayPayAgain(state, terms, now)) return refuse('may-pay-again', 'A second payment is safe.');
  const { first_sent, second_sent } = not_found;
  return held(
    state,
    'not-found',
    `The bank knows of no transfer: asked on ${first_sent} and ${second_sent}, ${state.open.length} open attempts.`,
    now,
  );
}

function decideHoldUnanswered(state: TransferState, { terms, now }: Command<'hold-unanswered'>): TransferDecision {
  if (state.decided) return NOTHING_TO_DO;
  if (state.open.length === 0) return refuse('not-attempted', 'No attempt is open.');
  const until = answersUntil(state, terms);
  if (milliseconds(now) < milliseconds(until)) return refuse('may-still-answer', 'The bank still answers inquiries.');
  return held(state, 'no-answer', `The bank did not report an outcome before ${until}, after which it answers no inquiries.`, now);
}

function decideResolve(state: TransferState, command: Command<'resolve'>): TransferDecision {
  const { verdict, decided_by, evidence, proposal_id, now } = command;
  if (state.decided) return refuse('already-decided', `It is decided: ${state.decided.verdict}.`);
  const isSilent = answersNoMore(state, command);
  if (state.held.length === 0 && !isSilent) return refuse('not-held', 'It is not held: the bank is still asked.');
  if (verdict === 'failed' && !command.is_final && !isSilent)
    return refuse('may-still-be-paid', 'While the bank answers inquiries, only a final statement proves that it was not paid.');
  return {
    events: [decision(state, verdict, 'person', { code: null, now }, { decided_by, evidence, ...(proposal_id !== undefined && { proposal_id }) })],
  };
}

/**
 * Returns whether the bank no longer answers inquiries about the transfer, by the clock: a worker may record that later, or never
 * while none runs. A later attempt extends the period. Without an open attempt there is nothing to inquire about, and no period
 * ends.
 */
function answersNoMore(state: TransferState, { inquiry_window_days, now }: Command<'resolve'>): boolean {
  if (state.held.includes('no-answer')) return true;
  if (inquiry_window_days === undefined || state.open.length === 0) return false;
  return milliseconds(now) >= milliseconds(answersUntil(state, { inquiry_window_days }));
}

// --- helpers --------------------------------------------------------------------------------------------------------

interface Given {
  readonly code: string | null;
  readonly now: Timestamp;
}

function decision(
  state: TransferState,
  verdict: TransferVerdict,
  by: VerdictSource,
  { code, now }: Given,
  operator: Pick<PayoutDecided, 'decided_by' | 'evidence' | 'proposal_id'> = { decided_by: null, evidence: null },
): TransferEvent {
  return { type: 'PayoutDecided', data: { ...ofTransfer(state), verdict, code, by, ...operator, decided_on: now } };
}

const decided = (...given: Parameters<typeof decision>): TransferDecision => ({ events: [decision(...given)] });

function held(state: TransferState, reason: HeldReason, evidence: string, now: Timestamp): TransferDecision {
  if (state.held.includes(reason)) return NOTHING_TO_DO;
  return { events: [{ type: 'PayoutHeld', data: { ...ofTransfer(state), reason, evidence, held_on: now } }] };
}

function ofTransfer({ of }: TransferState): TransferOf {
  if (!of) throw new Error('the transfer has not begun and has no identity');
  return of;
}
