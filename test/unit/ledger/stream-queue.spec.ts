import { beforeEach, describe, expect, it } from '@jest/globals';
import { charge, type ChargeCommand } from '../../../src/domain/charges/charge.decider.js';
import { merchantStream } from '../../../src/ledger/events/merchant.events.js';
import { registerMerchant } from '../../../src/domain/merchants/merchant.commands.js';
import { decideOnStream, waitOn } from '../../../src/ledger/streams/decide-on-stream.js';
import type { LoadedStream } from '../../../src/ledger/streams/fold-stream.js';
import { OutcomeUnknown, StoreRestored, StreamBusy, type EventRef } from '../../../src/platform/event-store/event-store.js';
import { webhook, type WebhookCommand, type WebhookState } from '../../../src/domain/webhooks/webhook.decider.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { simulatedWaits } from '../../support/simulated-waits.js';

const NOW = Date.parse('2026-02-03T08:00:00.000Z');
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const clock = (): number => NOW;

describe('commands for one stream', () => {
  let store: InMemoryEventStore;
  let stream: string;

  beforeEach(async () => {
    store = new InMemoryEventStore();
    waitOn(store, simulatedWaits());
    const { merchant_id } = await registerMerchant({ store, clock }, { name: 'Shop', email: null, country: 'MY', mode: 'test' });
    stream = merchantStream(merchant_id);
  });

  const set = (uri: string, on = store, dependsOn: readonly EventRef[] = [], known?: LoadedStream<WebhookState>) =>
    decideOnStream(
      on,
      clock,
      stream,
      webhook,
      (now): WebhookCommand => ({
        kind: 'set',
        merchant_id: stream.slice('merchant-'.length),
        web_hook_uri: uri,
        events: ['*'],
        sealed_key: 'sealed',
        key_hint: 'hint',
        by: 'key_1',
        overlap_until: now,
        now,
      }),
      { ...CONTEXT, dependsOn, known },
    );
  const disable = (set_on: string, known?: LoadedStream<WebhookState>) =>
    decideOnStream(store, clock, stream, webhook, (now): WebhookCommand => ({ kind: 'disable', reason: 'gone', set_on, now }), { ...CONTEXT, known });
  const uris = async (): Promise<string[]> =>
    (await store.read(stream)).filter(({ type }) => type === 'WebHookSet').map(({ data }) => (data as { web_hook_uri: string }).web_hook_uri);

  it('decides fifty concurrent commands in two appends at most, and returns to each the state that it left', async () => {
    const sizes: number[] = [];
    store.hooks = { beforeAppend: ({ events }) => void sizes.push(events.length) };
    const wanted = Array.from({ length: 50 }, (_, i) => `https://example.com/${i}`);
    const outcomes = await Promise.all(wanted.map((uri) => set(uri)));
    expect(outcomes.map(({ state }) => state.web_hook?.web_hook_uri)).toEqual(wanted);
    expect(await uris()).toEqual(wanted);
    expect(sizes.length).toBeLessThanOrEqual(2);
  });

  it('rejects a command whose event no read model could apply, and decides the others beside it', async () => {
    const outcomes = await Promise.allSettled(['https://example.com/1', 'https://example.com/\0', 'https://example.com/2'].map((uri) => set(uri)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'validation-failed', detail: expect.stringContaining('"web_hook_uri"') } });
    expect(await uris()).toEqual(['https://example.com/1', 'https://example.com/2']);
  });

  it('applies commands of two processes once each, in any order', async () => {
    // The same log through another object: its queues are another process's.
    const other = Object.create(store) as InMemoryEventStore;
    other.append = (...args) => store.append(...args);
    other.read = (...args) => store.read(...args);
    waitOn(other, simulatedWaits());
    let conflicts = 0;
    store.hooks = { afterAppend: (_, { ok }) => void (conflicts += ok ? 0 : 1) };
    const wanted = Array.from({ length: 60 }, (_, i) => `https://example.com/${i}`);
    const writers = [0, 1, 2].map(async (nth) => {
      for (let i = nth; i < wanted.length; i += 3) await set(wanted[i]!, i % 2 === 0 ? store : other);
    });
    await Promise.all(writers);
    expect((await uris()).toSorted()).toEqual(wanted.toSorted());
    expect(conflicts).toBeGreaterThan(0);
  });

  it('finds commands by their ids after an unknown outcome, and does not record them again', async () => {
    const appends: string[][] = [];
    store.hooks = {
      beforeAppend: ({ events }) => void appends.push(events.map(({ id }) => id)),
      afterAppend: async () => {
        if (appends.length > 1) return;
        // Another process appends before the retry.
        store.hooks = { beforeAppend: ({ events }) => void appends.push(events.map(({ id }) => id)) };
        const newest = (await store.read(stream)).at(-1)!;
        const { id, ...event } = newest;
        await store.append(stream, newest.revision, [{ ...event, id: id.replace(/^.{8}/, '00000000') }]);
        appends.pop();
        throw new OutcomeUnknown('simulated');
      },
    };
    await expect(set('https://example.com/once')).resolves.toMatchObject({ events: [{ type: 'WebHookSet' }] });
    expect(appends).toHaveLength(2);
    expect(appends[0]).toEqual(appends[1]);
    // The one that was sent twice, and the rival's.
    expect(await uris()).toHaveLength(2);
  });

  it('rejects commands that rest on events that the store has lost, without sending them again, also after an unknown outcome', async () => {
    const { merchant_id } = await registerMerchant({ store, clock }, { name: 'Other', email: null, country: 'MY', mode: 'test' });
    const [place] = await store.read(merchantStream(merchant_id));
    let sendings = 0;
    store.hooks = {
      beforeAppend: () => void (sendings += 1),
      afterAppend: () => {
        // The event was written, and is lost together with the one that it rests on.
        store.lose(store.all().length - 1);
        throw new OutcomeUnknown('simulated');
      },
    };
    await expect(set('https://example.com/never', store, [place!])).rejects.toThrow(StoreRestored);
    expect(sendings).toBe(2);
    expect(await uris()).toEqual([]);
    store.hooks = {};
    await expect(set('https://example.com/now')).resolves.toMatchObject({ events: [{ type: 'WebHookSet' }] });
  });

  it('rejects a command when others keep changing the stream, and records nothing', async () => {
    store.hooks = { beforeAppend: () => 'conflict' };
    const failure = await set('https://example.com/never').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StreamBusy);
    expect((failure as StreamBusy).why).toBe('it kept changing');
    store.hooks = {};
    expect(await uris()).toEqual([]);
    await set('https://example.com/now');
  });

  it('decides that nothing is to be done only on a stream read after the command arrived', async () => {
    const first = await set('https://example.com/1');
    const { set_on } = first.state.web_hook!;
    // The second waits while the first is under way; meanwhile another process deletes the web-hook.
    let wasDeleted = false;
    store.hooks = {
      afterAppend: async ({ events }) => {
        if (wasDeleted || events[0]!.type !== 'WebHookDisabled') return;
        wasDeleted = true;
        store.hooks = {};
        const newest = (await store.read(stream)).at(-1)!;
        const { merchant_id } = newest.data as { merchant_id: string };
        const deleted = { merchant_id, deleted_by: 'key_2', deleted_on: set_on };
        const id = newest.id.replace(/^.{8}/, '00000000');
        await store.append(stream, newest.revision, [{ id, type: 'WebHookDeleted', data: deleted, metadata: newest.metadata }]);
      },
    };
    const [done, late] = await Promise.all([disable(set_on), Promise.resolve().then(() => disable(set_on))]);
    expect(done).toMatchObject({ events: [{ type: 'WebHookDisabled' }] });
    expect(late).toMatchObject({ events: [], state: { web_hook: null } });
  });

  describe('on a stream that was read before', () => {
    let reads: number;
    const counted = (): void => void (store.hooks = { beforeRead: () => void (reads += 1) });

    beforeEach(() => {
      reads = 0;
    });

    it('uses the state that was read while the stream is unchanged', async () => {
      const { loaded } = await set('https://example.com/1');
      counted();
      await set('https://example.com/2', store, [], loaded);
      expect(reads).toBe(0);
      expect(await uris()).toEqual(['https://example.com/1', 'https://example.com/2']);
    });

    it('decides on the events added since, whatever commands shared the append', async () => {
      const { state, loaded } = (await Promise.all([1, 2, 3].map((n) => set(`https://example.com/${n}`))))[1]!;
      // The state after the second command differs from the state after the newest event of its batch.
      expect([state, loaded.state].map(({ web_hook }) => web_hook!.web_hook_uri)).toEqual(['https://example.com/2', 'https://example.com/3']);
      await set('https://example.com/4');
      expect(await set('https://example.com/5', store, [], loaded)).toMatchObject({ state: { changes: 5 } });
      expect(await uris()).toHaveLength(5);
    });

    it('decides that nothing is to be done only after reading the stream again', async () => {
      const { loaded, state } = await set('https://example.com/1');
      const { set_on } = state.web_hook!;
      const { loaded: disabled } = await disable(set_on, loaded);
      counted();
      expect(await disable(set_on, disabled)).toMatchObject({ events: [] });
      expect(reads).toBeGreaterThan(0);
    });

    it('ignores state that rests on events that the store has lost', async () => {
      const { loaded } = await set('https://example.com/lost');
      store.lose(store.all().length - 1);
      await set('https://example.com/other');
      const { state } = await set('https://example.com/3', store, [], loaded);
      expect(state.web_hook!.web_hook_uri).toBe('https://example.com/3');
      expect(await uris()).toEqual(['https://example.com/other', 'https://example.com/3']);
    });
  });

  it('rejects each command by itself, on the state that those before have left', async () => {
    const cancel = () =>
      decideOnStream(store, clock, 'charge-none', charge, (now): ChargeCommand => ({ kind: 'cancel', cancelled_by: 'key_1', now }), CONTEXT);
    const outcomes = await Promise.all([cancel(), cancel(), cancel()]);
    expect(outcomes.map((outcome) => 'refusal' in outcome && outcome.refusal)).toEqual(Array(3).fill('charge-not-found'));
    expect(await store.read('charge-none')).toEqual([]);
  });
});
