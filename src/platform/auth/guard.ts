import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems.js';
import { hashKey, parseKey } from './api-key.js';
import { isGood, type KeyDirectory, type KeyRecord } from './key-directory.js';
import { TokenBuckets, type Allowance } from './token-bucket.js';
import ipaddr from 'ipaddr.js';

/** Unless `unlimited`, each address of the internet has a rate. */
type ByAnybody = { readonly kind: 'public'; readonly unlimited: boolean };

/** A merchant's key with this scope; or a key that reads across merchants, finance's or an operator's. */
export type ByKey = { readonly kind: 'merchant'; readonly scope: string } | { readonly kind: 'finance' };

/** Who may call a route; by a session: whoever a SessionGate knows. */
export type Access = ByAnybody | ByKey | { readonly kind: 'session' };

const REALM = 'Bearer realm="chargebook"';
const INVALID_TOKEN = { headers: { 'www-authenticate': `${REALM}, error="invalid_token"` } };
const POLICY_NAME = '"default"';

/** The key may have been issued a moment ago, or the directory is behind: asked again after `Guard.catchUp`, the answer may be another. */
export class NotKnownYet extends Problem {}

/**
 * Who is calling, may they, and not too often: in this order, before a body is read.
 * It runs as a Fastify hook and not as a Nest guard, because Nest's guards run when the body has been parsed already.
 */
export class Guard {
  private readonly buckets: TokenBuckets | null;
  private readonly visitors: TokenBuckets | null;
  private readonly policyHeader: string;

  /** `ratePerSecond` for each merchant, and for each address that comes without a key; 0 sets no limit. */
  constructor(
    private readonly keys: KeyDirectory,
    ratePerSecond: number,
    private readonly now: () => number = Date.now,
  ) {
    this.buckets = ratePerSecond > 0 ? new TokenBuckets(ratePerSecond) : null;
    this.visitors = ratePerSecond > 0 ? new TokenBuckets(ratePerSecond) : null;
    this.policyHeader = `${POLICY_NAME};q=${2 * ratePerSecond};w=2`;
  }

  /** Waits until every key that was issued before this call is known, or until that has taken too long. */
  async catchUp(): Promise<void> {
    await this.keys.confirm();
  }

  /** @throws NotKnownYet; Problem unauthenticated, rate-limited, insufficient-scope, unavailable. */
  admit(access: ByAnybody | ByKey, request: FastifyRequest, reply: FastifyReply): void {
    if (access.kind === 'public') {
      if (!access.unlimited) this.limitVisitor(request);
      return;
    }
    const key = this.authenticate(request.headers.authorization);
    request.keyId = key.key_id;
    this.limit(key.merchant_id ?? key.key_id, reply);
    if (access.kind === 'finance') {
      if (key.kind === 'merchant') throw outOfScope('finance', 'A merchant’s key does not work here; it takes a finance key.');
      return;
    }
    const { scope } = access;
    if (key.kind !== 'merchant' || key.merchant_id === null) {
      const whose = key.kind === 'operator' ? 'An operator’s' : 'A finance';
      throw outOfScope(scope, `${whose} key does not work here; it takes a merchant’s key.`);
    }
    if (!key.scopes.includes(scope) && !key.scopes.includes('*')) {
      throw outOfScope(scope, `The key was not given the scope ${scope}.`);
    }
    request.caller = { merchant_id: key.merchant_id, key_id: key.key_id, mode: key.mode, scopes: key.scopes };
  }

  /** For answers that take long: whether the key with which `request` was admitted is known to be expired or revoked by now. */
  admitsStill(request: FastifyRequest): boolean {
    if (request.stillAdmits !== null) return request.stillAdmits();
    if (request.keyId === null) return true;
    try {
      this.authenticate(request.headers.authorization);
      return true;
    } catch (refusal) {
      // Keys that cannot be checked just now can at the next page.
      return refusal instanceof Problem && refusal.code === 'unavailable';
    }
  }

  private authenticate(authorization: string | undefined): KeyRecord {
    if (authorization === undefined) throw new Problem('unauthenticated', 'Send a key in the header "Authorization: Bearer …".');
    const credential = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (credential === undefined || parseKey(credential) === undefined) {
      throw new Problem('unauthenticated', 'The credential is not a key of this service: it may be mistyped or cut off.');
    }
    if (!this.keys.isFresh()) throw new NotKnownYet('unavailable', 'Keys cannot be checked just now.');
    const key = this.keys.find(hashKey(credential));
    const refused = ['unauthenticated', 'The key is unknown, expired or revoked.', INVALID_TOKEN] as const;
    if (key === undefined) throw new NotKnownYet(...refused);
    if (!isGood(key, this.now())) throw new Problem(...refused);
    return key;
  }

  private limit(caller: string, reply: FastifyReply): void {
    if (this.buckets === null) return;
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = this.buckets.take(caller);
    // The draft: on a refusal, t and Retry-After name the same moment.
    const seconds = allowed ? resetSeconds : retryAfterSeconds;
    void reply.header('ratelimit-policy', this.policyHeader).header('ratelimit', `${POLICY_NAME};r=${remaining};t=${seconds}`);
    if (!allowed) throw tooOften('The merchant has sent more requests than its rate allows.', { retryAfterSeconds });
  }

  private limitVisitor({ ip }: FastifyRequest): void {
    const visitor = this.visitors && visitorOf(ip);
    if (visitor === null) return;
    const allowance = this.visitors!.take(visitor);
    if (!allowance.allowed) throw tooOften('More was asked from this address than its rate allows.', allowance);
  }
}

function tooOften(detail: string, { retryAfterSeconds }: Pick<Allowance, 'retryAfterSeconds'>): Problem {
  return new Problem('rate-limited', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

function outOfScope(scope: string, detail: string): Problem {
  return new Problem('insufficient-scope', detail, { headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` } });
}

/** Who sits in a network of ours, a proxy that nobody has named among them: one limit for all behind it would shut out the house. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);
const SUBSCRIBER_BITS = 64;

/**
 * Whom an address stands for where requests are counted: of IPv4 itself, of IPv6 its /64, the least that a subscriber gets.
 * null for one that is not of the internet, and is not counted.
 */
function visitorOf(address: string): string | null {
  // What a proxy that we trust wrote where an address should be.
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (OWN_NETWORKS.has(parsed.range())) return null;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString()}/${SUBSCRIBER_BITS}`;
}
