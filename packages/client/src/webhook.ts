import type { webhooks } from './schema.js';

/** An event that a webhook receives; `type` distinguishes the kinds. */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** The request is not from the service, or is too old: answer 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

export interface WebhookRequest {
  /** The headers as received: names in lower case, or a `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as received: a body that was parsed and serialised again has another signature. */
  readonly body: string | Uint8Array;
}

const TOLERANCE_SECONDS = 300;

/**
 * Returns the event of a request that the service has signed (Standard Webhooks).
 * @param secret `verification_secret`, or the signature key that was set.
 * @throws WebhookRefused
 */
export async function verifyWebhook(secret: string, { headers, body }: WebhookRequest, nowMs = Date.now()): Promise<WebhookEvent> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw new WebhookRefused(`the header ${name} is missing`);
    return value;
  };
  const [id, sentOn, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (!(Math.abs(nowMs / 1_000 - Number(sentOn)) <= TOLERANCE_SECONDS)) throw new WebhookRefused('it was sent too long ago, or not yet');
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
  const signed = new TextEncoder().encode(`${id}.${sentOn}.${text}`);
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    // After a change of key there are two for a day. The comparison takes as long for any other.
    const [version, base64 = ''] = signature.split(',', 2);
    if (version !== 'v1' || !/^[A-Za-z0-9+/]{43}=$/.test(base64)) continue;
    if (await crypto.subtle.verify('HMAC', key, fromBase64(base64), signed)) return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookRefused('the signature is of another key');
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const bytesOf = (secret: string): Uint8Array<ArrayBuffer> =>
  secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : new TextEncoder().encode(secret);
