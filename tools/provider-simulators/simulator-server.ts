import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Draws, faultRates, type FaultRates } from './faults.js';

export interface SimulatedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface SimulatedAnswer {
  readonly status: number;
  /** Printed as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SimulatorServerOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly seed: number;
  readonly faults: FaultRates;
  /** Duration of a slow answer; ms. */
  readonly slowMs: number;
}

/** The part of a provider that the server uses. */
export interface SimulatedProvider {
  handle(request: SimulatedRequest): SimulatedAnswer;
  /** 429 and 5xx, in this provider's form; a request that is answered 429 has no effect. */
  tooMany(request: SimulatedRequest): SimulatedAnswer;
  failed(request: SimulatedRequest): SimulatedAnswer;
  /** The action of /control/<name>. */
  readonly control: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>>;
}

const BODY_BYTES_MAX = 1024 * 1024;
const SKEW_MS = 120_000;

/** Kinds of garbage that were observed: a truncated answer, a page of a proxy, nothing, an exponent, another type, a list. */
const GARBAGE: readonly ((json: string) => string)[] = [
  (json) => json.slice(0, json.length / 2),
  () => '<html><body>502 Bad Gateway</body></html>',
  () => '',
  (json) => json.replace(/((?:amount|value)":"?)([\d.]+)/g, '$1$2e0'),
  () => '"OK"',
  (json) => `[${json}]`,
];

/** The clock of a simulator, which can be advanced. */
export class SimulatorClock {
  #offsetMs = 0;

  /** ms since the epoch. */
  now = (): number => Date.now() + this.#offsetMs;

  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Does /control/clock: advances the clock by `advance_ms`. @param onAdvance does the work that is due then */
  control({ advance_ms = 0 }: Readonly<Record<string, unknown>>, onAdvance: () => void): { readonly now: string } {
    if (typeof advance_ms !== 'number') throw new Error('advance_ms is a number');
    this.advance(advance_ms);
    onAdvance();
    return { now: new Date(this.now()).toISOString() };
  }
}

/** The HTTP side of a simulator: its answers, its faults, and /control, which controls it and returns its true state. */
export class SimulatorServer {
  readonly #server: Server;
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly provider: SimulatedProvider,
    private readonly draws: Draws,
    private readonly options: SimulatorServerOptions,
  ) {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async listen(provider: SimulatedProvider, draws: Draws, options: SimulatorServerOptions): Promise<SimulatorServer> {
    const simulator = new SimulatorServer(provider, draws, options);
    simulator.#server.listen(options.port, '127.0.0.1');
    await once(simulator.#server, 'listening');
    return simulator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
    if (pathname.startsWith('/control/')) return this.#control(pathname.slice('/control/'.length), body, response);
    const asked = { method: request.method ?? 'GET', path: pathname, query: searchParams, headers: request.headers, body };
    if (this.draws.happens('429')) return this.#answer(response, this.provider.tooMany(asked));
    const answer = this.provider.handle(asked);
    if (this.draws.happens('lost-answer')) return void response.destroy();
    if (this.draws.happens('5xx-after')) return this.#answer(response, this.provider.failed(asked));
    const isSlow = this.draws.happens('slow');
    if (!isSlow) return this.#answer(response, answer);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#answer(response, answer);
    }, this.options.slowMs);
    this.#timers.add(timer);
  }

  #answer(response: ServerResponse, { status, body, headers }: SimulatedAnswer): void {
    const json = JSON.stringify(body) ?? '';
    const text = this.draws.happens('garbage') ? GARBAGE[this.draws.below(GARBAGE.length)]!(json) : json;
    const date = this.draws.happens('skew') ? { date: new Date(Date.now() + SKEW_MS).toUTCString() } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...date, ...headers }).end(text);
  }

  #control(name: string, body: Buffer, response: ServerResponse): void {
    try {
      const given = (body.length === 0 ? {} : JSON.parse(body.toString())) as Record<string, unknown>;
      const done = name === 'faults' ? this.#faults(given) : Object.hasOwn(this.provider.control, name) && this.provider.control[name]!(given);
      const status = done === false ? 404 : 200;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(done === false ? { error: 'no such control' } : done));
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: (error as Error).message }));
    }
  }

  /** Sets new rates, if any; returns those in force. */
  #faults(given: Readonly<Record<string, unknown>>): FaultRates {
    if (Object.keys(given).length > 0) this.draws.rates = faultRates(given);
    return this.draws.rates;
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new RangeError('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
