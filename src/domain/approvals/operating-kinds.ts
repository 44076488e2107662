import type { Pool } from 'pg';
import { CALENDAR_STREAM } from '../../ledger/events/calendar.events.js';
import { projectionStream } from '../../ledger/events/set-aside.events.js';
import { askForRetry, readFailures } from '../../platform/projector/failures.js';
import type { AcceptDifferencesContent, CalendarContent, SetAsideContent } from './proposal-contents.dto.js';
import { calendar } from '../calendar/calendar.decider.js';
import { setBy } from './merchant-kinds.js';
import { projectionEvents } from './projection.decider.js';
import { approvalsOfSettings, type ProposalKind } from './proposal-kind.js';
import { refusedIn, targetOf } from './proposal-target.js';
import { refuse } from '../../ledger/decider.js';

export const CALENDAR: ProposalKind<CalendarContent> = {
  approvalsOf: approvalsOfSettings(0),
  modeOf: () => null,
  targetOf: (holidays, made) =>
    targetOf({ stream: CALENDAR_STREAM, refused: refusedIn(null) }, calendar, (now) => ({ kind: 'set' as const, ...holidays, ...setBy(made), now })),
};

/** Sets aside only the event that the projection is stopped at. Then the projection is asked to retry. */
export const setAsideKind = (pool: Pool): ProposalKind<SetAsideContent> => ({
  approvalsOf: approvalsOfSettings(1),
  modeOf: () => null,
  targetOf: ({ projection, event_id }, { proposal_id, reason }) =>
    targetOf(
      { stream: projectionStream(projection), refused: refusedIn(null), after: async () => void (await askForRetry(pool, projection)) },
      projectionEvents,
      async (now) => {
        const parked = (await readFailures(pool)).find((stop) => stop.projection === projection)?.event;
        if (parked?.id !== event_id) return refuse('not-stopped', `Projection ${projection} is not stopped in front of that event.`);
        const { type: event_type, stream: event_stream, revision: event_revision, ordinal: event_position } = parked;
        const event = { projection, event_id, event_type, event_stream, event_revision, event_position };
        return { kind: 'set-aside' as const, event, reason, proposal_id, now };
      },
    ),
});

/**
 * Accepts exact differences between a new build and the live one that it is to replace; `projections rebuild NAME --proposal ID` then allows them.
 */
export const ACCEPT_DIFFERENCES: ProposalKind<AcceptDifferencesContent> = {
  approvalsOf: approvalsOfSettings(1),
  modeOf: () => null,
  targetOf: ({ projection, digest }, { proposal_id, reason }) =>
    targetOf({ stream: projectionStream(projection), refused: refusedIn(null) }, projectionEvents, (now) => {
      return { kind: 'accept-differences' as const, projection, digest, reason, proposal_id, now };
    }),
};
