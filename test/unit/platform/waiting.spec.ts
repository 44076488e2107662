import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { timeLimit, whenAborted } from '../../../src/platform/async/waiting.js';

describe('a time limit', () => {
  it('a time limit aborts a combined signal, too, however often memory is collected before', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const signal = AbortSignal.any([new AbortController().signal, timeLimit(100)]);
    const over = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
    const collecting = setInterval(collect, 10);
    await expect(over).resolves.toMatchObject({ name: 'TimeoutError' });
    clearInterval(collecting);
  });
});

describe('listeners of one signal', () => {
  it('listeners register once with the signal, are all called once, and leave nothing behind', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: number[] = [];
    const leave = Array.from({ length: 12 }, (_, index) => whenAborted(signal, () => called.push(index)));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    leave[3]!();
    controller.abort();
    expect(called).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
    const other = new AbortController().signal;
    const gone = [whenAborted(other, () => undefined), whenAborted(other, () => undefined)];
    for (const each of gone) each();
    expect(getEventListeners(other, 'abort')).toEqual([]);
  });
});
