import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { ConfigError } from '../../platform/process/config-error.js';
import { addProcessMetrics } from '../../platform/process/process-metrics.js';
import type { Projector } from '../../platform/projector/projector.js';
import { timeLimit, unlessAborted } from '../../platform/async/waiting.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';
import { SharedSession, type SessionUser } from '../../platform/postgres/shared-session.js';
import type { OpenRails } from '../rails.js';
import type { Stores } from '../stores.js';

const CHECK_MS = 2_000;

export interface BackgroundPort {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ServedInBackground {
  readonly host: string;
  readonly port: number;
  readonly stores: Stores;
  /** Absent in a process without the role projector. */
  readonly projector: Projector | undefined;
  /** Absent in a process without the role worker. */
  readonly rails: OpenRails | undefined;
  readonly logger: Logger;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` in a process without an API. A standby is as ready as the elected process.
 * @throws ConfigError
 */
export async function openBackgroundPort({ host, port, stores, projector, rails, logger }: ServedInBackground): Promise<BackgroundPort> {
  const registry = measureBackground(projector);
  rails?.metrics.registerOn(registry);
  const asking: SessionUser = { lost: () => undefined };
  const session = SharedSession.join(stores.databaseUrl, asking);
  const server = createServer((request, response) => {
    void answer(request.url ?? '', response).catch((err: unknown) => {
      logger.error({ err }, 'cannot respond to a metrics scrape');
      response.destroy();
    });
  });
  const answer = async (url: string, response: ServerResponse): Promise<void> => {
    switch (url.split('?', 1)[0]) {
      case '/health/live':
        return send(response, 200, { status: 'alive' });
      case '/health/ready': {
        const report = await readiness(stores, session, projector, logger);
        return send(response, report.status === 'ready' ? 200 : 503, report);
      }
      case '/metrics':
        response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
        return void response.end(await registry.metrics());
      default:
        return send(response, 404, { status: 'not found' });
    }
  };
  server.requestTimeout = server.headersTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new ConfigError(`HOST, METRICS_PORT: cannot listen on ${host}:${port} (${code})`)),
    );
    server.listen(port, host, resolve);
  });
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  logger.info({ url }, 'serving health and metrics');
  return {
    url,
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await session.leave(asking);
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

type Check = { readonly status: 'ok' | 'failing' } & Readonly<Record<string, unknown>>;

async function readiness({ eventStore, clockGuard }: Stores, session: SharedSession, projector: Projector | undefined, logger: Logger) {
  const checks: Record<string, () => Promise<object>> = {
    postgres: async () => {
      await (await session.open()).query('select 1');
      return {};
    },
    event_store: async () => {
      await eventStore.head();
      return {};
    },
    clock: async () => {
      if (!(await clockGuard.mayDecide())) throw new Error("the process's clock is ahead of the database's clock, or the two cannot be compared");
      return { skew_seconds: Number((clockGuard.skewMs / 1_000).toFixed(3)) };
    },
    ...(projector && { projector: async () => ({ leads: projector.leads, projections: stateOf(projector) }) }),
    ...(ElectedWorker.running.length > 0 && {
      workers: async () => Object.fromEntries(ElectedWorker.running.map((worker) => [worker.name, worker.leads ? 'leads' : 'stands by'])),
    }),
  };
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, Check]> => {
      try {
        return [name, { status: 'ok', ...(await unlessAborted(check, timeLimit(CHECK_MS))) }];
      } catch (err) {
        logger.warn({ err, check: name }, 'health check failed');
        return [name, { status: 'failing' }];
      }
    }),
  );
  const isReady = results.every(([, { status }]) => status === 'ok');
  return { status: isReady ? 'ready' : 'failing', checks: Object.fromEntries(results) };
}

const stateOf = (projector: Projector): object =>
  Object.fromEntries(
    projector.progress.map(({ name, phase, ordinal, stop }) => [name, { phase, position: ordinal, ...(stop && { stopped: true }) }]),
  );

function measureBackground(projector: Projector | undefined): Registry {
  const registers = [new Registry()];
  addProcessMetrics(registers[0]!);
  const gauge = (name: string, help: string, label: string, figures: () => Iterable<readonly [string, number]>): void => {
    new Gauge({
      ...{ name, help, labelNames: [label], registers },
      collect() {
        for (const [each, figure] of figures()) this.set({ [label]: each }, figure);
      },
    });
  };
  const ofWorkers = (figure: (worker: ElectedWorker) => number) => () => ElectedWorker.running.map((each) => [each.name, figure(each)] as const);
  gauge(
    'worker_leads',
    '1 when this process is the elected leader of this work.',
    'work',
    ofWorkers(({ leads }) => (leads ? 1 : 0)),
  );
  const counter = (name: string, help: string, figure: (worker: ElectedWorker) => number): void => {
    new Counter({
      ...{ name, help, labelNames: ['work'], registers },
      collect() {
        this.reset();
        for (const worker of ElectedWorker.running) this.inc({ work: worker.name }, figure(worker));
      },
    });
  };
  counter('worker_passes_total', 'Passes of this process that succeeded.', ({ passes }) => passes.done);
  counter('worker_failed_passes_total', 'Passes of this process that failed with an error.', ({ passes }) => passes.failed);
  gauge(
    'worker_last_pass_timestamp_seconds',
    'Time of the last successful pass; 0 before the first.',
    'work',
    ofWorkers(({ passes }) => passes.lastMs / 1_000),
  );
  if (!projector) return registers[0]!;
  new Gauge({
    ...{ name: 'projector_leads', help: '1 when this process is the elected projector.', registers },
    collect() {
      this.set(projector.leads ? 1 : 0);
    },
  });
  gauge('projector_position', 'Ordinal of the last event that this process projected.', 'projection', () =>
    projector.progress.map(({ name, ordinal }) => [name, ordinal] as const),
  );
  return registers[0]!;
}
