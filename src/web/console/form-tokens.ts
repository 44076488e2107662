import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../ledger/crypto/encryption.js';
import { HOUR_MS, type Clock } from '../../ledger/time.js';

/** What a form was shown for. */
export interface FormSubject {
  /** As `Sessions.nameOf` names it. */
  readonly session: string;
  /** Of the page, below the console. */
  readonly path: string;
  /** Id of the record. */
  readonly record: string;
  /** Of what the page showed of it. */
  readonly digest: string;
}

/**
 * What a form brings along to prove that this console showed it to this session, for this record as it was, within this hour or the last.
 * Nothing is stored: it may be sent twice, and who decides makes nothing of the second one.
 */
export class FormTokens {
  readonly #key: Buffer;

  /** @param secret of the service */
  constructor(
    secret: Buffer,
    private readonly clock: Clock,
  ) {
    this.#key = deriveKey(secret, 'chargebook console forms');
  }

  /** Lower-case hex. */
  issue(subject: FormSubject): string {
    return this.#tagOf(subject, this.#hour()).toString('hex');
  }

  /** In constant time. */
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
