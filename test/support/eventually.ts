import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';

/**
 * Waits until `condition` holds, for effects that follow by themselves.
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

/** Factor by which work may exceed its promised time on a busy machine. Work that hangs, or waits for its own limit, takes longer still. */
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
 * Does work that must precede an effect which follows by itself half a second later. On a busy machine the work may be too late: `attempt`
 * then returns undefined, and is repeated with other data.
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

/** Counts a met condition as an assertion: every test must have one (spec-runner.mjs). */
const asserted = (): void => expect.setState({ assertionCalls: expect.getState().assertionCalls + 1 });
