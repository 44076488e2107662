import createFetchClient, { type Client } from 'openapi-fetch';
import { ChargebookProblem, type Problem } from './problem.js';
import { retrying, type RetryOptions } from './retrying.js';
import type { components, paths } from './schema.js';

export { ChargebookProblem, type Problem } from './problem.js';
export { verifyWebhook, WebhookRefused, type WebhookEvent } from './webhook.js';

/** Requests and answers by their names in the OpenAPI document: `Schemas['ChargeDetailDto']`. */
export type Schemas = components['schemas'];
export type ChargebookClient = Client<paths>;

export interface ClientOptions extends RetryOptions {
  /** Address of the service, such as `https://pay.example.com`. */
  readonly url: string;
  /** `sk_test_…` or `sk_live_…`. */
  readonly key: string;
}

/**
 * A client with the types of every path, parameter, body and response. It repeats reads, and creations with an Idempotency-Key, when the
 * service is busy, limits the rate, or cannot be reached.
 */
export function createClient({ url, key, ...retry }: ClientOptions): ChargebookClient {
  return createFetchClient<paths>({ baseUrl: url.replace(/\/+$/, ''), headers: { authorization: `Bearer ${key}` }, fetch: retrying(retry) });
}

/**
 * The data of an answer: `await dataOf(client.GET('/v1/charges'))`.
 * @throws ChargebookProblem when the service refused.
 */
export async function dataOf<Data>(answer: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new ChargebookProblem(response.status, error as Partial<Problem> | undefined);
  return data as Data;
}
