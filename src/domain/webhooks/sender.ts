import { buildConnector, Client, errors, type Dispatcher } from 'undici';
import { atMost, unlessAborted } from '../../platform/async/waiting.js';
import { checkedAddresses, ForbiddenAddress, readOutboundUri, type AddressPolicy, type ResolveName } from '../../platform/http/edge/address-guard.js';
import { retryAfter } from '../../platform/http/retry-after.js';
import { ConnectionPool, letGo } from './connection-pool.js';

/** Result of one attempt. */
export interface Sent {
  /** null when there was no response. */
  readonly response_code: number | null;
  /** Time from the first lookup to the head of the response, or to the failure. */
  readonly latency_ms: number;
  /** Why there was no response, as text for the merchant; null when there was one. */
  readonly error: string | null;
  /** Seconds that the receiver asks us to wait; null when it does not. */
  readonly retry_after_seconds: number | null;
}

export interface SenderOptions extends AddressPolicy {
  readonly resolve: ResolveName;
  /** Defaults: 5 s to connect, 15 s in total. */
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
}

interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Start, in milliseconds of `performance.now()`. */
  readonly begun: number;
  readonly signal: AbortSignal;
}

type Answered = Omit<Sent, 'error'>;

/** Limits for reading a response's body. Its content is not used; it is read so that the connection can be reused. */
const ANSWER_BYTES_MAX = 64 * 1024;
const ANSWER_TIME_MAX_MS = 1_000;
const ADDRESSES_TRIED_MAX = 3;
/** Idle connections are closed before most servers would do so. A server may request a shorter or longer time. */
const KEPT_MS = 4_000;
const KEPT_MAX_MS = 15_000;

/**
 * Posts to URLs that merchants configure. It connects only to checked addresses, follows no redirects, uses no proxy, and reads at
 * most 64 KiB of a response. Connections are kept open for a few seconds, each to its checked address.
 */
export class Sender {
  readonly #connectTimeoutMs: number;
  readonly #totalTimeoutMs: number;
  readonly #connections = new ConnectionPool();

  constructor(private readonly options: SenderOptions) {
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
    this.#totalTimeoutMs = options.totalTimeoutMs ?? 15_000;
  }

  /** Never throws: a failure is returned as the result. `signal` aborts the attempt. */
  async post(webhookUri: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Sent> {
    const begun = performance.now();
    const attempt = new AbortController();
    let isLate = false;
    const end = (): void => attempt.abort();
    const deadline = setTimeout(() => {
      isLate = true;
      end();
    }, this.#totalTimeoutMs);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    try {
      const url = readOutboundUri(webhookUri, this.options);
      return { ...(await this.#request({ url, headers, body, begun, signal: attempt.signal })), error: null };
    } catch (error) {
      const words = isLate ? `no answer within ${this.#totalTimeoutMs / 1000} s` : signal.aborted ? CUT_OFF : inWords(error);
      return { response_code: null, latency_ms: Math.round(performance.now() - begun), error: words, retry_after_seconds: null };
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', end);
    }
  }

  /** Closes the idle connections. */
  close(): void {
    this.#connections.close();
  }

  async #request(post: Post): Promise<Answered> {
    const kept = this.#connections.take(post.url.origin);
    try {
      return await this.#requestOn(kept ?? (await this.#connect(post)), post);
    } catch (error) {
      // The receiver may have closed an idle connection just when it was reused. That is no failure of the receiver.
      if (!kept || post.signal.aborted || !isClosedConnection(error)) throw error;
      return await this.#requestOn(await this.#connect(post), post);
    }
  }

  async #requestOn(client: Client, { url, headers, body, begun, signal }: Post): Promise<Answered> {
    let isReusable = false;
    try {
      const response = await client.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: { 'content-type': 'application/json', 'user-agent': 'Chargebook-Webhooks/1', ...headers },
        body,
        signal,
      });
      const latency_ms = Math.round(performance.now() - begun);
      const retry_after_seconds = retryAfter(response.headers['retry-after'], Date.now());
      isReusable = await readToItsEnd(response.body);
      return { response_code: response.statusCode, latency_ms, retry_after_seconds };
    } finally {
      if (isReusable) this.#connections.keep(url.origin, client);
      else letGo(client);
    }
  }

  async #connect({ url, signal }: Post): Promise<Client> {
    const client = this.#connectedTo(url, await unlessAborted(() => checkedAddresses(url, this.options, this.options.resolve), signal));
    this.#connections.opened(url.origin, client);
    return client;
  }

  /** Opens one connection to a checked address, never to a name. */
  #connectedTo(url: URL, addresses: readonly string[]): Client {
    const connect = buildConnector({ timeout: this.#connectTimeoutMs, autoSelectFamily: false });
    return new Client(url.origin, {
      pipelining: 1,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MAX_MS,
      headersTimeout: this.#totalTimeoutMs,
      bodyTimeout: this.#totalTimeoutMs,
      connect(options, callback) {
        const attempt = (left: readonly string[]): void => {
          const [address, ...others] = left;
          // The certificate is still checked against the name: `host` is unchanged.
          connect({ ...options, hostname: address! }, (...outcome) => {
            if (outcome[0] !== null && others.length > 0) attempt(others);
            else callback(...outcome);
          });
        };
        attempt(addresses.slice(0, ADDRESSES_TRIED_MAX));
      },
    });
  }
}

/** Returns false when the body was larger, or took longer, than the limits. */
async function readToItsEnd(answer: Dispatcher.ResponseData['body']): Promise<boolean> {
  await atMost(
    ANSWER_TIME_MAX_MS,
    answer.dump({ limit: ANSWER_BYTES_MAX }).catch(() => undefined),
  );
  return answer.readableEnded;
}

const CUT_OFF = 'given up before there was an answer';

/** Returns whether the connection was closed before the first byte of a response. */
function isClosedConnection(error: unknown): boolean {
  return CLOSED.has((error as { code?: unknown }).code);
}

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Text for the receiver's operators. Contains nothing about our own network. */
function inWords(error: unknown): string {
  if (error instanceof ForbiddenAddress) return `not sent: ${error.message}`;
  if (error instanceof errors.ConnectTimeoutError) return 'no connection in time';
  if (error instanceof errors.HeadersTimeoutError) return 'no answer in time';
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'the answer is not HTTP';
  if (isClosedConnection(error)) return 'the connection was closed before there was an answer';
  const { code } = error as { code?: unknown };
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ENOTFOUND':
      return 'the name does not resolve';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the address cannot be reached';
    default:
      return typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code) ? `no secure connection (${code})` : 'the delivery failed';
  }
}
