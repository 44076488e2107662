import { quantilesOf } from './load.js';

export interface ReadsAfterWrites {
  readonly pairs: number;
  /** Reads by another process that returned 404 for a created charge without the header `ledger-lag`: must be 0. */
  readonly unseen: number;
  /** Reads with the header `ledger-lag`: they may lag behind. */
  readonly marked: number;
  readonly read: { readonly p50_ms: number; readonly p99_ms: number };
}

/**
 * Creates a charge at one process and reads it at once at another one, `inFlight` pairs at a time.
 * @param next returns the next create request
 * @throws when a response is neither 200 nor, for a charge that cannot be read yet, 404
 */
export async function measureReadsAfterWrites(
  urls: { readonly write: string; readonly read: string },
  pairs: number,
  inFlight: number,
  next: () => { readonly headers: Record<string, string>; readonly body: string },
): Promise<ReadsAfterWrites> {
  let [begun, unseen, marked] = [0, 0, 0];
  const latencies: number[] = [];
  const client = async (): Promise<void> => {
    while (begun < pairs) {
      begun += 1;
      const request = next();
      const created = await fetch(new URL('/v1/charges', urls.write), { method: 'POST', ...request });
      if (created.status !== 200) throw new Error(`a create was answered with ${created.status}`);
      const { id } = (await created.json()) as { id: string };
      const startedMs = performance.now();
      const { authorization } = request.headers;
      const read = await fetch(new URL(`/v1/charges/${id}`, urls.read), { headers: { authorization: authorization! } });
      await read.arrayBuffer();
      latencies.push(performance.now() - startedMs);
      if (read.status !== 200 && read.status !== 404) throw new Error(`a read was answered with ${read.status}`);
      if (read.headers.has('ledger-lag')) marked += 1;
      else if (read.status === 404) unseen += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  const { p50_ms, p99_ms } = quantilesOf(latencies);
  return { pairs, unseen, marked, read: { p50_ms: Number(p50_ms.toFixed(1)), p99_ms: Number(p99_ms.toFixed(1)) } };
}
