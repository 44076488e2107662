import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, Problem } from '../problem.js';
import { hashKey, parseKey } from './api-key.js';
import { isGood, type KeyDirectory, type KeyRecord } from './key-directory.js';
import { tokenBuckets, type Allowance, type TokenBuckets } from './token-bucket.js';
import ipaddr from 'ipaddr.js';

/** Unless `unlimited`, each internet address has a rate limit. */
type ByAnybody = { readonly kind: 'public'; readonly unlimited: boolean };

/** A merchant's key with this scope; or a key that reads across merchants: one of finance or of an operator. */
export type ByKey = { readonly kind: 'merchant'; readonly scope: string } | { readonly kind: 'finance' };

/** Returns whether a scope permits reads only. */
export const isReadScope = (scope: string): boolean => scope.endsWith(':read');

/** The callers that a route admits; a session route admits the sessions that a SessionGate knows. */
export type Access = ByAnybody | ByKey | { readonly kind: 'session' };

const REALM = 'Bearer realm="chargebook"';
const INVALID_TOKEN = { headers: { 'www-authenticate': `${REALM}, error="invalid_token"` } };
const POLICY_NAME = '"default"';

/** The key may have been issued a moment ago, or the directory lags: after `Guard.catchUp`, a second check may succeed. */
export class NotKnownYet extends HttpProblem {}

/**
 * Authenticates and authorises the caller, then enforces its rate, before the body is read. It runs as a Fastify hook and not as a Nest guard,
 * because Nest's guards run after the body is parsed.
 */
export class Guard {
  private readonly buckets: TokenBuckets | null;
  private readonly visitors: TokenBuckets | null;
  private readonly policyHeader: string;

  /** `ratePerSecond` applies to each merchant, and to each address without a key; 0 disables limits. */
  constructor(
    private readonly keys: KeyDirectory,
    ratePerSecond: number,
    private readonly now: () => number = Date.now,
  ) {
    this.buckets = tokenBuckets(ratePerSecond);
    this.visitors = tokenBuckets(ratePerSecond);
    this.policyHeader = `${POLICY_NAME};q=${2 * ratePerSecond};w=2`;
  }

  /** Waits until every key that was issued before this call is known, or until a time limit. */
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

  /** Returns false when the key that admitted `request` is known to be expired or revoked by now; called during long answers. */
  admitsStill(request: FastifyRequest): boolean {
    if (request.stillAdmits !== null) return request.stillAdmits();
    if (request.keyId === null) return true;
    try {
      this.authenticate(request.headers.authorization);
      return true;
    } catch (refusal) {
      // Keys that cannot be checked now may be checked at the next page.
      return refusal instanceof Problem && refusal.code === 'unavailable';
    }
  }

  private authenticate(authorization: string | undefined): KeyRecord {
    if (authorization === undefined) throw new HttpProblem('unauthenticated', 'Send a key in the header "Authorization: Bearer …".');
    const credential = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (credential === undefined || parseKey(credential) === undefined) {
      throw new HttpProblem('unauthenticated', 'The credential is not a key of this service: it may be mistyped or cut off.');
    }
    if (!this.keys.isFresh()) throw new NotKnownYet('unavailable', 'Keys cannot be checked just now.');
    const key = this.keys.find(hashKey(credential));
    const refused = ['unauthenticated', 'The key is unknown, expired or revoked.', INVALID_TOKEN] as const;
    if (key === undefined) throw new NotKnownYet(...refused);
    if (!isGood(key, this.now())) throw new HttpProblem(...refused);
    return key;
  }

  private limit(caller: string, reply: FastifyReply): void {
    if (this.buckets === null) return;
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = this.buckets.take(caller);
    // The draft requires that t and Retry-After of a rejection name the same time.
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
  return new HttpProblem('rate-limited', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

function outOfScope(scope: string, detail: string): Problem {
  return new HttpProblem('insufficient-scope', detail, { headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` } });
}

/** Addresses in our own network, which include an unconfigured proxy: one limit for all clients behind it would lock out the company's own people. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);
const SUBSCRIBER_BITS = 64;

/**
 * Returns the key under which requests from an address are counted: an IPv4 address itself, or the /64 of an IPv6 address, the smallest network of a
 * subscriber. null for an address outside of the internet, which is not counted.
 */
function visitorOf(address: string): string | null {
  // A trusted proxy may send a text that is no address.
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (OWN_NETWORKS.has(parsed.range())) return null;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString()}/${SUBSCRIBER_BITS}`;
}
