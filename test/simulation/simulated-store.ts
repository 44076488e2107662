import {
  OutcomeUnknown,
  StoreUnavailable,
  type AppendResult,
  type EventRef,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type SubscriptionBatch,
} from '../../src/platform/event-store/event-store.js';
import type { InMemoryEventStore } from '../support/in-memory-event-store.js';
import type { Killable, Scheduler } from './scheduler.js';

/** Probabilities, as long as there are any left. */
export interface Faults {
  /** How many more may happen. */
  left: number;
  readonly ofReads: number;
  readonly ofAppends: number;
}

/**
 * The engine as one process sees it: asking is a step, being answered is another, and in between anybody may go.
 * A failed read returns nothing; an append may be lost before it is written, after it, or arrive when no caller expects it any more.
 */
export class SimulatedStore implements EventStore {
  constructor(
    private readonly engine: InMemoryEventStore,
    private readonly scheduler: Scheduler,
    private readonly process: Killable,
    private readonly faults: Faults,
    /** Called with the events that the process sends. */
    private readonly onSent: (events: readonly NewEvent[]) => void,
    /** Called when something was written. */
    private readonly onWritten: () => void,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], dependsOn?: readonly EventRef[]): Promise<AppendResult> {
    const write = (): Promise<AppendResult> => this.#write(stream, expected, events, dependsOn);
    const what = `${events.map(({ type }) => type).join('+')} to ${stream} expecting ${typeof expected === 'object' ? expected.revision : expected}`;
    this.onSent(events);
    await this.scheduler.step(this.process, `sends ${what}`);
    switch (this.#fault(this.faults.ofAppends)) {
      case 'refused':
        await this.scheduler.step(this.process, `is refused ${what}`);
        throw new StoreUnavailable('simulated: nothing was written');
      case 'delayed':
        void this.#arriveLater(write, what);
        await this.scheduler.step(this.process, `waits in vain for ${what}`);
        throw new OutcomeUnknown('simulated: no answer');
      case 'unheard':
        await write().catch(() => undefined);
        await this.scheduler.step(this.process, `does not hear of ${what}`);
        throw new OutcomeUnknown('simulated: no answer');
      case undefined: {
        const result = await write();
        await this.scheduler.step(this.process, `hears ${result.ok ? 'yes' : 'no'} to ${what}`);
        return result;
      }
    }
  }

  async read(stream: string, options?: ReadOptions): Promise<RecordedEvent[]> {
    await this.scheduler.step(this.process, `asks for ${stream}`);
    if (this.#fault(this.faults.ofReads) !== undefined) {
      await this.scheduler.step(this.process, `is not told of ${stream}`);
      throw new StoreUnavailable('simulated: cannot be read');
    }
    const events = await this.engine.read(stream, options);
    await this.scheduler.step(this.process, `is told ${events.length} of ${stream}`);
    return events;
  }

  head(): Promise<Position | null> {
    return this.engine.head();
  }

  subscribe(): AsyncIterable<SubscriptionBatch> {
    throw new Error('nobody subscribes in the simulation');
  }

  async close(): Promise<void> {}

  #fault(probability: number): 'refused' | 'delayed' | 'unheard' | undefined {
    if (this.faults.left === 0 || !this.scheduler.chance(probability)) return undefined;
    this.faults.left -= 1;
    return this.scheduler.pick(['refused', 'delayed', 'unheard']);
  }

  async #write(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    dependsOn: readonly EventRef[] | undefined,
  ): Promise<AppendResult> {
    const result = this.engine.append(stream, expected, events, dependsOn);
    this.onWritten();
    return result;
  }

  async #arriveLater(write: () => Promise<AppendResult>, what: string): Promise<void> {
    // Not the process's step: it arrives although its sender is dead.
    await this.scheduler.step(null, `delivers or loses ${what}`);
    if (this.scheduler.chance(0.7)) await write().catch(() => undefined);
  }
}
