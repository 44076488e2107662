import type pg from 'pg';
import { Gathered } from '../../platform/gathered.js';
import { textArray, uuidArray } from '../../platform/postgres/binary/binary-arrays.js';

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
/** Claims of one statement. */
const CLAIMS_TOGETHER = 256;

interface Claiming {
  readonly payoutId: string;
  readonly currency: string;
}

/** On the database that is written to, which all processes share. */
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

  /** In the order of their ids: two processes that claim the same ones wait for each other, never both. */
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
