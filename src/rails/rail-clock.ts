/** What calls to providers know of time. Given by argument, so that tests move it themselves. */
export interface RailClock {
  /** ms, never going back: waits and durations are kept by it. */
  monotonic(): number;
  /** ms since the epoch, as this machine believes. */
  now(): number;
  /** Does `action` after `ms`. @returns what cancels it */
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
