import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import type { Clock } from '../../ledger/time.js';
import type { RailAnswer, RailCalls } from '../calls/rail-calls.js';
import { readAs, readSnapAnswer } from './answer.js';
import { jakartaTime } from './jakarta.js';
import type { SnapProfile } from './profiles.js';
import { asymmetricSignature, tokenStringToSign } from './signature.js';

/** A token is discarded this long before its expiry, so that it does not expire during a call. */
const RENEWED_EARLY_MS = 60_000;
/** Limits until the request for a token is sent, and for the whole request; ms. A payment waits for it. */
const LEAVE_WITHIN_MS = 2_000;
const TOTAL_MS = 5_000;
const SERVICE = '73';

/** `expiresIn` is a string of seconds: "900" in the standard, "899" at BRI. */
const granted = z.object({
  accesstoken: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,4096}$/),
  expiresin: z.string().regex(/^\d{1,6}$/),
});

export interface SnapTokenOptions {
  readonly profile: SnapProfile;
  readonly calls: RailCalls;
  readonly clientKey: string;
  readonly privateKey: KeyObject;
  readonly clock: Clock;
}

/** The access token of a rail: cached until shortly before its expiry, requested once for concurrent calls. */
export class SnapToken {
  #kept: { readonly value: string; readonly until: number } | undefined;
  #flight: Promise<ProviderResult<string>> | undefined;

  constructor(private readonly options: SnapTokenOptions) {}

  async get(): Promise<ProviderResult<string>> {
    if (this.#kept && this.options.clock() < this.#kept.until) return { is: 'accepted', value: this.#kept.value };
    this.#flight ??= this.#ask().finally(() => (this.#flight = undefined));
    return this.#flight;
  }

  /** Discards a token that the provider rejects. */
  drop(value: string): void {
    if (this.#kept?.value === value) this.#kept = undefined;
  }

  #ask(): Promise<ProviderResult<string>> {
    const { calls, profile, clientKey, privateKey, clock } = this.options;
    const asked = clock();
    const timestamp = jakartaTime(asked);
    return calls.call(
      {
        endpoint: 'token',
        priority: 'act',
        method: 'POST',
        path: profile.token_path,
        headers: {
          'content-type': 'application/json',
          'x-timestamp': timestamp,
          'x-client-key': clientKey,
          'x-signature': asymmetricSignature(privateKey, tokenStringToSign(clientKey, timestamp), profile.encoding),
        },
        body: JSON.stringify({ grantType: 'client_credentials' }),
        leaveWithinMs: LEAVE_WITHIN_MS,
        totalMs: TOTAL_MS,
        isInquiry: true,
      },
      (answer) => this.#read(answer, asked),
    );
  }

  #read(received: RailAnswer, asked: number): ProviderResult<string> {
    const answer = readSnapAnswer(SERVICE, received);
    if (!answer) return { is: 'unknown', code: 'unreadable-answer' };
    if (answer.http !== 200 || answer.caseCode !== '00') return { is: 'retryable', code: answer.code };
    return readAs(granted, answer, ({ accesstoken, expiresin }) => {
      this.#kept = { value: accesstoken, until: asked + Number(expiresin) * 1_000 - RENEWED_EARLY_MS };
      return { is: 'accepted', value: accesstoken };
    });
  }
}
