import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { outbox } from '../../projections/webhooks/outbox.js';
import { deliveriesMigrations } from '../../src/domain/webhooks/deliveries.migrations.js';
import { feedQueues } from '../../src/domain/webhooks/delivery-feed.js';
import { redeliver } from '../../src/domain/webhooks/delivery-log.js';
import { Resumption } from '../../src/domain/webhooks/resume-queues.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { messageId, messagesOf, type EventKind } from '../../src/ledger/published/outbox-messages.js';
import { DAY_MS, timestamp } from '../../src/ledger/time.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import { StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { World } from '../support/histories.js';
import { project, projectOn } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { suiteDatabase } from '../support/suite-database.js';

const MERCHANTS = ['a', 'b', 'c'].map((name) => derivedId('test', name));
/** Kinds that each merchant's endpoint has selected; empty: all. */
const SELECTED: readonly (readonly EventKind[])[] = [[], ['charge.succeeded'], ['payout.created', 'charge.reversed']];
const STEPS = 60;

/** Histories with an endpoint for each merchant first, some of which have their beginning in common. */
class Logs {
  readonly #below: (below: number) => number;

  constructor(
    seed: number,
    private readonly startMs: number,
  ) {
    this.#below = randomNumbers(seed);
  }

  upTo(n: number): number {
    return this.#below(n);
  }

  /** Events of so many steps behind those of a log that was restored up to there. */
  behind(kept: readonly OrdinalEvent[], name: string, steps = STEPS): OrdinalEvent[] {
    const world = new World(MERCHANTS);
    world.log.clockMs = this.startMs;
    if (kept.length === 0) MERCHANTS.forEach((merchant_id, n) => this.#endpoint(world, merchant_id, SELECTED[n]!));
    for (let n = 0; n < steps; n += 1) world.step(this.upTo(100), this.upTo(100), 1 + this.upTo(5_000));
    const added = world.log.events.map((event, index) => {
      const ordinal = kept.length + index + 1;
      return { ...event, id: derivedId(name, event.id), ordinal, position: BigInt(ordinal) };
    });
    return [...kept, ...added];
  }

  #endpoint({ log }: World, merchant_id: string, events: readonly EventKind[]): void {
    const data = {
      merchant_id,
      web_hook_uri: 'http://127.0.0.1:9/',
      events,
      sealed_key: 'k',
      key_hint: 'k',
      former_keys: [],
      set_by: 'key',
      set_on: log.now,
    };
    log.add({ type: 'WebHookSet', data }, `merchant-${merchant_id}`);
  }
}

/** Ids of the messages that endpoints have selected. */
function wanted(events: readonly OrdinalEvent[]): string[] {
  return events.flatMap((event) => {
    const selected = SELECTED[MERCHANTS.indexOf(event.metadata.merchant_id!)] ?? [];
    return messagesOf(readEvent(event))
      .filter(({ kind }) => selected.length === 0 || selected.includes(kind))
      .map(({ kind, line }) => messageId(event.id, kind, line));
  });
}

describe('webhooks after an older log was restored', () => {
  let pool: Pool;
  let nowMs = Date.UTC(2026, 1, 1);
  const clock = (): number => nowMs;

  suiteDatabase((opened) => (pool = opened), { migrations: deliveriesMigrations, statementTimeoutMs: 0 });

  interface Delivered {
    readonly id: string;
    readonly merchant_id: string;
    readonly webhook_id: string;
    readonly status: string;
    readonly sequence: number;
  }
  const delivered = async (): Promise<Delivered[]> =>
    (
      await pool.query<Delivered>(
        'select id, merchant_id, webhook_id, status, sequence::int4 from web_hook_deliveries order by merchant_id, sequence',
      )
    ).rows;
  const ids = (deliveries: readonly Delivered[]): string[] => deliveries.map(({ webhook_id }) => webhook_id).sort();

  /** A process that has just started feeds the messages of the outbox. @param applied number of the log's events that it has */
  async function start(events: readonly OrdinalEvent[], applied = events.length): Promise<boolean> {
    const progress = { head: async () => events.at(-1)!.position, applied: async () => events[applied - 1]?.position ?? null };
    const isDone = await new Resumption(pool, progress, clock).isDone(applied);
    if (isDone) await feedQueues(pool, clock, 0, applied);
    return isDone;
  }

  async function begin(events: readonly OrdinalEvent[]): Promise<void> {
    await pool.query('truncate web_hook_queues, web_hook_deliveries');
    await project(pool, outbox, events, 1_000);
    await start(events);
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('each message of the restored log is delivered once, and none of the lost ones later (%i)', async (seed) => {
    const logs = new Logs(seed, nowMs);
    const first = logs.behind([], 'first');
    await begin(first);
    expect(ids(await delivered())).toEqual(wanted(first).sort());
    // Some have succeeded, the others are pending.
    await pool.query(`update web_hook_deliveries set status = 'SUCCEEDED', due_on = null where sequence % $1 <> 0`, [2 + logs.upTo(3)]);
    const before = await delivered();

    const restored = logs.behind(first.slice(0, MERCHANTS.length + logs.upTo(first.length - MERCHANTS.length)), 'second', logs.upTo(2 * STEPS));
    await project(pool, outbox, restored.slice(0, logs.upTo(restored.length)), 1_000);
    await project(pool, outbox, restored, 7);
    expect(await start(restored)).toBe(true);
    const after = await delivered();
    const [old, current] = [new Set(before.map(({ id }) => id)), new Set(wanted(restored))];
    // Deliveries before the restore are still recorded, and everything else was added once.
    expect(after.filter(({ id }) => old.has(id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const added = after.filter(({ id }) => !old.has(id));
    expect(ids(added)).toEqual([...current].filter((id) => !before.some(({ webhook_id }) => webhook_id === id)).sort());
    expect(after.filter(({ status, webhook_id }) => status === 'PENDING' && !current.has(webhook_id))).toEqual([]);
    for (const { id, status } of before)
      if (status === 'SUCCEEDED') expect(after.find((each) => each.id === id)).toMatchObject({ status: 'SUCCEEDED' });

    // Later starts, and later messages.
    const grown = logs.behind(restored, 'third');
    await projectOn(pool, outbox, grown.slice(restored.length), 1_000);
    await start(grown);
    await start(grown);
    expect(
      ids((await delivered()).filter(({ id }) => !old.has(id) || before.some((each) => each.id === id && current.has(each.webhook_id)))),
    ).toEqual(wanted(grown).sort());
  });

  it('feeds nothing while the outbox is being built, and sends nothing again afterwards', async () => {
    const logs = new Logs(1, nowMs);
    const events = logs.behind([], 'first');
    await begin(events);
    const before = await delivered();
    await project(pool, outbox, events.slice(0, 20), 1_000);
    expect(await start(events, 20)).toBe(false);
    await projectOn(pool, outbox, events.slice(20), 1_000);
    expect(await start(events)).toBe(true);
    expect(await delivered()).toEqual(before);
  });

  it('waits while the event store is unavailable', async () => {
    const down = { head: () => Promise.reject(new StoreUnavailable('down')), applied: async () => 1n };
    expect(await new Resumption(pool, down, clock).isDone(1)).toBe(false);
  });

  it('sends nothing again of the time before deliveries were forgotten', async () => {
    const logs = new Logs(2, nowMs);
    const first = logs.behind([], 'first');
    await begin(first);
    // But the first one of all, which was delivered again since.
    await pool.query('delete from web_hook_deliveries where sequence > 1');
    nowMs += 31 * DAY_MS;
    const restored = new Logs(3, nowMs).behind(first.slice(0, -5), 'second');
    await project(pool, outbox, restored, 1_000);
    await start(restored);
    expect(ids((await delivered()).filter(({ sequence }) => sequence > 1))).toEqual(wanted(restored.slice(first.length - 5)).sort());
  });

  it('cancels pending deliveries of an endpoint that was lost, and delivers no lost event again', async () => {
    const first = new Logs(4, nowMs).behind([], 'first');
    await begin(first);
    const [merchant] = MERCHANTS;
    const [delivery] = (await delivered()).filter(({ merchant_id }) => merchant_id === merchant);
    await project(pool, outbox, first.slice(1, 3), 1_000);
    await start(first.slice(1, 3));
    expect(new Set((await delivered()).map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
    await expect(redeliver(pool, merchant!, delivery!.id, timestamp(nowMs))).rejects.toMatchObject({ code: 'state-conflict' });
  });
});
