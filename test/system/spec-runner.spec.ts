import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SPEC = `import { it } from '@jest/globals';\nit('asserts nothing', () => undefined);\n`;

describe('the runner of specs', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'chargebook-test-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('the spec runner fails a test without an assertion', async () => {
    await writeFile(join(folder, 'empty.spec.ts'), SPEC);
    const settings = { rootDir: ROOT, roots: [folder], testRunner: '<rootDir>/test/support/spec-runner.mjs', testMatch: ['**/*.ts'], transform: {} };
    const jest = ['node_modules/jest/bin/jest.js', '--config', JSON.stringify(settings), '--json', '--silent'];
    const run = spawn(process.execPath, ['--import', './test/support/typescript.mjs', ...jest], { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
    const report = JSON.parse((await buffer(run.stdout)).toString());
    expect(report).toMatchObject({ success: false, numTotalTests: 1, numFailedTests: 1 });
    expect(report.testResults[0].message).toContain('expect.hasAssertions()');
  });
});
