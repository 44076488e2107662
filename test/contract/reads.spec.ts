import { once } from 'node:events';
import { request as ask } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type pg from 'pg';
import { answerList, type PagedList } from '../../src/platform/http/answer-list.js';
import { OpenStreams } from '../../src/platform/http/open-streams.js';
import { Reads } from '../../src/platform/http/reads.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { Problem } from '../../src/platform/problems.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const CALLER = { merchant_id: '6b9e2f6a-3c1d-4f58-9a70-1d2c3b4a5968' };

describe('a read', () => {
  let database: TestDatabase;
  let pools: readonly [quick: pg.Pool, slow: pg.Pool];
  let http: FastifyInstance;
  let handle: (request: FastifyRequest, reads: Reads) => Promise<unknown>;

  beforeEach(async () => {
    database = await createTestDatabase();
    pools = [createPool({ url: database.url, applicationName: 'quick' }), createPool({ url: database.url, applicationName: 'slow' })];
    const reads = new Reads(...pools, 1);
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

  it('of a merchant begins anew in a place for slow ones after a quarter of a second, one of finance has a second', async () => {
    const where = async (pool: Pick<pg.Pool, 'query'>): Promise<string> => {
      const { rows } = await pool.query<{ name: string }>(`select current_setting('application_name') as name from pg_sleep(0.4)`);
      return rows[0]!.name;
    };
    handle = (request, reads) => (request.url === '/finance' ? where(reads.poolOf(request)) : reads.read(request, where));
    expect((await http.inject('/merchant')).payload).toBe('slow');
    expect((await http.inject('/finance')).payload).toBe('quick');
  });

  it('of a merchant who asks without end waits for its share of the machine, and is refused when too many do', async () => {
    let working = 0;
    const look = async (pool: Pick<pg.Pool, 'query'>): Promise<string> => {
      working += 1;
      await pool.query('select pg_sleep(0.1)');
      return 'read';
    };
    handle = (request, reads) => (request.url === '/finance' ? look(reads.poolOf(request)) : reads.read(request, look));
    const left = new AbortController();
    const answers = Array.from({ length: 80 }, () => http.inject({ url: '/merchant', signal: left.signal }));
    // A second's work is done at once; then there is a quarter of the time for it.
    await eventually(() => Promise.resolve(working >= 10));
    const begun = performance.now();
    const done = working;
    expect((await http.inject('/finance')).payload).toBe('read');
    await eventually(() => Promise.resolve(working >= done + 8));
    expect(performance.now() - begun).toBeGreaterThan(1_000);
    const refused = (await Promise.all(answers.slice(-20))).map(({ statusCode }) => statusCode);
    expect(refused).toContain(429);
    left.abort();
    await Promise.allSettled(answers);
  });

  it('that was given up while its client went ends as a request that was given up', async () => {
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

  describe('of a page', () => {
    let asked: string[];
    let signal: AbortSignal | undefined;
    const list: PagedList<number, number> = {
      name: 'numbers',
      after: undefined,
      limit: undefined,
      defaultLimit: 2,
      end: async () => {
        asked.push('end');
        return 3;
      },
      page: async (after = 0, limit, ofPage, until = 5) => {
        asked.push(`page behind ${after}`);
        signal = ofPage;
        const items = [1, 2, 3, 4, 5].slice(after, Math.min(after + limit, until));
        return { items, next_after: after + items.length < until ? after + items.length : null };
      },
    };

    beforeEach(() => {
      [asked, signal] = [[], undefined];
      handle = (request) => answerList(new OpenStreams(), request, request.answer!, list);
    });

    it('asks for nothing but the page; a stream ends where the list ended when it began', async () => {
      expect((await http.inject('/finance')).json()).toEqual({ items: [1, 2], next_after: 2 });
      expect(asked).toEqual(['page behind 0']);
      const streamed = await http.inject({ url: '/finance', headers: { accept: 'application/x-ndjson' } });
      expect([streamed.payload, asked.slice(1)]).toEqual(['1\n2\n3\n', ['end', 'page behind 0']]);
    });

    it('is given up when the client goes', async () => {
      handle = (request) =>
        answerList(new OpenStreams(), request, request.answer!, {
          ...list,
          page: (...of) => list.page(...of).then(() => new Promise(() => undefined)),
        });
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
