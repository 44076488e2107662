import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/run-cli.js';

/** Refused by the configuration, before any store is opened: the refusal names what was read. */
describe('a file .env in the current directory', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'chargebook-env-'));
    await writeFile(join(directory, '.env'), 'LOG_LEVEL=loud\n');
  });
  afterAll(() => rm(directory, { recursive: true }));

  const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stderr } = await runCli(['merchant', 'list'], { DATA_DIR: directory, ...env }, directory);
    expect(code).toBe(1);
    return stderr;
  };

  it('is read in development', async () => {
    expect(await refusal({})).toContain('LOG_LEVEL');
  });

  it('goes behind what the environment holds', async () => {
    expect(await refusal({ LOG_LEVEL: 'info', PORT: 'x' })).toContain('PORT');
  });

  it('is not read in production', async () => {
    const text = await refusal({ NODE_ENV: 'production' });
    expect(text).toContain('ENCRYPTION_KEY');
    expect(text).not.toContain('LOG_LEVEL');
  });
});
