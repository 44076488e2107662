import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { ReceivedHeaders, Verified } from '../../domain/charges/remote/remote-processor.js';
import { deriveKey } from '../../ledger/crypto/encryption.js';
import { optionalText, readFields } from './answer.js';
import type { SnapCredentials } from './credentials.js';
import type { SnapProfile } from './profiles.js';
import { chargeOfReference } from './qris-reference.js';
import { isAsymmetricSignature, isSymmetricSignature, readPublicKey, stringToSign, tokenStringToSign, type Signed } from './signature.js';

/** A message whose signature is older, or further in the future, is rejected. */
const TOLERANCE_MS = 5 * 60_000;
const TOKEN_SECONDS = 900;
const TOKEN = /^(\d{10,12})\.([\w-]{43})$/;

/** Our answer to a bank. */
export interface SnapReply {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

const reply = (responseCode: string, responseMessage: string): SnapReply => ({
  status: Number(responseCode.slice(0, 3)),
  body: { responseCode, responseMessage },
});

/** Answers to a bank's notification. Source: SNAP, service 52. */
export const NOTIFICATION_REPLIES = {
  taken: reply('2005200', 'Successful'),
  unauthorised: reply('4015200', 'Unauthorized. [Signature]'),
  'not-found': reply('4045201', 'Transaction Not Found'),
  unavailable: reply('5005200', 'General Error'),
} as const satisfies Readonly<Record<string, SnapReply>>;

/** One generation of the secrets that we share with a bank. */
interface Keys {
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly bankKey: KeyObject;
  readonly tokenKey: Buffer;
}

const notification = z.object({ originalpartnerreferenceno: optionalText });

/**
 * Verifies messages that the bank signs, and issues the access tokens that banks with symmetric signatures request first. It stores nothing: a token
 * contains its own expiry.
 */
export class SnapInbound {
  /** Newest first. */
  readonly #keys: readonly Keys[];

  /** @throws Error when a public key cannot be read */
  constructor(
    private readonly profile: SnapProfile,
    credentials: { readonly name: string; readonly credentials: SnapCredentials; readonly previous?: SnapCredentials | undefined },
  ) {
    const all = [credentials.credentials, ...(credentials.previous ? [credentials.previous] : [])];
    this.#keys = all.map((each) => keysOf(credentials.name, each));
  }

  /**
   * Verifies, then reads. `path` is the path after the notifications' address, which is the service's own; '' means that of service 52.
   * @returns undefined when it is not authentic
   */
  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined {
    const service = path === '' ? this.profile.paths['52'] : path;
    if (service === undefined || !this.#isAuthentic(raw, headers, service, now)) return undefined;
    const read = notification.safeParse(readFields(raw));
    const reference = read.data?.originalpartnerreferenceno;
    if (reference === undefined) return { about: 'nothing' };
    if (service === this.profile.paths['52']) {
      return { about: 'charge', charge_id: chargeOfReference(reference) ?? null, processor_reference: reference };
    }
    return { about: 'payout', partner_reference: reference };
  }

  /** Our service 73: issues a token to a bank that proves its identity with its private key. */
  grant(raw: Buffer, headers: ReceivedHeaders, now: number): SnapReply {
    const [clientKey, timestamp, signature] = [one(headers, 'x-client-key'), one(headers, 'x-timestamp'), one(headers, 'x-signature')];
    if (clientKey === undefined) return reply('4007302', 'Invalid Mandatory Field [X-CLIENT-KEY]');
    if (timestamp === undefined) return reply('4007302', 'Invalid Mandatory Field [X-TIMESTAMP]');
    if (readFields(raw)?.['granttype'] !== 'client_credentials') return reply('4007302', 'Invalid Mandatory Field [grantType]');
    const keys = this.#keys.find(
      (each) =>
        each.clientKey === clientKey &&
        isAsymmetricSignature(each.bankKey, tokenStringToSign(clientKey, timestamp), this.profile.encoding, signature ?? ''),
    );
    if (!keys || !isRecent(timestamp, now)) return reply('4017300', 'Unauthorized. [Signature]');
    const granted = reply('2007300', 'Successful');
    const accessToken = tokenUntil(keys, Math.floor(now / 1_000) + TOKEN_SECONDS);
    return { ...granted, body: { ...granted.body, accessToken, tokenType: 'Bearer', expiresIn: String(TOKEN_SECONDS) } };
  }

  #isAuthentic(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): boolean {
    const [timestamp, signature] = [one(headers, 'x-timestamp'), one(headers, 'x-signature')];
    if (timestamp === undefined || signature === undefined || !isRecent(timestamp, now)) return false;
    const signed: Signed = { method: 'POST', path, body: raw, timestamp };
    const { notify, encoding } = this.profile;
    if (notify === 'asymmetric') return this.#keys.some(({ bankKey }) => isAsymmetricSignature(bankKey, stringToSign(signed), encoding, signature));
    const token = /^Bearer (\S{1,200})$/.exec(one(headers, 'authorization') ?? '')?.[1];
    if (token === undefined) return false;
    const text = stringToSign({ ...signed, token });
    return this.#keys.some((keys) => isGoodToken(keys, token, now) && isSymmetricSignature(keys.clientSecret, text, encoding, signature));
  }
}

/** Only we can issue tokens: their key is derived from our private key, which no bank has. */
function keysOf(rail: string, { client_key, client_secret, public_key, private_key }: SnapCredentials): Keys {
  return {
    clientKey: client_key,
    clientSecret: client_secret,
    bankKey: readPublicKey(public_key),
    tokenKey: deriveKey(Buffer.from(private_key), `chargebook/rails/${rail}/access-tokens`),
  };
}

/** `seconds` since the epoch. */
function tokenUntil({ tokenKey, clientKey }: Keys, seconds: number): string {
  return `${seconds}.${createHmac('sha256', tokenKey).update(`${clientKey}|${seconds}`).digest('base64url')}`;
}

function isGoodToken(keys: Keys, token: string, now: number): boolean {
  const seconds = Number(TOKEN.exec(token)?.[1]);
  if (!Number.isSafeInteger(seconds) || now >= seconds * 1_000) return false;
  const [expected, given] = [Buffer.from(tokenUntil(keys, seconds)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** With an offset, as SNAP requires: a time without one is ambiguous by up to a day. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;

function isRecent(moment: string, now: number): boolean {
  return MOMENT.test(moment) && Math.abs(Date.parse(moment) - now) <= TOLERANCE_MS;
}

function one(headers: ReceivedHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value.length <= 4_096 ? value : undefined;
}
