import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomerKeys } from '../../src/customers/customer-keys.js';
import { KeyTraces } from '../../src/customers/key-traces.js';
import { KeyWrapping } from '../../src/ledger/customer-encryption.js';
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

describe('a key that was destroyed', () => {
  it('is in no file of the embedded database any more: not in tables, nor in the log, however much of that was written', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-traces-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const postgres = await startEmbeddedPostgres(join(dataDir, 'postgres'));
    closing.push(() => postgres.stop());
    await migrate(postgres.url, MIGRATIONS);
    const pool = createPool({ url: postgres.url, applicationName: 'test', maxConnections: 2 });
    closing.push(() => pool.end());
    const clock = Date.now;
    const keys = new CustomerKeys(pool, new KeyWrapping(Buffer.alloc(32, 7)), clock);
    const traces = new KeyTraces({ pool, ownsLog: () => isEmbeddedIn(dataDir, pool), clock });
    const ids = Array.from({ length: 300 }, () => randomUUID());
    for (const id of ids) await keys.getOrCreate(id);
    // Segments full of other things lie before and behind; a checkpoint renames the former for later use.
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
  }, 60_000);
});
