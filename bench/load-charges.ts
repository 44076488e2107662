import type { Pool } from 'pg';
import { CHANNELS } from '../src/ledger/channels.js';
import { cellOf, channelNumber, LEVEL, STATUS_COLUMNS, STATUSES } from '../projections/charges/charge-blocks.js';
import { BLOCK_SIZE } from '../projections/charges/charges.js';
import { FIELD_END } from '../projections/charges/search-segments.js';
import { indexSegment, segmentsOf } from '../projections/charges/search.js';
import { inTransaction } from '../src/platform/postgres/pool.js';

/**
 * Rows of many charges of one merchant, equal to those that the projection would write, created inside Postgres: ten million events through
 * the store would take an hour. `test/read-models/load-charges.spec.ts` compares them with the result of `apply`.
 */
export interface ChargeLoad {
  readonly merchantId: string;
  readonly charges: number;
  /** `created_on` of the first charge. */
  readonly from: string;
  /** Mean time between two charges, ms; at least 10. */
  readonly everyMs: number;
}

/** Cumulative shares of the statuses, per mille. */
const STATUS_SHARES = { SUCCEEDED: 700, EXPIRED: 860, PENDING: 940, FAILED: 995, CANCELLED: 1_000 };
const CHUNK = 500_000;

/** Loads into empty tables of `schema`. The caller creates the indexes for readers afterwards. */
export async function loadCharges(
  pool: Pool,
  schema: string,
  load: ChargeLoad,
  onProgress: (loaded: number) => void = () => undefined,
): Promise<void> {
  for (let first = 0; first < load.charges; first += CHUNK) {
    const last = Math.min(first + CHUNK, load.charges) - 1;
    await pool.query(chargesSql(schema, load, first, last));
    onProgress(last + 1);
  }
  await loadCounts(pool, schema, load);
  await loadDays(pool, schema, load);
  await loadSearch(pool, schema, load);
}

/** SQL of the creation time of charge number `n`, which is later than that of charge `n - 1`. */
function createdOn({ from, everyMs }: ChargeLoad, n: string): string {
  return `(timestamptz '${from}' + (${n} * ${everyMs}::bigint + (${n} * 7919) % ${everyMs - 1}) * interval '1 millisecond')`;
}

function chargesSql(schema: string, load: ChargeLoad, first: number, last: number): string {
  const status = Object.entries(STATUS_SHARES).map(([name, upTo]) => `when h.dice < ${upTo} then '${name}'`);
  const rank = STATUSES.map((name, index) => `when '${name}' then ${index}`);
  const channels = CHANNELS.map(
    ({ code, currency }, picked) => `(${picked}, '${code}', '${currency}', ${cellOf(channelNumber(code, currency), STATUSES[0])})`,
  );
  return `
insert into ${schema}.charges (
  id, merchant_id, created_on, amount, fee_amount, net_amount, charge_statement_id, block, updated_on, expires_on, revision, cell,
  status, settlement_status, currency, channel_code, action_flow, code, reference_id, description, meta_data, fee, processor,
  settlement_cycle, created_by, updated_by, paid_on, failed_on, failure_reason, settlement_date, settlement_on,
  refunded_amount, disputed_amount, taken_amount, earned_fee)
select h.hash::uuid, '${load.merchantId}', c.created_on, a.amount, a.amount / 100, a.amount - a.amount / 100, md5(h.hash)::uuid,
  case when n < ${BLOCK_SIZE} then '-infinity' else ${createdOn(load, `(n / ${BLOCK_SIZE} * ${BLOCK_SIZE})`)} end,
  c.created_on + case s.status when 'PENDING' then interval '0' else interval '20 minutes' end,
  c.created_on + interval '30 minutes',
  case s.status when 'PENDING' then 0 else 1 end,
  ch.first_cell + case s.status ${rank.join(' ')} end,
  s.status, case s.status when 'SUCCEEDED' then 'PENDING' else 'UNKNOWN' end,
  ch.currency, ch.channel_code, 'EMBEDDED',
  'CHG_' || left(upper(translate(encode(sha256(h.hash::bytea), 'base64'), '+/=', '012')), 16),
  'order-' || n,
  case h.dice % 10 when 0 then 'Kopi susu ' || (n % 1000) when 1 then 'Nasi goreng, table ' || (n % 77) when 2 then 'Café crème no ' || n
    when 3 then 'Invoice ' || (n % 100000) || ' of ' || (h.dice % 7) else null end,
  ('{"order":"' || n || '"}')::json, '{"type":"PERCENTAGE","value":1}', 'simulator', 'T+2', 'key_0123456789abcdef',
  case s.status when 'PENDING' then 'key_0123456789abcdef' when 'CANCELLED' then 'key_0123456789abcdef' else 'System' end,
  case s.status when 'SUCCEEDED' then c.created_on + interval '20 minutes' end,
  case s.status when 'FAILED' then c.created_on + interval '20 minutes' end,
  case s.status when 'FAILED' then 'declined' end,
  case s.status when 'SUCCEEDED' then c.created_on + interval '2 days' end,
  null, 0, 0, 0, case s.status when 'SUCCEEDED' then a.amount / 100 else 0 end
from generate_series(${first}::bigint, ${last}::bigint) as n
cross join lateral (select md5('charge ' || n) as hash, (hashint8(n) & 2147483647) % 1000 as dice) h
cross join lateral (select ${createdOn(load, 'n')} as created_on) c
cross join lateral (select case ${status.join(' ')} end as status) s
-- every third charge has one of ten prices, so that orders by amount have long ties
cross join lateral (select case when n % 3 = 0 then 1000 * (1 + n % 10) else 100 + (hashint8(n * 31) & 2147483647) % 1000000 end as amount) a
-- six of ten charges are on the first channel, two on the second
join (values ${channels.join(', ')}) ch(picked, channel_code, currency, first_cell)
  on ch.picked = case when n % 10 < 6 then 0 when n % 10 < 8 then 1 else n % ${CHANNELS.length} end
order by n`;
}

/** Numbers of charges by status, in the order of STATUS_COLUMNS. */
const counts = STATUSES.map((status) => `count(*) filter (where status = '${status}')`).join(', ');

async function loadCounts(pool: Pool, schema: string, { merchantId }: ChargeLoad): Promise<void> {
  const levels = { [LEVEL.all]: "timestamptz '-infinity'", [LEVEL.day]: "date_trunc('day', block, 'UTC')", [LEVEL.block]: 'block' };
  for (const [level, startsOn] of Object.entries(levels)) {
    await pool.query(`
      insert into ${schema}.charge_counts (merchant_id, level, starts_on, channel, newest_on, ${STATUS_COLUMNS.join(', ')})
      select merchant_id, ${level}, ${startsOn}, cell / ${cellOf(1, STATUSES[0])}, max(created_on), ${counts} from ${schema}.charges
       where merchant_id = '${merchantId}' group by 3, 1, 4 order by 3, 4`);
  }
}

async function loadDays(pool: Pool, schema: string, { merchantId }: ChargeLoad): Promise<void> {
  await pool.query(`
    insert into ${schema}.charge_days (merchant_id, day, channel, amount, ${STATUS_COLUMNS.join(', ')})
    select merchant_id, to_char(created_on at time zone 'utc', 'YYYY-MM-DD'), cell / ${cellOf(1, STATUSES[0])},
           coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0), ${counts} from ${schema}.charges
     where merchant_id = '${merchantId}' group by 1, 2, 3 order by 2, 3`);
}

/** All capital letters of these texts are ASCII, so that `lower` needs no locale. */
async function loadSearch(pool: Pool, schema: string, { merchantId, charges }: ChargeLoad): Promise<void> {
  await pool.query(`insert into ${schema}.search_sizes (merchant_id, texts) values ('${merchantId}', ${charges})`);
  await pool.query(
    `insert into ${schema}.search_texts (merchant_id, number, charge_id, created_on, amount, channel, text)
     select merchant_id, row_number() over (order by created_on) - 1, id, created_on, amount, cell / ${cellOf(1, STATUSES[0])},
            lower(concat(code, '${FIELD_END}', reference_id, '${FIELD_END}', description) collate "C")
       from ${schema}.charges where merchant_id = '${merchantId}' order by created_on`,
  );
  for (let segment = 0; segment < segmentsOf(charges); segment++) await inTransaction(pool, (tx) => indexSegment(tx, schema, merchantId, segment));
}
