import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';

/**
 * Waits until `condition` holds, for what happens by itself.
 * @throws after `limitMs` (default 60,000)
 */
export async function eventually(condition: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${String(condition)}`);
    await delay(10);
  }
  asserted();
}

/** How much longer than is promised something may take on a busy machine. What has stopped, or waits for a limit of its own, takes longer still. */
export const BUSY = 5;

/**
 * Does `work`, which promises to take at most `promisedMs`.
 * @throws when it took longer than a busy machine may.
 */
export async function within<T>(promisedMs: number, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  const took = performance.now() - begun;
  if (took > BUSY * promisedMs) throw new Error(`took ${Math.round(took)} ms; ${promisedMs} are promised: ${String(work)}`);
  asserted();
  return result;
}

/**
 * Does what must come before something that follows by itself, half a second later. On a busy machine it comes too late, which `attempt`
 * says with undefined, and is done again with something else.
 * @throws when it never came in time
 */
export async function inTime<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < 10; tried += 1) {
    const result = await attempt();
    if (result === undefined) continue;
    asserted();
    return result;
  }
  throw new Error(`never in time: ${String(attempt)}`);
}

/** What came as it must is an assertion of the test, which must have one (spec-runner.mjs). */
const asserted = (): void => expect.setState({ assertionCalls: expect.getState().assertionCalls + 1 });
