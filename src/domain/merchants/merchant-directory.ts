import type { Clock } from '../../ledger/time.js';
import { ActingOperators } from '../operators/acting-operator.js';
import type { KeyDirectory, KeyRecord } from '../../platform/auth/key-directory.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { StreamFollower } from '../../platform/event-store/stream-follower.js';
import { KnownMerchants, MERCHANT_STREAMS } from './known-merchants.js';

/**
 * Every merchant, key, channel and fee, in the memory of each process that serves requests. It follows the events themselves, so a key works
 * milliseconds after it is issued, and a revoked one is refused within a second, or this process refuses to decide.
 */
export class MerchantDirectory implements KeyDirectory {
  /** As of the newest event that was received. */
  readonly merchants = new KnownMerchants();
  private readonly follower: StreamFollower;
  /** State that is being read again after the store was restored; requests in progress still use the previous state. */
  private reading: KnownMerchants | undefined;
  private restored = { times: 0, last: null as number | null };

  /**
   * @param onStopped is called with the error of an event that could not be applied; from then on nothing is fresh.
   * @param onRestored is called when the store was restored; nothing is fresh until all is read again.
   */
  constructor(store: EventStore, onStopped?: (error: Error) => void, onRestored?: (error: Error) => void) {
    this.follower = new StreamFollower(store, {
      streamPrefix: MERCHANT_STREAMS,
      apply: (event) => (this.reading ?? this.merchants).add(event),
      ...(onStopped && { onStopped }),
      onRestored: (error) => {
        this.reading = new KnownMerchants();
        this.restored = { times: this.restored.times + 1, last: Date.now() };
        onRestored?.(error);
      },
      onCaughtUp: () => {
        if (this.reading) this.merchants.takeOver(this.reading);
        this.reading = undefined;
      },
    });
  }

  /** How often the store was found restored since this process began, and when last (ms since the epoch). */
  get restores(): { readonly times: number; readonly last: number | null } {
    return this.restored;
  }

  /** True while the store was restored and not all of it has been read again. */
  get isReadingAgain(): boolean {
    return this.reading !== undefined;
  }

  /** Operators who act, and their rights, as this directory knows them. */
  actingOperators(clock: Clock): ActingOperators {
    return new ActingOperators(this, this.merchants, clock);
  }

  start(): void {
    this.follower.start();
  }

  /** Resolves when all events recorded before the call are applied. @throws UnknownEvent when one could not be applied. */
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

  /** The error of the event that stopped it, for health. */
  stoppedBy(): Error | undefined {
    return this.follower.stoppedBy();
  }
}
