import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Outbound, type OutboundOptions } from '../../src/rails/calls/outbound.js';
import { systemRailClock } from '../../src/rails/calls/rail-clock.js';

/** The way out to a server on this machine, with no limits that would slow a test down. */
export function outboundTo(url: string, options: Partial<OutboundOptions> = {}): Outbound {
  const nothing = (): void => undefined;
  return new Outbound({
    rail: 'tested',
    base: url,
    allowPrivate: true,
    tls: '1.3',
    resolve: async () => ['127.0.0.1'],
    clock: systemRailClock,
    perSecond: 100_000,
    needsClock: false,
    log: { info: nothing, warn: nothing },
    observer: { called: nothing, circuit: nothing, clockSkew: nothing },
    random: () => 0.5,
    ...options,
  });
}

export interface Replayed {
  readonly status: number;
  /** Sent as it is when it is a string or bytes. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A provider that returns the given answers one after the other, and the last one for ever; it keeps the requests. */
export class Replay {
  readonly asked: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  answers: Replayed[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      this.asked.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      const { status, body, headers: more } = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
      response.writeHead(status, { ...more }).end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  });

  static async listen(): Promise<Replay> {
    const replay = new Replay();
    replay.#server.listen(0, '127.0.0.1');
    await once(replay.#server, 'listening');
    return replay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
