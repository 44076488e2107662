import { expect, it } from '@jest/globals';
import { BackOff } from '../../../src/platform/async/back-off.js';

it('pauses twice as long each time, up to the longest, and begins again after a success', () => {
  const backOff = new BackOff(25, 400);
  expect(Array.from({ length: 7 }, () => backOff.take())).toEqual([25, 50, 100, 200, 400, 400, 400]);
  backOff.reset();
  expect(backOff.nextMs).toBe(25);
  expect([backOff.take(), backOff.take()]).toEqual([25, 50]);
});
