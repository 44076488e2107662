import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_CLOCK, PUBLIC_ADDRESS, SECRET, type PublicAddress } from '../ledger/injection-tokens.js';
import { deriveKey } from '../ledger/sealing.js';
import { KnownMerchants, type KnownKey } from '../merchants/known-merchants.js';
import { hashKey, parseKey } from '../platform/auth/api-key.js';
import { isGood, KEY_DIRECTORY, type KeyDirectory } from '../platform/auth/key-directory.js';
import { TokenBuckets } from '../platform/auth/token-bucket.js';
import { HTTP_OPTIONS, type HttpOptions } from '../platform/http/http-options.js';
import { Problem } from '../platform/problems.js';
import type { Clock } from '../ledger/time.js';

const COOKIE = 'chargebook_console';
const LIFETIME_SECONDS = 8 * 3_600;
/** Id of a key, end in seconds since the epoch, HMAC-SHA-256 in base64url. */
const TOKEN = /^([A-Za-z0-9_-]{1,64})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
const DELETED = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** The sign-in is refused; the message is for the person. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/**
 * Sessions of the console: a cookie that names the key it was opened with and its own end, under an HMAC of ours. Nothing is stored;
 * each request asks again whether the key still is what it was, so that revoking it ends its sessions within a second.
 */
@Injectable()
export class Sessions {
  readonly #secret: Buffer;
  readonly #buckets: TokenBuckets | null;

  constructor(
    @Inject(SECRET) secret: Buffer,
    private readonly merchants: KnownMerchants,
    @Inject(KEY_DIRECTORY) private readonly keys: KeyDirectory,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    @Inject(HTTP_OPTIONS) { rateLimitPerSecond }: HttpOptions,
  ) {
    this.#secret = deriveKey(secret, 'chargebook console sessions');
    this.#buckets = rateLimitPerSecond > 0 ? new TokenBuckets(rateLimitPerSecond) : null;
  }

  /** Path of the console, below whatever path PUBLIC_URL has. */
  get root(): string {
    return `${new URL(this.address.url).pathname.replace(/\/$/, '')}/console`;
  }

  /** Opens a session with the finance key that was typed. @throws SignInRefused; Problem rate-limited, unavailable */
  async open(typed: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#limit(`address ${request.ip}`);
    const form = parseKey(typed);
    if (!form) throw new SignInRefused('This is not a key of this service: it may be mistyped or cut off.');
    if (form.prefix !== 'fk_') throw new SignInRefused('A merchant’s key does not open the console; it takes a finance key, which begins with fk_.');
    const hash = hashKey(typed);
    const key = await this.#known(() => this.merchants.keyByHash(hash));
    if (!key || !this.#isGood(key)) throw new SignInRefused('The key is unknown, expired or revoked.');
    const ends = Math.floor(this.clock() / 1_000) + LIFETIME_SECONDS;
    this.#setCookie(reply, `${key.key_id}.${ends}.${this.#tag(key.key_id, ends).toString('base64url')}`, `Max-Age=${LIFETIME_SECONDS}`);
  }

  /** The key whose session `request` belongs to; undefined when there is none or its time is over. @throws Problem rate-limited, unavailable */
  async find(request: FastifyRequest): Promise<KnownKey | undefined> {
    const session = this.#sessionOf(request);
    if (!session) return undefined;
    const key = await this.#known(() => this.merchants.keyById(session.keyId));
    if (!key || !this.#isGood(key)) return undefined;
    this.#limit(key.key_id);
    return key;
  }

  /** Whether the session of an answer that takes long is still good. */
  isStillGood(request: FastifyRequest): boolean {
    const session = this.#sessionOf(request);
    const key = session && this.merchants.keyById(session.keyId);
    return key !== undefined && this.#isGood(key);
  }

  close(reply: FastifyReply): void {
    this.#setCookie(reply, '', `Max-Age=0; Expires=${DELETED}`);
  }

  /**
   * A form of another site must not act with this browser's session: a browser says where a form comes from.
   * @throws Problem insufficient-scope
   */
  refuseForeign({ headers }: FastifyRequest): void {
    const { origin, host } = headers;
    const own = [new URL(this.address.url).origin, `http://${host}`, `https://${host}`];
    if (origin === undefined || !own.includes(origin)) {
      throw new Problem('insufficient-scope', 'This form was not sent from the console itself. Open the console and try again.');
    }
  }

  #sessionOf({ headers }: FastifyRequest): { readonly keyId: string } | undefined {
    for (const pair of headers.cookie?.split(';') ?? []) {
      const [name, value = ''] = pair.trim().split('=');
      const [, keyId = '', ends = '', tag = ''] = (name === COOKIE && TOKEN.exec(value)) || [];
      if (tag === '' || !timingSafeEqual(Buffer.from(tag, 'base64url'), this.#tag(keyId, Number(ends)))) continue;
      if (Number(ends) * 1_000 > this.clock()) return { keyId };
    }
    return undefined;
  }

  /** A key that was issued a moment ago may have to be waited for. */
  async #known(find: () => KnownKey | undefined): Promise<KnownKey | undefined> {
    const isWaitedFor = !this.keys.isFresh() || find() === undefined;
    if (isWaitedFor && !(await this.keys.confirm())) throw new Problem('unavailable', 'Keys cannot be checked just now.');
    return find();
  }

  #isGood(key: KnownKey): boolean {
    return key.kind === 'finance' && isGood(key, this.clock());
  }

  #tag(keyId: string, ends: number): Buffer {
    return createHmac('sha256', this.#secret).update(`${keyId}\n${ends}`).digest();
  }

  #limit(caller: string): void {
    const allowance = this.#buckets?.take(caller);
    if (allowance?.allowed !== false) return;
    throw new Problem('rate-limited', 'The console was asked more often than its rate allows.', {
      headers: { 'retry-after': String(allowance.retryAfterSeconds) },
    });
  }

  #setCookie(reply: FastifyReply, value: string, age: string): void {
    const secure = this.address.url.startsWith('https:') ? '; Secure' : '';
    void reply.header('set-cookie', `${COOKIE}=${value}; Path=${this.root}; ${age}; HttpOnly; SameSite=Strict${secure}`);
  }
}
