import type { ClientBase } from 'pg';
import type { Position } from '../event-store/event-store.js';
import type { OrdinalEvent, Projection } from './projection.js';

/** Progress of a build. Stored in the build's own schema, so that it moves, and is swapped, with the rows that it describes. */
export interface Checkpoint {
  /** null: nothing applied yet. */
  readonly position: Position | null;
  /** Ordinal of the last applied event; 0: none. */
  readonly ordinal: number;
  /** The last applied event and its place: shows whether the store is still the one that the rows come from. */
  readonly event: { readonly id: string; readonly stream: string; readonly revision: number } | null;
  /** Version of the code that wrote the rows; see `versionOf`. */
  readonly version: string;
  /** True when the indexes for readers exist. */
  readonly indexed: boolean;
}

/** Channel of `<projection> <position> <ordinal>`, sent with every batch of a live build. */
export const PROJECTION_CHANNEL = 'projection';
/** Channel of `<projection> <position>`, sent by a process that waits for that position. */
export const WANTED_CHANNEL = 'projection_wanted';

/** Returns the version of the rows, such as `balances=1 charges=3`. Rows of another version were written by other code. */
export function versionOf(projection: Pick<Projection, 'readModels'>): string {
  return projection.readModels
    .map(({ name, version }) => `${name}=${version}`)
    .sort()
    .join(' ');
}

/** Returns true when `rows` were written by newer code than this: one of their read models has a higher version than `code` knows. */
export function isNewer(rows: string, code: string): boolean {
  const known = new Map(code.split(' ').map((part) => part.split('=') as [string, string]));
  return rows.split(' ').some((part) => {
    const [name = '', version] = part.split('=');
    return Number(version) > Number(known.get(name) ?? Infinity);
  });
}

/** Every batch rewrites the one row: room on its page keeps each rewrite free of index work. */
export const checkpointDdl = (schema: string): string => `
create table ${schema}.checkpoint (
  one boolean primary key default true check (one),
  position bigint,
  ordinal bigint not null,
  event_id uuid,
  stream text,
  revision integer,
  version text not null,
  indexed boolean not null,
  updated_on timestamptz not null
) with (fillfactor = 10)`;

const CHECKPOINT_COLUMNS = ['position', 'ordinal', 'event_id', 'stream', 'revision', 'version', 'indexed'] as const;

/**
 * Returns null when `schema` holds no build. Rows whose checkpoint was lost, whole or in part, are no build either: their progress is unknown, and
 * they are rebuilt.
 */
export async function readCheckpoint(db: Pick<ClientBase, 'query'>, schema: string): Promise<Checkpoint | null> {
  const { rows: found } = await db.query<{ found: boolean }>(
    `select count(*) = cardinality($2::name[]) as found
       from pg_attribute where attrelid = to_regclass($1) and attname = any($2::name[]) and not attisdropped`,
    [`${schema}.checkpoint`, CHECKPOINT_COLUMNS],
  );
  if (!found[0]!.found) return null;
  const { rows } = await db.query<{
    position: bigint | null;
    ordinal: bigint;
    event_id: string | null;
    stream: string | null;
    revision: number | null;
    version: string;
    indexed: boolean;
  }>(`select ${CHECKPOINT_COLUMNS.join(', ')} from ${schema}.checkpoint`);
  const row = rows[0];
  if (!row) return null;
  return {
    position: row.position,
    ordinal: Number(row.ordinal),
    event: row.event_id === null ? null : { id: row.event_id, stream: row.stream!, revision: row.revision! },
    version: row.version,
    indexed: row.indexed,
  };
}

/** Another process has moved the checkpoint: this process no longer leads. Its current batch is rolled back. */
export class FenceLost extends Error {
  override readonly name = 'FenceLost';
}

/**
 * The fence: moves the checkpoint from its place as this process knows it, and only for rows of the same version.
 * First statement of a batch's transaction; it waits for every other process that is inside one.
 * @returns false when the checkpoint is elsewhere: roll back.
 */
export async function moveCheckpoint(
  tx: ClientBase,
  build: { readonly schema: string; readonly version: string; readonly announceAs: string | null },
  from: Position | null,
  to: OrdinalEvent,
  now: Date,
): Promise<boolean> {
  const { schema, version, announceAs } = build;
  const moved = `
update ${schema}.checkpoint
   set position = $1, ordinal = $2, event_id = $3, stream = $4, revision = $5, updated_on = $6
 where position is not distinct from $7 and version = $8
returning 1`;
  const values: unknown[] = [to.position, to.ordinal, to.id, to.stream, to.revision, now, from, version];
  // One statement for both: the batch of a busy service is small, and its cost is the number of statements.
  const { rowCount } = await (announceAs === null
    ? tx.query({ name: `${schema} fence`, text: moved, values })
    : tx.query({
        name: `${schema} fence and notify`,
        text: `with moved as (${moved}) select pg_notify('${PROJECTION_CHANNEL}', $9) from moved`,
        values: [...values, `${announceAs} ${to.position} ${to.ordinal}`],
      }));
  return rowCount === 1;
}
