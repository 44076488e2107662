import { setTimeout as delay } from 'node:timers/promises';

/** Ends early when the signal aborts; never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Aborts after `ms` with a TimeoutError. Replaces `AbortSignal.timeout`, whose signal is garbage-collected on Node 20 while only `AbortSignal.any`
 * refers to it: the deadline then never fires, and its waiter hangs. Keeps no process alive.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms).unref();
  return limit.signal;
}

/** Returns the result of `begin`, or gives up when the signal aborts: for work that cannot be interrupted itself. @throws the signal's reason */
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

/** Marks a promise that is awaited later: until then its rejection must not count as unhandled. */
export function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
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
 * Calls `listener` once `signal` aborts. The signal itself has one listener for all of them: a request with a dozen concurrent queries is no leak,
 * but Node would warn of one. @param signal a signal that has not aborted. @returns a function that removes the listener
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
