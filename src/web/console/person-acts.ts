import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { COMMON_CLOCK, SECRET } from '../../ledger/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import type { KnownOperator } from '../../domain/operators/known-operators.js';
import { KnownMerchants } from '../../domain/merchants/known-merchants.js';
import { Problem } from '../../platform/problems.js';
import { SessionMissing } from './console.filter.js';
import { FormTokens } from './form-tokens.js';
import { Sessions } from './sessions.js';

/** What a form is for: the page that it is on, and the record as the page showed it. */
export interface ActSubject {
  readonly path: string;
  readonly record: string;
  readonly digest: string;
}

/** Who acts in the console, and whether a form was shown to that person by the console itself. Roles are looked at by who decides. */
@Injectable()
export class PersonActs {
  readonly #tokens: FormTokens;

  constructor(
    @Inject(SECRET) secret: Buffer,
    @Inject(COMMON_CLOCK) clock: Clock,
    private readonly sessions: Sessions,
    private readonly merchants: KnownMerchants,
  ) {
    this.#tokens = new FormTokens(secret, clock);
  }

  /** Whose session it is; undefined where it was opened with a finance key. */
  personOf({ keyId }: FastifyRequest): KnownOperator | undefined {
    const { operators } = this.merchants;
    const id = keyId === null ? undefined : operators.ownerOf(keyId);
    return id === undefined ? undefined : operators.operator(id);
  }

  /** What the form of a page brings along; null where the person has to sign in again first. */
  tokenFor(request: FastifyRequest, subject: ActSubject): string | null {
    const session = this.sessions.nameOf(request);
    return session !== undefined && this.sessions.isRecent(request) ? this.#tokens.issue({ session, ...subject }) : null;
  }

  /**
   * Before anything is done about what a form sends.
   * @throws Problem insufficient-role where it is nobody's session; SessionMissing where it is too old; Problem insufficient-scope where the
   * form is another session's, page's or record's, altered, or older than two hours
   */
  require(request: FastifyRequest, subject: ActSubject, token: string): void {
    if (!this.personOf(request)) {
      throw new Problem(
        'insufficient-role',
        'This session was opened with a key that belongs to no operator. Sign in with your own key, which begins with ok_.',
      );
    }
    const session = this.sessions.nameOf(request);
    if (session === undefined || !this.sessions.isRecent(request)) throw new SessionMissing();
    if (this.#tokens.holds({ session, ...subject }, token)) return;
    throw new Problem('insufficient-scope', 'This form does not belong to this session, or has expired. Nothing was recorded: open the page again.');
  }

  /**
   * The same, and the record still is as the form was shown for.
   * @param subject as it stands now @throws as require; Problem digest-mismatch
   */
  requireShown(request: FastifyRequest, subject: ActSubject, { digest, form_token }: { readonly digest: string; readonly form_token: string }): void {
    this.require(request, { ...subject, digest }, form_token);
    if (digest !== subject.digest) throw new Problem('digest-mismatch', 'The record has changed since it was shown. Open the page again.');
  }
}
