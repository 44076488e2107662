import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 60_000);
afterAll(() => service.stop());

/** `npm run openapi:lint` is this file. */
describe('/openapi.json', () => {
  it('has no fault by the rules of redocly.yaml', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      const document = JSON.parse((await service.call('GET', '/openapi.json')).text) as object;
      await writeFile(file, JSON.stringify(document, null, 2));
      expect(await lint(file)).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);
});

/** What redocly complains about; it calls nobody. */
async function lint(file: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    await promisify(execFile)(
      process.execPath,
      [createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js'), 'lint', file, '--config', 'redocly.yaml', '--format', 'stylish'],
      { env },
    );
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}${stdout === undefined ? String(error) : ''}`;
  }
}
