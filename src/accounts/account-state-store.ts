import { readFact } from '../ledger/catalogue.js';
import type { EventStore, Position, RecordedEvent } from '../platform/event-store/event-store.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import { account, type AccountState } from './account.decider.js';
import type { AccountEvent } from './account.events.js';
import type { AccountSnapshots } from './account-snapshots.js';

/** An account as folded up to one event of its stream. */
export interface LoadedAccount {
  readonly state: AccountState;
  /** The newest event folded in; null when the stream is empty. */
  readonly newest: { readonly id: string; readonly position: Position } | null;
}

/** A snapshot is written when so many events follow the last one, or as many as it has entries: its cost is spread over them. */
const EVENTS_BETWEEN_SNAPSHOTS_MIN = 5_000;

const EMPTY: LoadedAccount = { state: account.initial, newest: null };

/** Loads accounts from their streams, with the help of snapshots that may be missing, old or wrong without doing harm. */
export class AccountStateStore {
  constructor(
    private readonly store: EventStore,
    private readonly snapshots: AccountSnapshots,
  ) {}

  /** The account as the leader knows it now. @throws StoreUnavailable */
  async load(stream: string): Promise<LoadedAccount> {
    const snapshot = await this.snapshots.find(stream);
    if (!snapshot) return this.refresh(stream, EMPTY);
    // A snapshot of another history (a restored store) is recognised by the event that it says it ends with.
    const { state } = snapshot;
    const [newest] = await this.store.read(stream, { from: state.revision, limit: 1 });
    return this.refresh(stream, newest?.id === snapshot.event_id ? { state, newest: newestOf(newest) } : EMPTY);
  }

  /** `known` and what has been added since. @throws StoreUnavailable */
  async refresh(stream: string, known: LoadedAccount): Promise<LoadedAccount> {
    let loaded = known;
    for await (const page of pagesOf(this.store, stream, known.state.revision + 1)) loaded = page.reduce(withEvent, loaded);
    return loaded;
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

export function withEvent(loaded: LoadedAccount, event: RecordedEvent): LoadedAccount {
  return { state: account.evolve(loaded.state, readFact(event) as AccountEvent), newest: newestOf(event) };
}

function newestOf({ id, position }: RecordedEvent): LoadedAccount['newest'] {
  return { id, position };
}
