import { it } from '@jest/globals';

/** True in `npm run test:nightly`, which runs every test at its full size. `npm test` and the gate prove the same properties on less data. */
const isNightly = process.env['NIGHTLY'] === '1';

/** Returns the size of a test: `gate` in `npm test`, `full` in a nightly run. */
export const sized = <T>(gate: T, full: T): T => (isNightly ? full : gate);

/** Why a test is left to the nightly run; empty when it runs. */
export const leftToNight = sized(' (skipped: npm run test:nightly runs it)', '');

/** Defines a test of the nightly run; any other run skips it, and the report names the reason. */
export const itAtNight = (name: string, test: () => Promise<void>): void => (isNightly ? it : it.skip)(`${name}${leftToNight}`, test);
