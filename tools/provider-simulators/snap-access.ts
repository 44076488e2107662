import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { SnapCredentials } from '../../src/rails/snap/credentials.js';
import type { SnapProfile } from '../../src/rails/snap/profiles.js';
import {
  asymmetricSignature,
  isAsymmetricSignature,
  isSymmetricSignature,
  readPrivateKey,
  stringToSign,
  symmetricSignature,
  tokenStringToSign,
} from '../../src/rails/snap/signature.js';
import { jakartaTime } from '../../src/rails/snap/jakarta.js';
import type { SimulatedRequest } from './simulator-server.js';

/** Both sides of an agreement with a bank. */
export interface SnapAgreement {
  /** The client's credentials. */
  readonly credentials: SnapCredentials;
  /** The key with which the bank signs its messages; PKCS #8 in PEM. */
  readonly bankKey: string;
}

const RSA_BITS = 2048;
const TOKEN_MS = 900_000;
const TOLERANCE_MS = 5 * 60_000;

/** Returns a new agreement with its own keys. */
export function newSnapAgreement(): SnapAgreement {
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
    return {
      private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
  };
  const [client, bank] = [pair(), pair()];
  return {
    bankKey: bank.private,
    credentials: {
      client_key: randomBytes(16).toString('hex'),
      client_secret: randomBytes(32).toString('hex'),
      private_key: client.private,
      public_key: bank.public,
      partner_id: 'DOUBLE0001',
      channel_id: '95221',
      source_account: '1234567890',
      merchant_id: '00007100010926',
      terminal_id: 'A1234567',
    },
  };
}

/** Authentication by the bank: tokens and signatures. */
export class SnapAccess {
  readonly #clientKey: KeyObject;
  readonly #bankKey: KeyObject;
  /** Expiry of each token, ms since the epoch. */
  readonly #tokens = new Map<string, number>();

  constructor(
    private readonly profile: SnapProfile,
    private readonly agreement: SnapAgreement,
  ) {
    this.#clientKey = createPublicKey(readPrivateKey(agreement.credentials.private_key));
    this.#bankKey = readPrivateKey(agreement.bankKey);
  }

  /** undefined: another client, or its clock or key is wrong. */
  grant({ headers }: SimulatedRequest): string | undefined {
    const { client_key } = this.agreement.credentials;
    const [timestamp, signature] = [String(headers['x-timestamp']), String(headers['x-signature'])];
    const isClient = headers['x-client-key'] === client_key && isRecent(timestamp);
    if (!isClient || !isAsymmetricSignature(this.#clientKey, tokenStringToSign(client_key, timestamp), this.profile.encoding, signature))
      return undefined;
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, Date.now() + TOKEN_MS);
    return token;
  }

  /** Returns HTTP status and case of a refusal; undefined: admitted. `dies`: the token is no longer accepted. */
  refusal({ method, path, headers, body }: SimulatedRequest, dies: boolean): readonly [http: number, caseCode: string] | undefined {
    const { encoding, auth, external_digits } = this.profile;
    const { partner_id, client_secret } = this.agreement.credentials;
    const [timestamp, signature, externalId] = [String(headers['x-timestamp']), String(headers['x-signature']), String(headers['x-external-id'])];
    if (headers['x-partner-id'] !== partner_id || headers['channel-id'] === undefined) return [400, '00'];
    if (!/^\d+$/.test(externalId) || externalId.length > external_digits) return [400, '01'];
    if (!isRecent(timestamp)) return [401, '00'];
    const signed = { method, path, body, timestamp };
    if (auth === 'asymmetric') return isAsymmetricSignature(this.#clientKey, stringToSign(signed), encoding, signature) ? undefined : [401, '00'];
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (dies) this.#tokens.delete(token);
    if ((this.#tokens.get(token) ?? 0) <= Date.now()) return [401, '01'];
    return isSymmetricSignature(client_secret, stringToSign({ ...signed, token }), encoding, signature) ? undefined : [401, '00'];
  }

  /** Returns the headers of a notification. `token`: the client's access token; null for a bank that uses none. */
  notificationHeaders(path: string, body: string, token: string | null, at: number): Record<string, string> {
    const timestamp = jakartaTime(at);
    const signed = { method: 'POST', path, body: Buffer.from(body), timestamp };
    const { encoding } = this.profile;
    const signature =
      token === null
        ? asymmetricSignature(this.#bankKey, stringToSign(signed), encoding)
        : symmetricSignature(this.agreement.credentials.client_secret, stringToSign({ ...signed, token }), encoding);
    return {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      'x-timestamp': timestamp,
      'x-signature': signature,
      'x-partner-id': this.agreement.credentials.partner_id,
      'x-external-id': String(BigInt(`0x${randomBytes(12).toString('hex')}`)),
      'channel-id': this.agreement.credentials.channel_id,
    };
  }

  /** Returns the headers with which a bank requests a token from us. */
  tokenHeaders(at: number): Record<string, string> {
    const { client_key } = this.agreement.credentials;
    const timestamp = jakartaTime(at);
    const signature = asymmetricSignature(this.#bankKey, tokenStringToSign(client_key, timestamp), this.profile.encoding);
    return { 'content-type': 'application/json', 'x-client-key': client_key, 'x-timestamp': timestamp, 'x-signature': signature };
  }
}

const isRecent = (timestamp: string): boolean => Math.abs(Date.parse(timestamp) - Date.now()) <= TOLERANCE_MS;
