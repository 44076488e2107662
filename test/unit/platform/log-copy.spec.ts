import { beforeEach, describe, expect, it } from '@jest/globals';
import { copyLog, CopyRefused, type CopyReport } from '../../../src/platform/event-store/log-copy.js';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/platform/event-store/event-store.js';
import { EventStoreDBEventStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { collect, newEvent } from '../../support/events.js';
import { EventStoreDBServer } from '../../support/eventstoredb-server.js';
import { InMemoryEventStore, SimulatedCrash } from '../../support/in-memory-event-store.js';

let source: InMemoryEventStore;
let target: InMemoryEventStore;

beforeEach(async () => {
  source = new InMemoryEventStore();
  target = new InMemoryEventStore();
  await fill(source);
});

/** Three streams in turns, some events side by side, and JSON that parsers like to rewrite. */
async function fill(store: InMemoryEventStore): Promise<void> {
  const odd = { 10: 'b', 2: 'a', text: 'é\u2028\ud800"\\', ['__proto__']: { x: 1 }, number: 1e21, zero: -0, small: 1e-7, nothing: null };
  for (let round = 0; round < 5; round += 1) {
    for (const stream of ['charge-1', 'charge-2', 'account-1']) {
      const first = round * 2;
      await store.append(stream, first === 0 ? 'no-stream' : first - 1, [newEvent({ round }), newEvent({ ...odd, round })]);
    }
  }
}
const copy = (signal = new AbortController().signal): Promise<CopyReport> => copyLog(source, target, { signal });
const all = async (store: InMemoryEventStore): Promise<object[]> =>
  (await collect(store, null, (_, caughtUp) => caughtUp, { stored: true })).map(({ stream, revision, id, type, stored }) => ({
    stream,
    revision,
    id,
    type,
    stored,
  }));

describe('a copy of the log', () => {
  it('copies into EventStoreDB and back, byte for byte', async () => {
    const server = await EventStoreDBServer.start();
    const eventStoreDB = new EventStoreDBEventStore({ url: server.url });
    const signal = new AbortController().signal;
    try {
      const there = await copyLog(source, eventStoreDB, { signal });
      expect(there).toMatchObject({ events: 30, copied: 30 });
      expect(await copyLog(source, eventStoreDB, { signal })).toEqual({ ...there, copied: 0 });
      expect(await copyLog(eventStoreDB, target, { signal })).toEqual(there);
      expect(await all(target)).toEqual(await all(source));
    } finally {
      await eventStoreDB.close();
      await server.stop();
    }
  });

  it('copies the same events in the same order, byte for byte', async () => {
    const report = await copy();
    expect(report).toEqual({ events: 30, copied: 30, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await all(target)).toEqual(await all(source));
  });

  it('writes nothing to a complete copy and returns the same digest; appends only the new events of a log that has grown', async () => {
    const { digest } = await copy();
    expect(await copy()).toEqual({ events: 30, copied: 0, digest });
    await source.append('charge-3', 'no-stream', [newEvent()]);
    expect(await copy()).toMatchObject({ events: 31, copied: 1 });
    expect(await all(target)).toEqual(await all(source));
  });

  it('copies nothing of an empty log', async () => {
    source = new InMemoryEventStore();
    expect(await copy()).toMatchObject({ events: 0, copied: 0 });
  });

  it('sends an append without an answer again by itself, and writes its events once', async () => {
    let unanswered = 0;
    target.hooks = {
      beforeAppend: () => {
        if (unanswered % 2 === 1 && unanswered++ < 6) throw new StoreUnavailable('no connection');
      },
      afterAppend: ({ stream }) => {
        if (stream === 'charge-2' && unanswered++ < 6) throw new OutcomeUnknown('no answer');
      },
    };
    const report = await copy();
    expect(unanswered).toBeGreaterThan(6);
    expect(report).toMatchObject({ events: 30, copied: 30 });
    expect(await all(target)).toEqual(await all(source));
  });

  it('ends at an error that sending again does not change, and when it is stopped while the target is unavailable', async () => {
    target.hooks = {
      beforeAppend: () => {
        throw new SimulatedCrash();
      },
    };
    await expect(copy()).rejects.toThrow(SimulatedCrash);
    const stopping = new AbortController();
    target.hooks = {
      beforeAppend: () => {
        stopping.abort(new Error('stopped'));
        throw new StoreUnavailable('no connection');
      },
    };
    await expect(copy(stopping.signal)).rejects.toThrow('stopped');
  });

  it.each([1, 2, 7])('resumes where it ended: before or after append %i', async (nth) => {
    for (const hook of ['beforeAppend', 'afterAppend'] as const) {
      target = new InMemoryEventStore();
      let appends = 0;
      target.hooks = {
        [hook]: () => {
          // A crashed process sends nothing more.
          if (++appends >= nth) throw new SimulatedCrash();
        },
      };
      await expect(copy()).rejects.toBeInstanceOf(SimulatedCrash);
      target.hooks = {};
      expect(await copy()).toMatchObject({ events: 30 });
      expect(await all(target)).toEqual(await all(source));
    }
  });

  it('rejects a target that holds other events, holds more, or has another writer, and changes nothing', async () => {
    await target.append('charge-1', 'no-stream', [newEvent()]);
    const before = await all(target);
    await expect(copy()).rejects.toThrow(new RegExp(`^the target holds other events: its event 1 is SomethingHappened .* \\(charge-1 at 0\\)$`));
    expect(await all(target)).toEqual(before);

    target = new InMemoryEventStore();
    await copy();
    await target.append('charge-9', 'no-stream', [newEvent()]);
    await expect(copy()).rejects.toThrow('the target holds more than the source: its event 31 is');

    target = new InMemoryEventStore();
    const meddler = target;
    let meddled = false;
    target.hooks = {
      async beforeAppend({ stream }) {
        if (stream !== 'charge-2' || meddled) return;
        meddled = true;
        await meddler.append('charge-2', 'no-stream', [newEvent()]);
      },
    };
    await expect(copy()).rejects.toThrow(CopyRefused);
  });

  it('requires a new start when the target was interrupted and took one append after a later one', async () => {
    let passedBy: () => void = () => undefined;
    const later = new Promise<void>((resolve) => (passedBy = resolve));
    target.hooks = {
      beforeAppend: ({ stream }) => (stream === 'charge-2' ? later : undefined),
      afterAppend: ({ stream }) => (stream === 'account-1' ? passedBy() : undefined),
    };
    await expect(copy()).rejects.toThrow(/^the target was interrupted and took SomethingHappened .* \(account-1 at 0\) out of order: start again/);
    target.hooks = {};
    await expect(copy()).rejects.toThrow('the target holds other events');
  });

  it('notices events that another writer appended meanwhile to another stream', async () => {
    const meddler = target;
    let meddled = false;
    target.hooks = {
      async afterAppend() {
        if (meddled) return;
        meddled = true;
        await meddler.append('charge-77', 'no-stream', [newEvent()]);
      },
    };
    await expect(copy()).rejects.toThrow('the target holds 31 events, the source 30');
  });
});
