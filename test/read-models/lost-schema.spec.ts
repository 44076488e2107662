import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import type { NewEvent } from '../../src/platform/event-store/event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { projectionStatus } from '../../src/platform/projector/projection-status.js';
import type { Projection } from '../../src/platform/projector/projection.js';
import { Projector } from '../../src/platform/projector/projector.js';
import { projectorMigrations } from '../../src/platform/projector/projector.migrations.js';
import type { ReplaySession, Rebuilt } from '../../src/platform/projector/replay-session.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { sized } from '../support/nightly.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { contents } from '../support/projected.js';
import { replaying } from '../support/replaying.js';

const GOLDEN = new URL('../golden/', import.meta.url);
const files = readdirSync(GOLDEN).sort();

/** At least one row for each projection. */
const LOG: readonly LedgerEventType[] = [
  ...(['MerchantRegistered', 'WebHookSet', 'CustomerCreated', 'ChargeCreated', 'ChargePaid', 'PayoutRegistered', 'PayoutRequested'] as const),
  ...(['ChargeRefundClaimed', 'ChargeDisputeOpened', 'SettlementOpened', 'ProposalMade', 'ReconSourceSet', 'StatementReceived'] as const),
];

function example(type: LedgerEventType): NewEvent & { readonly stream: string } {
  const newest = files.filter((file) => file.startsWith(`${type}.${SCHEMA_VERSIONS[type]}.`)).at(-1)!;
  return (JSON.parse(readFileSync(new URL(newest, GOLDEN), 'utf8')) as { event: NewEvent & { stream: string } }).event;
}

/** Tables of `schema` beside its checkpoint, the fullest first. */
async function tablesOf(pool: Pool, schema: string): Promise<string[]> {
  const rows = Object.entries(await contents(pool, schema)).sort(([, a], [, b]) => b.length - a.length);
  return rows.map(([table]) => `${schema}.${table}`);
}

/** Returns the first column of the primary key of the fullest table. */
async function keyColumnOf(pool: Pool, schema: string): Promise<{ readonly table: string; readonly column: string }> {
  const table = (await tablesOf(pool, schema))[0]!;
  const { rows } = await pool.query<{ column: string }>(
    `select quote_ident(attname) as column
       from pg_attribute join pg_index on indrelid = attrelid and indisprimary and attnum = indkey[0] where attrelid = $1::regclass`,
    [table],
  );
  return { table, column: rows[0]!.column };
}

type Break = (pool: Pool, schema: string) => Promise<unknown>;

/** States in which the position of the rows is lost. */
const WITHOUT_CHECKPOINT: Readonly<Record<string, Break>> = {
  'the row of its checkpoint': (pool, schema) => pool.query(`delete from ${schema}.checkpoint`),
  'its checkpoint': (pool, schema) => pool.query(`drop table ${schema}.checkpoint`),
  'a column of its checkpoint': (pool, schema) => pool.query(`alter table ${schema}.checkpoint drop column stream`),
  'all of its tables': (pool, schema) => pool.query(`drop schema ${schema} cascade; create schema ${schema}`),
  'its schema': (pool, schema) => pool.query(`drop schema ${schema} cascade`),
};

/** States in which rows are missing. */
const HALF_THERE: Readonly<Record<string, Break>> = {
  'a table': async (pool, schema) => pool.query(`drop table ${(await tablesOf(pool, schema))[0]} cascade`),
  'every table but its checkpoint': async (pool, schema) => pool.query(`drop table ${(await tablesOf(pool, schema)).join(', ')} cascade`),
  'a key': async (pool, schema) => {
    const table = (await tablesOf(pool, schema))[0]!;
    const { rows } = await pool.query<{ name: string }>(`select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'p'`, [
      table,
    ]);
    await pool.query(`alter table ${table} drop constraint ${rows[0]!.name} cascade`);
  },
  'columns of every table': async (pool, schema) => {
    for (const table of await tablesOf(pool, schema)) {
      const { rows } = await pool.query<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum desc limit 1`,
        [table],
      );
      await pool.query(`alter table ${table} drop column ${rows[0]!.name} cascade`);
    }
  },
  'the key column of a table': async (pool, schema) => {
    const { table, column } = await keyColumnOf(pool, schema);
    await pool.query(`alter table ${table} drop column ${column} cascade`);
  },
  'the type of a key column': async (pool, schema) => {
    const { table, column } = await keyColumnOf(pool, schema);
    await pool.query(`alter table ${table} drop column ${column} cascade, add column ${column} char(1) not null default '?'`);
  },
};

/** A rebuild switches the largest one, and verifies the outbox only. */
const IN_EACH_GATE = ['ledger', 'outbox'];
const damaged = PROJECTIONS.filter(({ name }) => sized(IN_EACH_GATE.includes(name), true));

describe.each(damaged.map((projection) => [projection.name, projection] as const))('a damaged schema of %s', (name, projection) => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let intact: Record<string, string[]>;

  beforeAll(async () => {
    database = await createTestDatabase(projectorMigrations);
    pool = createPool({ url: database.url, applicationName: 'test' });
    store = new InMemoryEventStore();
    for (const { stream, ...event } of LOG.map(example)) await store.append(stream, await nextOf(stream), [event]);
    await projected();
    intact = await contents(pool, name);
  });
  afterAll(async () => {
    await store.close();
    await pool.end();
    await database.drop();
  });

  const nextOf = async (stream: string): Promise<number | 'no-stream'> => (await store.read(stream)).at(-1)?.revision ?? 'no-stream';

  /** Projects as the service does when it starts. */
  async function projected(): Promise<void> {
    const projector = new Projector({ url: database.url, store, projections: [projection] });
    projector.start();
    try {
      await eventually(async () => {
        const live = await readCheckpoint(pool, name);
        return live?.indexed === true && live.ordinal === store.all().length;
      });
    } finally {
      await projector.stop();
    }
  }

  const session = <T>(work: (session: ReplaySession) => Promise<T>): Promise<T> => replaying(database.url, store, work);

  const rebuild = (accepts: boolean, verifiedOnly: readonly Projection[] = []): Promise<Rebuilt[]> =>
    session((replays) =>
      replays.rebuild([projection], { keepsOld: false, accepts: () => accepts, verifiedOnly: new Set(verifiedOnly.map((each) => each.name)) }),
    );

  async function expectIntact(): Promise<void> {
    expect(await contents(pool, name)).toEqual(intact);
    expect(await readCheckpoint(pool, name)).toMatchObject({ ordinal: store.all().length, indexed: true });
  }

  it.each(Object.entries(WITHOUT_CHECKPOINT))('a rebuild restores a schema without %s', async (_, damage) => {
    await damage(pool, name);
    expect(await projectionStatus(pool, store, [projection])).toMatchObject({ projections: [{ name, position: 0, built: false }] });
    await expect(session((replays) => replays.verify([projection]))).rejects.toThrow(`"projections rebuild ${name}" builds`);
    // Also one that is verified only: there is nothing to compare with.
    expect(await rebuild(false, [projection])).toMatchObject([{ name, tables: null, differences: 0, switched: true }]);
    await expectIntact();
  });

  it.each(Object.entries(WITHOUT_CHECKPOINT))('the service restores a schema without %s when it starts', async (_, damage) => {
    await damage(pool, name);
    await projected();
    await expectIntact();
  });

  it.each(Object.entries(HALF_THERE))('a rebuild reports a schema without %s as a difference and replaces it once accepted', async (what, damage) => {
    await damage(pool, name);
    const [refused] = await rebuild(false);
    const differences = refused!.differences;
    // The rows of a table are the same without its key: there is nothing to accept.
    expect(refused).toMatchObject({ switched: what === 'a key', differences: what === 'a key' ? 0 : expect.any(Number) });
    if (!refused!.switched) expect(await rebuild(true)).toMatchObject([{ differences, switched: true }]);
    await expectIntact();
  });
});
