import type { Socket } from 'node:net';
import { buildConnector, Pool, type Dispatcher } from 'undici';
import { checkedAddresses, readOutboundUri, type AddressPolicy, type ResolveName } from '../../platform/http/edge/address-guard.js';
import { timeLimit, unlessAborted } from '../../platform/async/waiting.js';
import type { RailAnswer } from './rail-calls.js';
import type { RailClock } from './rail-clock.js';

export interface RailConnectionsOptions extends AddressPolicy {
  /** `https://host[:port][/path]`; plain http only where private addresses are allowed. */
  readonly base: string;
  /** Minimum version. */
  readonly tls: '1.2' | '1.3';
  readonly resolve: ResolveName;
  readonly clock: RailClock;
  /** PEM; replaces the authorities that this machine trusts. */
  readonly ca?: string;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Latest time at which the first byte is sent, by the monotonic clock. */
  readonly leaveByMs: number;
  readonly totalMs: number;
  readonly bytesMax: number;
}

/** `code` is the code of the error, in capitals as in Node and undici, or a word of ours. It is never a text of the provider. */
export type Exchanged =
  | { readonly is: 'not-sent'; readonly code: string }
  | { readonly is: 'lost'; readonly code: string }
  /** Times are ms since the epoch, by our clock. */
  | { readonly is: 'answer'; readonly answer: RailAnswer; readonly sentMs: number; readonly receivedMs: number };

/** Limit for the look-up of the name, and for each connection with its handshake. */
const CONNECT_MS = 3_000;
const ADDRESSES_TRIED_MAX = 2;
const CONNECTIONS_MAX = 256;
/** A provider may close an idle connection at the moment in which we use it, and the outcome is unknown then. We therefore close it first. */
const KEPT_MS = 4_000;
const KEPT_MAX_MS = 15_000;
/** A name whose address has changed is looked up again after this time. */
const USED_FOR_MS = 30_000;

/**
 * Sends requests to one host. Each new connection uses a checked address; there are no redirects, no proxy and no retries, and at most the requested
 * number of bytes of an answer is held.
 */
export class RailConnections {
  readonly #base: URL;
  readonly #pool: Pool;

  /** @throws ForbiddenAddress when the base may not be called */
  constructor(private readonly options: RailConnectionsOptions) {
    this.#base = readOutboundUri(options.base, options);
    const { tls, ca } = options;
    const connector = buildConnector({
      timeout: CONNECT_MS,
      minVersion: `TLSv${tls}`,
      autoSelectFamily: false,
      ...(ca === undefined ? {} : { ca }),
    });
    this.#pool = new Pool(this.#base.origin, {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      allowH2: false,
      clientTtl: USED_FOR_MS,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MAX_MS,
      // Each request has its own limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (where, callback) => {
        this.#connect(connector, where).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** Never rejects: every end is a result. */
  exchange(exchange: Exchange): Promise<Exchanged> {
    return new Promise((resolve) => {
      const under = new UnderWay(exchange, this.options.clock, resolve);
      const { method, path, headers, body } = exchange;
      const prefix = this.#base.pathname.replace(/\/$/, '');
      try {
        this.#pool.dispatch({ method, path: prefix + path, headers: { ...headers }, body: body ?? null }, under);
      } catch (error) {
        under.onResponseError(undefined, error);
      }
    });
  }

  /** Requests under way are lost. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #connect(connector: Connector, where: buildConnector.Options): Promise<Socket> {
    const addresses = await unlessAborted(() => checkedAddresses(this.#base, this.options, this.options.resolve), timeLimit(CONNECT_MS));
    let failure: unknown;
    for (const hostname of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
      try {
        // The certificate is still checked against the name: `host` is unchanged.
        return await connectBy(connector, { ...where, hostname });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

type Connector = ReturnType<typeof buildConnector>;

function connectBy(connector: Connector, where: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connector(where, (...[error, socket]) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

/** One request, from its dispatch to its end. `sentMs` distinguishes a request that certainly was not sent from one with an unknown outcome. */
class UnderWay implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #totalByMs: number;
  #size = 0;
  #sentMs: number | undefined;
  #head: Pick<RailAnswer, 'status' | 'headers'> | undefined;
  #abort: (() => void) | undefined;
  #cancelDeadline: () => void;
  #isOver = false;

  constructor(
    private readonly exchange: Exchange,
    private readonly clock: RailClock,
    private readonly resolve: (exchanged: Exchanged) => void,
  ) {
    const begun = clock.monotonic();
    this.#totalByMs = begun + exchange.totalMs;
    const leaveInMs = Math.min(exchange.leaveByMs, this.#totalByMs) - begun;
    this.#cancelDeadline = clock.after(Math.max(0, leaveInMs), () => this.#end({ is: 'not-sent', code: 'no-connection-in-time' }));
  }

  /** The connection is open, and the first byte is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const now = this.clock.monotonic();
    if (this.#isOver || now > Math.min(this.exchange.leaveByMs, this.#totalByMs)) {
      this.#end({ is: 'not-sent', code: 'no-connection-in-time' });
      controller.abort(new Error('it is too late to send it'));
      return;
    }
    this.#abort = () => controller.abort(new Error('given up'));
    this.#sentMs = this.clock.now();
    this.#cancelDeadline();
    this.#cancelDeadline = this.clock.after(this.#totalByMs - now, () => this.#giveUp('no-answer-in-time'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: RailAnswer['headers']): void {
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#size += chunk.length;
    if (this.#size > this.exchange.bytesMax) this.#giveUp('answer-too-large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const answer = { ...this.#head!, body: Buffer.concat(this.#chunks) };
    this.#end({ is: 'answer', answer, sentMs: this.#sentMs!, receivedMs: this.clock.now() });
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#end({ is: this.#sentMs === undefined ? 'not-sent' : 'lost', code: codeOf(error) });
  }

  #giveUp(code: string): void {
    this.#end({ is: 'lost', code });
    this.#abort?.();
  }

  #end(exchanged: Exchanged): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelDeadline();
    this.#chunks.length = exchanged.is === 'answer' ? this.#chunks.length : 0;
    this.resolve(exchanged);
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}
