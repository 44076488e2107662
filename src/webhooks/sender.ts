import { setTimeout as delay } from 'node:timers/promises';
import { buildConnector, Client, errors } from 'undici';
import { checkedAddresses, ForbiddenAddress, readWebHookUri, type AddressPolicy, type ResolveName } from './address-guard.js';

/** How one attempt went. */
export interface Sent {
  /** null when there was no answer. */
  readonly response_code: number | null;
  /** From the first look-up to the head of the answer, or to the failure. */
  readonly latency_ms: number;
  /** Why there was no answer, in words for the merchant; null when there was one. */
  readonly error: string | null;
  /** Seconds that the receiver asks us to wait; null when it does not. */
  readonly retry_after_seconds: number | null;
}

export interface SenderOptions extends AddressPolicy {
  readonly resolve: ResolveName;
  /** Defaults: 5 s to connect, 15 s from beginning to end. */
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
}

/** An answer's body says nothing that we need: so much is read out of politeness, and no longer than this. */
const ANSWER_BYTES_MAX = 64 * 1024;
const ANSWER_TIME_MAX_MS = 1_000;
const ADDRESSES_TRIED_MAX = 3;

/**
 * Posts to addresses that merchants name. It connects only to addresses that were checked, follows no redirect, knows no proxy,
 * and holds no more of an answer than 64 KiB.
 */
export class Sender {
  readonly #connectTimeoutMs: number;
  readonly #totalTimeoutMs: number;

  constructor(private readonly options: SenderOptions) {
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
    this.#totalTimeoutMs = options.totalTimeoutMs ?? 15_000;
  }

  /** Never throws: whatever happens is the result. `signal` cuts the attempt off. */
  async post(webHookUri: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Sent> {
    const begun = performance.now();
    const deadline = AbortSignal.timeout(this.#totalTimeoutMs);
    const ended = AbortSignal.any([deadline, signal]);
    let client: Client | undefined;
    try {
      const url = readWebHookUri(webHookUri, this.options);
      const addresses = await unlessAborted(checkedAddresses(url, this.options, this.options.resolve), ended);
      client = this.#connectedTo(url, addresses);
      const response = await client.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: { 'content-type': 'application/json', 'user-agent': 'Chargebook-Webhooks/1', ...headers },
        body,
        signal: ended,
      });
      const latency_ms = Math.round(performance.now() - begun);
      const read = response.body.dump({ limit: ANSWER_BYTES_MAX }).catch(() => undefined);
      await Promise.race([read, delay(ANSWER_TIME_MAX_MS)]);
      return {
        response_code: response.statusCode,
        latency_ms,
        error: null,
        retry_after_seconds: retryAfter(response.headers['retry-after'], Date.now()),
      };
    } catch (error) {
      const words = deadline.aborted ? `no answer within ${this.#totalTimeoutMs / 1000} s` : inWords(error);
      return { response_code: null, latency_ms: Math.round(performance.now() - begun), error: words, retry_after_seconds: null };
    } finally {
      // Not awaited: a receiver that does not let go must not hold us.
      void client?.destroy().catch(() => undefined);
    }
  }

  /** A client for this one attempt: what it connects to is an address, never a name. */
  #connectedTo(url: URL, addresses: readonly string[]): Client {
    const connect = buildConnector({ timeout: this.#connectTimeoutMs, autoSelectFamily: false });
    return new Client(url.origin, {
      pipelining: 1,
      headersTimeout: this.#totalTimeoutMs,
      bodyTimeout: this.#totalTimeoutMs,
      connect(options, callback) {
        const attempt = (left: readonly string[]): void => {
          const [address, ...others] = left;
          // The certificate is still checked against the name: `host` stays as it was.
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

/** Seconds or an HTTP date (RFC 9110, 10.2.3); null for anything else. */
export function retryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const moment = /[a-z]{3}/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - nowMs) / 1000));
}

/** What an operator of the receiver can act upon; nothing of our own network. */
function inWords(error: unknown): string {
  if (error instanceof ForbiddenAddress) return `not sent: ${error.message}`;
  if (error instanceof errors.ConnectTimeoutError) return 'no connection in time';
  if (error instanceof errors.HeadersTimeoutError) return 'no answer in time';
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'the answer is not HTTP';
  const { code } = error as { code?: unknown };
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed before there was an answer';
    case 'ENOTFOUND':
      return 'the name does not resolve';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the address cannot be reached';
    default:
      return typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code) ? `no secure connection (${code})` : 'the delivery failed';
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
