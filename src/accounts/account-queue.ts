import { StreamQueue, type QueueServices, type StreamOutcome, type StreamRequest, type Waits } from '../ledger/stream-queue.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Clock } from '../ledger/time.js';
import type { AccountCommand, AccountRefusal, AccountState } from './account.decider.js';
import { accountStream, type AccountEvent } from '../ledger/events/account.events.js';
import { AccountKind } from './account-state-store.js';
import type { AccountSnapshots } from './account-snapshots.js';

export interface AccountId {
  readonly merchant_id: string;
  readonly currency: string;
}

export type AccountOutcome = StreamOutcome<AccountState, AccountEvent, AccountRefusal>;

type QueueOfAccount = StreamQueue<AccountState, AccountCommand, AccountEvent, AccountRefusal>;

/** Accounts whose state is kept in memory; the least recently used idle one makes room. */
const ACCOUNTS_MAX = 1_000;

/**
 * Where every command for an account goes in this process: requests for one account are decided together and appended at once,
 * those for different accounts do not know of each other. Other processes do the same; the expected revision judges between them.
 */
export class AccountQueue {
  readonly #queues = new Map<string, QueueOfAccount>();
  readonly #services: QueueServices;

  constructor(
    store: EventStore,
    private readonly snapshots: AccountSnapshots,
    clock: Clock,
    waits: Waits,
  ) {
    this.#services = { store, clock, waits };
  }

  /**
   * @throws StoreUnavailable when nothing was recorded, StreamBusy among them when the account kept changing;
   * OutcomeUnknown when that could not be learnt.
   */
  submit({ merchant_id, currency }: AccountId, request: StreamRequest<AccountCommand>): Promise<AccountOutcome> {
    return this.#queue(accountStream(merchant_id, currency)).submit(request);
  }

  #queue(stream: string): QueueOfAccount {
    const { store } = this.#services;
    const queue = this.#queues.get(stream) ?? new StreamQueue(stream, new AccountKind(store, this.snapshots), this.#services);
    // Most recently used last.
    this.#queues.delete(stream);
    this.#queues.set(stream, queue);
    if (this.#queues.size > ACCOUNTS_MAX) this.#evictIdle();
    return queue;
  }

  #evictIdle(): void {
    for (const [stream, queue] of this.#queues) {
      if (this.#queues.size <= ACCOUNTS_MAX) return;
      if (queue.isIdle) this.#queues.delete(stream);
    }
  }
}
