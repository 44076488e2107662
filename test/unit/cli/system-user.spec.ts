import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { systemUser } from '../../../src/cli/system-user.js';
import { built } from '../../support/built.js';

const isRoot = process.getuid!() === 0;
/** No system has a user of this number. */
const NAMELESS = 2_012_345_678;

it('returns the name of the user', () => {
  expect(systemUser()).toBe(userInfo().username);
});

(isRoot ? it : it.skip)('returns the number of a user without a name, as OpenShift gives one to each container', () => {
  const script = `
    const { systemUser } = await import('${pathToFileURL(built('src/cli/system-user.js')).href}');
    process.seteuid(${NAMELESS});
    process.stdout.write(systemUser());`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(String(NAMELESS));
});
