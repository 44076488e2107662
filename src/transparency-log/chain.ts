import type { ClientBase } from 'pg';
import { isKnownType } from '../ledger/catalogue.js';
import { UnknownEvent } from '../ledger/events/upcasting.js';
import type { EventStore, Position, RecordedEvent } from '../platform/event-store/event-store.js';
import { int4Array, textArray, uuidArray } from '../platform/postgres/binary/binary-arrays.js';
import type { Timestamp } from '../ledger/time.js';
import type { ChainHead, ChainSigner } from './chain-keys.js';
import { leafOf } from './leaf.js';
import { auditPath, consistencyPath, foldPeaks, GrowingTree, HASH_BYTES, hashCount, hashNumber, peaks, type Subtree } from './merkle-tree.js';

/**
 * The chain's tables. Sealing appends to them, a proof reads some forty hashes, and nothing rebuilds them. A change of a sealed event requires a
 * change of every hash above it and a new signature of the head, which needs the service's secret.
 */

type Db = Pick<ClientBase, 'query'>;

/** The tables, or the log, differ from the sealed state: nothing is sealed on top of it. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
}

/** The event of a leaf. */
export interface Place {
  readonly event_id: string;
  readonly stream: string;
  readonly revision: number;
}

/** undefined: nothing is sealed yet. */
export async function findHead(db: Db): Promise<ChainHead | undefined> {
  const { rows } = await db.query<{ events: bigint; hash: Buffer; signature: Buffer; sealed_on: Timestamp }>(
    'select events, hash, signature, sealed_on from chain.head',
  );
  return rows.map(({ events, hash, signature, sealed_on }) => ({
    position: Number(events),
    events: Number(events),
    hash: hash.toString('hex'),
    signature: signature.toString('base64'),
    sealed_on,
  }))[0];
}

/**
 * Returns sealed event `ordinal` as the store holds it now, with its stored texts; undefined when the store does not hold it at its place. Its
 * position is the present engine's: the one that was stored when it was sealed is another engine's after a move of the log.
 */
export async function readSealed(db: Db, store: Pick<EventStore, 'read'>, ordinal: number): Promise<RecordedEvent | undefined> {
  const [place] = await findPlaces(db, ordinal - 1, ordinal);
  const [event] = place ? await store.read(place.stream, { from: place.revision, limit: 1, stored: true }) : [];
  return event?.id === place?.event_id ? event : undefined;
}

/** Returns the leaf of an event, counted from 0; for an id that was used in several streams, the first. */
export async function findLeaf(db: Db, eventId: string): Promise<(Place & { readonly leaf_index: number }) | undefined> {
  const { rows } = await db.query<Place & { ordinal: bigint }>(
    'select ordinal, event_id, stream, revision from chain.events where event_id = $1 order by ordinal limit 1',
    [eventId],
  );
  return rows.map(({ ordinal, ...place }) => ({ ...place, leaf_index: Number(ordinal) - 1 }))[0];
}

/** Returns events with ids from `from` to `to` (UUIDs, inclusive), by id, at most `limit`. */
export async function findLeavesBetween(db: Db, from: string, to: string, limit: number): Promise<{ event_id: string; leaf_index: number }[]> {
  const { rows } = await db.query<{ event_id: string; ordinal: bigint }>(
    'select event_id, ordinal from chain.events where event_id >= $1::uuid and event_id <= $2::uuid order by event_id limit $3',
    [from, to, limit],
  );
  return rows.map(({ event_id, ordinal }) => ({ event_id, leaf_index: Number(ordinal) - 1 }));
}

/** Returns the root of the tree of the first `size` events. @throws ChainBroken */
export async function findRoot(db: Db, size: number): Promise<Buffer> {
  return foldPeaks(await findHashes(db, peaks(0, size)));
}

/** Returns the hashes of the consistency path between the trees of the first `first` and the first `second` events. @throws ChainBroken */
export const findConsistencyPath = (db: Db, first: number, second: number): Promise<Buffer[]> => findRoots(db, consistencyPath(first, second));

/** Returns the hashes of the leaf's audit path in the tree of the first `size` events, from the leaf upwards. @throws ChainBroken */
export async function findAuditPath(db: Db, leafIndex: number, size: number): Promise<Buffer[]> {
  return findRoots(db, auditPath(leafIndex, size));
}

async function findRoots(db: Db, path: readonly (readonly Subtree[])[]): Promise<Buffer[]> {
  const hashes = await findHashes(db, path.flat());
  let at = 0;
  return path.map((subtrees) => foldPeaks(hashes.slice(at, (at += subtrees.length))));
}

/** @throws ChainBroken when a hash is missing. */
export async function findHashes(db: Db, subtrees: readonly Subtree[]): Promise<Buffer[]> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `select substring(h.hashes from (n.number - h.first)::int4 * ${HASH_BYTES} + 1 for ${HASH_BYTES}) as hash
       from unnest($1::int8[]) with ordinality as n(number, place)
       cross join lateral (select first, hashes from chain.hashes where first <= n.number order by first desc limit 1) h
      order by n.place`,
    [subtrees.map(hashNumber)],
  );
  if (rows.length < subtrees.length || rows.some(({ hash }) => hash.length !== HASH_BYTES)) throw new ChainBroken('hashes of the chain are missing');
  return rows.map(({ hash }) => hash);
}

/** The end of the chain. Only the process that seals has one. */
export class ChainEnd {
  private constructor(
    private readonly db: Db,
    private readonly signer: ChainSigner,
    private readonly tree: GrowingTree,
    /** The engine's position of the last sealed event; null: nothing is sealed yet. */
    readonly position: Position | null,
  ) {}

  /** Resumes where the last process ended. @throws ChainBroken when the tables or the log differ from the sealed state. */
  static async open(db: Db, signer: ChainSigner, store: Pick<EventStore, 'read'>): Promise<ChainEnd> {
    const head = await findHead(db);
    if (!head) {
      const { rowCount } = await db.query('select from chain.hashes limit 1');
      if (rowCount !== 0) throw new ChainBroken('the head of the chain is missing');
      return new ChainEnd(db, signer, new GrowingTree(), null);
    }
    const { events } = head;
    const tree = new GrowingTree(events, await findHashes(db, peaks(0, events)));
    if (tree.root().toString('hex') !== head.hash || !signer.keys.hasSigned(head))
      throw new ChainBroken('the hashes of the chain do not match its head');
    const last = await readSealed(db, store, events);
    if (!last) throw new ChainBroken(`the last sealed event, ${events}, is not in the event store`);
    return new ChainEnd(db, signer, tree, last.position);
  }

  /**
   * Seals the next events of the log, in one statement, up to the first one of a type that this build does not know: the hidden fields of such an
   * event are unknown, and a leaf can never be changed.
   * @throws ChainBroken when another process has sealed meanwhile: open it again. UnknownEvent after the events before it are sealed.
   */
  async seal(events: readonly RecordedEvent[], now: Timestamp): Promise<void> {
    const unknown = events.find(({ type }) => !isKnownType(type));
    const known = unknown ? events.slice(0, events.indexOf(unknown)) : events;
    if (known.length > 0) await this.#sealKnown(known, now);
    if (unknown)
      throw new UnknownEvent(`unknown event type ${unknown.type}: event ${this.tree.size + 1} of the log, ${unknown.id}, cannot be sealed`);
  }

  async #sealKnown(events: readonly RecordedEvent[], now: Timestamp): Promise<void> {
    const before = this.tree.size;
    const completed = events.flatMap((event) => this.tree.append(leafOf(event, this.signer.keys.sealKey)));
    const head = this.signer.sign(this.tree.size, this.tree.root(), now);
    const { rowCount } = await this.db.query({
      name: 'chain seal',
      text: SEAL,
      values: [
        before,
        head.events,
        Buffer.from(head.hash, 'hex'),
        Buffer.from(head.signature, 'base64'),
        head.sealed_on,
        events.at(-1)!.position,
        hashCount(before),
        Buffer.concat(completed),
        uuidArray(events.map(({ id }) => id)),
        textArray(events.map(({ stream }) => stream)),
        int4Array(events.map(({ revision }) => revision)),
      ],
    });
    if (rowCount !== events.length) throw new ChainBroken(`another process sealed events after event ${before}`);
  }
}

/** The head is the fence: the statement writes only when the head is at the position that this process knows. */
const SEAL = `
with head as (
  insert into chain.head (events, hash, signature, sealed_on, position) values ($2, $3, $4, $5, $6)
  on conflict (one) do update
     set (events, hash, signature, sealed_on, position)
       = (excluded.events, excluded.hash, excluded.signature, excluded.sealed_on, excluded.position)
   where chain.head.events = $1::int8
  returning 1
), hashes as (
  insert into chain.hashes (first, hashes) select $7::int8, $8::bytea from head
)
insert into chain.events (ordinal, event_id, stream, revision)
select $1::int8 + e.place, e.id, e.stream, e.revision
  from head, unnest($9::uuid[], $10::text[], $11::int4[]) with ordinality as e(id, stream, revision, place)`;

/** Returns the hashes from number `start` to before `end`, concatenated, up to the first gap. */
export async function findHashRange(db: Db, start: number, end: number): Promise<Buffer> {
  const { rows } = await db.query<{ first: bigint; hashes: Buffer }>({
    name: 'chain hashes',
    text: `select first, hashes from chain.hashes
            where first >= (select max(first) from chain.hashes where first <= $1) and first < $2 order by first`,
    values: [start, end],
  });
  const parts: Buffer[] = [];
  let at = Number(rows[0]?.first ?? start);
  const before = at;
  for (const { first, hashes } of rows) {
    if (Number(first) !== at) break;
    parts.push(hashes);
    at += hashes.length / HASH_BYTES;
  }
  return Buffer.concat(parts).subarray((start - before) * HASH_BYTES, (end - before) * HASH_BYTES);
}

/** Returns the hashes of the leaves from `start` to before `end`, up to the first gap. */
export async function findLeafHashes(db: Db, start: number, end: number): Promise<Buffer[]> {
  if (start >= end) return [];
  const before = hashCount(start);
  const hashes = await findHashRange(db, before, hashCount(end));
  const leaves = Array.from({ length: end - start }, (_, index) => {
    const at = (hashCount(start + index) - before) * HASH_BYTES;
    return hashes.subarray(at, at + HASH_BYTES);
  });
  return leaves.filter(({ length }) => length === HASH_BYTES);
}

/** Returns the places of the leaves from `start` to before `end`, in order; missing ones are left out. */
export async function findPlaces(db: Db, start: number, end: number): Promise<(Place & { readonly ordinal: bigint })[]> {
  const { rows } = await db.query<Place & { ordinal: bigint }>({
    name: 'chain places',
    text: 'select ordinal, event_id, stream, revision from chain.events where ordinal > $1 and ordinal <= $2 order by ordinal',
    values: [start, end],
  });
  return rows;
}
