import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { AggregatorRegistry, RegistryContentType } from 'prom-client';
import type { Running } from '../api.js';
import { answerScrapes } from '../metrics/cluster-metrics.js';
import { isHeartbeat, Watchdog, type Heartbeat } from './heartbeat.js';
import type { StopSignal } from '../../platform/http/edge/shutdown.js';
import { unlessAborted } from '../../platform/async/waiting.js';

/** Pause before the first restart of a process, ms; doubled with each further exit that follows soon. */
const FIRST_RESTART_MS = 250;
const LONGEST_RESTART_MS = 30_000;
/** A process that served for this long did not fail because of its start. */
const SETTLED_MS = 10_000;

/** A worker's only message to the process that started it. */
export type WorkerReport = { readonly listening: string } | { readonly failed: string };
/** Orders a worker to stop as if it had received this signal. */
export interface WorkerOrder {
  readonly stop: StopSignal;
}

/** A worker could not start to serve; the message is the worker's own, one line. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

export interface ApiWorkersOptions {
  readonly count: number;
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** Ends a start whose workers wait for the event store. */
  readonly stopping: AbortSignal;
}

/**
 * Starts `count` processes that serve requests behind one port. This process accepts connections and distributes them in turn; it does no other work,
 * so that it does not fail. It replaces a worker that dies or hangs; the others keep running.
 * Resolves when all of them serve. @throws WorkerFailed, and the reason of `stopping`
 */
export async function startApiWorkers({ count, script, env, logger, stopping }: ApiWorkersOptions): Promise<Running & { readonly url: string }> {
  cluster.setupPrimary({ exec: script, args: [] });
  // Imported only when there are workers.
  const aggregator = new (await import('prom-client')).AggregatorRegistry();
  const places = Array.from({ length: count }, () => new Place(env, logger, aggregator));
  try {
    const [url] = await unlessAborted(() => Promise.all(places.map((place) => place.serving)), stopping);
    return { url: url!, stop: async (signal = 'SIGTERM') => void (await Promise.all(places.map((place) => place.stop(signal)))) };
  } catch (error) {
    await Promise.all(places.map((place) => place.stop('SIGINT')));
    throw error;
  }
}

/** One worker and its successors. */
class Place {
  /** Resolves with the address when the first of them serves. */
  readonly serving: Promise<string>;
  #served: (url: string) => void = () => undefined;
  #refuse: (error: Error) => void = () => undefined;
  readonly #watchdog = new Watchdog();
  #worker: Worker | undefined;
  #hasServed = false;
  #listens = false;
  #deaths = 0;
  #restarting: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly logger: Logger,
    private readonly aggregator: AggregatorRegistry<RegistryContentType>,
  ) {
    this.serving = new Promise((resolve, reject) => {
      this.#served = resolve;
      this.#refuse = reject;
    });
    this.#start();
  }

  /** Resolves when the worker has answered its open requests and has exited. */
  async stop(signal: StopSignal): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restarting);
    const worker = this.#worker;
    if (worker === undefined) return;
    const gone = once(worker, 'exit');
    // Before it listens, the worker handles no messages and has no open requests.
    if (this.#listens && worker.isConnected()) worker.send({ stop: signal } satisfies WorkerOrder);
    else worker.process.kill('SIGKILL');
    await gone;
  }

  #start(): void {
    const worker = cluster.fork(this.env);
    this.#worker = worker;
    closeWhatItDidNotTake(worker.process);
    let settled: NodeJS.Timeout | undefined;
    this.#watchdog.watch(worker.process, (killed) =>
      this.logger.error({ worker_pid: worker.process.pid, ...killed }, 'an API process does not respond; killing it'),
    );
    answerScrapes(worker, this.aggregator);
    worker.on('message', (report: WorkerReport | Heartbeat | object) => {
      if (isHeartbeat(report)) return;
      if ('failed' in report) {
        if (this.#hasServed) this.logger.error({ worker_pid: worker.process.pid }, `an API process cannot start: ${report.failed}`);
        else this.#refuse(new WorkerFailed(report.failed));
        return;
      }
      if (!('listening' in report)) return;
      this.#listens = this.#hasServed = true;
      settled = setTimeout(() => (this.#deaths = 0), SETTLED_MS);
      this.#served(report.listening);
    });
    // The order was sent to a worker that has just died.
    worker.on('error', (err) => this.logger.warn({ err }, 'an API process cannot be reached'));
    worker.once('exit', (code, signal) => {
      clearTimeout(settled);
      this.#worker = undefined;
      this.#listens = false;
      if (this.#stopping) return;
      const restart_ms = Math.min(FIRST_RESTART_MS * 2 ** this.#deaths++, LONGEST_RESTART_MS);
      this.logger.error({ worker_pid: worker.process.pid, code, signal, restart_ms }, 'an API process exited; restarting it');
      this.#restarting = setTimeout(() => this.#start(), restart_ms);
    });
  }
}

/**
 * Connections are handed over one at a time. When a worker dies before it has taken a connection, Node (20 to 24) keeps the connection open, and its
 * client waits for a response that never comes. This closes it.
 */
function closeWhatItDidNotTake(worker: ChildProcess): void {
  let handed: { close?: () => void } | undefined;
  const send = worker.send.bind(worker) as (...args: unknown[]) => boolean;
  worker.send = (...args: unknown[]): boolean => {
    if (args[1] !== undefined && args[1] !== null) handed = args[1];
    return send(...args);
  };
  // Runs before Node's own listener, which hands over the next connection.
  worker.prependListener('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) handed = undefined;
  });
  worker.once('exit', () => handed?.close?.());
}
