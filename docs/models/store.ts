import type { Step } from './explorer.js';

/** An event store of a few short streams, and the appends that may still reach it. */
export interface Store<Event extends StoredEvent> {
  readonly log: Event[];
  /** False where no rule depends on the order between streams: `log` is then kept by stream, which makes many states one. */
  readonly keepsOrder: boolean;
  /** Number of appends whose outcome their process may never learn. */
  timeouts: number;
  readonly delayed: Append<Event>[];
}

export interface StoredEvent {
  readonly stream: string;
  readonly id: string;
}

/** Appends to the stream of the first event. `expected` is the revision of the stream's last event, -1 for no stream. */
export interface Append<Event> {
  readonly expected: number | 'any';
  readonly events: readonly Event[];
}

export type Outcome = 'done' | 'conflict' | 'unknown';

export const streamOf = <Event extends StoredEvent>({ log }: Store<Event>, stream: string): Event[] => log.filter((event) => event.stream === stream);

/** An engine reports success for an append of ids that already follow the expected revision, and writes nothing. */
export function append<Event extends StoredEvent>(store: Store<Event>, { expected, events }: Append<Event>): 'written' | 'same' | 'conflict' {
  const stream = streamOf(store, events[0]!.stream);
  const revision = stream.length - 1;
  const isThere = (event: Event, index: number): boolean =>
    expected === 'any' ? stream.some(({ id }) => id === event.id) : stream[expected + 1 + index]?.id === event.id;
  if (expected !== revision && events.every(isThere)) return 'same';
  if (expected !== 'any' && expected !== revision) return 'conflict';
  store.log.push(...events);
  if (!store.keepsOrder) store.log.sort((one, other) => Number(one.stream > other.stream) - Number(one.stream < other.stream));
  return 'written';
}

/** Offers an append with every outcome; while there are `timeouts`, its response may be lost, or the append be on its way for any time. */
export function appending<Event extends StoredEvent, State extends { readonly store: Store<Event> }>(
  step: Step<State>,
  { store }: State,
  label: string,
  each: Append<Event>,
  then: (next: State, outcome: Outcome) => void,
): void {
  step(label, (next) => then(next, append(next.store, each) === 'conflict' ? 'conflict' : 'done'));
  if (store.timeouts === 0) return;
  step(`${label}: the response is lost`, (next) => {
    next.store.timeouts -= 1;
    append(next.store, each);
    then(next, 'unknown');
  });
  step(`${label}: times out, and may arrive later`, (next) => {
    next.store.timeouts -= 1;
    next.store.delayed.push(each);
    then(next, 'unknown');
  });
}

export function delayedAppends<State extends { readonly store: Store<StoredEvent> }>(step: Step<State>, { store }: State): void {
  store.delayed.forEach((each, index) => {
    const take = (next: State): void => void next.store.delayed.splice(index, 1);
    step('a delayed append is lost', take);
    step('a delayed append arrives', (next) => {
      take(next);
      append(next.store, each);
    });
  });
}
