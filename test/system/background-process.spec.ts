import { expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { superviseBackground } from '../../src/app/workers/background-process.js';
import { eventually } from '../support/eventually.js';

it('a background process that ends at once is restarted, with a delay that doubles each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chargebook-background-'));
  const script = join(folder, 'ends-at-once.mjs');
  await writeFile(script, 'process.exitCode = 3;\n');
  const lines: { readonly code?: number; readonly restart_ms?: number }[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line) as object) });
  const background = superviseBackground(script, process.env, logger);
  await eventually(() => lines.length >= 3);
  await background.stop();
  expect(lines.slice(0, 3)).toMatchObject([1_000, 2_000, 4_000].map((restart_ms) => ({ code: 3, restart_ms })));
  await rm(folder, { recursive: true });
});
