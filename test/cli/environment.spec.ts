import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/run-cli.js';

/** The configuration refuses before any store is opened. Its message names the variable that was read. */
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

  it('the file is read in development', async () => {
    expect(await refusal({})).toContain('LOG_LEVEL');
  });

  it('variables of the environment take precedence over the file', async () => {
    expect(await refusal({ LOG_LEVEL: 'info', PORT: 'x' })).toContain('PORT');
  });

  it('the file is ignored in production', async () => {
    const text = await refusal({ NODE_ENV: 'production' });
    expect(text).toContain('ENCRYPTION_KEY');
    expect(text).not.toContain('LOG_LEVEL');
  });
});
