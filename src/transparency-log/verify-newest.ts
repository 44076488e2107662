import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import type { EventStore, RecordedEvent } from '../platform/event-store/event-store.js';
import { timeLimit } from '../platform/async/waiting.js';
import { ChainBroken, findAuditPath, findHashes, findHashRange, findHead, findPlaces, readSealed } from './chain.js';
import type { ChainHead, ChainKeys } from './chain-keys.js';
import { leafOf } from './leaf.js';
import { GrowingTree, hashCount, peaks, rootOfPath } from './merkle-tree.js';

export interface NewestOptions {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'read' | 'subscribe'>;
  readonly keys: ChainKeys;
}

/** The extent of the verification, and the first difference from the sealed state. */
export interface NewestVerification {
  readonly head: ChainHead;
  /** Ordinals of the newest events, read again and hashed: first and last. */
  readonly newest: readonly [first: number, last: number];
  /** Ordinals of older events, selected at random, each proven separately. */
  readonly older: readonly number[];
  readonly fault: string | null;
}

const NEWEST_EVENTS = 1_000;
const OLDER_EVENTS = 40;
/** No older event is started after this time, ms. */
const OLDER_WITHIN_MS = 1_500;
const GIVEN_UP_MS = 4_000;

/**
 * Verifies a part of the chain in a short time, regardless of its length: the service signed the head; the newest events of the log, on top of the
 * stored hashes of all before them, yield the head's hash, and so do the stored hashes; some older events are under it. `verifyLog` verifies the
 * rest.
 * undefined: nothing is sealed yet.
 */
export async function verifyNewest(options: NewestOptions): Promise<NewestVerification | undefined> {
  const head = await findHead(options.pool);
  if (!head) return undefined;
  const began = performance.now();
  const start = Math.max(0, head.events - NEWEST_EVENTS);
  const newest = [start + 1, head.events] as const;
  const older: number[] = [];
  try {
    if (!options.keys.hasSigned(head)) throw new ChainBroken(`The head over ${head.events} events is not signed by this service.`);
    await verifyEnd(options, head, start);
    while (older.length < Math.min(OLDER_EVENTS, start) && performance.now() - began < OLDER_WITHIN_MS) {
      const ordinal = 1 + randomInt(start);
      await verifyOne(options, head, ordinal);
      older.push(ordinal);
    }
    return { head, newest, older: older.sort((a, b) => a - b), fault: null };
  } catch (error) {
    if (!(error instanceof ChainBroken)) throw error;
    return { head, newest, older, fault: error.message };
  }
}

/** @throws ChainBroken */
async function verifyEnd({ pool, store, keys }: NewestOptions, head: ChainHead, start: number): Promise<void> {
  const tree = new GrowingTree(start, await findHashes(pool, peaks(0, start)));
  const [stored, places] = await Promise.all([findHashRange(pool, hashCount(start), hashCount(head.events)), findPlaces(pool, start, head.events)]);
  const last = start === 0 ? undefined : await readSealed(pool, store, start);
  if (start > 0 && !last) throw new ChainBroken(`Event ${start} is not at its sealed position.`);
  let [ordinal, at] = [start, 0];
  for await (const event of eventsBehind(store, last, head.events - start)) {
    ordinal += 1;
    const place = places[ordinal - start - 1];
    if (place?.event_id !== event.id || place.stream !== event.stream || place.revision !== event.revision) {
      throw new ChainBroken(`Event ${ordinal} of the log differs from the event that was sealed at its position.`);
    }
    const completed = Buffer.concat(tree.append(leafOf(event, keys.sealKey)));
    if (!stored.subarray(at, at + completed.length).equals(completed)) {
      throw new ChainBroken(`Event ${ordinal}, ${event.type}, and the stored hashes do not agree: one of them was changed.`);
    }
    at += completed.length;
  }
  if (ordinal < head.events) throw new ChainBroken(`The log ends after event ${ordinal}, but ${head.events} events were sealed.`);
  if (at !== stored.length || tree.root().toString('hex') !== head.hash)
    throw new ChainBroken('The stored hashes do not produce the hash of the head.');
}

async function* eventsBehind(store: NewestOptions['store'], last: RecordedEvent | undefined, count: number): AsyncGenerator<RecordedEvent> {
  let left = count;
  const signal = timeLimit(GIVEN_UP_MS);
  for await (const { events, caughtUp } of store.subscribe(last?.position ?? null, { signal, batchSize: 500, stored: true })) {
    yield* events.slice(0, left);
    left -= Math.min(left, events.length);
    if (left === 0 || caughtUp) return;
  }
  signal.throwIfAborted();
}

/** @throws ChainBroken */
async function verifyOne({ pool, store, keys }: NewestOptions, head: ChainHead, ordinal: number): Promise<void> {
  const [event, path] = await Promise.all([readSealed(pool, store, ordinal), findAuditPath(pool, ordinal - 1, head.events)]);
  if (!event) throw new ChainBroken(`Event ${ordinal} is not at its sealed position.`);
  const root = rootOfPath(leafOf(event, keys.sealKey), ordinal - 1, head.events, path);
  if (root?.toString('hex') !== head.hash) throw new ChainBroken(`Event ${ordinal}, ${event.type}, differs from the sealed event.`);
}
