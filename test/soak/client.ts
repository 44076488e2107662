import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { quantile } from './trend.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed body; null without JSON. */
  readonly body: any;
}

export interface Request {
  /** Name under which the latency and the status are counted. */
  readonly kind: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path at the service, or a URL. */
  readonly path: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Expected statuses beside 2xx. */
  readonly expected?: readonly number[];
}

export interface KindFigures {
  readonly answers: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly worst_ms: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const ATTEMPTS_MAX = 30;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Sends requests as a merchant's program does: retries with the same idempotency key after a 503 or without a response. Records latencies and statuses. */
export class SoakClient {
  readonly #agent = new Agent({ connections: 64, keepAliveTimeout: 30_000 });
  readonly #times = new Map<string, number[]>();
  readonly #statuses = new Map<string, Map<number, number>>();
  /** Undocumented responses, and requests without a response. The report lists the first TOLD_MAX of them. */
  readonly wrong: string[] = [];

  constructor(private readonly url: string) {}

  /** Sends a request once and returns its response with any status, or undefined without a response. */
  async once({ kind, method = 'GET', path, key, body, headers }: Request): Promise<Answer | undefined> {
    const begun = performance.now();
    try {
      const answer = await request(new URL(path, this.url), {
        dispatcher: this.#agent,
        method,
        headersTimeout: 60_000,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      this.#count(kind, answer.statusCode, performance.now() - begun);
      const found = { status: answer.statusCode, headers: answer.headers, text, body: parsed(text) };
      if (answer.statusCode >= 500 && !isDocumented(found)) this.#tell(kind, `answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      return found;
    } catch (error) {
      this.#tell(kind, `no answer: ${String(error)}`);
      return undefined;
    }
  }

  /** Returns the final response, 2xx or expected. @throws Unexpected for another status, or after ATTEMPTS_MAX attempts */
  async send(request: Request): Promise<Answer> {
    const headers = request.method === 'POST' ? { 'idempotency-key': randomUUID(), ...request.headers } : request.headers;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const answer = await this.once({ ...request, ...(headers && { headers }) });
      if (answer && answer.status !== 503) {
        if ((answer.status >= 200 && answer.status < 300) || request.expected?.includes(answer.status)) return answer;
        this.#tell(request.kind, `${request.method ?? 'GET'} ${request.path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
        throw new Unexpected(request.kind);
      }
      await delay(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
    }
    this.#tell(request.kind, `${request.path} has no final answer after ${ATTEMPTS_MAX} attempts`);
    throw new Unexpected(request.kind);
  }

  figures(): Record<string, KindFigures> {
    return Object.fromEntries(
      [...this.#times].sort().map(([kind, times]) => [
        kind,
        {
          answers: times.length,
          p50_ms: quantile(times, 0.5),
          p99_ms: quantile(times, 0.99),
          worst_ms: quantile(times, 1),
          statuses: Object.fromEntries(this.#statuses.get(kind)!),
        },
      ]),
    );
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #count(kind: string, status: number, ms: number): void {
    if (!this.#times.has(kind)) {
      this.#times.set(kind, []);
      this.#statuses.set(kind, new Map());
    }
    this.#times.get(kind)!.push(ms);
    const statuses = this.#statuses.get(kind)!;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  #tell(kind: string, what: string): void {
    this.wrong.push(`${kind}: ${what}`);
  }
}

/** A failure that is already listed in `wrong`. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** The interface documents 503 as a problem with the header `retry-after`. */
const isDocumented = ({ status, headers }: Answer): boolean =>
  status === 503 && String(headers['content-type']).startsWith('application/problem+json') && headers['retry-after'] !== undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
