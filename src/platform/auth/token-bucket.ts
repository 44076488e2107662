/** The remaining quota of one caller. */
export interface Allowance {
  readonly allowed: boolean;
  /** Whole requests that may follow at once. */
  readonly remaining: number;
  /** Seconds until the quota is full again, rounded up. */
  readonly resetSeconds: number;
  /** Seconds until one request may follow, rounded up; 0 when one may follow now. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  refilledMs: number;
}

/** Number of buckets at which full ones are removed, which has no effect on their callers. */
const BUCKETS_MAX = 10_000;
/** Number of buckets that remain when all are in use, so that requests from ever new addresses do not cause a walk over all buckets each. */
const BUCKETS_KEPT = 9_000;

/** Returns no buckets for the rate 0, which is no limit. */
export const tokenBuckets = (ratePerSecond: number): TokenBuckets | null => (ratePerSecond > 0 ? new TokenBuckets(ratePerSecond) : null);

/** Token buckets, one per caller: `rate` requests per second, and up to twice that at once. `now` in milliseconds, monotonic. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  readonly capacity: number;

  constructor(
    private readonly ratePerSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.capacity = 2 * ratePerSecond;
  }

  take(caller: string): Allowance {
    const nowMs = this.now();
    const bucket = this.refilled(caller, nowMs);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((this.capacity - bucket.tokens) / this.ratePerSecond),
      retryAfterSeconds: bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / this.ratePerSecond),
    };
  }

  private refilled(caller: string, nowMs: number): Bucket {
    const known = this.buckets.get(caller);
    if (known !== undefined) {
      known.tokens = Math.min(this.capacity, known.tokens + ((nowMs - known.refilledMs) / 1000) * this.ratePerSecond);
      known.refilledMs = nowMs;
      return known;
    }
    if (this.buckets.size >= BUCKETS_MAX) this.forget(nowMs);
    const bucket = { tokens: this.capacity, refilledMs: nowMs };
    this.buckets.set(caller, bucket);
    return bucket;
  }

  /** Removes full buckets, and the oldest ones when all are in use. A bucket is full two seconds after its last request. */
  private forget(nowMs: number): void {
    for (const [caller, { refilledMs }] of this.buckets) if (nowMs - refilledMs >= 2000) this.buckets.delete(caller);
    for (const caller of this.buckets.keys()) {
      if (this.buckets.size <= BUCKETS_KEPT) return;
      this.buckets.delete(caller);
    }
  }
}
