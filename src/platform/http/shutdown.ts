import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { HealthChecks } from './health.js';

/** SIGTERM: an operator's system asks for it; SIGINT: a person at a terminal. */
export type StopSignal = 'SIGTERM' | 'SIGINT';

/** An orchestrator waits longer than this before it kills. */
const STOP_MS = 14_500;
/** Longer than any handler's deadline: only streams are cut off. */
const REQUESTS_MS = 8_000;

/**
 * Runs `stop` at SIGTERM or SIGINT and exits: 0 also when `stop` takes longer than 14.5 s, because what was answered is
 * durable by then; 1 when it fails. A second SIGINT exits at once with 130. `signals`: those that it listens to.
 * @returns what does the same without a signal.
 */
export function stopOnSignal(
  stop: (signal: StopSignal) => Promise<void>,
  logger: Logger,
  signals: readonly StopSignal[] = ['SIGTERM', 'SIGINT'],
): (signal: StopSignal) => void {
  let stopping = false;
  const begin = (signal: StopSignal) => {
    if (stopping) {
      if (signal === 'SIGINT') process.exit(130);
      return;
    }
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping took too long, leaving');
      process.exit(0);
    }, STOP_MS).unref();
    stop(signal).then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, begin);
  return begin;
}

/**
 * Stops serving: readiness turns 503 and, for `noticeMs`, requests are still taken, so that load balancers can look;
 * then no more connections are, and those that are there end with the request they carry. Then the application's own
 * shutdown hooks run: stores are closed when nobody uses them any more.
 */
export async function stopServing(app: NestFastifyApplication, noticeMs: number): Promise<void> {
  app.get(HealthChecks).drain();
  await delay(noticeMs);
  await closeConnections(app.getHttpServer());
  await app.close();
}

async function closeConnections(server: Server): Promise<void> {
  const startedMs = performance.now();
  // A connection becomes idle when its last answer is out; only then can it be closed.
  const timer = setInterval(() => {
    if (performance.now() - startedMs > REQUESTS_MS) server.closeAllConnections();
    else server.closeIdleConnections();
  }, 25);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(timer);
}
