import { collectDefaultMetrics, Registry } from 'prom-client';

const STARTED = 'process_start_time_seconds';

let ofProcess: Registry | undefined;

/**
 * Adds metrics of the process to `register`, the event loop's delay (also its p99) included. prom-client observes the event loop and each garbage
 * collection for the lifetime of the process: it does so once, for any number of services in it.
 */
export function addProcessMetrics(register: Registry): void {
  ofProcess ??= collect();
  for (const { name } of ofProcess.getMetricsAsArray()) register.registerMetric(ofProcess.getSingleMetric(name)!);
}

function collect(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  // A scrape of several workers omits it, because it cannot be added up; here each worker has its own series.
  Object.assign(register.getSingleMetric(STARTED)!, { aggregator: 'first' });
  return register;
}
