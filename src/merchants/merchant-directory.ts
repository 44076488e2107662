import type { KeyDirectory, KeyRecord } from '../platform/auth/key-directory.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { StreamFollower } from '../platform/event-store/stream-follower.js';
import { KnownMerchants, MERCHANT_STREAMS } from './known-merchants.js';

/**
 * Every merchant, key, channel and fee, in the memory of each process that answers requests: it follows the facts themselves,
 * so a key works milliseconds after it was issued, and a revoked one dies within a second, or this process refuses to judge.
 */
export class MerchantDirectory implements KeyDirectory {
  /** As of the newest fact that has arrived. */
  readonly merchants = new KnownMerchants();
  private readonly follower: StreamFollower;

  /** `onStopped` is told of a fact that could not be taken: from then on nothing is fresh. */
  constructor(store: EventStore, onStopped?: (error: Error) => void) {
    const apply = this.merchants.add.bind(this.merchants);
    this.follower = new StreamFollower(store, { streamPrefix: MERCHANT_STREAMS, apply, ...(onStopped && { onStopped }) });
  }

  start(): void {
    this.follower.start();
  }

  /** Resolves when all that was recorded before the call is known. @throws UnknownEvent when a fact could not be taken. */
  ready(): Promise<void> {
    return this.follower.ready();
  }

  stop(): Promise<void> {
    return this.follower.stop();
  }

  find(hash: string): KeyRecord | undefined {
    return this.merchants.keyByHash(hash);
  }

  isFresh(): boolean {
    return this.follower.isFresh();
  }

  confirm(): Promise<boolean> {
    return this.follower.confirm();
  }

  /** The fact that stopped it, for health. */
  stoppedBy(): Error | undefined {
    return this.follower.stoppedBy();
  }
}
