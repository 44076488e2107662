import autocannon from 'autocannon';

export interface Load {
  /** Answers per second of the wanted status. */
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Answers of any other status, and connections that broke: a run with any is no measurement. */
  readonly failures: number;
}

/** POSTs the bodies that `next` makes to `url`, or to a path of its own there, `inFlight` at a time, for `seconds`; no more than `perSecond` in all, when it is given. */
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

/** Of times in any order, ms; NaN of none. */
export function quantilesOf(latencies: readonly number[]): Pick<Load, 'p50_ms' | 'p99_ms'> {
  const sorted = [...latencies].sort((a, b) => a - b);
  const quantile = (q: number): number => sorted[Math.floor(q * sorted.length)] ?? Number.NaN;
  return { p50_ms: quantile(0.5), p99_ms: quantile(0.99) };
}
