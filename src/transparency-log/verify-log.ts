import type { Pool, PoolClient } from 'pg';
import { findTrialBalance, type TrialBalance } from '../../projections/balances/trial-balance.js';
import type { EventStore, RecordedEvent } from '../platform/event-store/event-store.js';
import { inTransaction } from '../platform/postgres/pool.js';
import { readCheckpoint } from '../platform/projector/checkpoint.js';
import { readingAhead } from '../platform/projector/reading-ahead.js';
import { ChainBroken, findAuditPath, findHashRange, findHead, findLeaf, findPlaces, type Place } from './chain.js';
import type { ChainHead, ChainKeys } from './chain-keys.js';
import { leafOf } from './leaf.js';
import { HASH_BYTES, hashCount, rootOfPath } from './merkle-tree.js';
import { Recount, type KeptHeads, type Verification } from './recount.js';

export interface VerifyOptions {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'head' | 'read' | 'subscribe'>;
  readonly keys: ChainKeys;
  /** Each must be the root of a beginning of the log. */
  readonly kept: KeptHeads;
  readonly signal: AbortSignal;
  /** Called with the number of events of each batch. */
  readonly onProgress?: (events: number) => void;
}

const BATCH_EVENTS = 5_000;

/**
 * Reads the whole log again and compares it with the sealed state: every leaf, every hash of the tree, the index of its events, the head and its
 * signature; then the money. At most two batches are in memory: the current one, and the next one under way.
 */
export async function verifyLog(options: VerifyOptions): Promise<Verification & { readonly met: ReadonlyMap<string, number> }> {
  const { pool, store, keys, signal } = options;
  const recount = new Recount(options.kept);
  const { chain, books } = await inTransaction(pool, snapshot, 'begin isolation level repeatable read');
  const sealed = chain.head?.events ?? 0;
  verifySignatures(recount, keys, options.kept);
  const end = await store.head();
  let ordinal = 0;
  if (end !== null) {
    for await (const { events, caughtUp } of readingAhead(store, null, { signal, batchSize: BATCH_EVENTS, stored: true })) {
      const [hashes, places] = await Promise.all([
        findHashRange(pool, hashCount(ordinal), hashCount(Math.min(ordinal + events.length, sealed))),
        findPlaces(pool, ordinal, Math.min(ordinal + events.length, sealed)),
      ]);
      let at = 0;
      for (const [index, event] of events.entries()) {
        ordinal += 1;
        if (!recount.isBroken) {
          const completed = recount.add(leafOf(event, keys.sealKey));
          if (ordinal <= sealed) {
            const stored = hashes.subarray(at, (at += completed.length * HASH_BYTES));
            const fault =
              (stored.equals(Buffer.concat(completed)) ? undefined : await hashFault(options, chain.head!, ordinal, event, completed, stored)) ??
              placeFault(ordinal, event, places[index]);
            if (fault !== undefined) recount.broken(ordinal, fault);
            else if (ordinal === sealed) verifyHead(recount, keys, chain);
          }
        }
        if (ordinal <= books.ordinal) recount.book(ordinal, event);
      }
      options.onProgress?.(events.length);
      if (caughtUp || (events.at(-1)?.position ?? 0n) >= end) break;
    }
    signal.throwIfAborted();
  }
  if (ordinal < sealed) {
    const [next] = await findPlaces(pool, ordinal, ordinal + 1);
    recount.broken(
      ordinal + 1,
      `the log ends after event ${ordinal}, but ${sealed} events were sealed: the newest are missing, from ${next ? inWords(next) : 'an event that the index does not contain'}`,
    );
  }
  if (!chain.head && chain.hashes > 0) recount.broken(1, 'the head of the chain is missing, but its hashes exist');
  const isWhole = ordinal >= books.ordinal;
  const result = recount.result(
    { source: 'this log', events: ordinal, head: chain.head?.hash ?? null, unsealed: Math.max(0, ordinal - sealed) },
    isWhole ? books.shown : undefined,
  );
  return { ...result, met: recount.met };
}

interface SealedNow {
  readonly head: ChainHead | undefined;
  /** Number of hashes and of index rows. */
  readonly hashes: number;
  readonly places: number;
}

async function snapshot(tx: PoolClient): Promise<{ chain: SealedNow; books: ShownNow }> {
  return { chain: await sealedNow(tx), books: await shownNow(tx) };
}

async function sealedNow(tx: PoolClient): Promise<SealedNow> {
  const head = await findHead(tx);
  const { rows } = await tx.query<{ hashes: bigint; places: bigint }>(
    `select coalesce((select first + length(hashes) / ${HASH_BYTES} from chain.hashes order by first desc limit 1), 0)::int8 as hashes,
            coalesce((select max(ordinal) from chain.events), 0)::int8 as places`,
  );
  return { head, hashes: Number(rows[0]!.hashes), places: Number(rows[0]!.places) };
}

/** The trial balance that the service shows, and the ordinal up to which it is booked. */
interface ShownNow {
  readonly ordinal: number;
  readonly shown: readonly TrialBalance[] | undefined;
}

async function shownNow(tx: PoolClient): Promise<ShownNow> {
  const checkpoint = await readCheckpoint(tx, 'ledger');
  return checkpoint ? { ordinal: checkpoint.ordinal, shown: await findTrialBalance(tx) } : { ordinal: Infinity, shown: undefined };
}

/** Verifies that this service signed the heads that were kept whole. */
function verifySignatures(recount: Recount, keys: ChainKeys, { from }: KeptHeads): void {
  for (const { events, signed } of from) {
    if (signed && !keys.hasSigned(signed)) recount.broken(events, `the kept head over ${events} events is not signed by this service`);
  }
}

/** Called when the tree has reached the size of the head. */
function verifyHead(recount: Recount, keys: ChainKeys, { head, hashes, places }: SealedNow): void {
  const { events, hash } = head!;
  if (recount.tree.root().toString('hex') !== hash) recount.broken(events, `the head’s own hash, over ${events} events, was changed`);
  else if (!keys.hasSigned(head!)) recount.broken(events, `the head over ${events} events is not signed by this service`);
  else if (hashes !== hashCount(events) || places !== events) recount.broken(events + 1, `the tree’s tables have rows behind the head, ${events}`);
}

/** Describes the difference at this event: the event, or the tree. */
async function hashFault(
  { pool, store }: VerifyOptions,
  head: ChainHead,
  ordinal: number,
  event: RecordedEvent,
  completed: readonly Buffer[],
  stored: Buffer,
): Promise<string> {
  const level = completed.findIndex((hash, index) => !stored.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES).equals(hash));
  if (stored.length < (level + 1) * HASH_BYTES) return `the tree’s own hashes are missing from event ${ordinal} on`;
  if (level > 0) return `the tree’s own hash over events ${ordinal - 2 ** level + 1} to ${ordinal} was changed`;
  const found: Place = { event_id: event.id, stream: event.stream, revision: event.revision };
  const [place] = await findPlaces(pool, ordinal - 1, ordinal);
  if (!place || isSame(place, found)) {
    const path = await findAuditPath(pool, ordinal - 1, head.events).catch((error: unknown) => {
      if (!(error instanceof ChainBroken)) throw error;
    });
    const isAsSealed = path !== undefined && rootOfPath(completed[0]!, ordinal - 1, head.events, path)?.toString('hex') === head.hash;
    return isAsSealed
      ? `the tree’s own hash of event ${ordinal} was changed; the event, ${inWords(found)}, equals the sealed event`
      : `event ${ordinal}, ${event.type} ${inWords(found)}, was changed: it differs from the sealed event`;
  }
  const [still] = await store.read(place.stream, { from: place.revision, limit: 1 });
  const origin = await findLeaf(pool, event.id);
  return [
    `event ${ordinal} is not the event sealed at this position, ${inWords(place)}, which`,
    still?.id === place.event_id ? 'is now at another position: the order was changed;' : 'no longer exists: it was deleted, or its id was changed;',
    `the position holds ${event.type} ${inWords(found)},`,
    origin ? `which was sealed as event ${origin.leaf_index + 1}` : 'which was never sealed',
  ].join(' ');
}

function placeFault(
  ordinal: number,
  { id, stream, revision }: RecordedEvent,
  place: (Place & { readonly ordinal: bigint }) | undefined,
): string | undefined {
  if (place && Number(place.ordinal) === ordinal && isSame(place, { event_id: id, stream, revision })) return undefined;
  return `the tree’s own index of events was changed at event ${ordinal}`;
}

const isSame = (a: Place, b: Place): boolean => a.event_id === b.event_id && a.stream === b.stream && a.revision === b.revision;
const inWords = ({ event_id, stream, revision }: Place): string => `${event_id} (${stream} at ${revision})`;
