import { describe, expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { PROJECTIONS, projectionThatShows } from '../../../src/app/projections.js';
import { traceProjections } from '../../../src/platform/tracing/trace-events.js';
import { newRequestId } from '../../../src/platform/http/edge/response-headers.js';
import { traceRequests } from '../../../src/platform/http/trace-requests.js';
import { eventually } from '../../support/eventually.js';
import { nowMs, type FinishedSpan } from '../../../src/platform/tracing/tracing.js';

const uuid = (digit: string): string => digit.repeat(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

describe('spans of projections', () => {
  it.each([
    ['ChargeCreated', 'ledger'],
    ['PayoutRequested', 'ledger'],
    ['CustomerCreated', 'customers'],
  ])('%s has one span, in %s', (type, shownBy) => {
    const spans: FinishedSpan[] = [];
    const tracing = { samples: () => true, record: (span: FinishedSpan) => void spans.push(span), close: async () => undefined };
    const event = { id: uuid('e'), type, metadata: { $correlationId: uuid('c'), $causationId: uuid('a') } };
    for (const { name } of PROJECTIONS) traceProjections(tracing, projectionThatShows)(name, [event], 0);
    expect(spans.map(({ name, parentId, traceId }) => ({ name, parentId, traceId }))).toEqual([
      { name: `project ${shownBy}`, parentId: 'e'.repeat(16), traceId: 'c'.repeat(32) },
    ]);
  });
});

describe('the span of a request', () => {
  it.each(['/pays', '/unknown'])('%s begins before its handler and ends after it, however long other hooks take', async (url) => {
    const spans: FinishedSpan[] = [];
    const http = Fastify({ genReqId: newRequestId });
    http.decorateRequest('correlationId', '').decorateRequest('keyId', null);
    http.addHook('onResponse', async () => {
      const began = nowMs();
      while (nowMs() < began + 20);
    });
    traceRequests(http, { samples: () => true, record: (span) => void spans.push(span), close: async () => undefined });
    http.addHook('onRequest', async (request) => void (request.correlationId = request.id));
    const handled: number[] = [];
    const handle = async (): Promise<string> => {
      handled.push(nowMs());
      return 'paid';
    };
    http.get('/pays', handle).setNotFoundHandler(handle);
    try {
      await http.inject({ url });
      await eventually(() => spans.length > 0);
      const [span] = spans;
      expect(spans).toHaveLength(1);
      expect(span!.beganMs).toBeLessThanOrEqual(handled[0]!);
      expect(span!.endedMs).toBeGreaterThanOrEqual(handled[0]!);
    } finally {
      await http.close();
    }
  });
});
