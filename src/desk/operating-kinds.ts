import type { Pool } from 'pg';
import { foldStream } from '../ledger/fold-stream.js';
import { projectionStream } from '../ledger/events/set-aside.events.js';
import { transferStream } from '../ledger/events/transfer.events.js';
import { transfer } from '../payouts/transfer.decider.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { askForRetry, readFailures } from '../platform/projector/failures.js';
import { inquiryWindowDays } from '../rails/inquiry-window.js';
import type { AcceptDifferencesContent, PayoutResolveContent, SetAsideContent } from './proposal-contents.dto.js';
import { projectionEvents } from './projection.decider.js';
import { approvalsOfSettings, type ProposalKind } from './proposal-kind.js';
import { refusedIn, targetOf } from './proposal-target.js';

/** What has become of a payout that is held. Whoever pays payouts brings it to the account, as what a bank answers. */
export const payoutResolveKind = (store: EventStore): ProposalKind<PayoutResolveContent> => ({
  approvalsOf: approvalsOfSettings(0),
  modeOf: () => null,
  async targetOf({ payout_id, outcome, final_statement = false }, { proposal_id, reason }) {
    const stream = transferStream(payout_id);
    const { state } = await foldStream(store, stream, transfer);
    const merchant_id = state.of?.merchant_id ?? null;
    const verdict = outcome === 'paid' ? ('paid' as const) : ('failed' as const);
    const inquiry_window_days = state.rail === null ? undefined : await inquiryWindowDays(store, state.rail);
    const found = { verdict, decided_by: `proposal ${proposal_id}`, evidence: reason, is_final: final_statement, inquiry_window_days, proposal_id };
    return targetOf({ stream, refused: refusedIn(merchant_id) }, transfer, (now) => ({ kind: 'resolve' as const, ...found, now }));
  },
});

/** The event that a projection is stopped in front of, and no other. Once it is set aside, the projection is told to try again. */
export const setAsideKind = (pool: Pool): ProposalKind<SetAsideContent> => ({
  approvalsOf: approvalsOfSettings(1),
  modeOf: () => null,
  targetOf: ({ projection, event_id }, { proposal_id, reason }) =>
    targetOf(
      { stream: projectionStream(projection), refused: refusedIn(null), after: async () => void (await askForRetry(pool, projection)) },
      projectionEvents,
      async (now) => {
        const parked = (await readFailures(pool)).find((stop) => stop.projection === projection)?.event;
        if (parked?.id !== event_id) return { refusal: 'not-stopped', detail: `Projection ${projection} is not stopped in front of that event.` };
        const { type: event_type, stream: event_stream, revision: event_revision, ordinal: event_position } = parked;
        const event = { projection, event_id, event_type, event_stream, event_revision, event_position };
        return { kind: 'set-aside' as const, event, reason, proposal_id, now };
      },
    ),
});

/** Which differences a build may have that is to take the place of the live one; `projections rebuild NAME --proposal ID` takes them at their word. */
export const ACCEPT_DIFFERENCES: ProposalKind<AcceptDifferencesContent> = {
  approvalsOf: approvalsOfSettings(1),
  modeOf: () => null,
  targetOf: ({ projection, digest }, { proposal_id, reason }) =>
    targetOf({ stream: projectionStream(projection), refused: refusedIn(null) }, projectionEvents, (now) => {
      return { kind: 'accept-differences' as const, projection, digest, reason, proposal_id, now };
    }),
};
