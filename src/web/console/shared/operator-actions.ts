import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SECRET, TODAYS_CLOCK } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { ActingOperators } from '../../../domain/operators/acting-operator.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { SessionMissing } from './console.filter.js';
import { FormTokens } from './form-tokens.js';
import { Sessions } from './sessions.js';

/** Subject of a form: its page, and the record as the page showed it. */
export interface ActSubject {
  readonly path: string;
  readonly record: string;
  readonly digest: string;
}

/** Finds the acting operator, and verifies that the console itself showed the form to that operator. The command handlers check roles. */
@Injectable()
export class OperatorActions {
  readonly #tokens: FormTokens;

  constructor(
    @Inject(SECRET) secret: Buffer,
    @Inject(TODAYS_CLOCK) clock: Clock,
    private readonly sessions: Sessions,
    private readonly operators: ActingOperators,
  ) {
    this.#tokens = new FormTokens(secret, clock);
  }

  /** Returns the operator of the session; undefined for a session of a finance key. */
  findOperator({ keyId }: FastifyRequest): KnownOperator | undefined {
    return this.operators.known.byKey(keyId);
  }

  /** Returns the token for the form of a page; null when the operator must sign in again first. */
  tokenFor(request: FastifyRequest, subject: ActSubject): string | null {
    const session = this.sessions.nameOf(request);
    return session !== undefined && this.sessions.isRecent(request) ? this.#tokens.issue({ session, ...subject }) : null;
  }

  /**
   * Verifies a form before the request changes anything.
   * @throws Problem insufficient-role for a session without an operator; SessionMissing for one that is too old; Problem insufficient-scope for a
   * form of another session, page or record, an altered form, or one older than two hours
   */
  require(request: FastifyRequest, subject: ActSubject, token: string): void {
    if (!this.findOperator(request)) {
      throw new LedgerProblem(
        'insufficient-role',
        'This session was opened with a key that belongs to no operator. Sign in with your own key, which begins with ok_.',
      );
    }
    const session = this.sessions.nameOf(request);
    if (session === undefined || !this.sessions.isRecent(request)) throw new SessionMissing();
    if (this.#tokens.holds({ session, ...subject }, token)) return;
    throw new LedgerProblem(
      'insufficient-scope',
      'This form does not belong to this session, or has expired. Nothing was recorded: open the page again.',
    );
  }

  /**
   * Does the same, and requires that the record is unchanged since the form was shown.
   * @param subject the record in its present state @throws as require; Problem digest-mismatch
   */
  requireShown(request: FastifyRequest, subject: ActSubject, { digest, form_token }: { readonly digest: string; readonly form_token: string }): void {
    this.require(request, { ...subject, digest }, form_token);
    if (digest !== subject.digest) throw new LedgerProblem('digest-mismatch', 'The record has changed since it was shown. Open the page again.');
  }
}
