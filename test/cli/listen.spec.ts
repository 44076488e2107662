import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { signedHeaders, signingBytes } from '../../src/domain/webhooks/signing.js';
import { eventually } from '../support/eventually.js';
import { startCli } from '../support/run-cli.js';

const KEY = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENT = {
  id: 'an-id',
  type: 'charge.succeeded',
  timestamp: '2026-01-31T08:15:30.123+00:00',
  sequence: 2,
  previous_sequence: 1,
  merchant_id: 'm',
  data: { amount: 10000 },
};

let child: ChildProcessWithoutNullStreams;
afterEach(() => {
  child.kill('SIGKILL');
});

async function listening(...more: string[]): Promise<{ url: string; output: { stdout: string } }> {
  child = startCli([...more, 'listen', '--port', '0', '--key', KEY], {});
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  await eventually(() => /listening on \S+/.test(output.stderr));
  return { url: /listening on (\S+)/.exec(output.stderr)![1]!, output };
}

describe('listen', () => {
  it('verifies and prints received events, and ends at Ctrl-C', async () => {
    const { url, output } = await listening();
    const body = JSON.stringify(EVENT);
    const headers = signedHeaders([signingBytes(KEY)], EVENT.id, Math.floor(Date.now() / 1000), body);
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(204);
    await eventually(() => output.stdout.includes('10000'));
    expect(output.stdout).toContain('charge.succeeded  #2 after 1  2026-01-31T08:15:30.123+00:00');
    expect(output.stdout).toContain('✓ signature verified');
    expect((await fetch(url, { method: 'POST', body: body.replace('10000', '99999'), headers })).status).toBe(401);
    await eventually(() => output.stdout.includes('✗ signature is not valid'));
    expect((await fetch(url)).status).toBe(405);
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([0, 130]).toContain(code);
  });

  it('rejects a signature older than five minutes', async () => {
    const { url } = await listening('--json');
    const body = JSON.stringify(EVENT);
    const headers = signedHeaders([signingBytes(KEY)], EVENT.id, Math.floor(Date.now() / 1000) - 301, body);
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(401);
  });
});
