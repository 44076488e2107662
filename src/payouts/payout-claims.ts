import type pg from 'pg';

export interface PayoutClaim {
  readonly currency: string;
  /** When a request that holds it came last; a text that only the database reads. */
  readonly claimed_on: string;
  /** So long ago that none of the requests that held it is under way. */
  readonly is_old: boolean;
}

/**
 * One Idempotency-Key names one payout, and the two accounts of two currencies know nothing of each other: before an account
 * decides, the request claims the payout's id for its currency.
 */
export interface PayoutClaims {
  /** What the id is claimed for now: `currency`, unless another was first. */
  claim(payoutId: string, currency: string): Promise<PayoutClaim>;
  /** Takes over a claim that was old; false when somebody has held it since. */
  takeOver(payoutId: string, old: PayoutClaim, currency: string): Promise<boolean>;
  /** After a refusal, which records nothing: the key may be used with another currency once nobody else holds the claim. */
  release(payoutId: string, currency: string): Promise<void>;
}

/** Longer than a request can be under way: the deadlines of decisions and appends are well below. */
const UNDER_WAY_AT_MOST = '1 minute';
/** Claims of payouts that exist are needed no longer than it takes to register them. */
const KEPT = '7 days';
/** Claims of this process between two removals of old ones. */
const REMOVED_EVERY = 1_000;

/** On the database that is written to, which all processes share. */
export class PostgresPayoutClaims implements PayoutClaims {
  #claims = 0;

  constructor(private readonly pool: pg.Pool) {}

  async claim(payoutId: string, currency: string): Promise<PayoutClaim> {
    if (++this.#claims % REMOVED_EVERY === 0) await this.pool.query(`delete from payout_claims where claimed_on < now() - interval '${KEPT}'`);
    const { rows } = await this.pool.query<PayoutClaim>(
      `insert into payout_claims as held (payout_id, currency, holders, claimed_on) values ($1, $2, 1, clock_timestamp())
       on conflict (payout_id) do update set
         holders = held.holders + (held.currency = excluded.currency)::int,
         claimed_on = case when held.currency = excluded.currency then excluded.claimed_on else held.claimed_on end
       returning currency, claimed_on::text, claimed_on < clock_timestamp() - interval '${UNDER_WAY_AT_MOST}' as is_old`,
      [payoutId, currency],
    );
    return rows[0]!;
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
