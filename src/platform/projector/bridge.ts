import type { ClientBase, Pool, PoolClient } from 'pg';
import { inTransaction } from '../postgres/pool.js';
import { compareBuilds, type Bridging, type MeantSum, type TableComparison } from './comparison.js';
import type { Projection } from './projection.js';

/**
 * Returns how the rows of `projection` in `schema` are compared with live ones of version `live`; null when they cannot be: a read model was raised
 * from a version that its bridge does not cover, or has no bridge, or was removed.
 */
export function bridgeFrom(projection: Projection, live: string, schema: string): Bridging | null {
  let [views, meant]: [Bridging['views'], Bridging['meant']] = [{}, {}];
  const previous = new Map(live.split(' ').map((part) => part.split('=') as [string, string]));
  for (const { name, version, bridge } of projection.readModels) {
    const was = previous.get(name);
    previous.delete(name);
    if (was === undefined || Number(was) === version) continue;
    if (!bridge || ![bridge.from].flat().includes(Number(was))) return null;
    views = { ...views, ...bridge.views?.(schema, Number(was)) };
    meant = { ...meant, ...bridge.meant?.(schema) };
  }
  return previous.size === 0 ? { views, meant } : null;
}

/** Differences that were found between a build of a raised version and the build that it replaced. Stored in the build's schema. */
export interface Bridged {
  readonly former_version: string;
  /** Ordinal of the event at which the two were compared. */
  readonly position: number;
  /** RFC 3339. */
  readonly compared_on: string;
  readonly meant: readonly ({ readonly table: string } & MeantSum)[];
}

/** Compares the finished build in `built` with the live one, which is at the same event. */
export function compareWithPrevious(pool: Pool, projection: Projection, built: string, bridging: Bridging): Promise<TableComparison[]> {
  const compare = (tx: PoolClient): Promise<TableComparison[]> => compareBuilds([tx], projection.name, built, bridging);
  return inTransaction(pool, compare, 'begin isolation level repeatable read, read only');
}

/** Records, in the new build, the differences that the comparison found and that are meant. */
export async function recordBridged(
  pool: Pool,
  schema: string,
  previous: { readonly version: string; readonly ordinal: number },
  tables: readonly TableComparison[],
): Promise<void> {
  const meant = tables.flatMap(({ name, meant: found }) => (found && found.rows > 0 ? [{ table: name, ...found }] : []));
  await inTransaction(pool, async (tx) => {
    await tx.query(`drop table if exists ${schema}.bridge`);
    await tx.query(
      `create table ${schema}.bridge (former_version text not null, position bigint not null, compared_on timestamptz not null, meant json not null)`,
    );
    await tx.query(`insert into ${schema}.bridge values ($1, $2, $3, $4)`, [previous.version, previous.ordinal, new Date(), JSON.stringify(meant)]);
  });
}

/** Returns null when the build in `schema` was not compared with one of a previous version. */
export async function readBridged(db: Pick<ClientBase, 'query'>, schema: string): Promise<Bridged | null> {
  const { rows: found } = await db.query<{ found: boolean }>('select to_regclass($1) is not null as found', [`${schema}.bridge`]);
  if (!found[0]!.found) return null;
  const { rows } = await db.query<Omit<Bridged, 'position'> & { position: bigint }>(
    `select former_version, position, compared_on, meant from ${schema}.bridge`,
  );
  return rows.map((row) => ({ ...row, position: Number(row.position) }))[0] ?? null;
}

/** Rows of a table that differ from those of the previous version, and were not meant to. */
export interface Differing {
  readonly table: string;
  readonly rows: number;
}

/** The new tables do not replace those of the previous version: they differ in more than they are meant to. */
export class DiffersFromPrevious extends Error {
  override readonly name = 'DiffersFromPrevious';
  readonly differing: readonly Differing[];

  constructor(projection: string, previous: { readonly version: string; readonly ordinal: number }, tables: readonly TableComparison[]) {
    const differing = tables.flatMap(({ name: table, differences: rows }) => (rows > 0 ? [{ table, rows }] : []));
    const words = differing.map(({ table, rows }) => `${rows} rows of ${table}`).join(', ');
    super(
      `the new tables of ${projection} differ from the live ones (${previous.version}) at event ${previous.ordinal} beyond the intended differences: ${words}. ` +
        `The live tables stay unchanged, and only the previous version of the service continues to write them. "projections rebuild ${projection}" ` +
        `shows the differences; with --accept-differences it switches to the new tables nevertheless`,
    );
    this.differing = differing;
  }
}
