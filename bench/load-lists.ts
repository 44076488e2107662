import type { Pool } from 'pg';
import { SUM_COLUMNS } from '../projections/balances/journal.js';
import { encryptDetails } from '../src/ledger/crypto/customer-encryption.js';
import type { CustomerDetails } from '../src/ledger/events/customer.events.js';
import type { KeyWrapping } from '../src/ledger/crypto/key-wrapping.js';

/** Rows of one merchant's other lists, created inside Postgres. Each row is older than the next one, as in a projected log. */
export interface ListLoad {
  readonly merchantId: string;
  /** Records in each list. */
  readonly records: number;
  /** `created_on` of the first record. */
  readonly from: string;
  /** Time between two records, ms. */
  readonly everyMs: number;
}

const CUSTOMERS_AT_ONCE = 10_000;

/** Loads into empty tables of the schemas `ledger` and `customers`. */
export async function loadLists(pool: Pool, load: ListLoad, wrapping: KeyWrapping): Promise<void> {
  for (const list of [payouts, settlements, refunds, disputes, adjustments, deliveries, pendingLines, dueSums, balance]) await pool.query(list(load));
  await pool.query(`insert into ledger.payout_totals select merchant_id, currency, payout_status, count(*) from ledger.payouts group by 1, 2, 3`);
  await loadCustomers(pool, load, wrapping);
}

/** Two of three payouts are in IDR; three of four have succeeded, the others failed. */
const payouts = (load: ListLoad): string => `
insert into ledger.payouts (id, merchant_id, ordinal, created_on, amount, fee_amount, net_amount, currency, payout_status, fee, bank_account_name,
  bank_account_number, bank_name, created_by, updated_by, updated_on, is_name_accepted, open_attempts, approvals_required, approvals_given, approvals)
select ${common(load, 'payout')}, 1000000, 250000, 750000, case n % 3 when 0 then 'MYR' else 'IDR' end, case n % 4 when 0 then 'FAILED' else 'SUCCEEDED' end,
  '{"type":"FIXED","value":250000}', 'Kopi', '1234567890', 'Bank', 'key_0', 'System', ${at(load)}, false, 0, 0, 0, '[]' ${series(load)}`;

const settlements = (load: ListLoad): string => `
insert into ledger.settlements (id, merchant_id, currency, number, opened_on, closed_on, settled_on, settled_revision, net_amount, charges, reversals,
  returns, refunds, disputes)
select ${id('settlement')}, '${load.merchantId}', 'IDR', n, ${at(load)}, ${at(load)}, ${at(load)}, n, 1000, 1, 0, 0, 0, 0 ${series(load)}`;

const refunds = (load: ListLoad): string => `
insert into ledger.refunds (id, merchant_id, ordinal, created_on, charge_id, amount, fee_amount, net_amount, currency, source, refund_status, meta_data,
  created_by, updated_by, updated_on, version)
select ${common(load, 'refund')}, ${id('charge')}, 1000, 10, 990, case n % 3 when 0 then 'MYR' else 'IDR' end, 'MERCHANT',
  case n % 4 when 0 then 'FAILED' else 'SUCCEEDED' end, '{}', 'key_0', 'System', ${at(load)}, 2 ${series(load)}`;

const disputes = (load: ListLoad): string => `
insert into ledger.disputes (id, merchant_id, ordinal, opened_on, charge_id, currency, reference, stage, dispute_status, amount, held_amount,
  excess_amount, refunded_amount, fee_amount, reason_code, reason, due_by, is_final, evidence, evidence_erased, updated_by, updated_on, stage_since,
  reminders, version)
select ${common(load, 'dispute')}, ${id('charge')}, case n % 3 when 0 then 'MYR' else 'IDR' end, 'ref-' || n, 'CHARGEBACK',
  case n % 4 when 0 then 'WON' else 'LOST' end, 1000, 0, 0, 0, 100, '10.4', 'fraud', ${at(load)}, true, '[]', false, 'System', ${at(load)}, ${at(load)},
  '{}', 2 ${series(load)}`;

const adjustments = (load: ListLoad): string => `
insert into ledger.adjustments (id, merchant_id, ordinal, adjusted_on, event_id, currency, kind, amount, fee_amount, available_change, relates_to)
select ${common(load, 'adjustment')}, ${id('event')}, case n % 3 when 0 then 'MYR' else 'IDR' end, 'goodwill', 1000, 0, 1000, '2026-01' ${series(load)}`;

const deliveries = (load: ListLoad): string => `
insert into web_hook_deliveries (id, merchant_id, sequence, created_on, previous_sequence, webhook_id, kind, status, attempts, log, updated_on)
select ${common(load, 'delivery')}, n - 1, ${id('webhook')}, 'charge.created', 'SUCCEEDED', 1,
  '[{"started_on":"2026-01-01T00:00:00.000+00:00","latency_ms":12,"response_code":204,"error":null}]', ${at(load)} ${series(load)}`;

/** Charges that become due at the midnights of the three days after the last record, and 100 reversals that are due at once. */
const pendingLines = (load: ListLoad): string => `
insert into ledger.settlement_candidates (record_id, kind, merchant_id, currency, due_on, net_amount, fee_amount)
select ${id('charge')}, case when n <= 100 then 'reversal' else 'charge' end, '${load.merchantId}', 'IDR',
  case when n <= 100 then ${at(load)} else date_trunc('day', ${lastOf(load)}) + (1 + n % 3) * interval '1 day' end, 990, 10 ${series(load)}`;

const dueSums = (): string => `
insert into ledger.settlement_due_sums (merchant_id, currency, due_on, kind, count, net_amount, fee_amount)
select merchant_id, currency, due_on, kind, count(*), sum(net_amount), sum(fee_amount) from ledger.settlement_candidates group by 1, 2, 3, 4`;

/** The balance of the pending charges. */
const balance = ({ merchantId, records }: ListLoad): string => `
insert into ledger.balances (merchant_id, currency, pending_count, available_count, modified_on, modified_by, ${SUM_COLUMNS.join(', ')})
select '${merchantId}', 'IDR', ${records}, 0, now(), 'System',
  ${SUM_COLUMNS.map((column) => (column === 'pending_credit' ? 990 * (records - 100) : 0)).join(', ')}`;

const id = (kind: string): string => `md5('${kind} ' || n)::uuid`;
const at = ({ from, everyMs }: ListLoad): string => `timestamptz '${from}' + n * ${everyMs}::bigint * interval '1 millisecond'`;
/** Time of the last record. */
const lastOf = ({ from, everyMs, records }: ListLoad): string => `timestamptz '${from}' + ${records * everyMs}::bigint * interval '1 millisecond'`;
const series = ({ records }: ListLoad): string => `from generate_series(1, ${records}) n`;
/** Id, merchant, ordinal and time. */
const common = (load: ListLoad, kind: string): string => `${id(kind)}, '${load.merchantId}', n, ${at(load)}`;

const DETAILS: CustomerDetails = {
  name: 'Sari Wijaya',
  description: null,
  email: 'sari@example.com',
  phone: '+62 812 3456 7890',
  address: null,
  shipping: null,
  tax: null,
  metadata: {},
};

/** Each customer has a separate key. */
async function loadCustomers(pool: Pool, load: ListLoad, wrapping: KeyWrapping): Promise<void> {
  const made = `select ${id('customer')} as id, ${at(load)} as created_on, n from generate_series($1::integer, $2) n`;
  for (let first = 1; first <= load.records; first += CUSTOMERS_AT_ONCE) {
    const last = Math.min(first + CUSTOMERS_AT_ONCE - 1, load.records);
    const { rows } = await pool.query<{ id: string }>(`select id from (${made}) made order by n`, [first, last]);
    const keys = rows.map((row) => wrapping.newKey(row.id));
    await pool.query('insert into customer_keys (customer_id, wrapped_key) select * from unnest($1::uuid[], $2::bytea[])', [
      rows.map((row) => row.id),
      keys.map(({ wrapped }) => wrapped),
    ]);
    await pool.query(
      `insert into customers.customers (id, merchant_id, created_on, updated_on, version, sealed)
       select id, '${load.merchantId}', created_on, created_on, 1, ($3::text[])[n - $1 + 1] from (${made}) made`,
      [first, last, rows.map((row, n) => encryptDetails(keys[n]!.key, row.id, DETAILS))],
    );
  }
  await pool.query(`insert into customers.customer_totals values ('${load.merchantId}', ${load.records})`);
}
