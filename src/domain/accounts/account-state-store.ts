import { foldStream, type LoadedStream } from '../../ledger/streams/fold-stream.js';
import type { StreamKind } from '../../ledger/streams/stream-queue.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { account, type AccountCommand, type AccountRefusal } from './account.decider.js';
import type { AccountState } from './account-state.js';
import type { AccountEvent } from '../../ledger/events/account.events.js';
import type { AccountSnapshots } from './account-snapshots.js';

export type LoadedAccount = LoadedStream<AccountState>;

/** Minimum bytes between two snapshots, approximately: the amount that a cold start reads. A settlement of 1,000 lines is 128 KiB. */
const BYTES_BETWEEN_SNAPSHOTS_MIN = 4 * 1_048_576;
/** Minimum bytes per entry of a snapshot: spreads the cost of writing it over the bytes read or written. */
const BYTES_PER_ENTRY = 1_024;
/** Approximate size of a settlement line, and of any other event of an account. */
const LINE_BYTES = 128;
const EVENT_BYTES = 1_024;

/**
 * Loads an account from its stream, with snapshots that may be missing, outdated or wrong without harm. A snapshot is saved whenever
 * enough bytes were read or appended since the last one, also while a long stream is being read, so that an interrupted cold start
 * is resumed by the next one.
 */
export class AccountKind implements StreamKind<AccountState, AccountCommand, AccountEvent, AccountRefusal> {
  readonly decider = account;
  /** Bytes since the last known snapshot. */
  #bytes = 0;
  #isSaving = false;

  constructor(
    private readonly store: EventStore,
    private readonly snapshots: AccountSnapshots,
  ) {}

  readonly recordOf = (event: AccountEvent): string | undefined => {
    if ('refund_id' in event.data) return event.data.refund_id;
    return 'payout_id' in event.data ? event.data.payout_id : undefined;
  };

  readonly fingerprintOf = (event: AccountEvent): string | undefined =>
    event.type === 'PayoutRequested' || event.type === 'RefundReserved' ? event.data.fingerprint : undefined;

  /** Returns the account's current state from the leader. @throws StoreUnavailable */
  async load(stream: string, known: LoadedAccount | undefined, onPage: (added: readonly AccountEvent[]) => void): Promise<LoadedAccount> {
    return foldStream(this.store, stream, account, known ?? (await this.#fromSnapshot(stream)), (loaded, added: readonly AccountEvent[]) => {
      this.appended(
        stream,
        loaded,
        added.reduce((sum, event) => sum + aboutBytesOf(event), 0),
      );
      onPage(added);
    });
  }

  /** Never fails: a snapshot that cannot be written is written later. */
  appended(stream: string, { state, newest }: LoadedAccount, bytes: number): void {
    this.#bytes += bytes;
    if (!newest || this.#isSaving || this.#bytes < Math.max(BYTES_BETWEEN_SNAPSHOTS_MIN, entriesOf(state) * BYTES_PER_ENTRY)) return;
    const before = this.#bytes;
    this.#isSaving = true;
    void this.snapshots.save(stream, { event_id: newest.id, state }).then((isSaved) => {
      this.#isSaving = false;
      if (isSaved) this.#bytes -= before;
    });
  }

  /** A snapshot of another history (a restored store) is detected by the event at its revision. */
  async #fromSnapshot(stream: string): Promise<LoadedAccount | undefined> {
    const snapshot = await this.snapshots.find(stream);
    return snapshot && { state: snapshot.state, newest: { stream, id: snapshot.event_id, revision: snapshot.state.revision, position: 0n } };
  }
}

/** Returns the number of payouts and reservations in the state. */
export function entriesOf({ open, finished, reservations }: AccountState): number {
  return open.size + reservations.size + finished.younger.size + finished.older.size;
}

function aboutBytesOf(event: AccountEvent): number {
  return event.type === 'FundsSettled' ? EVENT_BYTES + event.data.lines.length * LINE_BYTES : EVENT_BYTES;
}
