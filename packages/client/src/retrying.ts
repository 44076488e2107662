export interface RetryOptions {
  /** Maximum retries of a request; default 4, 0: none. */
  readonly retries?: number;
  /** Default: the platform's. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** Returns a `fetch` that retries reads, previews, and requests whose Idempotency-Key limits them to one effect. */
export function retrying({ retries = 4, fetch = (request) => globalThis.fetch(request) }: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const isSafe = request.method === 'GET' || request.headers.has('idempotency-key') || new URL(request.url).pathname.endsWith('/preview');
    for (let sent = 1; ; sent += 1) {
      const isLast = !isSafe || sent > retries;
      try {
        const response = await fetch(isLast ? request : request.clone());
        if (isLast || !RETRIED.has(response.status)) return response;
        await response.body?.cancel();
        await pause(pauseMs(sent, response.headers.get('retry-after')), request.signal);
      } catch (error) {
        if (isLast || request.signal.aborted) throw error;
        await pause(pauseMs(sent, null), request.signal);
      }
    }
  };
}

/** Returns the pause that the service asks for, or twice the previous one; randomised, so that many clients do not return together. */
function pauseMs(sent: number, retryAfter: string | null): number {
  const asked = Number(retryAfter ?? Number.NaN) * 1_000;
  const ms = Number.isFinite(asked) ? asked : FIRST_PAUSE_MS * 2 ** (sent - 1);
  return Math.min(ms, LONGEST_PAUSE_MS) * (1 + Math.random() / 4);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
