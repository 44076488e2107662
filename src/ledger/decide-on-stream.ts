import type { Decider, Decision } from '../decider.js';
import { StoreUnavailable, type EventStore, type Position, type RecordedEvent } from '../platform/event-store/event-store.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import { timestamp, type Clock, type Timestamp } from '../time.js';
import { readFact, type LedgerEvent } from './catalogue.js';
import { newEvent, type CommandContext } from './new-event.js';

/** Conflicts on one stream before a command gives up; each one means that somebody else made progress. */
const CONFLICTS_MAX = 20;

export type Outcome<State, Event, Refusal extends string> =
  | {
      readonly state: State;
      /** What this command added; empty when it had been done already. */
      readonly events: readonly Event[];
      /** Of the stream's newest event: what a read after this answer must show. */
      readonly position: Position;
    }
  | { readonly refusal: Refusal; readonly detail: string; readonly state: State };

/**
 * The shell around a decider: loads the stream, decides, appends expecting the revision that was read, and starts over on a conflict.
 * `command` is given the moment to decide at, which is the process's own: a fact that lies ahead of it sets no time for others.
 * @throws StoreUnavailable when nothing was recorded; OutcomeUnknown when that could not be learnt.
 */
export async function decideOnStream<State, Command, Event extends LedgerEvent, Refusal extends string>(
  store: EventStore,
  clock: Clock,
  stream: string,
  decider: Decider<State, Command, Event, Refusal>,
  command: (now: Timestamp) => Command,
  context: Omit<CommandContext, 'now'>,
): Promise<Outcome<State, Event, Refusal>> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    let newest: RecordedEvent | undefined;
    let state = decider.initial;
    for await (const page of pagesOf(store, stream)) {
      state = page.reduce((folded, event) => decider.evolve(folded, readFact(event) as unknown as Event), state);
      newest = page.at(-1);
    }
    const now = timestamp(clock());
    const decision: Decision<Event, Refusal> = decider.decide(state, command(now));
    if ('refusal' in decision) return { ...decision, state };
    if (decision.events.length === 0) {
      if (!newest) throw new Error(`a decider found nothing to do on ${stream}, which does not exist`);
      return { state, events: [], position: newest.position };
    }
    const events = decision.events.map((fact) => newEvent(fact, { ...context, now }));
    const result = await store.append(stream, newest ?? 'no-stream', events);
    if (result.ok) return { state: decision.events.reduce(decider.evolve, state), events: decision.events, position: result.position };
  }
  throw new StoreUnavailable(`${stream} kept changing; nothing was recorded`);
}
