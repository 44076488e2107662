/**
 * A merchant's receiver in a separate process. It accepts POST / at once and never responds to POST /hang. GET / returns the deliveries
 * accepted since DELETE /. Prints its address; ends with its parent.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Taken {
  /** Different deliveries; repeats are not counted. */
  readonly deliveries: number;
  /** Time from the first delivery to the last. */
  readonly span_ms: number;
  /** Times from an event to its first arrival, ascending. */
  readonly latencies_ms: readonly number[];
  /** Requests to /hang that are open now. */
  readonly hanging: number;
}

const known = new Set<string>();
let arrivals: { readonly atMs: number; readonly latencyMs: number }[] = [];
let hanging = 0;

async function take(request: IncomingMessage): Promise<void> {
  const atMs = Date.now();
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  const { id, timestamp } = JSON.parse(text) as { id: string; timestamp: string };
  if (known.has(id)) return;
  known.add(id);
  arrivals.push({ atMs, latencyMs: atMs - Date.parse(timestamp) });
}

function taken(): Taken {
  return {
    deliveries: arrivals.length,
    span_ms: (arrivals.at(-1)?.atMs ?? 0) - (arrivals[0]?.atMs ?? 0),
    latencies_ms: arrivals.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b),
    hanging,
  };
}

const server = createServer((request, response) => {
  if (request.method === 'DELETE') arrivals = [];
  if (request.method !== 'POST') return void response.end(JSON.stringify(taken()));
  if (request.url === '/hang') {
    hanging += 1;
    response.on('close', () => (hanging -= 1));
    return void request.resume();
  }
  void take(request).then(() => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
