import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EventStore } from '../platform/event-store/event-store.js';
import { mustExist } from '../platform/http/record-id.js';
import { LedgerProblem } from '../ledger/problems.js';
import { ChainBroken, findAuditPath, findConsistencyPath, findHead, findLeaf, findPlaces, findRoot, readSealed, type Place } from './chain.js';
import type { ChainHead, ChainKeys } from './chain-keys.js';
import { chainedEvent, leafOfTexts, type ChainedEvent } from './leaf.js';
import { rootOfPath } from './merkle-tree.js';

export interface ChainProof {
  readonly event: ChainedEvent;
  /** From 0. */
  readonly leaf_index: number;
  /** Hex, from the leaf upwards. */
  readonly audit_path: readonly string[];
  readonly head: ChainHead;
}

export interface ChainReads {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'read' | 'head'>;
  readonly keys: ChainKeys;
}

/** Proof that the second tree contains the first one as its beginning. */
export interface ChainConsistency {
  readonly first: Root;
  readonly second: Root;
  /** Hex; RFC 9162, 2.1.4. */
  readonly consistency_path: readonly string[];
  /** The newest one, signed. */
  readonly head: ChainHead;
}

interface Root {
  readonly events: number;
  /** Root of the tree of that number of events, hex. */
  readonly hash: string;
}

/**
 * Proves consistency from the stored tree: an auditor compares the hash of a kept head and follows the path.
 * @param sizes numbers of events of two heads, the first not above the second; without a second, the newest
 * @throws Problem not-found for a size that is not sealed yet.
 */
export async function proveConsistency(
  pool: Pool,
  sizes: { readonly first: number; readonly second?: number | undefined },
): Promise<ChainConsistency> {
  const head = await findHead(pool);
  const { first, second = head?.events ?? 0 } = sizes;
  if (!head || first > head.events || second > head.events) {
    throw new LedgerProblem('not-found', `There is no head with so many events: ${head?.events ?? 0} are sealed.`);
  }
  const [firstRoot, secondRoot, path] = await Promise.all([findRoot(pool, first), findRoot(pool, second), findConsistencyPath(pool, first, second)]);
  return {
    first: { events: first, hash: firstRoot.toString('hex') },
    second: { events: second, hash: secondRoot.toString('hex') },
    consistency_path: path.map((hash) => hash.toString('hex')),
    head,
  };
}

/** Longest wait for sealing, which is less than a second behind. */
const SEALED_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** @throws Problem not-found; ChainBroken when the event differs from the sealed one. */
export async function proveEvent(reads: ChainReads, eventId: string): Promise<ChainProof> {
  const { pool, store } = reads;
  return proveLeaf(reads, mustExist((await findLeaf(pool, eventId)) ?? (await sealedSince(pool, store, eventId))));
}

/** Returns undefined when no event is sealed at the position (1, 2, 3 …) yet. @throws ChainBroken when the event differs from the sealed one */
export async function provePosition(reads: ChainReads, position: number): Promise<ChainProof | undefined> {
  const [place] = await findPlaces(reads.pool, position - 1, position);
  return place && proveLeaf(reads, { ...place, leaf_index: position - 1 });
}

async function proveLeaf(
  { pool, store, keys }: ChainReads,
  { leaf_index, stream, revision }: Place & { readonly leaf_index: number },
): Promise<ChainProof> {
  const head = (await findHead(pool))!;
  const [[recorded], path] = await Promise.all([
    store.read(stream, { from: revision, limit: 1, stored: true }),
    findAuditPath(pool, leaf_index, head.events),
  ]);
  const event = recorded && chainedEvent(recorded, leaf_index + 1, keys.sealKey);
  const root = event && rootOfPath(leafOfTexts(event, event.stored), leaf_index, head.events, path);
  if (!event || root?.toString('hex') !== head.hash)
    throw new ChainBroken(`event ${leaf_index + 1} differs from the sealed event: run "audit verify"`);
  return { event, leaf_index, audit_path: path.map((hash) => hash.toString('hex')), head };
}

/** Finds the leaf of a recently appended event: waits until everything is sealed that was in the log at the time of the request. */
async function sealedSince(pool: Pool, store: Pick<EventStore, 'head' | 'read'>, eventId: string): ReturnType<typeof findLeaf> {
  const end = (await store.head()) ?? 0n;
  for (const deadline = performance.now() + SEALED_WITHIN_MS; performance.now() < deadline; await delay(LOOK_AGAIN_MS)) {
    const head = await findHead(pool);
    const sealed = head && (await readSealed(pool, store, head.events));
    if (sealed && sealed.position >= end) break;
  }
  return findLeaf(pool, eventId);
}
