import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const SCRIPT = resolve('.ci/rerun-failed.mjs');
const directory = mkdtempSync(join(tmpdir(), 'chargebook-rerun-'));

/** Stands for the test command: a file whose name contains "broken" fails again. */
const COMMAND = [process.execPath, '-e', 'console.log("ran", process.argv[1]); process.exit(process.argv[1].includes("broken") ? 1 : 0)'];

interface Report {
  readonly failed?: readonly string[];
  readonly numRuntimeErrorTestSuites?: number;
  readonly wasInterrupted?: boolean;
}

function rerun({ failed = [], ...report }: Report): { status: number | null; lines: string[] } {
  const file = join(directory, 'report.json');
  const results = failed.map((name) => ({
    name: resolve(name),
    status: 'failed',
    assertionResults: [
      { status: 'failed', fullName: `${name} adds up` },
      { status: 'passed', fullName: `${name} is there` },
    ],
  }));
  const passed = { name: resolve('test/good.spec.ts'), status: 'passed', assertionResults: [{ status: 'passed', fullName: 'good' }] };
  writeFileSync(file, JSON.stringify({ numRuntimeErrorTestSuites: 0, wasInterrupted: false, ...report, testResults: [passed, ...results] }));
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, file, ...COMMAND], { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n').sort() };
}

afterAll(() => rmSync(directory, { recursive: true }));

describe('the rerun of failed spec files', () => {
  it('runs each failed file alone and names the tests of those that pass then', () => {
    expect(rerun({ failed: ['test/a.spec.ts', 'test/b.spec.ts'] })).toEqual({
      status: 0,
      lines: [
        'flaky: test/a.spec.ts › test/a.spec.ts adds up',
        'flaky: test/b.spec.ts › test/b.spec.ts adds up',
        `ran ${resolve('test/a.spec.ts')}`,
        `ran ${resolve('test/b.spec.ts')}`,
      ],
    });
  });

  it('fails when one of the files fails again, and still runs the others', () => {
    expect(rerun({ failed: ['test/broken.spec.ts', 'test/b.spec.ts'] })).toEqual({
      status: 1,
      lines: [
        'failed twice: test/broken.spec.ts › test/broken.spec.ts adds up',
        'flaky: test/b.spec.ts › test/b.spec.ts adds up',
        `ran ${resolve('test/b.spec.ts')}`,
        `ran ${resolve('test/broken.spec.ts')}`,
      ],
    });
  });

  it.each<[string, Report, string]>([
    ['more than two files failed', { failed: ['test/a.spec.ts', 'test/b.spec.ts', 'test/c.spec.ts'] }, '3 files failed, at most 2 are run again'],
    ['no file failed, but the run did', {}, 'no file to run again'],
    ['the run was interrupted', { failed: ['test/a.spec.ts'], wasInterrupted: true }, 'no file to run again'],
    ['a file could not be loaded', { failed: ['test/a.spec.ts'], numRuntimeErrorTestSuites: 1 }, 'a file that cannot be loaded is not run again'],
  ])('fails without a rerun when %s', (_case, report, reason) => {
    expect(rerun(report)).toEqual({ status: 1, lines: [`not run again: ${reason}`] });
  });
});
