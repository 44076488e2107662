import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BUSY, eventually } from '../support/eventually.js';
import { FailingDisk, type DiskFault } from '../support/failing-disk.js';
import { CHARGE_ORDER, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const CLIENTS = 16;
const BACK_WITHIN_MS = BUSY * 15_000;
/** Within it every request is answered, whatever becomes of the database. */
const ANSWERED_WITHIN_MS = 5_000;

/** Losing writes that were not flushed loses most; all four run with DISK_FAULTS=all, 25 s each. */
const FAULTS: readonly DiskFault[] =
  process.env['DISK_FAULTS'] === 'all' ? ['lost and not flushed', 'torn and not flushed', 'flushes fail', 'writes fail'] : ['lost and not flushed'];

const disk = FailingDisk.install();
if (!disk) process.stderr.write('SKIPPED: faults of a disk below Postgres need Linux and a C compiler (cc)\n');

(disk ? describe : describe.skip)('a disk that fails below the embedded Postgres', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let reads: pg.Pool;

  beforeAll(async () => {
    service = await startTestService({ DATABASE_URL: '', EVENTSTORE_URL: '' });
    merchant = await service.newMerchant();
    reads = new pg.Pool({ connectionString: service.stores.databaseUrl, max: 1 });
    reads.on('error', () => undefined);
  });
  afterAll(async () => {
    disk!.heal();
    await reads.end();
    await service.stop();
    disk!.remove();
  });

  const create = (idempotencyKey: string): Promise<Answer> =>
    service.call('POST', '/v1/charges', {
      key: merchant.key,
      body: { ...CHARGE_ORDER, reference_id: idempotencyKey },
      headers: { 'idempotency-key': idempotencyKey },
    });
  const isReady = async (): Promise<boolean> => (await service.call('GET', '/health/ready')).status === 200;
  const countEvents = async (): Promise<{ n: number; newest: number; charges: number }> =>
    (
      await reads.query(
        `select count(*)::int4 as n, max(position)::int4 as newest, count(*) filter (where type = 'ChargeCreated')::int4 as charges from event_store.events`,
      )
    ).rows[0];
  let sent = 0;

  it.each(FAULTS)(
    '%s: returns 503 and acknowledges nothing that may be lost, recovers by itself, and has every acknowledged write once',
    async (fault) => {
      const before = await countEvents();
      const acknowledged = new Map<string, string>();
      const unacknowledged = new Set<string>();
      const statuses = new Set<number>();
      let slowestMs = 0;
      let isFailing = false;
      let refusedSince = 0;
      const client = async (): Promise<void> => {
        while (refusedSince < CLIENTS) {
          const idempotencyKey = `disk-${(sent += 1)}`;
          const began = performance.now();
          const answer = await create(idempotencyKey);
          slowestMs = Math.max(slowestMs, performance.now() - began);
          statuses.add(answer.status);
          if (answer.status === 200) acknowledged.set(idempotencyKey, answer.text);
          else unacknowledged.add(idempotencyKey);
          if (isFailing && answer.status === 503) refusedSince += 1;
          if (acknowledged.size >= 200 && !isFailing) {
            isFailing = true;
            disk!.fail(fault);
            // Pages of tables are written too, not the log alone.
            reads.query('checkpoint').catch(() => undefined);
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      expect([...statuses].toSorted()).toEqual([200, 503]);
      expect(slowestMs).toBeLessThan(BUSY * ANSWERED_WITHIN_MS);
      await eventually(async () => !(await isReady()));

      disk!.heal();
      const healedMs = performance.now();
      await eventually(async () => (await create('disk-again')).status === 200, BACK_WITHIN_MS);
      await eventually(isReady, BACK_WITHIN_MS);
      expect(performance.now() - healedMs).toBeLessThan(BACK_WITHIN_MS);

      for (const [idempotencyKey, text] of acknowledged) {
        const again = await create(idempotencyKey);
        expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', text]);
      }
      for (const idempotencyKey of unacknowledged) expect((await create(idempotencyKey)).status).toBe(200);
      const { n, newest, charges } = await countEvents();
      expect(newest).toBe(n);
      expect(charges - before.charges).toBe(acknowledged.size + unacknowledged.size + (before.charges === 0 ? 1 : 0));
      // And it is projected, without a stop.
      await eventually(
        async () => (await service.call('GET', '/v1/charges?PageSize=1', { key: merchant.key })).body.total_item_count === charges,
        BACK_WITHIN_MS,
      );
      expect((await reads.query('select * from projector.stops')).rows).toEqual([]);
    },
  );
});
