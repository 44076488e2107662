import type { Waits } from '../../src/ledger/streams/stream-queue.js';

/** Time that passes in pauses only, each of them as long as it may be. */
export function simulatedWaits(pause: () => Promise<void> = async () => undefined): Waits {
  let now = 0;
  return {
    now: () => now,
    pause: async (ms) => {
      now += ms;
      await pause();
    },
  };
}
