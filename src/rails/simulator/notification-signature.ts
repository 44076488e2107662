import { createHmac, timingSafeEqual } from 'node:crypto';
import { UnverifiedNotification, type SignedNotification } from '../../domain/charges/processor.js';
import { deriveKey } from '../../ledger/crypto/encryption.js';

/** Signed notifications older or newer than this are rejected, so that a captured one cannot be replayed later. */
const TOLERANCE_MS = 5 * 60 * 1000;

/**
 * The signature of notifications of the simulated counterparties, like that of real ones:
 * `<Sender>-Timestamp: <seconds since the epoch>` and `<Sender>-Signature: v1=<hex HMAC-SHA256 of timestamp.body>`.
 */
export class NotificationSignature {
  readonly #secret: Buffer;
  readonly #timestampHeader: string;
  readonly #signatureHeader: string;

  /**
   * @param sender first part of the headers' names
   * @param secret secret of the service, 32 bytes
   * @param label label under which every process derives the same signing key from the secret
   */
  constructor(
    private readonly sender: string,
    secret: Buffer,
    label: string,
  ) {
    this.#secret = deriveKey(secret, label);
    this.#timestampHeader = `${sender.toLowerCase()}-timestamp`;
    this.#signatureHeader = `${sender.toLowerCase()}-signature`;
  }

  /** `now`: milliseconds since the epoch. */
  sign(notification: object, now: number): SignedNotification {
    const body = Buffer.from(JSON.stringify(notification));
    const timestamp = Math.floor(now / 1000).toString();
    return { body, headers: { [this.#timestampHeader]: timestamp, [this.#signatureHeader]: `v1=${this.#mac(timestamp, body).toString('hex')}` } };
  }

  /** `now`: milliseconds since the epoch. @throws UnverifiedNotification */
  verify({ body, headers }: SignedNotification, now: number): void {
    const timestamp = headers[this.#timestampHeader];
    const signature = headers[this.#signatureHeader];
    if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) {
      throw new UnverifiedNotification(`${this.sender}-Timestamp is missing or malformed.`);
    }
    if (typeof signature !== 'string' || !/^v1=[0-9a-f]{64}$/.test(signature)) {
      throw new UnverifiedNotification(`${this.sender}-Signature is missing or malformed.`);
    }
    if (!timingSafeEqual(Buffer.from(signature.slice('v1='.length), 'hex'), this.#mac(timestamp, body))) {
      throw new UnverifiedNotification('The signature does not match.');
    }
    if (Math.abs(now - Number(timestamp) * 1000) > TOLERANCE_MS) {
      throw new UnverifiedNotification('The notification was not signed within the last five minutes.');
    }
  }

  #mac(timestamp: string, body: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(`${timestamp}.`).update(body).digest();
  }
}
