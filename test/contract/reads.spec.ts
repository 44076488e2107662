import { once, setMaxListeners } from 'node:events';
import { request as ask } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type pg from 'pg';
import { answerList, type PagedList } from '../../src/platform/http/answer-list.js';
import { OpenStreams } from '../../src/platform/http/edge/open-streams.js';
import { Reads } from '../../src/platform/http/reads.js';
import { CpuQuota } from '../../src/platform/http/edge/cpu-quota.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { Problem } from '../../src/platform/problem.js';
import { eventually, inTime } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const CALLER = { merchant_id: '6b9e2f6a-3c1d-4f58-9a70-1d2c3b4a5968' };

describe('a read', () => {
  let database: TestDatabase;
  let pools: readonly [quick: pg.Pool, slow: pg.Pool];
  let http: FastifyInstance;
  let handle: (request: FastifyRequest, reads: Reads) => Promise<unknown>;
  let nowMs: number;
  /** Pauses of merchants that wait for their share of the machine. */
  let rests: { readonly ms: number; readonly end: () => void }[];

  beforeEach(async () => {
    database = await createTestDatabase();
    pools = [createPool({ url: database.url, applicationName: 'quick' }), createPool({ url: database.url, applicationName: 'slow' })];
    [nowMs, rests] = [0, []];
    const rest = (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const end = (): void => resolve(void (nowMs += ms));
        signal.addEventListener('abort', end, { once: true });
        rests.push({ ms, end });
      });
    const reads = new Reads(...pools, new CpuQuota(0.25, () => nowMs, rest));
    http = Fastify({ forceCloseConnections: true });
    http.decorate('admitsStill', () => true);
    for (const name of ['answer', 'caller', 'keyId']) http.decorateRequest(name, null);
    http.addHook('onRequest', (request, reply, done) => {
      Object.assign(request, { answer: reply, caller: request.url === '/finance' ? null : CALLER, keyId: request.url });
      done();
    });
    for (const path of ['/merchant', '/finance']) http.get(path, (request) => handle(request, reads));
    await http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    await http.close();
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });

  it('a slow read of a merchant restarts on the slow pool after a quarter of a second; one of finance has a second', async () => {
    const where = async (pool: Pick<pg.Pool, 'query'>, nth: number): Promise<string> => {
      const { rows } = await pool.query<{ name: string }>(`select current_setting('application_name') as name, ${nth} as nth from pg_sleep(0.3)`);
      return rows[0]!.name;
    };
    handle = (request, reads) => reads.read(request, (pool) => where(pool, 0));
    expect((await http.inject('/merchant')).payload).toBe('slow');
    // A busy machine may use up the second. Another statement is another read, of which nothing is known.
    let nth = 0;
    handle = (request, reads) => where(reads.poolOf(request), (nth += 1));
    expect(await inTime(async () => ((await http.inject('/finance')).payload === 'quick' ? 'quick' : undefined))).toBe('quick');
  });

  it('reads of a merchant with endless requests wait for its share of the machine, and are rejected beyond a limit', async () => {
    let read = 0;
    handle = async (request, reads) => {
      if (request.url === '/finance') return reads.poolOf(request).query(`select 'read'`);
      return reads.read(request, async () => {
        nowMs += 100;
        return (read += 1);
      });
    };
    const left = new AbortController();
    setMaxListeners(80, left.signal);
    const statuses: number[] = [];
    const answers = Array.from(
      { length: 80 },
      async () => void statuses.push((await http.inject({ url: '/merchant', signal: left.signal })).statusCode),
    );
    // A second's work is done at once; then there is a quarter of the time for it.
    await eventually(() => rests.length === 1);
    expect(read).toBeGreaterThanOrEqual(10);
    const done = read;
    expect((await http.inject('/finance')).statusCode).toBe(200);
    await eventually(() => statuses.includes(429));
    expect(read).toBe(done);
    const fromMs = nowMs;
    for (let nth = 1; nth <= 8; nth += 1) {
      rests.at(-1)!.end();
      await eventually(() => rests.length === nth + 1);
    }
    // Reads that began before the others were counted come on top: at most three are running.
    expect((read - done - 3) * 100).toBeLessThanOrEqual(0.25 * (nowMs - fromMs));
    expect(read).toBeGreaterThan(done);
    left.abort();
    await Promise.allSettled(answers);
  });

  it('a read that is aborted when its client disconnects ends as an aborted request', async () => {
    let ended: unknown;
    handle = (request, reads) =>
      reads
        .read(request, async (pool) => {
          try {
            return await pool.query('select pg_sleep(30)');
          } catch (error) {
            request.answer!.raw.destroy();
            await once(request.answer!.raw, 'close');
            throw error;
          }
        })
        .catch((error: unknown) => (ended = error));
    const sent = ask({ port: (http.server.address() as { port: number }).port, path: '/merchant' }).end();
    await once(sent, 'error');
    await eventually(() => ended !== undefined);
    expect(ended).toBeInstanceOf(Problem);
  });

  describe('a read of a page', () => {
    let asked: string[];
    let signal: AbortSignal | undefined;
    const list: PagedList<number, number> = {
      name: 'numbers',
      end: async () => {
        asked.push('end');
        return 3;
      },
      page: async (after = 0, limit, ofPage, until = 5) => {
        asked.push(`page behind ${after}`);
        signal = ofPage;
        const items = [1, 2, 3, 4, 5].slice(after, Math.min(after + Math.min(limit, 2), until));
        return { items, next_after: after + items.length < until ? after + items.length : null };
      },
    };

    beforeEach(() => {
      [asked, signal] = [[], undefined];
      handle = (request) => answerList(new OpenStreams(), request, request.answer!, list, {});
    });

    it('a page needs one query; a stream ends where the list ended when it began', async () => {
      expect((await http.inject('/finance')).json()).toEqual({ items: [1, 2], next_after: 2 });
      expect(asked).toEqual(['page behind 0']);
      const streamed = await http.inject({ url: '/finance', headers: { accept: 'application/x-ndjson' } });
      expect([streamed.payload, asked.slice(1)]).toEqual(['1\n2\n3\n', ['end', 'page behind 0', 'page behind 2']]);
    });

    it('a read of a page is aborted when its client disconnects', async () => {
      handle = (request) =>
        answerList(
          new OpenStreams(),
          request,
          request.answer!,
          {
            ...list,
            page: (after: number | undefined, limit, signal) => list.page(after, limit, signal).then(() => new Promise<never>(() => undefined)),
          },
          {},
        );
      const sent = ask({ port: (http.server.address() as { port: number }).port, path: '/finance' })
        .on('error', () => undefined)
        .end();
      await eventually(() => signal !== undefined);
      sent.destroy();
      await eventually(() => signal!.aborted);
      expect(signal!.reason).toBeInstanceOf(Problem);
    });
  });
});
