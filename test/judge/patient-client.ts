import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface Answered {
  readonly status: number;
  /** Parsed body; null without JSON. */
  readonly body: any;
}

export interface Asked {
  readonly method?: 'GET' | 'POST';
  /** Path at the service. */
  readonly path: string;
  readonly key: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** Time for which a request is retried, ms of the run's clock. */
const PATIENCE_MS = 3 * 60_000;
const ANSWERED_WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Retries a request with the same idempotency key while the service does not respond or returns 503. */
export class PatientClient {
  readonly #agent = new Agent({ connections: 128, keepAliveTimeout: 1_000 });

  constructor(private readonly url: string) {}

  /** Returns undefined without a final response within PATIENCE_MS. */
  async send({ method = 'GET', path, key, body, idempotencyKey }: Asked): Promise<Answered | undefined> {
    const until = Date.now() + PATIENCE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; Date.now() < until; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const answer = await request(new URL(path, this.url), {
        dispatcher: this.#agent,
        method,
        headersTimeout: ANSWERED_WITHIN_MS,
        bodyTimeout: ANSWERED_WITHIN_MS,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
        .then(async ({ statusCode: status, body: stream }) => ({ status, body: parsed(await stream.text()) }))
        .catch(() => undefined);
      if (answer && answer.status !== 503) return answer;
      await delay(pauseMs);
    }
    return undefined;
  }

  /** Returns the body of a response that must be 2xx. @throws otherwise */
  async get(path: string, key: string): Promise<any> {
    const answer = await this.send({ path, key });
    if (!answer || answer.status >= 300) throw new Error(`${path} was answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
    return answer.body;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
