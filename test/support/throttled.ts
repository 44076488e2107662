import { setTimeout as delay } from 'node:timers/promises';

const PERIOD_MS = 100;

/** Gives processes a share of a core, as cpulimit does: stopped and continued ten times a second, until `release`. @param pids asked each time */
export function throttle(pids: () => readonly number[], share: number): { release(): Promise<void> } {
  let throttling = true;
  const signal = (to: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const pid of to) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  };
  const running = (async () => {
    while (throttling) {
      const stopped = pids();
      signal(stopped, 'SIGSTOP');
      await delay(PERIOD_MS * (1 - share));
      signal(stopped, 'SIGCONT');
      await delay(PERIOD_MS * share);
    }
  })();
  return {
    async release() {
      throttling = false;
      await running;
    },
  };
}
