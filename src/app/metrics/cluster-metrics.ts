import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:cluster';
import type { AggregatorRegistry, RegistryContentType } from 'prom-client';

/** Request of a worker to the process that started it, for the metrics of all workers. */
type Scrape = { readonly scrape: string };
type ScrapeAnswer = Scrape & ({ readonly metrics: string } | { readonly failed: string });

/** Answers the scrapes of `worker`. prom-client fails a scrape when a worker does not respond within 5 s. */
export function answerScrapes(worker: Worker, aggregator: AggregatorRegistry<RegistryContentType>): void {
  worker.on('message', ({ scrape }: Partial<Scrape>) => {
    if (scrape === undefined) return;
    void aggregator
      .clusterMetrics()
      .then(
        (metrics): ScrapeAnswer => ({ scrape, metrics }),
        (error: Error): ScrapeAnswer => ({ scrape, failed: error.message }),
      )
      .then((answer) => worker.isConnected() && worker.send(answer));
  });
}

/** Returns the metrics of all workers, each with its label `worker`, because a scrape reaches any of them. Only for workers. */
export function metricsOfAllWorkers(): Promise<string> {
  const scrape = randomUUID();
  return new Promise((resolve, reject) => {
    const take = (answer: Partial<ScrapeAnswer>): void => {
      if (answer.scrape !== scrape) return;
      process.off('message', take);
      if ('metrics' in answer) resolve(answer.metrics);
      else reject(new Error('failed' in answer ? answer.failed : 'no metrics'));
    };
    process.on('message', take);
    process.send!({ scrape } satisfies Scrape);
  });
}
