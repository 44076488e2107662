import { readEvent } from '../../ledger/catalogue.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { DESK_STREAM, type DeskEvent, type DeskPolicy } from '../../ledger/events/desk.events.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import type { Timestamp } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import { deskPolicies, type DeskPolicies, type SetDeskPolicy } from './desk-policy.decider.js';
import type { DirectoryDeps } from './directory.js';

/** Reads the policies in force, once. @throws UnknownEvent */
export async function loadDeskPolicies(store: Pick<EventStore, 'read'>): Promise<DeskPolicies> {
  let state = deskPolicies.initial;
  for await (const page of pagesOf(store, DESK_STREAM, 0)) {
    for (const event of page) state = deskPolicies.evolve(state, readEvent(event) as DeskEvent);
  }
  return state;
}

/** Sets the whole policy of a mode for a proposal; a repeat is success. @param actor of the event. @throws StoreUnavailable, OutcomeUnknown */
export async function setDeskPolicy({ store, clock }: DirectoryDeps, policy: DeskPolicy, proposal_id: string, actor: string): Promise<DeskPolicies> {
  const context = { ...systemContext(), actor };
  const command = (now: Timestamp): SetDeskPolicy => ({ kind: 'set', policy, proposal_id, now });
  return (await decideOnStream(store, clock, DESK_STREAM, deskPolicies, command, context)).state;
}
