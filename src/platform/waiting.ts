import { setTimeout as delay } from 'node:timers/promises';

/** Cut short by the signal; never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Aborts after `ms` with a TimeoutError. Unlike `AbortSignal.timeout`, whose signal the garbage collector takes on Node 20 while only
 * `AbortSignal.any` refers to it: the deadline then never comes, and what waits for it hangs. Keeps no process alive.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms).unref();
  return limit.signal;
}

/** What `begin` begins, given up when the signal aborts: for work that cannot be cut short itself. @throws the signal's reason */
export async function unlessAborted<T>(begin: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (onAbort = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([begin(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves after `ms`, or as soon as `sooner` does. */
export async function atMost(ms: number, sooner: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([elapsed, sooner]);
  clearTimeout(timer);
}

interface Listening {
  readonly listeners: Set<() => void>;
  readonly tell: () => void;
}

const LISTENING = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `listener` once `signal` aborts. However many there are, the signal itself has one listener of them all: a request with a dozen
 * queries at once is no leak, of which Node would warn. @param signal that has not aborted. @returns what takes the listener back
 */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  const listening = LISTENING.get(signal) ?? listenTo(signal);
  listening.listeners.add(listener);
  return () => {
    listening.listeners.delete(listener);
    if (listening.listeners.size > 0) return;
    signal.removeEventListener('abort', listening.tell);
    LISTENING.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listening {
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  signal.addEventListener('abort', tell, { once: true });
  const listening = { listeners, tell };
  LISTENING.set(signal, listening);
  return listening;
}
