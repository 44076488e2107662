import { setTimeout as delay } from 'node:timers/promises';
import type { Decider, Refused } from '../decider.js';
import type { EventRef, EventStore, Position } from '../../platform/event-store/event-store.js';
import type { Clock, Timestamp } from '../time.js';
import type { LedgerEvent } from '../catalogue.js';
import { foldStream, type LoadedStream } from './fold-stream.js';
import type { CommandContext } from './new-event.js';
import { StreamQueue, type Waits } from './stream-queue.js';

export type Decided<State, Event, Refusal extends string> =
  | {
      readonly state: State;
      /** Events that this command added; empty when it was already done. */
      readonly events: readonly Event[];
      /** Position of the stream's newest event; a read after this response must include it. */
      readonly position: Position;
      /** The newest event, for decisions that are made from it and written to another stream. */
      readonly newest: EventRef;
      /** The stream up to that event, for the next decision on it. */
      readonly loaded: LoadedStream<State>;
    }
  | (Refused<Refusal> & {
      readonly state: State;
      /** Position of the stream's newest event; null while it has none. */
      readonly position: Position | null;
      readonly loaded: LoadedStream<State>;
    });

export interface StreamDecider<State, Command, Event, Refusal extends string> extends Decider<State, Command, Event, Refusal> {
  /** Loads the state when less than the whole stream determines it. @throws StoreUnavailable */
  readonly load?: (store: Pick<EventStore, 'read'>, stream: string) => Promise<LoadedStream<State>>;
}

/** Why something is decided, and from what. */
export interface DecisionContext<State> extends Omit<CommandContext, 'now'> {
  /** Events of other streams that the command was made from. */
  readonly dependsOn?: readonly EventRef[];
  /** The stream as it was read a moment ago, which is not read again where it still stands so. */
  readonly known?: LoadedStream<State> | undefined;
}

/** Waits as the system's clock goes. */
export const REAL_WAITS: Waits = {
  now: () => performance.now(),
  pause: (ms) => delay(Math.random() * ms),
};

/**
 * Runs a decider on a stream: commands for one stream queue in this process and are decided together; the expected revision of an append detects
 * commands of other processes. `command` receives the time of the decision, on this process's clock: an event with a later time does not move it.
 * @throws StoreUnavailable when nothing was recorded, StreamBusy among them when the stream kept changing; OutcomeUnknown when that could not be
 * determined.
 */
export async function decideOnStream<State, Command, Event extends LedgerEvent, Refusal extends string>(
  store: EventStore,
  clock: Clock,
  stream: string,
  decider: StreamDecider<State, Command, Event, Refusal>,
  command: (now: Timestamp) => Command,
  { dependsOn = [], known, ...context }: DecisionContext<State>,
): Promise<Decided<State, Event, Refusal>> {
  const outcome = await queueOf(store, clock, stream, decider).submit({ command, context, dependsOn, ...(known && { known }) });
  switch (outcome.kind) {
    case 'refused': {
      const { refusal, detail, state, newest, loaded } = outcome;
      return { refusal, detail, state, position: newest?.position ?? null, loaded };
    }
    case 'decided': {
      const { state, events, newest, loaded } = outcome;
      if (newest === null) throw new Error(`a decider found nothing to do on ${stream}, which does not exist`);
      return { state, events, position: newest.position, newest, loaded };
    }
    case 'found':
      throw new Error(`the command on ${stream} searches for no other event`);
  }
}

type AnyQueue = StreamQueue<unknown, unknown, LedgerEvent, string>;

interface QueuesOfStore {
  readonly waits: Waits;
  /** Busy queues by decider, because each decider folds the stream to another state; then by stream. */
  readonly busy: Map<object, Map<string, AnyQueue>>;
}

const QUEUES = new WeakMap<EventStore, QueuesOfStore>();

/** Sets how decisions on this store wait. Called before the first decision. */
export function waitOn(store: EventStore, waits: Waits): void {
  QUEUES.set(store, { waits, busy: new Map() });
}

function queueOf<State, Command, Event extends LedgerEvent, Refusal extends string>(
  store: EventStore,
  clock: Clock,
  stream: string,
  decider: StreamDecider<State, Command, Event, Refusal>,
): StreamQueue<State, Command, Event, Refusal> {
  if (!QUEUES.has(store)) waitOn(store, REAL_WAITS);
  const { waits, busy } = QUEUES.get(store)!;
  const ofDecider = busy.get(decider) ?? new Map<string, AnyQueue>();
  busy.set(decider, ofDecider);
  const found = ofDecider.get(stream);
  if (found) return found as unknown as StreamQueue<State, Command, Event, Refusal>;
  const queue = new StreamQueue(stream, { decider, load: loaderOf(store, decider) }, { store, clock, waits }, () => ofDecider.delete(stream));
  ofDecider.set(stream, queue as unknown as AnyQueue);
  return queue;
}

function loaderOf<State, Command, Event extends LedgerEvent, Refusal extends string>(
  store: EventStore,
  decider: StreamDecider<State, Command, Event, Refusal>,
) {
  return (stream: string, known: LoadedStream<State> | undefined, onPage: (added: readonly Event[]) => void): Promise<LoadedStream<State>> =>
    decider.load ? decider.load(store, stream) : foldStream<State, Event>(store, stream, decider, known, (_, added) => onPage(added));
}
