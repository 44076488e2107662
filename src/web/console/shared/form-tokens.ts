import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../../ledger/crypto/encryption.js';
import { HOUR_MS, type Clock } from '../../../ledger/time.js';

/** The session, page and record for which a form was shown. */
export interface FormSubject {
  /** Name from `Sessions.nameOf`. */
  readonly session: string;
  /** Path of the page below the console. */
  readonly path: string;
  /** Id of the record. */
  readonly record: string;
  /** Digest of the record as the page showed it. */
  readonly digest: string;
}

/**
 * Tokens that prove that this console showed a form to this session, for this record in this state, within the current or the last hour.
 * Nothing is stored, so a form may be sent twice; the command handlers ignore the second one.
 */
export class FormTokens {
  readonly #key: Buffer;

  /** @param secret the service's secret */
  constructor(
    secret: Buffer,
    private readonly clock: Clock,
  ) {
    this.#key = deriveKey(secret, 'chargebook console forms');
  }

  /** Returns a token in lower-case hex. */
  issue(subject: FormSubject): string {
    return this.#tagOf(subject, this.#hour()).toString('hex');
  }

  /** Compares in constant time. */
  holds(subject: FormSubject, token: string): boolean {
    const given = Buffer.from(token, 'hex');
    const hour = this.#hour();
    const isOf = (each: number): boolean => {
      const tag = this.#tagOf(subject, each);
      return given.length === tag.length && timingSafeEqual(given, tag);
    };
    return isOf(hour) || isOf(hour - 1);
  }

  #hour(): number {
    return Math.floor(this.clock() / HOUR_MS);
  }

  #tagOf({ session, path, record, digest }: FormSubject, hour: number): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([session, path, record, digest, hour]))
      .digest();
  }
}
