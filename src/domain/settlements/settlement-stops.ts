import type { Pool } from 'pg';
import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { Timestamp } from '../../ledger/time.js';

/** A settlement that cannot be closed because a line of its list cannot be claimed. All later ones of the account wait for it. */
export interface SettlementStop {
  readonly merchant_id: string;
  readonly currency: string;
  readonly settlement_number: number;
  readonly line_kind: SettlementLine['kind'];
  /** Id of the charge or payout in whose stream the line would be claimed. */
  readonly record_id: string;
  /** The refusal by the line's own stream, or that this stream differs from the list. */
  readonly reason: string;
}

export interface FoundStop extends SettlementStop {
  readonly since: Timestamp;
  readonly attempts: number;
}

/** A younger stop may come from a reader that was a moment behind. */
const STANDS_FOR_SECONDS = 30;
const STOPS_MAX = 100;

export async function recordSettlementStop(pool: Pool, stop: SettlementStop): Promise<void> {
  await pool.query(
    `insert into settlement_stops as s (merchant_id, currency, settlement_number, line_kind, record_id, reason) values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, currency) do update
        set since = case when (s.settlement_number, s.line_kind, s.record_id)
                            = (excluded.settlement_number, excluded.line_kind, excluded.record_id) then s.since else now() end,
            attempts = case when (s.settlement_number, s.line_kind, s.record_id)
                            = (excluded.settlement_number, excluded.line_kind, excluded.record_id) then s.attempts + 1 else 1 end,
            settlement_number = excluded.settlement_number, line_kind = excluded.line_kind, record_id = excluded.record_id, reason = excluded.reason`,
    [stop.merchant_id, stop.currency, stop.settlement_number, stop.line_kind, stop.record_id, stop.reason],
  );
}

/** Returns the stops that are at least 30 seconds old and whose settlement is not on its account yet, longest first, at most 100. */
export async function findSettlementStops(pool: Pool, standsForSeconds = STANDS_FOR_SECONDS): Promise<FoundStop[]> {
  const { rows } = await pool.query<FoundStop>(
    `select s.merchant_id, s.currency, s.settlement_number, s.line_kind, s.record_id, s.reason, s.since, s.attempts
       from settlement_stops s
       join ledger.settlements t on t.merchant_id = s.merchant_id and t.currency = s.currency and t.number = s.settlement_number
      where t.settled_on is null and s.since <= now() - make_interval(secs => $1)
      order by s.since limit ${STOPS_MAX}`,
    [standsForSeconds],
  );
  return rows;
}
