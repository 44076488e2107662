import { refuse, type Decider } from '../../ledger/decider.js';
import type { EventSetAside, ProjectionEvent } from '../../ledger/events/set-aside.events.js';
import type { Timestamp } from '../../ledger/time.js';

/** Events that a projection skips, and accepted differences of its builds. Pure. */
export interface ProjectionState {
  readonly aside: readonly Pick<EventSetAside, 'event_stream' | 'event_revision'>[];
  /** Digests of differences. */
  readonly accepted: readonly string[];
  /** The last proposal that took effect here, and the number of those proposals. */
  readonly proposals: { readonly count: number; readonly last_id: string | null };
}

/** `event`: the one that the projection is stopped at, looked up before the decision. */
export interface SetAside {
  readonly kind: 'set-aside';
  readonly event: Omit<EventSetAside, 'merchant_id' | 'set_aside_on' | 'set_aside_by' | 'reason' | 'proposal_id'>;
  readonly reason: string;
  readonly proposal_id: string;
  readonly now: Timestamp;
}

export interface AcceptDifferences {
  readonly kind: 'accept-differences';
  readonly projection: string;
  readonly digest: string;
  readonly reason: string;
  readonly proposal_id: string;
  readonly now: Timestamp;
}

export const projectionEvents: Decider<ProjectionState, SetAside | AcceptDifferences, ProjectionEvent, 'already-set-aside' | 'already-accepted'> = {
  initial: { aside: [], accepted: [], proposals: { count: 0, last_id: null } },

  evolve(state, event): ProjectionState {
    if (event.type === 'ProposalRefused') return state;
    if (event.type === 'DifferencesAccepted') {
      const { digest, proposal_id: last_id } = event.data;
      return { ...state, accepted: [...state.accepted, digest], proposals: { count: state.proposals.count + 1, last_id } };
    }
    const { event_stream, event_revision, proposal_id } = event.data;
    const aside = [...state.aside, { event_stream, event_revision }];
    if (proposal_id === undefined) return { ...state, aside };
    return { ...state, aside, proposals: { count: state.proposals.count + 1, last_id: proposal_id } };
  },

  decide({ aside, accepted }, command) {
    const { reason, proposal_id, now } = command;
    if (command.kind === 'accept-differences') {
      const { projection, digest } = command;
      if (accepted.includes(digest)) return refuse('already-accepted', 'These differences are accepted already.');
      return { events: [{ type: 'DifferencesAccepted', data: { merchant_id: null, projection, digest, proposal_id, reason, accepted_on: now } }] };
    }
    const { event } = command;
    const isAside = aside.some((each) => each.event_stream === event.event_stream && each.event_revision === event.event_revision);
    if (isAside) return refuse('already-set-aside', 'The projection skips this event already.');
    const data = { merchant_id: null, ...event, reason, set_aside_by: `proposal ${proposal_id}`, proposal_id, set_aside_on: now };
    return { events: [{ type: 'EventSetAside', data }] };
  },
};
