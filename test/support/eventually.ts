import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `condition` holds, for what happens by itself.
 * @throws after `limitMs` (default 20,000)
 */
export async function eventually(condition: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${String(condition)}`);
    await delay(10);
  }
}

/**
 * Does `work`, which promises to take at most `promisedMs`. A busy machine may take as long again.
 * @throws when it took longer than twice of what is promised.
 */
export async function within<T>(promisedMs: number, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  const took = performance.now() - begun;
  if (took > 2 * promisedMs) throw new Error(`took ${Math.round(took)} ms; ${promisedMs} are promised: ${String(work)}`);
  return result;
}
