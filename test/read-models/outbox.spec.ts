import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { outbox } from '../../projections/webhooks/outbox.js';
import { findPreviousSequence } from '../../projections/webhooks/outbox-reads.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import { moneyMove, movesMoney } from '../../src/ledger/postings.js';
import { EVENT_KINDS, messageId, messagesOf } from '../../src/ledger/published/outbox-messages.js';
import { worldOf, type World } from '../support/histories.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const SETTINGS = { seed: 20260131, numRuns: 25 };
const steps = fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.integer({ min: 1, max: 100_000 })), { minLength: 1, maxLength: 60 });
const PENDING_TO_RESERVED = ['pending', 'available', 'reserved', 'fees'];

/** A history in which endpoints come, change, are disabled and go, at places that `steps` choose. */
function withEndpoints(world: World, places: readonly number[]): World {
  const { log, merchants } = world;
  for (const place of places) {
    const merchant_id = merchants[place % merchants.length]!;
    const stream = `merchant-${merchant_id}`;
    const now = log.now;
    switch (place % 4) {
      case 0:
      case 1:
        log.add(
          {
            type: 'WebHookSet',
            data: {
              merchant_id,
              web_hook_uri: `https://shop.example.com/${place}`,
              events: place % 2 === 0 ? [] : ['charge.succeeded'],
              sealed_key: `sealed ${place}`,
              key_hint: '…',
              former_keys: [],
              set_by: 'key_test',
              set_on: now,
            },
          },
          stream,
        );
        break;
      case 2:
        log.add({ type: 'WebHookDisabled', data: { merchant_id, reason: 'gone', disabled_on: now } }, stream, 'System');
        break;
      default:
        log.add({ type: 'WebHookDeleted', data: { merchant_id, deleted_by: 'key_test', deleted_on: now } }, stream);
    }
    for (let which = 0; which < 3; which += 1) world.step(place + which, place, 500);
  }
  return world;
}

describe('messages to merchants', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened));

  it('the outbox has the same messages with the same numbers in any batch size', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(1_000), { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), async (history, places, batchSize) => {
        const { log } = withEndpoints(worldOf(history), places);
        await project(pool, outbox, log.events, log.events.length + 1);
        const atOnce = await contents(pool, 'outbox');
        await project(pool, outbox, log.events, batchSize);
        expect(await contents(pool, 'outbox')).toEqual(atOnce);
      }),
      SETTINGS,
    );
  });

  it('the outbox numbers messages without gaps per merchant, in log order, with unique ids', async () => {
    const { log, merchants } = worldOf(Array.from({ length: 400 }, (_, n) => [n * 7, n * 13, 1 + n * 31] as const));
    await project(pool, outbox, log.events, 37);
    for (const merchant of merchants) {
      const { rows } = await pool.query<{ sequence: bigint; ordinal: bigint }>(
        'select sequence, ordinal from outbox.notices where merchant_id = $1 order by sequence',
        [merchant],
      );
      expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, index) => index + 1));
      const ordinals = rows.map(({ ordinal }) => Number(ordinal));
      expect(ordinals).toEqual([...ordinals].sort((a, b) => a - b));
      expect(rows.length).toBe(
        log.events.filter(({ metadata }) => metadata.merchant_id === merchant).flatMap((event) => messagesOf(readEvent(event))).length,
      );
    }
    const ids = log.events.flatMap((event) => messagesOf(readEvent(event)).map(({ kind, line }) => messageId(event.id, kind, line)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('the outbox has a balance message exactly when a balance changes, after the other messages', () => {
    const { log } = worldOf(Array.from({ length: 400 }, (_, n) => [n * 11, n * 3, 1 + n * 17] as const));
    for (const event of log.events) {
      const entry = readEvent(event);
      const kinds = messagesOf(entry).map(({ kind }) => kind);
      const move = movesMoney(entry) ? moneyMove(entry) : undefined;
      const changes =
        move !== undefined &&
        (move.postings.some(({ from, to }) => PENDING_TO_RESERVED.includes(from) || PENDING_TO_RESERVED.includes(to)) ||
          move.counts.pending_count !== 0 ||
          move.counts.available_count !== 0);
      expect([entry.type, kinds.filter((kind) => kind === 'balance.updated').length]).toEqual([entry.type, changes ? 1 : 0]);
      if (changes) expect(kinds.at(-1)).toBe('balance.updated');
    }
  });

  it('finds the previous sequence within a selection', async () => {
    const { log, merchants } = worldOf(Array.from({ length: 200 }, (_, n) => [n * 5, n * 9, 1 + n * 31] as const));
    await project(pool, outbox, log.events, 50);
    const selection = ['charge.succeeded', 'payout.created'] as const;
    const { rows } = await pool.query<{ sequence: bigint; kind: number }>(
      'select sequence, kind from outbox.notices where merchant_id = $1 order by sequence',
      [merchants[0]],
    );
    let previous: number | null = null;
    for (const { sequence, kind } of rows) {
      expect(await findPreviousSequence(pool, merchants[0]!, Number(sequence), selection)).toBe(previous);
      if ((selection as readonly string[]).includes(EVENT_KINDS[kind]!)) previous = Number(sequence);
    }
  });
});
