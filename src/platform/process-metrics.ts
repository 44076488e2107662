import { collectDefaultMetrics, Registry } from 'prom-client';

const STARTED = 'process_start_time_seconds';

let ofProcess: Registry | undefined;

/**
 * Adds what can be said of the process to `register`; the event loop's delay (p99 too) is part of it. prom-client watches the event loop
 * and each collection of garbage for as long as the process lives: it does so once, however many services run in it.
 */
export function addProcessMetrics(register: Registry): void {
  ofProcess ??= collect();
  for (const { name } of ofProcess.getMetricsAsArray()) register.registerMetric(ofProcess.getSingleMetric(name)!);
}

function collect(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  // Left out of a scrape of several workers, where it could not be added up; each worker has a series of its own here.
  Object.assign(register.getSingleMetric(STARTED)!, { aggregator: 'first' });
  return register;
}
