import type { EventStore } from '../platform/event-store/event-store.js';
import type { Clock } from '../time.js';
import { accountStream } from './account.events.js';
import { AccountLane, type AccountOutcome, type AccountRequest, type LaneServices } from './account-lane.js';
import { AccountStateStore } from './account-state-store.js';
import type { AccountSnapshots } from './account-snapshots.js';

export interface AccountId {
  readonly merchant_id: string;
  readonly currency: string;
}

/** Accounts whose state is kept in memory; the least recently used idle one makes room. */
const ACCOUNTS_MAX = 1_000;

/**
 * Where every command for an account goes in this process: requests for one account are decided together and appended at once,
 * those for different accounts do not know of each other. Other processes do the same; the expected revision judges between them.
 */
export class AccountQueue {
  readonly #lanes = new Map<string, AccountLane>();
  readonly #services: LaneServices;

  constructor(store: EventStore, snapshots: AccountSnapshots, clock: Clock, pause: LaneServices['pause']) {
    this.#services = { store, states: new AccountStateStore(store, snapshots), clock, pause };
  }

  /** @throws StoreUnavailable when nothing was recorded; OutcomeUnknown when that could not be learnt. */
  submit({ merchant_id, currency }: AccountId, request: AccountRequest): Promise<AccountOutcome> {
    return this.#lane(accountStream(merchant_id, currency)).submit(request);
  }

  #lane(stream: string): AccountLane {
    const lane = this.#lanes.get(stream) ?? new AccountLane(stream, this.#services);
    // Most recently used last.
    this.#lanes.delete(stream);
    this.#lanes.set(stream, lane);
    if (this.#lanes.size > ACCOUNTS_MAX) this.#evictIdle();
    return lane;
  }

  #evictIdle(): void {
    for (const [stream, lane] of this.#lanes) {
      if (this.#lanes.size <= ACCOUNTS_MAX) return;
      if (lane.isIdle) this.#lanes.delete(stream);
    }
  }
}
