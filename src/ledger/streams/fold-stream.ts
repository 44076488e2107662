import type { Decider } from '../decider.js';
import type { EventRef, EventStore, Position, RecordedEvent } from '../../platform/event-store/event-store.js';
import { pageBehind, pagesOf } from '../../platform/event-store/pages-of.js';
import { readEvent, type LedgerEvent } from '../catalogue.js';

/** A stream, folded up to one of its events. */
export interface LoadedStream<State> {
  readonly state: State;
  /** The newest event folded in; null when the stream is empty. */
  readonly newest: NewestEvent | null;
}

export interface NewestEvent extends EventRef {
  readonly position: Position;
}

/** Returns the stream with the highest revision; undefined when there is none. */
export function newestLoaded<State>(all: readonly LoadedStream<State>[]): LoadedStream<State> | undefined {
  const revision = ({ newest }: LoadedStream<State>): number => newest?.revision ?? -1;
  return all.reduce<LoadedStream<State> | undefined>((newest, each) => (newest && revision(newest) >= revision(each) ? newest : each), undefined);
}

/** Keeps the reference of an event without its data, because the data of a thousand accounts would take too much memory. */
export function newestOf({ stream, id, revision, position }: RecordedEvent): NewestEvent {
  return { stream, id, revision, position };
}

/**
 * Folds the events since `known`, page by page. The folded state is valid only while its newest event is at its place: the reading begins with that
 * event, and everything is read again when the store was restored and `known` belongs to another history.
 * @param onPage called with the stream folded so far and the events added by the page. @throws StoreUnavailable
 */
export async function foldStream<State, Event extends LedgerEvent>(
  store: Pick<EventStore, 'read'>,
  stream: string,
  decider: Pick<Decider<State, never, Event, never>, 'initial' | 'evolve'>,
  known?: LoadedStream<State>,
  onPage: (loaded: LoadedStream<State>, added: readonly Event[]) => void = () => undefined,
): Promise<LoadedStream<State>> {
  const last = known?.newest ?? null;
  let loaded: LoadedStream<State> = { state: last && known ? known.state : decider.initial, newest: null };
  for await (const page of pagesOf(store, stream, last?.revision ?? 0)) {
    const isFirst = last !== null && loaded.newest === null;
    if (isFirst && page[0]!.id !== last.id) return foldStream(store, stream, decider, undefined, onPage);
    const added = (isFirst ? page.slice(1) : page).map((event) => readEvent(event) as unknown as Event);
    loaded = { state: added.reduce(decider.evolve, loaded.state), newest: newestOf(page.at(-1)!) };
    onPage(loaded, added);
  }
  return last !== null && loaded.newest === null ? foldStream(store, stream, decider, undefined, onPage) : loaded;
}

/**
 * Folds the newest events of a stream, from the last one for which `isEnough` holds: no event before that one changes the state.
 * @throws StoreUnavailable
 */
export async function foldNewest<State, Event extends LedgerEvent>(
  store: Pick<EventStore, 'read'>,
  stream: string,
  { initial, evolve }: Pick<Decider<State, never, Event, never>, 'initial' | 'evolve'>,
  isEnough: (event: Pick<RecordedEvent, 'type'>) => boolean,
): Promise<LoadedStream<State>> {
  const newestFirst: RecordedEvent[] = [];
  let page = await store.read(stream, { direction: 'backwards', limit: 1 });
  for (;;) {
    const at = page.findIndex(isEnough);
    newestFirst.push(...(at < 0 ? page : page.slice(0, at + 1)));
    const oldest = newestFirst.at(-1);
    if (!oldest || oldest.revision === 0 || at >= 0) break;
    page = await pageBehind(store, stream, oldest, 'backwards');
  }
  const [newest] = newestFirst;
  const events = newestFirst.reverse().map((event) => readEvent(event) as unknown as Event);
  return { state: events.reduce(evolve, initial), newest: newest ? newestOf(newest) : null };
}
