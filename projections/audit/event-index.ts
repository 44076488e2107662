import type { ClientBase } from 'pg';
import { SCHEMA_VERSIONS } from '../../src/ledger/catalogue.js';
import type { Mode } from '../../src/ledger/mode.js';
import type { Position } from '../../src/platform/event-store/event-store.js';
import { ledgerProjection, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { Table } from '../../src/platform/postgres/binary/table.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { isOfMode } from '../merchants/owners.js';
import { exceptionalPayments } from './exceptional-payments.js';

const table = new Table('events', {
  ordinal: 'bigint not null primary key',
  position: 'bigint not null',
  /** null: the event concerns no merchant. */
  merchant_id: 'uuid',
  revision: 'integer not null',
  type: 'text collate "C" not null',
  stream: 'text collate "C" not null',
});

/**
 * An index of all events: the ordinal, the engine's own position, the stream, and the columns that finance filters by. The events themselves are only
 * in the store. A batch is one insert, and rows never change.
 */
const eventPlaces: LedgerReadModel = {
  name: 'event_index',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  // Ordinals rise, so each index except the merchants' index grows at its right edges only.
  indexes: (schema) => [
    `create index events_by_position on ${schema}.events (position)`,
    `create index events_by_type on ${schema}.events (type, ordinal)`,
    `create index events_of_merchant on ${schema}.events (merchant_id, type, ordinal)`,
  ],

  async apply(tx, schema, batch) {
    const rows = batch.map(({ ordinal, position, metadata, revision, type, stream }) => {
      return { ordinal, position, merchant_id: metadata.merchant_id, revision, type, stream };
    });
    await table.add(tx, schema, rows);
  },
};

export const eventIndex = ledgerProjection({ name: 'event_index', readModels: [eventPlaces, exceptionalPayments], gatherMs: 100 });

/** Identifies an event in the log and in its stream. */
export interface EventRef {
  readonly ordinal: number;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;
type StoredPlace = Omit<EventRef, 'ordinal'> & { readonly ordinal: bigint };

const TABLE = 'event_index.events';
const placeOf = (row: StoredPlace): EventRef => ({ ...row, ordinal: Number(row.ordinal) });

export interface EventPlaceQuery {
  /** Selects merchants of this mode. The ledger projection knows the modes, so only events up to its checkpoint are returned. */
  readonly mode?: Mode | undefined;
  /** With a mode: also returns events that concern no merchant. */
  readonly with_house?: boolean;
  readonly merchant_id?: string | undefined;
  readonly type?: string | undefined;
  /** A filter without an index: every event of this type and merchant is checked. Meant for streams that contain most of them. */
  readonly stream?: string | undefined;
  /** Ordinals: `after` is exclusive, `until` inclusive. */
  readonly after: number;
  readonly until?: number | undefined;
  readonly limit: number;
  /** Returns the newest first. */
  readonly is_descending?: boolean;
}

/** Returns events in the order of the log. An index serves every filter, also for rare events. */
export async function findEventRefs(db: Db, query: EventPlaceQuery): Promise<EventRef[]> {
  const { mode, with_house = false, merchant_id, type, stream, after, until = Number.MAX_SAFE_INTEGER, limit, is_descending = false } = query;
  const last = mode === undefined ? until : Math.min(until, await ledgerCheckpoint(db));
  const direction = is_descending ? 'desc' : 'asc';
  const conditions = new Conditions(after, last, limit)
    .always('e.ordinal > $1 and e.ordinal <= $2')
    .where(mode, (p) => `(${with_house ? 'e.merchant_id is null or ' : ''}e.${isOfMode(p)})`)
    .equal({ 'e.merchant_id': merchant_id, 'e.stream': stream, 'e.type': type });
  // The index has a merchant's events of each type in their order. Merging the types gives the order of all events.
  const acrossTypes = merchant_id !== undefined && type === undefined;
  if (acrossTypes) conditions.always('e.type = t');
  const places = `select e.ordinal, e.position, e.stream, e.revision from ${TABLE} e where ${conditions.sql()} order by e.ordinal ${direction} limit $3`;
  const { rows } = await db.query<StoredPlace>(
    acrossTypes
      ? `select p.* from unnest(${conditions.parameter(Object.keys(SCHEMA_VERSIONS))}::text[]) t cross join lateral (${places}) p order by p.ordinal ${direction} limit $3`
      : places,
    conditions.values,
  );
  return rows.map(placeOf);
}

/**
 * Returns the ordinal up to which the ledger projection knows the modes. It is read by a separate query: for a bound that a subquery finds, the
 * planner expects a hundredth of the log, and for a page of more rows than that it reads and sorts the whole log.
 */
async function ledgerCheckpoint(db: Db): Promise<number> {
  const { rows } = await db.query<{ ordinal: bigint }>({ name: 'ledger: checkpoint', text: 'select ordinal from ledger.checkpoint' });
  return Number(rows[0]?.ordinal ?? 0);
}

/** Returns the number of events of a type (of a mode) in the index. Meant for rare types. */
export async function countEvents(db: Db, type: string, mode?: Mode): Promise<number> {
  const conditions = new Conditions(type).always('type = $1').where(mode, isOfMode);
  const { rows } = await db.query<{ n: bigint }>(`select count(*) as n from ${TABLE} where ${conditions.sql()}`, conditions.values);
  return Number(rows[0]!.n);
}

/** Returns the ordinal of the newest event in the index; 0 when there is none. */
export async function findLastOrdinal(db: Db): Promise<number> {
  const { rows } = await db.query<{ ordinal: bigint }>({
    name: 'event index: last',
    text: `select ordinal from ${TABLE} order by ordinal desc limit 1`,
  });
  return Number(rows[0]?.ordinal ?? 0);
}

/** Returns the position of the event with this ordinal; undefined when the index does not contain it. */
export async function findPosition(db: Db, ordinal: number): Promise<Position | undefined> {
  const { rows } = await db.query<{ position: Position }>({
    name: 'event index: position',
    text: `select position from ${TABLE} where ordinal = $1`,
    values: [ordinal],
  });
  return rows[0]?.position;
}

/** Returns the ordinals of the events at these positions, without those that the index does not contain yet. */
export async function findOrdinals(db: Db, positions: readonly Position[]): Promise<Map<Position, number>> {
  const { rows } = await db.query<{ position: Position; ordinal: bigint }>({
    name: 'event index: ordinals',
    text: `select position, ordinal from ${TABLE} where position = any($1::int8[])`,
    values: [positions],
  });
  return new Map(rows.map(({ position, ordinal }) => [position, Number(ordinal)]));
}

/** Returns false until the projector has run once. */
export async function hasEventIndex(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(`select to_regclass('${TABLE}') is not null as found`);
  return rows[0]!.found;
}
