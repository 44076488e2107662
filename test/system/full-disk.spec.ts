import { afterEach, describe, expect, it } from '@jest/globals';
import { DISK_FULL_BYTES, DISK_LOW_BYTES, DiskWatch } from '../../src/platform/postgres/disk-watch.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/postgres.js';
import { newIdempotencyKey, startTestService } from '../support/service.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('a database that refuses writes because its disk is full', () => {
  it('a full disk makes the process not ready while reads continue, and it is ready again when there is room', async () => {
    const service = await startTestService();
    closing.push(() => service.stop());
    const { key } = await service.newMerchant();
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', maxConnections: 2 });
    closing.push(() => pool.end());
    const ready = () => service.call('GET', '/health/ready');
    const metric = async (): Promise<string | undefined> => /^disk_full (\d)$/m.exec((await service.call('GET', '/metrics')).text)?.[1];
    expect([(await ready()).body.checks.disk, await metric()]).toEqual([{ status: 'ok' }, '0']);

    await pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
      create trigger full_disk before insert on event_store.events execute function refuse()`);
    const create = () => service.call('POST', '/v1/customers', { key, body: { name: 'Sari Dewi' }, headers: newIdempotencyKey() });
    expect((await create()).status).toBe(503);
    const full = await ready();
    expect([full.status, full.body.checks.disk, await metric()]).toEqual([503, { status: 'failing', full: true }, '1']);
    expect((await service.call('GET', '/v1/customers', { key })).status).toBe(200);

    await pool.query('drop trigger full_disk on event_store.events');
    await eventually(async () => (await ready()).status === 200);
    expect([(await create()).status, await metric()]).toEqual([201, '0']);
  });
});

describe('the watch over a disk', () => {
  it('reports once that the disk runs full and once that it has room again; a margin prevents alternating reports', async () => {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
    closing.push(() => pool.end());
    const lines: { level: string; msg: string }[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
    let free = DISK_LOW_BYTES;
    const watch = new DiskWatch({ directory: '/', pool, logger, freeBytes: () => Promise.resolve(free) });
    const at = async (bytes: number): Promise<unknown> => {
      free = bytes;
      await watch.look();
      const { low, full } = watch.state;
      return [low, full, ...lines.splice(0).map(({ level, msg }) => `${level}: ${msg}`)];
    };
    expect(await at(DISK_LOW_BYTES)).toEqual([false, false]);
    expect(await at(DISK_LOW_BYTES - 1)).toEqual([true, false, 'warn: the disk of the database is nearly full']);
    expect(await at(DISK_LOW_BYTES)).toEqual([true, false]);
    expect(await at(DISK_FULL_BYTES - 1)).toEqual([
      true,
      true,
      'error: the disk of the database is full: writes fail until space is free; reads continue',
    ]);
    expect(await at(DISK_FULL_BYTES)).toEqual([true, true]);
    expect(await at(2 * DISK_FULL_BYTES)).toEqual([true, false, 'info: the disk of the database accepts writes again']);
    expect(await at(2 * DISK_LOW_BYTES)).toEqual([false, false, 'info: the disk of the database has enough free space again']);
    watch.failed(new Error('not written', { cause: Object.assign(new Error('no space left'), { code: '53100' }) }));
    watch.failed(Object.assign(new Error('no space left'), { code: '53100' }));
    expect([watch.state.full, lines.splice(0).length]).toEqual([true, 1]);
    // The database does write 16 MB beside its data: it is believed.
    const written = async (): Promise<number> => {
      await pool.query('select pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ bytes: string }>('select temp_bytes as bytes from pg_stat_database where datname = current_database()');
      return Number(rows[0]!.bytes);
    };
    const before = await written();
    expect(await at(free)).toEqual([false, false, 'info: the disk of the database accepts writes again']);
    await eventually(async () => (await written()) - before > 16_000_000);
  });
});
