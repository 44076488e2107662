import type { AppendResult, EventStore, RecordedEvent, SubscriptionBatch } from '../../src/platform/event-store/event-store.js';
import type { InMemoryEventStore } from '../support/in-memory-event-store.js';

const NO_ANSWER = new Promise<never>(() => undefined);

/** The end of a process: at its nth append, which is written or not. */
export interface Death {
  readonly append: number;
  readonly isWritten: boolean;
}

/** The store of one process. After its death, appends and reads never return, so their callers never do either. */
export class MortalStore implements EventStore {
  appends = 0;
  readonly died: Promise<'died'>;
  #die!: () => void;
  #isDead = false;

  constructor(
    private readonly engine: InMemoryEventStore,
    private readonly death?: Death,
  ) {
    this.died = new Promise((resolve) => (this.#die = () => resolve('died')));
  }

  async append(...asked: Parameters<EventStore['append']>): Promise<AppendResult> {
    if (this.#isDead) return NO_ANSWER;
    this.appends += 1;
    if (this.appends !== this.death?.append) return this.engine.append(...asked);
    this.#isDead = true;
    if (this.death.isWritten) await this.engine.append(...asked);
    this.#die();
    return NO_ANSWER;
  }

  read(...asked: Parameters<EventStore['read']>): Promise<RecordedEvent[]> {
    return this.#isDead ? NO_ANSWER : this.engine.read(...asked);
  }

  head(): Promise<bigint | null> {
    return this.engine.head();
  }

  subscribe(): AsyncIterable<SubscriptionBatch> {
    throw new Error('nobody subscribes here');
  }

  async close(): Promise<void> {}
}
