import { describe, expect, it } from '@jest/globals';
import { PROJECTIONS, projectionThatShows } from '../../src/app/projections.js';
import { traceProjections } from '../../src/platform/tracing/trace-events.js';
import type { FinishedSpan } from '../../src/platform/tracing/tracing.js';

const uuid = (digit: string): string => digit.repeat(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

describe('spans of projections', () => {
  it.each([
    ['ChargeCreated', 'ledger'],
    ['PayoutRequested', 'ledger'],
    ['CustomerCreated', 'customers'],
  ])('%s has one, in %s', (type, shownBy) => {
    const spans: FinishedSpan[] = [];
    const tracing = { samples: () => true, record: (span: FinishedSpan) => void spans.push(span), close: async () => undefined };
    const event = { id: uuid('e'), type, metadata: { $correlationId: uuid('c'), $causationId: uuid('a') } };
    for (const { name } of PROJECTIONS) traceProjections(tracing, projectionThatShows)(name, [event], 0);
    expect(spans.map(({ name, parentId, traceId }) => ({ name, parentId, traceId }))).toEqual([
      { name: `project ${shownBy}`, parentId: 'e'.repeat(16), traceId: 'c'.repeat(32) },
    ]);
  });
});
