import { StreamQueue, type QueueServices, type StreamOutcome, type StreamRequest, type Waits } from '../../ledger/streams/stream-queue.js';
import type { Decision } from '../../ledger/decider.js';
import type { NewestEvent } from '../../ledger/streams/fold-stream.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { StreamBusy, type EventStore } from '../../platform/event-store/event-store.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { account as decider, type AccountCommand, type AccountRefusal } from './account.decider.js';
import type { AccountState } from './account-state.js';
import { accountStream, type AccountEvent } from '../../ledger/events/account.events.js';
import { AccountKind, entriesOf } from './account-state-store.js';
import type { AccountSnapshots } from './account-snapshots.js';

export interface AccountId {
  readonly merchant_id: string;
  readonly currency: string;
}

/** Result of a command, with the refusals of its kind only. */
export type AccountOutcome<Command extends AccountCommand> = StreamOutcome<AccountState, AccountEvent, AccountRefusal<Command['kind']>>;

type QueueOfAccount = StreamQueue<AccountState, AccountCommand, AccountEvent, AccountRefusal>;

/** A request to an account. `bytes`: approximate memory that it holds while it waits. */
export type AccountRequest<Command extends AccountCommand> = StreamRequest<Command, AccountState> & { readonly bytes?: number };

/** Maximum accounts whose state is in memory. The least recently used idle one is removed first. */
const ACCOUNTS_MAX = 1_000;
/** Maximum bytes of these states. The state in use is kept even when it is larger. */
const STATES_BYTES_MAX = 64 * 1_048_576;
/** Approximate size of an open payout, or of one that ended recently. */
const ENTRY_BYTES = 256;
/** Maximum bytes of waiting requests of all accounts: as much as an engine lets wait. */
const WAITING_BYTES_MAX = 32 * 1_048_576;

interface KeptAccount {
  readonly queue: QueueOfAccount;
  /** Approximate size of its state when it was last idle. */
  bytes: number;
}

/**
 * Every command for an account in this process goes through this queue: requests for one account are decided together and appended
 * at once, independently of other accounts. Other processes do the same; the expected revision decides between them.
 */
export class AccountQueue {
  /** Most recently used last. */
  readonly #accounts = new Map<string, KeptAccount>();
  readonly #services: QueueServices;
  #stateBytes = 0;
  #waitingBytes = 0;

  constructor(
    store: EventStore,
    private readonly snapshots: AccountSnapshots,
    clock: Clock,
    waits: Waits,
  ) {
    this.#services = { store, clock, waits };
  }

  /**
   * @throws StoreUnavailable when nothing was recorded; StreamBusy, a subclass, when the account kept changing or too many requests
   * wait; OutcomeUnknown when the result of the append is not known
   */
  async submit<Command extends AccountCommand>(
    { merchant_id, currency }: AccountId,
    { bytes = 0, ...request }: AccountRequest<Command>,
  ): Promise<AccountOutcome<Command>> {
    const stream = accountStream(merchant_id, currency);
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX) throw new StreamBusy(stream, 'too many requests wait for accounts');
    this.#waitingBytes += bytes;
    try {
      return await this.#queue(stream).submit(request);
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  /** Returns the account as it is now. @throws as `submit` does */
  async read(account: AccountId): Promise<{ readonly state: AccountState; readonly newest: NewestEvent | null }> {
    const outcome = await this.submit(account, { context: systemContext() });
    if (outcome.kind !== 'decided') throw new Error('a query of an account must return the account');
    return outcome;
  }

  /** Decides a command on the account as it is now, and records nothing. @throws as `submit` does */
  async preview<Command extends AccountCommand>(
    account: AccountId,
    command: (now: Timestamp) => Command,
  ): Promise<{ readonly decision: Decision<AccountEvent, AccountRefusal<Command['kind']>>; readonly newest: NewestEvent | null }> {
    const { state, newest } = await this.read(account);
    const decision = decider.decide(state, command(timestamp(this.#services.clock())));
    return { decision: decision as Decision<AccountEvent, AccountRefusal<Command['kind']>>, newest };
  }

  /** Number of waiting requests of all accounts. */
  get waiting(): number {
    return [...this.#accounts.values()].reduce((sum, { queue }) => sum + queue.waiting, 0);
  }

  #queue(stream: string): QueueOfAccount {
    const account = this.#accounts.get(stream) ?? this.#open(stream);
    this.#accounts.delete(stream);
    this.#accounts.set(stream, account);
    if (this.#accounts.size > ACCOUNTS_MAX) this.#makeRoom(account);
    return account.queue;
  }

  #open(stream: string): KeptAccount {
    const { store } = this.#services;
    const queue: QueueOfAccount = new StreamQueue(stream, new AccountKind(store, this.snapshots), this.#services, () =>
      this.#measure(stream, account),
    );
    const account: KeptAccount = { queue, bytes: 0 };
    return account;
  }

  #measure(stream: string, account: KeptAccount): void {
    if (this.#accounts.get(stream) !== account) return;
    const bytes = account.queue.state ? entriesOf(account.queue.state) * ENTRY_BYTES : 0;
    this.#stateBytes += bytes - account.bytes;
    account.bytes = bytes;
    if (this.#stateBytes > STATES_BYTES_MAX) this.#makeRoom(account);
  }

  #makeRoom(kept: KeptAccount): void {
    for (const [stream, account] of this.#accounts) {
      if (this.#accounts.size <= ACCOUNTS_MAX && this.#stateBytes <= STATES_BYTES_MAX) return;
      if (account === kept || !account.queue.isIdle) continue;
      this.#accounts.delete(stream);
      this.#stateBytes -= account.bytes;
    }
  }
}
