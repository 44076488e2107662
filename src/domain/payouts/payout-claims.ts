import type pg from 'pg';
import { Gathered } from '../../platform/async/gathered.js';
import { textArray, uuidArray } from '../../platform/postgres/binary/binary-arrays.js';

export interface PayoutClaim {
  readonly currency: string;
  /** Time of the newest request that holds the claim, as text that only the database parses. */
  readonly claimed_on: string;
  /** Older than the longest request; no holder can still be running. */
  readonly is_old: boolean;
}

/**
 * One Idempotency-Key names one payout, but the accounts of two currencies do not share state. So the request claims the payout's id
 * for its currency before an account decides.
 */
export interface PayoutClaims {
  /** Returns the current claim of the id: for `currency`, unless another currency was first. */
  claim(payoutId: string, currency: string): Promise<PayoutClaim>;
  /** Takes over an old claim. Returns false when a request has held it since. */
  takeOver(payoutId: string, old: PayoutClaim, currency: string): Promise<boolean>;
  /** Called after a refusal, which records nothing. The key may be used with another currency once no other request holds the claim. */
  release(payoutId: string, currency: string): Promise<void>;
}

/** Longer than any request can run: the deadlines of decisions and appends are far below. */
const UNDER_WAY_AT_MOST = '1 minute';
/** Retention of claims. An existing payout needs its claim only until it is registered. */
const KEPT = '7 days';
/** Number of claims of this process between two deletions of old ones. */
const REMOVED_EVERY = 1_000;
/** Maximum claims per statement. */
const CLAIMS_TOGETHER = 256;

interface Claiming {
  readonly payoutId: string;
  readonly currency: string;
}

/** Stores claims in the primary database, which all processes share. */
export class PostgresPayoutClaims implements PayoutClaims {
  #claims = 0;
  readonly #claiming = new Gathered<Claiming, PayoutClaim>(
    (claims) => this.#claimAll(claims),
    CLAIMS_TOGETHER,
    ({ payoutId }) => payoutId,
  );

  constructor(private readonly pool: pg.Pool) {}

  async claim(payoutId: string, currency: string): Promise<PayoutClaim> {
    if (++this.#claims % REMOVED_EVERY === 0) await this.pool.query(`delete from payout_claims where claimed_on < now() - interval '${KEPT}'`);
    return this.#claiming.do({ payoutId, currency });
  }

  /** Inserts in the order of the ids, so that two processes that claim the same ids do not deadlock. */
  async #claimAll(claims: readonly Claiming[]): Promise<PayoutClaim[]> {
    const { rows } = await this.pool.query<PayoutClaim & { payout_id: string }>({
      name: 'payout claims: claim',
      text: `insert into payout_claims as held (payout_id, currency, holders, claimed_on)
             select payout_id, currency, 1, clock_timestamp() from unnest($1::uuid[], $2::text[]) c (payout_id, currency) order by payout_id
             on conflict (payout_id) do update set
               holders = held.holders + (held.currency = excluded.currency)::int,
               claimed_on = case when held.currency = excluded.currency then excluded.claimed_on else held.claimed_on end
             returning payout_id, currency, claimed_on::text, claimed_on < clock_timestamp() - interval '${UNDER_WAY_AT_MOST}' as is_old`,
      values: [uuidArray(claims.map(({ payoutId }) => payoutId)), textArray(claims.map(({ currency }) => currency))],
    });
    const held = new Map(rows.map(({ payout_id, ...claim }) => [payout_id, claim]));
    return claims.map(({ payoutId }) => held.get(payoutId)!);
  }

  async takeOver(payoutId: string, old: PayoutClaim, currency: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update payout_claims set currency = $4, holders = 1, claimed_on = clock_timestamp()
        where payout_id = $1 and currency = $2 and claimed_on = $3::timestamptz`,
      [payoutId, old.currency, old.claimed_on, currency],
    );
    return rowCount === 1;
  }

  async release(payoutId: string, currency: string): Promise<void> {
    await this.pool.query(
      `with released as (update payout_claims set holders = holders - 1 where payout_id = $1 and currency = $2 and holders > 1 returning 1)
       delete from payout_claims where payout_id = $1 and currency = $2 and holders <= 1 and not exists (select 1 from released)`,
      [payoutId, currency],
    );
  }
}
