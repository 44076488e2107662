import { randomBytes } from 'node:crypto';
import { fastifyCookie, Signer } from '@fastify/cookie';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_ADDRESS, SECRET, SESSION_RATES, TODAYS_CLOCK, TODAYS_MERCHANTS, type PublicAddress } from '../../../ledger/ports/injection-tokens.js';
import { deriveKey } from '../../../ledger/crypto/encryption.js';
import type { KnownKey } from '../../../domain/operators/known-keys.js';
import type { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { hashKey, parseKey } from '../../../platform/auth/api-key.js';
import { isGood, KEY_DIRECTORY, type KeyDirectory } from '../../../platform/auth/key-directory.js';
import type { TokenBuckets } from '../../../platform/auth/token-bucket.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { pathBelow } from '../../../platform/text/uri.js';
import type { Clock } from '../../../ledger/time.js';

const COOKIE = 'chargebook_console';
/** Paths of the service with pages of the console. */
const PATHS = ['/console', '/at'];
const LIFETIME_SECONDS = 8 * 3_600;
/** An older session can still read, but no longer act. */
const ACTS_SECONDS = 3_600;

/** The sign-in is refused. The message is shown to the operator. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

interface Session {
  readonly keyId: string;
  /** End of the session, seconds since the epoch. */
  readonly ends: number;
  /** Distinguishes sessions that one key opened within a second. */
  readonly nonce: string;
  readonly mode: Mode | undefined;
}

/**
 * Sessions of the console. A signed cookie has the key that opened the session, the session's end, a nonce, and the mode that it was
 * switched to. Nothing is stored; each request checks the key again, so that revoking a key ends its sessions within a second.
 */
@Injectable()
export class Sessions {
  readonly #signer: Signer;

  constructor(
    @Inject(SECRET) secret: Buffer,
    @Inject(TODAYS_MERCHANTS) private readonly merchants: KnownMerchants,
    @Inject(KEY_DIRECTORY) private readonly keys: KeyDirectory,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(TODAYS_CLOCK) private readonly clock: Clock,
    @Inject(SESSION_RATES) private readonly rates: TokenBuckets | null,
  ) {
    this.#signer = new Signer(deriveKey(secret, 'chargebook console sessions'));
  }

  /** Opens a session with a typed key of finance or of an operator. @throws SignInRefused; Problem rate-limited, unavailable */
  async open(typed: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#limit(`address ${request.ip}`);
    const form = parseKey(typed);
    if (!form) throw new SignInRefused('This is not a key of this service: it may be mistyped or truncated.');
    if (form.prefix !== 'fk_' && form.prefix !== 'ok_') {
      throw new SignInRefused(
        'The console does not accept a merchant’s key. Use a finance key, which begins with fk_, or your own key, which begins with ok_.',
      );
    }
    const hash = hashKey(typed);
    const key = await this.#known(() => this.merchants.keyByHash(hash));
    if (!key || !this.#isGood(key)) throw new SignInRefused('The key is unknown, expired or revoked.');
    const ends = Math.floor(this.clock() / 1_000) + LIFETIME_SECONDS;
    this.#setCookie(reply, this.#signer.sign(`${key.key_id}.${ends}.${randomBytes(8).toString('hex')}`), { maxAge: LIFETIME_SECONDS });
  }

  /** Returns the key of the request's session; undefined without a session or after its end. @throws Problem rate-limited, unavailable */
  async find(request: FastifyRequest): Promise<KnownKey | undefined> {
    const session = this.#sessionOf(request);
    if (!session) return undefined;
    const key = await this.#known(() => this.merchants.keyById(session.keyId));
    if (!key || !this.#isGood(key)) return undefined;
    this.#limit(key.key_id);
    return key;
  }

  /** Returns whether the session is still valid during a long response. */
  isStillGood(request: FastifyRequest): boolean {
    const session = this.#sessionOf(request);
    const key = session && this.merchants.keyById(session.keyId);
    return key !== undefined && this.#isGood(key);
  }

  /** Returns the mode that the session was switched to; undefined if it was not switched. */
  modeOf(request: FastifyRequest): Mode | undefined {
    return this.#sessionOf(request)?.mode;
  }

  /** Returns a name that distinguishes the request's session from others of its key, independent of the mode; undefined without a session. */
  nameOf(request: FastifyRequest): string | undefined {
    const session = this.#sessionOf(request);
    return session && `${session.keyId}.${session.ends}.${session.nonce}`;
  }

  /** Returns whether the operator may act: the session was opened less than 60 minutes ago. */
  isRecent(request: FastifyRequest): boolean {
    const session = this.#sessionOf(request);
    return session !== undefined && this.clock() < (session.ends - LIFETIME_SECONDS + ACTS_SECONDS) * 1_000;
  }

  /** Switches the session of `request` to this mode. Its end stays the same. */
  switchTo(mode: Mode, request: FastifyRequest, reply: FastifyReply): void {
    const session = this.#sessionOf(request);
    if (!session) return;
    const { keyId, ends, nonce } = session;
    this.#setCookie(reply, this.#signer.sign(`${keyId}.${ends}.${nonce}.${mode}`), { maxAge: ends - Math.floor(this.clock() / 1_000) });
  }

  close(reply: FastifyReply): void {
    this.#setCookie(reply, '', { maxAge: 0, expires: new Date(0) });
  }

  /**
   * Refuses forms of other sites, which must not act with this browser's session. A browser sends the origin of a form.
   * @throws Problem insufficient-scope
   */
  refuseForeign({ headers }: FastifyRequest): void {
    const { origin, host } = headers;
    const own = [new URL(this.address.url).origin, `http://${host}`, `https://${host}`];
    if (origin === undefined || !own.includes(origin)) {
      throw new LedgerProblem('insufficient-scope', 'This form was not sent from the console itself. Open the console and try again.');
    }
  }

  #sessionOf({ headers }: FastifyRequest): Session | undefined {
    const { valid, value } = this.#signer.unsign(fastifyCookie.parse(headers.cookie ?? '')[COOKIE] ?? '');
    const [keyId = '', end, nonce = '', mode] = valid ? value.split('.') : [];
    const ends = Number(end);
    return ends * 1_000 > this.clock() ? { keyId, ends, nonce, mode: MODES.find((each) => each === mode) } : undefined;
  }

  /** Waits for a key that may have been issued a moment ago. */
  async #known(find: () => KnownKey | undefined): Promise<KnownKey | undefined> {
    const isWaitedFor = !this.keys.isFresh() || find() === undefined;
    if (isWaitedFor && !(await this.keys.confirm())) throw new LedgerProblem('unavailable', 'Keys cannot be checked at the moment.');
    return find();
  }

  #isGood(key: KnownKey): boolean {
    return key.kind !== 'merchant' && isGood(key, this.clock());
  }

  #limit(caller: string): void {
    const allowance = this.rates?.take(caller);
    if (allowance?.allowed !== false) return;
    throw new LedgerProblem('rate-limited', 'The console has received more requests than its rate limit allows.', {
      headers: { 'retry-after': String(allowance.retryAfterSeconds) },
    });
  }

  /**
   * Only the console of the present and of past moments receives it. Written without the library's plug-in, which would parse the
   * cookies of every request.
   */
  #setCookie(reply: FastifyReply, value: string, age: { readonly maxAge: number; readonly expires?: Date }): void {
    const of = { ...age, httpOnly: true, sameSite: 'strict', secure: this.address.url.startsWith('https:') } as const;
    const cookies = PATHS.map((path) => fastifyCookie.serialize(COOKIE, value, { path: pathBelow(this.address.url, path), ...of }));
    void reply.header('set-cookie', cookies);
  }
}
