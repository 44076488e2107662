import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HealthChecks } from '../health.js';

/** Longer than any handler's deadline: only streams are cut off. */
const REQUESTS_MS = 8_000;

/**
 * Stops serving: readiness turns 503, and requests are still accepted for `noticeMs`, so that load balancers notice it. After that, no new
 * connections are accepted, and the present ones end with their current request. Then the application's own shutdown hooks run: stores are closed
 * when they are no longer in use.
 */
export async function stopServing(app: NestFastifyApplication, noticeMs: number): Promise<void> {
  app.get(HealthChecks).drain();
  await delay(noticeMs);
  await closeConnections(app.getHttpServer());
  await app.close();
}

async function closeConnections(server: Server): Promise<void> {
  const startedMs = performance.now();
  // A connection is idle when its last answer is sent; only then can it be closed.
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
