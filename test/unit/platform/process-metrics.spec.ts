import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { addProcessMetrics } from '../../../src/platform/process/process-metrics.js';

it('a process collects its metrics once, whichever registry shows them', async () => {
  const [one, other] = [new Registry(), new Registry()];
  for (const registry of [one, other]) addProcessMetrics(registry);
  for (const name of ['nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_p99_seconds', 'process_start_time_seconds']) {
    expect(one.getSingleMetric(name)).toBeDefined();
    expect(one.getSingleMetric(name)).toBe(other.getSingleMetric(name));
  }
  expect(await other.metrics()).toContain('nodejs_eventloop_lag_p99_seconds ');
});
