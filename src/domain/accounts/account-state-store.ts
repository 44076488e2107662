import { foldStream, type LoadedStream } from '../../ledger/streams/fold-stream.js';
import type { StreamKind } from '../../ledger/streams/stream-queue.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { account, type AccountCommand, type AccountRefusal } from './account.decider.js';
import type { AccountState } from './account-state.js';
import type { AccountEvent } from '../../ledger/events/account.events.js';
import type { AccountSnapshots } from './account-snapshots.js';

export type LoadedAccount = LoadedStream<AccountState>;

/** Bytes behind a snapshot, about, until the next one: what a cold start reads. A settlement of 1,000 lines is 128 KiB of them. */
const BYTES_BETWEEN_SNAPSHOTS_MIN = 4 * 1_048_576;
/** For each entry of a snapshot, beside the least: what writing it costs is spread over what was read or written. */
const BYTES_PER_ENTRY = 1_024;
/** About what a line of a settlement takes, and any other event of an account. */
const LINE_BYTES = 128;
const EVENT_BYTES = 1_024;

/**
 * Loads an account from its stream, with the help of snapshots that may be missing, old or wrong without doing harm. One is kept
 * whenever enough bytes were read or appended since the last: also on the way through a long stream, so that who starts cold goes
 * on where the one before was stopped.
 */
export class AccountKind implements StreamKind<AccountState, AccountCommand, AccountEvent, AccountRefusal> {
  readonly decider = account;
  /** Since the last snapshot that is known. */
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

  /** The account as the leader knows it now. @throws StoreUnavailable */
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

  /** One of another history (a restored store) is recognised by the event that it says it ends with. */
  async #fromSnapshot(stream: string): Promise<LoadedAccount | undefined> {
    const snapshot = await this.snapshots.find(stream);
    return snapshot && { state: snapshot.state, newest: { stream, id: snapshot.event_id, revision: snapshot.state.revision, position: 0n } };
  }
}

/** Payouts and reservations that the state holds. */
export function entriesOf({ open, finished, reservations }: AccountState): number {
  return open.size + reservations.size + finished.younger.size + finished.older.size;
}

function aboutBytesOf(event: AccountEvent): number {
  return event.type === 'FundsSettled' ? EVENT_BYTES + event.data.lines.length * LINE_BYTES : EVENT_BYTES;
}
