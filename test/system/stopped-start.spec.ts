import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../support/built.js';
import { eventually } from '../support/eventually.js';
import { childrenOf } from '../support/processes.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-stopped-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Starts the service with its own Postgres. Collects the output of it and its child processes until all have ended. */
function start(PORT: string, more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const env = { ...process.env, DATA_DIR: dataDir, PORT, ...more };
  const child = spawn(process.execPath, ['--enable-source-maps', built('src/main.js'), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }));
  return { child, ended, printed: () => printed };
}

describe('a start', () => {
  it('a start on a taken port fails with one line before anything is started', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, printed } = await start(String(port)).ended;
    other.close();
    expect([code, printed]).toEqual([1, `HOST, PORT: cannot listen on 127.0.0.1:${port} (EADDRINUSE)\n`]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it.each([
    ['its Postgres', 1],
    ['its second process', 2],
  ])('a start that is stopped while it starts %s ends in order, without an error', async (_, children) => {
    const { child, ended } = start('0');
    await eventually(() => childrenOf(child.pid!).length >= children);
    child.kill('SIGINT');
    const { code, printed } = await ended;
    expect(printed).not.toMatch(/"level":"(error|fatal)"|^\s+at |EPIPE/m);
    expect(printed).not.toContain('listening on');
    expect(code).toBe(0);
  });

  it.each([[[]], [['--workers', '2']]])(
    'a start that waits for its event store ends in order when it is stopped, with arguments %j',
    async (args) => {
      // Nothing listens on the port of a server that was closed.
      const closed = createServer().listen(0, '127.0.0.1');
      await once(closed, 'listening');
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      const { child, ended, printed } = start('0', { EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false` }, args);
      await eventually(() => printed().includes('waiting for the event store'));
      child.kill('SIGTERM');
      const { code, printed: all } = await ended;
      expect(all).not.toContain('stopping timed out');
      expect(all).not.toContain('listening on');
      expect(code).toBe(0);
    },
  );
});
