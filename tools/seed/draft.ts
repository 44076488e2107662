import type { AppendResult, EventStore, ExpectedRevision, NewEvent, ReadOptions, RecordedEvent } from '../../src/platform/event-store/event-store.js';

/**
 * One stream before it is written. The usual handlers decide commands against it, and their events are sent to the store in one append instead of one
 * per command.
 */
export class Draft implements EventStore {
  readonly events: RecordedEvent[] = [];

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const newest = this.events.length - 1;
    const place = expected === 'no-stream' ? -1 : typeof expected === 'number' ? expected : expected.revision;
    if (place !== newest) return Promise.resolve({ ok: false, actual: newest < 0 ? null : newest });
    for (const event of events) this.events.push({ ...event, stream, revision: this.events.length, position: BigInt(this.events.length) });
    return Promise.resolve({ ok: true, revision: this.events.length - 1, position: BigInt(this.events.length - 1) });
  }

  read(_stream: string, { limit = this.events.length }: ReadOptions = {}): Promise<RecordedEvent[]> {
    return Promise.resolve(this.events.slice(0, limit));
  }

  head(): Promise<never> {
    return Promise.reject(new Error('a draft supports only append and read'));
  }

  subscribe(): never {
    throw new Error('a draft supports only append and read');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
