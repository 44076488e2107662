import autocannon from 'autocannon';

export interface Load {
  /** Responses with a 2xx status per second. */
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Responses with any other status, and broken connections. A run with failures is no measurement. */
  readonly failures: number;
}

/**
 * POSTs the requests of `next` to `url`, or to the request's own path there, with `inFlight` connections for `seconds`.
 * @param perSecond limit of all connections together; absent: no limit
 */
export async function drive(
  url: string,
  inFlight: number,
  seconds: number,
  next: () => { readonly headers: Record<string, string>; readonly body: string; readonly path?: string },
  perSecond?: number,
): Promise<Load> {
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const requests = [{ method: 'POST' as const, setupRequest: (request: autocannon.Request) => ({ ...request, ...next() }) }];
    const options = { url, connections: inFlight, duration: seconds, requests, ...(perSecond !== undefined && { overallRate: perSecond }) };
    autocannon(options, (error: Error | null, outcome) => (error ? reject(error) : resolve(outcome))).on('response', (_client, _status, _bytes, ms) =>
      latencies.push(ms),
    );
  });
  return { per_second: Math.round(result['2xx'] / result.duration), ...quantilesOf(latencies), failures: result.non2xx + result.errors };
}

/** Returns quantiles of latencies in any order, ms; NaN for an empty list. */
export function quantilesOf(latencies: readonly number[]): Pick<Load, 'p50_ms' | 'p99_ms'> {
  const sorted = [...latencies].sort((a, b) => a - b);
  const quantile = (q: number): number => sorted[Math.floor(q * sorted.length)] ?? Number.NaN;
  return { p50_ms: quantile(0.5), p99_ms: quantile(0.99) };
}
