import { afterEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { CustomerKeys } from '../../src/domain/customers/customer-keys.js';
import { DisputeKeys } from '../../src/domain/charges/disputes/dispute-keys.js';
import { forgetStatements } from '../../src/domain/reconciliation/statements/forget-files.js';
import { StatementPeople } from '../../src/domain/reconciliation/statements/statement-people.js';
import { EvidenceErased, EvidenceStore } from '../../src/domain/charges/disputes/evidence-store.js';
import { DestroyedKeyScrubber } from '../../src/ledger/crypto/destroyed-key-scrubber.js';
import { KeyWrapping } from '../../src/ledger/crypto/key-wrapping.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { isEmbeddedIn } from '../../src/platform/embedded-postgres/embedded-name.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createPool } from '../../src/platform/postgres/pool.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Every file below `directory` that holds one of `needles`. */
async function filesWith(directory: string, needles: readonly Buffer[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // Postgres may remove it meanwhile.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    if (needles.some((needle) => bytes.includes(needle))) found.push(file);
  }
  return found;
}

const SECRET = Buffer.alloc(32, 7);
const clock = Date.now;

/** Starts a separate embedded database, whose directory has everything that it has written. */
async function startDatabase(): Promise<{ readonly dataDir: string; readonly pool: Pool; readonly traces: DestroyedKeyScrubber }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-traces-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres(join(dataDir, 'postgres'));
  closing.push(() => postgres.stop());
  await migrate(postgres.url, MIGRATIONS);
  const pool = createPool({ url: postgres.url, applicationName: 'test', maxConnections: 2 });
  closing.push(() => pool.end());
  return { dataDir, pool, traces: new DestroyedKeyScrubber({ pool, ownsLog: () => isEmbeddedIn(dataDir, pool), clock }) };
}

describe('a key that was destroyed', () => {
  it('a destroyed key is in no file of the embedded database: neither in tables nor in the log, however much was written', async () => {
    const { dataDir, pool, traces } = await startDatabase();
    const keys = new CustomerKeys(pool, new KeyWrapping(SECRET, 'customer'), clock);
    const ids = Array.from({ length: 300 }, () => randomUUID());
    for (const id of ids) await keys.getOrCreate(id);
    // Segments full of other things lie before and behind; a checkpoint renames the previous for later use.
    const write = (): Promise<unknown> =>
      pool.query(`select pg_logical_emit_message(false, 'test', repeat('x', 1 << 20)) from generate_series(1, 40)`);
    await write();
    await pool.query('checkpoint');
    const wrapped = async (id: string): Promise<Buffer> =>
      (await pool.query<{ wrapped_key: Buffer }>('select wrapped_key from customer_keys where customer_id = $1', [id])).rows[0]!.wrapped_key;
    const isErased = (_: string, index: number): boolean => index % 3 === 1;
    const erased = ids.filter(isErased);
    const kept = ids.filter((id, index) => !isErased(id, index));
    const needles = [...(await Promise.all(erased.map(wrapped))), ...(await Promise.all(erased.map((id) => keys.find(id)))).map((key) => key!)];
    const plainKept = await Promise.all(kept.map((id) => keys.find(id)));
    expect(await traces.remove()).toBe(false);

    // Some were vacuumed since; of others a transaction that looks at an older state must not make the rewritten table keep any.
    await keys.destroy(erased.slice(0, 50));
    await pool.query('vacuum customer_keys');
    const onlooker = await pool.connect();
    await onlooker.query('begin isolation level repeatable read; select count(*) from pg_class');
    await keys.destroy(erased.slice(50));
    await write();
    await pool.query('checkpoint');
    const before = await filesWith(dataDir, needles);
    for (const place of ['/base/', '/pg_wal/']) expect(before.some((file) => file.includes(place))).toBe(true);
    expect(await traces.remove()).toBe(true);
    expect(await isEmbeddedIn(tmpdir(), pool)).toBe(false);
    await onlooker.query('commit');
    onlooker.release();
    expect(await filesWith(dataDir, needles)).toEqual([]);

    expect(await Promise.all(kept.map((id) => keys.find(id)))).toEqual(plainKept);
    expect(await Promise.all(erased.map((id) => keys.getOrCreate(id)))).toEqual(erased.map(() => null));
    expect(await filesWith(dataDir, [await wrapped(kept[0]!)])).not.toEqual([]);
    expect(await traces.remove()).toBe(false);
  });

  it('a destroyed key leaves no readable file of evidence, and files of other disputes unchanged', async () => {
    const { dataDir, pool, traces } = await startDatabase();
    const keys = new DisputeKeys(pool, SECRET, clock);
    const evidence = new EvidenceStore(pool, keys, clock);
    const signal = new AbortController().signal;
    const name = 'Receipt of Zebulon Quarterstaff.pdf';
    const files = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [place, content] = [{ evidence_id: randomUUID(), dispute_id: randomUUID(), charge_id: randomUUID() }, randomBytes(600_000)];
        await evidence.put(place, name, content, signal);
        return { ...place, size: content.length, content };
      }),
    );
    const [erased, kept] = [files.slice(0, 3), files.slice(3)];
    const read = async (file: (typeof files)[number]): Promise<Buffer> => {
      const parts: Buffer[] = [];
      for await (const part of evidence.open(file)) parts.push(part);
      return Buffer.concat(parts);
    };
    const { rows } = await pool.query<{ wrapped_key: Buffer }>('select wrapped_key from dispute_keys where dispute_id = any($1)', [
      erased.map(({ dispute_id }) => dispute_id),
    ]);
    const needles = [...rows.map(({ wrapped_key }) => wrapped_key), ...(await keys.findAll(erased.map(({ dispute_id }) => dispute_id))).values()];
    await pool.query('checkpoint');
    expect(await filesWith(dataDir, needles)).not.toEqual([]);
    // Neither bytes nor name were ever written in clear.
    const inClear = [Buffer.from('Quarterstaff'), ...files.map(({ content }) => content.subarray(300_000, 300_032))];
    expect(await filesWith(dataDir, inClear)).toEqual([]);

    await keys.destroy(erased.map(({ dispute_id }) => dispute_id));
    expect(await traces.remove()).toBe(true);
    expect(await filesWith(dataDir, needles)).toEqual([]);
    for (const file of erased) await expect(read(file)).rejects.toThrow(EvidenceErased);
    for (const file of kept) expect((await read(file)).equals(file.content)).toBe(true);
    expect(await traces.remove()).toBe(false);
  });

  it('a destroyed key leaves no readable names of a statement, and other statements unchanged', async () => {
    const { dataDir, pool, traces } = await startDatabase();
    const people = new StatementPeople(pool, SECRET, clock);
    const [forgotten, kept] = [randomUUID(), randomUUID()];
    const named = { names: ['Zebulon Quarterstaff'], accounts: ['9988776655'], texts: ['rent of the old mill'] };
    for (const id of [forgotten, kept]) for (const part of [0, 1]) await people.put(id, part, [null, named]);
    expect(await people.find(forgotten, 1, 1)).toEqual(named);
    expect(await people.find(forgotten, 1, 0)).toBeNull();
    const { rows } = await pool.query<{ wrapped_key: Buffer }>('select wrapped_key from statement_keys where statement_id = $1', [forgotten]);
    const needles = rows.map(({ wrapped_key }) => wrapped_key);
    await pool.query('checkpoint');
    expect(await filesWith(dataDir, needles)).not.toEqual([]);
    expect(
      await filesWith(
        dataDir,
        ['Quarterstaff', '9988776655', 'the old mill'].map((text) => Buffer.from(text)),
      ),
    ).toEqual([]);

    await forgetStatements(pool, clock, [forgotten]);
    expect(await traces.remove()).toBe(true);
    expect(await filesWith(dataDir, needles)).toEqual([]);
    expect(await people.find(forgotten, 1, 1)).toBeNull();
    expect(await people.find(kept, 1, 1)).toEqual(named);
    // A continued import of the statement stores nothing.
    await people.put(forgotten, 2, [named]);
    expect((await pool.query('select from statement_people where statement_id = $1', [forgotten])).rowCount).toBe(0);
    expect(await traces.remove()).toBe(false);
  });
});
