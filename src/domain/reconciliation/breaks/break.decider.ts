import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../../ledger/decider.js';
import type { BreakEvent, BreakMatched, BreakStreamEvent } from '../../../ledger/events/break.events.js';
import { addDays } from '../../../ledger/days.js';
import type { Timestamp } from '../../../ledger/time.js';
import { differenceIn, type BreakSides, type DifferenceRefusal, type SettledDifference } from './break-difference.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** Decisions of operators about a break. Whether it is open follows from the log, and is not part of this. Pure. */
export interface BreakState {
  /** The operator who owns it. */
  readonly owner: string | null;
  readonly match: BreakMatch | null;
  /** The newest act, so that a repeat of it is success; null when a proposal made it. */
  readonly newest: { readonly type: BreakEvent['type']; readonly person_id: string; readonly reason: string } | null;
  /** The last proposal that took effect here, and the number of those proposals. */
  readonly proposals: { readonly count: number; readonly last_id: string | null };
}

/** A batch or a difference comes only from a proposal. */
export type BreakMatch = Pick<BreakMatched, 'source' | 'line_key' | 'items'> & Partial<Pick<BreakMatched, 'batch' | 'difference'>>;

interface ByOperator {
  readonly break_id: string;
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
  readonly now: Timestamp;
}

export interface AcceptBreak {
  readonly kind: 'accept';
  readonly break_id: string;
  /** A day that is not past in the source's time zone, where the current day is `today`. */
  readonly until: string;
  readonly today: string;
  readonly reason: string;
  readonly proposal_id: string;
  readonly now: Timestamp;
}

export interface MatchDifference {
  readonly kind: 'match-difference';
  readonly break_id: string;
  /** The sides that are open now, looked up before the decision. */
  readonly sides: BreakSides;
  /** The proposed difference, which others have approved. */
  readonly agreed: SettledDifference;
  readonly reason: string;
  readonly proposal_id: string;
  readonly now: Timestamp;
}

export type BreakCommand =
  | ({ readonly kind: 'assign'; /** A preparer; null: none. */ readonly owner: string | null } & ByOperator)
  | ({ readonly kind: 'note' } & ByOperator)
  /** A note that causes a payment: the line stands for its notification. */
  | ({ readonly kind: 'take' } & ByOperator)
  /** Line and items are open, and of the same currency and sum; looked up before the decision. */
  | ({ readonly kind: 'match'; readonly match: BreakMatch } & ByOperator)
  | ({ readonly kind: 'unmatch' } & ByOperator)
  | AcceptBreak
  | MatchDifference;

export type BreakRefusal =
  | 'not-assigned'
  /** It is matched with something else, which must be taken back first. */
  | 'already-matched'
  | 'not-matched'
  | 'until-past'
  /** The calendar lacks this day. */
  | 'until-no-day'
  | DifferenceRefusal
  /** The sides differ from those in the proposal. */
  | 'difference-changed';

type CommandOf<Kind extends BreakCommand['kind']> = Extract<BreakCommand, { readonly kind: Kind }>;

/** Each act, also one that changes nothing, leaves an event in an empty stream. */
export const reconBreak: Decider<BreakState, BreakCommand, BreakStreamEvent, BreakRefusal> = {
  initial: { owner: null, match: null, newest: null, proposals: { count: 0, last_id: null } },

  evolve(state, event): BreakState {
    if (event.type === 'ProposalRefused') return state;
    const person_id = 'person_id' in event.data ? event.data.person_id : null;
    const proposal_id = 'proposal_id' in event.data ? event.data.proposal_id : null;
    const proposals = proposal_id === null ? state.proposals : { count: state.proposals.count + 1, last_id: proposal_id };
    const acted = { ...state, proposals, newest: person_id === null ? null : { type: event.type, person_id, reason: event.data.reason } };
    switch (event.type) {
      case 'BreakAssigned':
        return { ...acted, owner: event.data.owner };
      case 'BreakNoted':
      case 'BreakAccepted':
        return acted;
      case 'BreakMatched': {
        const { source, line_key, items, batch, difference } = event.data;
        return { ...acted, match: { source, line_key, items, batch, difference } };
      }
      case 'BreakUnmatched':
        return { ...acted, match: null };
      default:
        return unreachable(event);
    }
  },

  decide(state, command) {
    switch (command.kind) {
      case 'assign':
        return assign(state, command);
      case 'note':
        return note(state, command);
      case 'take':
        return state.match ? ALREADY_MATCHED : note(state, command);
      case 'match':
        return match(state, command);
      case 'unmatch':
        return unmatch(state, command);
      case 'accept':
        return accept(state, command);
      case 'match-difference':
        return matchDifference(state, command);
      default:
        return unreachable(command);
    }
  },
};

const ALREADY_MATCHED = refuse('already-matched', 'It was matched with another record. Undo that match first.');

type BreakDecision = Decision<BreakStreamEvent, BreakRefusal>;

function assign(state: BreakState, command: CommandOf<'assign'>): BreakDecision {
  const { owner, now } = command;
  if (owner === null && state.newest?.type === 'BreakAssigned' && state.owner === null) return NOTHING_TO_DO;
  if (owner === null && state.owner === null) return refuse('not-assigned', 'The break has no owner.');
  if (owner === state.owner) return NOTHING_TO_DO;
  return { events: [{ type: 'BreakAssigned', data: { ...by(command), owner, assigned_on: now } }] };
}

function note({ newest }: BreakState, command: CommandOf<'note' | 'take'>): BreakDecision {
  const { person_id, reason, now } = command;
  if (newest?.type === 'BreakNoted' && newest.person_id === person_id && newest.reason === reason) return NOTHING_TO_DO;
  return { events: [{ type: 'BreakNoted', data: { ...by(command), noted_on: now } }] };
}

function match(state: BreakState, command: CommandOf<'match'>): BreakDecision {
  const { source, line_key, items } = command.match;
  if (state.match && isSame(state.match, command.match)) return NOTHING_TO_DO;
  if (state.match) return ALREADY_MATCHED;
  const alone = { batch: null, difference: null, proposal_id: null };
  return { events: [{ type: 'BreakMatched', data: { ...by(command), source, line_key, items, ...alone, matched_on: command.now } }] };
}

function unmatch(state: BreakState, command: CommandOf<'unmatch'>): BreakDecision {
  if (state.match) return { events: [{ type: 'BreakUnmatched', data: { ...by(command), unmatched_on: command.now } }] };
  if (state.newest?.type === 'BreakUnmatched') return NOTHING_TO_DO;
  return refuse('not-matched', 'No operator has matched it.');
}

/** An unchanged day is an event too, because the proposal has taken effect. */
function accept(state: BreakState, { break_id, until, today, reason, proposal_id, now }: AcceptBreak): BreakDecision {
  if (state.proposals.last_id === proposal_id) return NOTHING_TO_DO;
  if (addDays(until, 0) !== until) return refuse('until-no-day', `${until} is no day.`);
  if (until < today) return refuse('until-past', `${until} is past.`);
  return { events: [{ type: 'BreakAccepted', data: { merchant_id: null, break_id, proposal_id, until, reason, accepted_on: now } }] };
}

/** Books the difference that operators have approved, or nothing: they have not approved an item or batch that changed since. */
function matchDifference(state: BreakState, { break_id, sides, agreed, reason, proposal_id, now }: MatchDifference): BreakDecision {
  if (state.proposals.last_id === proposal_id) return NOTHING_TO_DO;
  if (state.match) return refuse('already-matched', 'It was matched before. Undo that match first.');
  const found = differenceIn(sides, agreed.account);
  if ('refusal' in found) return found;
  const isAgreed = AGREED.every((name) => found[name] === agreed[name]);
  if (!isAgreed) return refuse('difference-changed', 'Its line, or the item that the line names, is another one than in the proposal.');
  const { account, currency, amount, event_id, batch_source, batch } = found;
  const of = { source: sides.line!.source, line_key: sides.line!.line_key, items: event_id === null ? [] : [event_id] };
  const by_proposal = { merchant_id: null, break_id, person_id: null, key_id: null, reason, proposal_id } as const;
  const what = { batch: batch_source === null ? null : { source: batch_source, batch: batch! }, difference: { account, currency, amount } };
  return { events: [{ type: 'BreakMatched', data: { ...by_proposal, ...of, ...what, matched_on: now } }] };
}

const AGREED = ['mode', 'currency', 'line_amount', 'book_amount', 'amount', 'event_id', 'batch_source', 'batch'] as const;

const by = ({ break_id, person_id, key_id, reason }: ByOperator) => ({ merchant_id: null, break_id, person_id, key_id, reason }) as const;

function isSame(a: BreakMatch, b: BreakMatch): boolean {
  return !a.difference && a.line_key === b.line_key && a.items.length === b.items.length && a.items.every((item) => b.items.includes(item));
}
