import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startApiWorkers } from '../../src/app/workers/api-workers.js';
import { createLogger } from '../../src/platform/process/logging.js';

it('a process that dies before it accepts a handed-over connection closes it, so its client does not wait', async () => {
  const script = fileURLToPath(new URL('../support/dying-worker.mjs', import.meta.url));
  const stopping = new AbortController().signal;
  const workers = await startApiWorkers({ count: 2, script, env: process.env, logger: createLogger('silent'), stopping });
  const ask = (path: string): Promise<string> =>
    fetch(new URL(path, workers.url), { headers: { connection: 'close' }, signal: AbortSignal.timeout(20_000) }).then(
      (response) => response.text(),
      (error: Error) => error.name,
    );
  const dying = ask('/die');
  const asked: Promise<string>[] = [];
  for (let i = 0; i < 20; i += 1) {
    asked.push(ask('/'));
    await delay(20);
  }
  const answers = await Promise.all([dying, ...asked]);
  await workers.stop();
  expect(answers).toContain('served');
  expect(answers).toContain('TypeError');
  expect(answers).not.toContain('TimeoutError');
});
