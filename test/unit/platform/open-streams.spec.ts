import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';

import { createLogger } from '../../../src/platform/process/logging.js';
import { OpenStreams } from '../../../src/platform/http/edge/open-streams.js';
import { Problem } from '../../../src/platform/problem.js';
import { eventually } from '../../support/eventually.js';

const PAGE = 'x'.repeat(65_536);
const PAGES = 400;

describe('streamed response', () => {
  let http: FastifyInstance;
  let port: number;
  let admits: boolean;
  let made: number;
  let ended: number;
  let failAt: number;
  let pages: number;
  let answering: ServerResponse;

  beforeEach(async () => {
    [admits, made, ended, failAt, pages] = [true, 0, 0, Infinity, PAGES];
    const streams = new OpenStreams();
    http = Fastify({ forceCloseConnections: true });
    http.decorate('admitsStill', () => admits);
    http.decorate('logger', createLogger('silent'));
    http.decorateRequest('keyId', null);
    http.setErrorHandler((error: Error, _request, reply) => reply.code(error instanceof Problem ? error.status : 500).send(error.message));
    http.get('/list', async (request, reply) => {
      answering = reply.raw;
      return reply.send(
        await streams.answer(request, reply, {
          contentType: 'application/x-ndjson',
          pages: async function* (signal) {
            try {
              while (made < pages && !signal.aborted) {
                if (made === failAt) throw new Error('the database went away');
                made += 1;
                yield PAGE;
              }
            } finally {
              ended += 1;
            }
          },
        }),
      );
    });
    await http.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = http.server.address() as { port: number });
  });
  afterEach(() => http.close());

  const url = () => `http://127.0.0.1:${port}/list`;
  /** Asks, and reads nothing. */
  const askAndWait = () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .pause()
      .once('connect', function (this: ReturnType<typeof connect>) {
        this.write('GET /list HTTP/1.1\r\nHost: test\r\n\r\n');
      });

  it('sends every page to a client that reads all of it', async () => {
    const { size } = await (await fetch(url())).blob();
    expect([size, made, ended]).toEqual([PAGES * PAGE.length, PAGES, 1]);
  });

  it('makes no more pages than a client that reads nothing leaves room for, and none when it goes away', async () => {
    const socket = askAndWait();
    await eventually(() => made > 0);
    await eventually(() => answering.writableNeedDrain);
    expect(made).toBeLessThan(PAGES / 2);
    expect(ended).toBe(0);
    socket.destroy();
    await eventually(() => ended === 1);
    expect(made).toBeLessThan(PAGES);
  });

  it('cuts the response off, without an end, on a failure in its middle and when its key ends', async () => {
    failAt = 3;
    await expect((await fetch(url())).blob()).rejects.toThrow();
    failAt = Infinity;
    admits = false;
    await expect((await fetch(url())).blob()).rejects.toThrow();
    expect(ended).toBe(2);
  });

  it('returns an ordinary error when the first page fails', async () => {
    failAt = 0;
    expect((await fetch(url())).status).toBe(500);
  });

  it('rejects a caller with eight open responses, until one of them has ended', async () => {
    pages = Infinity;
    const sockets = Array.from({ length: 8 }, askAndWait);
    await eventually(async () => {
      const answer = await fetch(url());
      await answer.body?.cancel().catch(() => undefined);
      return answer.status === 503;
    });
    sockets[0]!.destroy();
    await eventually(async () => {
      const answer = await fetch(url());
      await answer.body?.cancel().catch(() => undefined);
      return answer.status === 200;
    });
    for (const socket of sockets) socket.destroy();
  });
});
