import { readFact } from '../ledger/catalogue.js';
import type { EventStore, Position, RecordedEvent } from '../platform/event-store/event-store.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import { account, type AccountState } from './account.decider.js';
import type { AccountEvent } from './account.events.js';
import type { AccountSnapshot, AccountSnapshots } from './account-snapshots.js';

/** An account as folded up to one event of its stream. */
export interface LoadedAccount {
  readonly state: AccountState;
  /** The newest event folded in; null when the stream is empty. */
  readonly newest: { readonly id: string; readonly position: Position } | null;
}

/** A snapshot is written when so many events follow the last one, or as many as it has entries: its cost is spread over them. */
const EVENTS_BETWEEN_SNAPSHOTS_MIN = 5_000;

/** Loads accounts from their streams, with the help of snapshots that may be missing, old or wrong without doing harm. */
export class AccountStateStore {
  constructor(
    private readonly store: EventStore,
    private readonly snapshots: AccountSnapshots,
  ) {}

  /** The account as the leader knows it now. @throws StoreUnavailable */
  async load(stream: string): Promise<LoadedAccount> {
    return this.#readOn(stream, await this.snapshots.find(stream));
  }

  /**
   * `known` and what has been added since; all of it again when the store was put back and `known` is of another history.
   * @throws StoreUnavailable
   */
  refresh(stream: string, { state, newest }: LoadedAccount): Promise<LoadedAccount> {
    return this.#readOn(stream, newest ? { state, event_id: newest.id } : undefined);
  }

  /** What was folded holds only where its newest event stands at its place: the reading begins with that. */
  async #readOn(stream: string, known: AccountSnapshot | undefined): Promise<LoadedAccount> {
    let state = known?.state ?? account.initial;
    let newest: LoadedAccount['newest'] = null;
    for await (const page of pagesOf(this.store, stream, Math.max(state.revision, 0))) {
      const isKnown = known !== undefined && newest === null;
      if (isKnown && page[0]!.id !== known.event_id) return this.#readOn(stream, undefined);
      state = (isKnown ? page.slice(1) : page).reduce(folded, state);
      newest = newestOf(page.at(-1)!);
    }
    return known && newest === null ? this.#readOn(stream, undefined) : { state, newest };
  }

  /**
   * Keeps `loaded` as a snapshot when it is time; `since` is the revision of the last one that the caller knows of.
   * Returns the revision of the newest snapshot. Never fails: a snapshot that cannot be written is written later.
   */
  async keep(stream: string, loaded: LoadedAccount, since: number): Promise<number> {
    const { state, newest } = loaded;
    const entries = state.open.size + state.finished.younger.size + state.finished.older.size;
    if (!newest || state.revision - since < Math.max(EVENTS_BETWEEN_SNAPSHOTS_MIN, entries)) return since;
    return (await this.snapshots.save(stream, { event_id: newest.id, state })) ? state.revision : since;
  }
}

function folded(state: AccountState, event: RecordedEvent): AccountState {
  return account.evolve(state, readFact(event) as AccountEvent);
}

function newestOf({ id, position }: RecordedEvent): LoadedAccount['newest'] {
  return { id, position };
}
