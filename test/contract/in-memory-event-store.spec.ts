import { describe, expect, it } from '@jest/globals';
import { OutcomeUnknown, StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import { newEvent } from '../support/events.js';
import { InMemoryEventStore, SimulatedCrash } from '../support/in-memory-event-store.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('the in-memory engine', async () => {
  const store = new InMemoryEventStore();
  return { store, other: store, dispose: () => store.close() };
});

describe('the faults of the in-memory engine', () => {
  const event = newEvent();

  it.each([
    ['nothing could be sent', new StoreUnavailable('away')],
    ['an unknown outcome that was not written', new OutcomeUnknown('lost')],
    ['a crash before the append', new SimulatedCrash()],
  ])('fails before an append: %s', async (_, fault) => {
    const store = new InMemoryEventStore({
      beforeAppend: () => {
        throw fault;
      },
    });
    await expect(store.append('a', 'no-stream', [event])).rejects.toBe(fault);
    expect(store.all()).toEqual([]);
  });

  it.each([
    ['an unknown outcome that was written', new OutcomeUnknown('lost')],
    ['a crash behind the append', new SimulatedCrash()],
  ])('fails after an append: %s', async (_, fault) => {
    const store = new InMemoryEventStore({
      afterAppend: () => {
        throw fault;
      },
    });
    await expect(store.append('a', 'no-stream', [event])).rejects.toBe(fault);
    store.hooks = {};
    expect(await store.append('a', 'no-stream', [event])).toEqual({ ok: true, revision: 0, position: 1n });
    expect(store.all()).toHaveLength(1);
  });

  it('simulates a conflict with a rival that was first', async () => {
    const store = new InMemoryEventStore();
    store.hooks = {
      beforeAppend: async ({ stream }) => {
        store.hooks = {};
        await store.append(stream, 'no-stream', [newEvent()]);
      },
    };
    expect(await store.append('a', 'no-stream', [event])).toEqual({ ok: false, actual: 0 });
  });

  it('simulates a conflict without a rival', async () => {
    const store = new InMemoryEventStore();
    await store.append('a', 'no-stream', [event]);
    store.hooks = { beforeAppend: () => 'conflict' };
    expect(await store.append('a', 0, [newEvent()])).toEqual({ ok: false, actual: 0 });
    expect(store.all()).toHaveLength(1);
  });

  it('simulates a read that fails', async () => {
    const store = new InMemoryEventStore({
      beforeRead: () => {
        throw new StoreUnavailable('away');
      },
    });
    await expect(store.read('a')).rejects.toThrow(StoreUnavailable);
    await expect(store.head()).rejects.toThrow(StoreUnavailable);
  });
});
