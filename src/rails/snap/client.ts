import type { KeyObject } from 'node:crypto';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import type { Clock } from '../../ledger/time.js';
import type { RailCall, RailCalls, RailAnswer } from '../calls/rail-calls.js';
import type { RailReport } from '../calls/rail-report.js';
import { readSnapAnswer, type SnapAnswer } from './answer.js';
import type { SnapCredentials } from './credentials.js';
import { jakartaTime } from './jakarta.js';
import { PAY_VERDICTS, verdictOf } from './outcomes.js';
import { snapProfile, type Service, type SnapProfile } from './profiles.js';
import { asymmetricSignature, readPrivateKey, stringToSign, symmetricSignature } from './signature.js';
import { SnapToken } from './token.js';

/** Options of the adapters of SNAP. */
export interface SnapOptions {
  /** Name of the rail. */
  readonly name: string;
  /** One of SNAP_PROFILE_NAMES. */
  readonly profile: string;
  readonly mode: 'live' | 'sandbox';
  /** Base of `calls`: signatures include its path. */
  readonly base: string;
  readonly calls: RailCalls;
  readonly credentials: SnapCredentials;
  /** Messages of the provider are also accepted under these, until they are retired. */
  readonly previous?: SnapCredentials | undefined;
  /** Returns at most `digits` digits that no other call of this rail has on this day in Jakarta. */
  readonly newExternalId: (digits: number) => Promise<string>;
  readonly clock: Clock;
  readonly report: (report: RailReport) => void;
}

/** One call of a service. */
export interface SnapRequest extends Pick<RailCall, 'endpoint' | 'priority' | 'totalMs' | 'bytesMax' | 'isInquiry' | 'ids'> {
  readonly service: Service;
  readonly body: object;
  /** Stored before the call: exactly one request has it. Without it the client takes a new one. */
  readonly externalId?: string;
  /** True when the client renews a rejected token and repeats the call under another external id. Never for a call that moves money. */
  readonly renews: boolean;
}

/** Time in which a call that moves money must be sent, else it is never sent; ms. Source: rails.md, 10 s from the event stored before it. */
const LEAVE_WITHIN_MS = 9_000;
const TOKEN_REFUSED = '01';
/** Matches a response code, as opposed to a word of ours. */
const DOCUMENTED = /^\d{7}$/;
/** Our credentials, key or clock are wrong: only an operator can correct it. */
const REFUSED_TOKEN = /^40\d73\d\d$/;
const QR_SERVICES: readonly Service[] = ['47', '51', '52', '77', '78'];

/** Makes signed calls to one provider. */
export class SnapClient {
  readonly profile: SnapProfile;
  readonly #key: KeyObject;
  readonly #calls: DatedCalls;
  readonly #token: SnapToken | undefined;
  /** The path of the base, without a trailing slash. */
  readonly #prefix: string;

  /** @throws RangeError when there is no such profile, Error when the private key cannot be read */
  constructor(private readonly options: Omit<SnapOptions, 'mode' | 'previous'>) {
    const profile = snapProfile(options.profile);
    if (!profile) throw new RangeError(`unknown SNAP profile: ${options.profile}`);
    this.profile = profile;
    this.#key = readPrivateKey(options.credentials.private_key);
    this.#prefix = new URL(options.base).pathname.replace(/\/+$/, '');
    this.#calls = new DatedCalls(options.calls, options.clock);
    if (profile.auth === 'symmetric') {
      const { credentials, clock } = options;
      this.#token = new SnapToken({ profile, calls: this.#calls, clientKey: credentials.client_key, privateKey: this.#key, clock });
    }
  }

  /** How far the provider's clock is ahead, ms; undefined before the first answer with a date. */
  get skewMs(): number | undefined {
    return this.#calls.skewMs;
  }

  /** Returns an access token, which it requests from the provider if there is none; null for a provider without tokens. */
  async token(): Promise<ProviderResult<string | null>> {
    return this.#token ? this.#token.get() : { is: 'accepted', value: null };
  }

  /**
   * Without an access token nothing was sent, whatever the result of the token request: the outcome is retryable. `read` receives only documented
   * answers of this service; every other answer is unknown.
   */
  async call<T>(request: SnapRequest, read: (answer: SnapAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    const begun = performance.now();
    const first = await this.#once(request, begun, read);
    if (!first.refused || !request.renews) return first.outcome;
    const { externalId: _, ...again } = request;
    return (await this.#once(again, begun, read)).outcome;
  }

  /** `refused`: the provider rejected the token. */
  async #once<T>(
    request: SnapRequest,
    begun: number,
    read: (answer: SnapAnswer) => ProviderResult<T>,
  ): Promise<{ outcome: ProviderResult<T>; refused: boolean }> {
    const path = this.profile.paths[request.service];
    if (path === undefined) return { outcome: { is: 'rejected', code: 'service-not-offered', detail: `service ${request.service}` }, refused: false };
    const token = await this.token();
    if (token.is !== 'accepted') {
      if (REFUSED_TOKEN.test(token.code)) this.#report('token', token.code, 'red');
      return { outcome: withoutToken(token), refused: false };
    }
    const externalId = request.externalId ?? (await this.#newExternalId(request.service));
    const body = JSON.stringify(request.body);
    const { service: _, externalId: __, renews: ___, body: ____, ...rest } = request;
    let [refused, answered] = [false, false];
    const outcome = await this.#calls.call<T>(
      {
        ...rest,
        method: 'POST',
        path,
        headers: this.#headers(request.service, path, body, externalId, token.value),
        body,
        ids: { ...request.ids, external_id: externalId },
        leaveWithinMs: Math.max(0, LEAVE_WITHIN_MS - (performance.now() - begun)),
      },
      (received) => {
        answered = true;
        const answer = readSnapAnswer(request.service, received);
        if (!answer) return { is: 'unknown', code: 'unreadable-answer' };
        refused = answer.http === 401 && answer.caseCode === TOKEN_REFUSED;
        const { report } = verdictOf(PAY_VERDICTS, answer.http, answer.caseCode);
        if (report) this.#report(request.endpoint, answer.code, report);
        return read(answer);
      },
    );
    // The answer is not a documented one about this request: another amount, another reference, or a missing field.
    if (outcome.is === 'unknown' && answered && !DOCUMENTED.test(outcome.code)) this.#report(request.endpoint, outcome.code, 'amber');
    if (refused && token.value !== null) this.#token?.drop(token.value);
    return { outcome, refused };
  }

  #report(endpoint: string, code: string, level: RailReport['level']): void {
    this.options.report({ rail: this.options.name, level, endpoint, code });
  }

  #headers(service: Service, path: string, body: string, externalId: string, token: string | null): Record<string, string> {
    const { credentials, clock } = this.options;
    const { channel_id, encoding } = this.profile;
    const timestamp = jakartaTime(clock());
    const signed = { method: 'POST', path: this.#prefix + path, body: Buffer.from(body), timestamp };
    const signature =
      token === null
        ? asymmetricSignature(this.#key, stringToSign(signed), encoding)
        : symmetricSignature(credentials.client_secret, stringToSign({ ...signed, token }), encoding);
    return {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      'x-timestamp': timestamp,
      'x-signature': signature,
      'x-partner-id': credentials.partner_id,
      'x-external-id': externalId,
      'channel-id': channel_id?.[QR_SERVICES.includes(service) ? 'qr' : 'transfer'] ?? credentials.channel_id,
    };
  }

  async #newExternalId(service: Service): Promise<string> {
    const digits = service === '11' || service === '14' ? this.profile.statement_external_digits : this.profile.external_digits;
    // The part that makes an id unique is at its end.
    return (await this.options.newExternalId(digits)).slice(-digits);
  }
}

function withoutToken(token: Exclude<ProviderResult<string | null>, { is: 'accepted' }>): ProviderResult<never> {
  const after = token.is === 'retryable' && token.after_ms !== undefined ? { after_ms: token.after_ms } : {};
  return { is: 'retryable', code: `token:${token.code}`, ...after };
}

/** Makes calls, and records the provider's clock from the last answer. */
class DatedCalls implements RailCalls {
  /** How far the provider's clock is ahead, ms, to the second; undefined before the first answer with a date. */
  skewMs: number | undefined;

  constructor(
    private readonly calls: RailCalls,
    private readonly clock: Clock,
  ) {}

  call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    return this.calls.call(call, (answer) => {
      const { date } = answer.headers;
      const told = typeof date === 'string' ? Date.parse(date) : Number.NaN;
      if (!Number.isNaN(told)) this.skewMs = told - this.clock();
      return read(answer);
    });
  }
}
