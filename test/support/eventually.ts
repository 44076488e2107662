import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `condition` holds, for what happens outside of our process and tells nobody.
 * @throws after `limitMs` (default 10,000)
 */
export async function eventually(condition: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${limitMs} ms: ${String(condition)}`);
    await delay(10);
  }
}
