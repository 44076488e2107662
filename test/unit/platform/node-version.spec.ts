import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { isSupportedNode } from '../../../src/platform/process/node-version.js';
import { built } from '../../support/built.js';

const VERSIONS = ['18.20.8', '20.18.3', '20.19.0', '20.20.1', '21.7.3', '22.12.0', '22.13.0', '23.11.1', '24.0.0', '25.1.0'];

it('accepts the versions of Node that package.json names', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('^20.19.0 || ^22.13.0 || >=24.0.0');
  expect(VERSIONS.filter(isSupportedNode)).toEqual(['20.19.0', '20.20.1', '22.13.0', '24.0.0', '25.1.0']);
});

it('an older Node ends with one line, before it imports the service, the command line or the compiler', () => {
  for (const script of [resolve('scripts/build-when-stale.mjs'), built('src/main.js'), built('src/cli/main.js')]) {
    const pretended = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' }); await import('${pathToFileURL(script).href}');`;
    let failure: unknown;
    try {
      execFileSync(process.execPath, ['--input-type=module', '-e', pretended], { stdio: 'pipe' });
    } catch (error) {
      failure = error;
    }
    expect([script, String((failure as { stderr?: Buffer } | undefined)?.stderr)]).toEqual([
      script,
      'error: Node.js 18.20.8 cannot run this; use 24, or one from 20.19 or 22.13 on\n',
    ]);
  }
});
