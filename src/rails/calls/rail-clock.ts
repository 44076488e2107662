/** The clock of calls to providers. An argument, so that tests control it. */
export interface RailClock {
  /** ms, never decreasing: waits and durations use it. */
  monotonic(): number;
  /** ms since the epoch, by this machine's clock. */
  now(): number;
  /** Runs `action` after `ms`. @returns a function that cancels it */
  after(ms: number, action: () => void): () => void;
}

export const systemRailClock: RailClock = {
  monotonic: () => performance.now(),
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
