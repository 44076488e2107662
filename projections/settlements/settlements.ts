import type { ClientBase, PoolClient } from 'pg';
import { settlementTotals, type SettlementLine, type SettlementTotals } from '../../src/ledger/events/account.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { readTablePage } from '../../src/platform/postgres/list-page.js';
import { ofMerchant, ofMerchants, type MerchantQuery, type MerchantsQuery } from '../merchants/list-queries.js';
import { sumTable, type Sum } from '../merchants/sums.js';
import { isOfMode } from '../merchants/owners.js';
import { claimLines, lineKey, linesTable, type LineRow } from './settlement-lines.js';
import { withDisputes, type LineWithDispute } from './dispute-lines.js';
import { unreachable } from '../../src/ledger/unreachable.js';

const settlementsTable = new Table(
  'settlements',
  {
    id: 'uuid not null primary key',
    merchant_id: 'uuid not null',
    currency: 'text collate "C" not null',
    number: 'integer not null',
    opened_on: 'timestamptz not null',
    /** null while the lines are being claimed. */
    closed_on: 'timestamptz',
    /** null until the account has booked it. */
    settled_on: 'timestamptz',
    /** Revision of its FundsSettled in the account's stream. */
    settled_revision: 'integer',
    net_amount: 'numeric not null',
    charges: 'integer not null',
    reversals: 'integer not null',
    returns: 'integer not null',
    refunds: 'integer not null',
    disputes: 'integer not null',
  },
  ['unique (merchant_id, currency, number)'],
);
/** Settlements and their lines: an open settlement has the lines that it was opened with, a closed one the claimed lines and amounts. */
export const settlements: LedgerReadModel = {
  name: 'settlements',
  version: 1,
  ddl: (schema) => settlementsTable.ddl(schema) + linesTable.ddl(schema),
  indexes: (schema) => [
    `create index settlements_opened on ${schema}.settlements (merchant_id, opened_on, id)`,
    `create index settlements_unsettled on ${schema}.settlements (opened_on, id) where settled_on is null`,
    `create index settlement_lines_of_dispute_fees on ${schema}.settlement_lines (settlement_id) where kind = 'dispute-fee'`,
  ],

  async apply(tx, schema, batch) {
    const { opened, closed, settled } = fold(batch);
    if (opened.size > 0) await insertOpened(tx, schema, [...opened.values()]);
    if (closed.length > 0) await close(tx, schema, closed);
    if (settled.length > 0) await settle(tx, schema, settled);
  },
};

type SettlementRow = RowOf<(typeof settlementsTable)['definitions'], { readonly net_amount: string }>;

interface Opened {
  readonly row: SettlementRow;
  readonly lines: readonly LineRow[];
}

type Closed = Pick<SettlementRow, 'id' | 'closed_on'> &
  SettlementTotals & {
    readonly claimed: readonly SettlementLine[];
  };
type Settled = Pick<SettlementRow, 'merchant_id' | 'currency' | 'number'> & { readonly settled_on: Timestamp; readonly settled_revision: number };

const isHandled = handling({
  accounts: { except: ['account payouts', 'account refunds', 'adjustments'] },
  settlements: { except: ['SettlementLineRefused'] },
});

/** `closed` contains settlements that an earlier batch opened. */
function fold(batch: readonly LoggedEvent[]): { opened: Map<string, Opened>; closed: Closed[]; settled: Settled[] } {
  const opened = new Map<string, Opened>();
  const closed: Closed[] = [];
  const settled: Settled[] = [];
  for (const event of batch) {
    if (!isHandled(event)) continue;
    switch (event.type) {
      case 'SettlementOpened': {
        const { settlement_id: id, merchant_id, currency, settlement_number: number, opened_on, lines } = event.data;
        opened.set(id, {
          // The totals assume that every line is claimed as listed.
          row: {
            id,
            merchant_id,
            currency,
            number,
            opened_on,
            closed_on: null,
            settled_on: null,
            settled_revision: null,
            ...settlementTotals(lines),
          },
          lines: lines.map((line, index) => ({ settlement_id: id, line: index + 1, charge_id: null, ...line })),
        });
        break;
      }
      case 'SettlementClosed': {
        const { settlement_id: id, lines: claimed, totals, closed_on } = event.data;
        const before = opened.get(id);
        if (before) {
          const claims = new Map(claimed.map((line) => [lineKey(line), line]));
          const lines = before.lines.filter((line) => claims.has(lineKey(line))).map((line) => ({ ...line, ...claims.get(lineKey(line))! }));
          opened.set(id, { row: { ...before.row, closed_on, ...totals }, lines });
        } else {
          closed.push({ id, closed_on, ...totals, claimed });
        }
        break;
      }
      case 'FundsSettled': {
        const { merchant_id, currency, settlement_number: number, settled_on } = event.data;
        settled.push({ merchant_id, currency, number, settled_on, settled_revision: event.revision });
        break;
      }
      default:
        return unreachable(event);
    }
  }
  return { opened, closed, settled };
}

const TOTALS = ['net_amount', 'charges', 'reversals', 'returns', 'refunds', 'disputes'] as const satisfies readonly (keyof SettlementTotals)[];
const closedColumns = settlementsTable.parameters(['id', 'closed_on', ...TOTALS], 'n');
const settledColumns = settlementsTable.parameters(['merchant_id', 'currency', 'number', 'settled_on', 'settled_revision'], 'n');

async function insertOpened(tx: PoolClient, schema: string, opened: readonly Opened[]): Promise<void> {
  const rows = opened.map(({ row }) => row);
  const lines = opened.flatMap((each) => each.lines);
  await Promise.all([settlementsTable.add(tx, schema, rows), linesTable.add(tx, schema, lines)]);
}

async function close(tx: PoolClient, schema: string, closed: readonly Closed[]): Promise<void> {
  const ids = closed.map(({ id }) => id);
  const claimed = closed.flatMap(({ id, claimed: lines }) => lines.map((line) => ({ settlement_id: id, ...line })));
  const [updated] = await Promise.all([
    tx.query({
      name: `${schema} settlements: close`,
      text: `update ${schema}.settlements s
                set closed_on = n.closed_on, ${TOTALS.map((column) => `${column} = n.${column}`).join(', ')}
               from ${closedColumns.rows} where s.id = n.id`,
      values: closedColumns.values(closed),
    }),
    claimLines(tx, schema, ids, claimed),
  ]);
  requireAll(updated.rowCount, closed.length, 'settlements were closed without being opened');
}

async function settle(tx: PoolClient, schema: string, settled: readonly Settled[]): Promise<void> {
  const { rowCount } = await tx.query({
    name: `${schema} settlements: settle`,
    text: `update ${schema}.settlements s set settled_on = n.settled_on, settled_revision = n.settled_revision from ${settledColumns.rows}
            where s.merchant_id = n.merchant_id and s.currency = n.currency and s.number = n.number`,
    values: settledColumns.values(settled),
  });
  requireAll(rowCount, settled.length, 'settlements reached the account without being opened');
}

function requireAll(found: number | null, expected: number, otherwise: string): void {
  if (found !== expected) throw new Error(`${expected - (found ?? 0)} ${otherwise}`);
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

/** Amounts are minor units. */
export type Settlement = Pick<SettlementRow, 'id' | 'merchant_id' | 'currency' | 'number' | 'opened_on' | 'closed_on' | 'settled_on'> & {
  /** For an open settlement, the totals assume that every line is claimed. */
  readonly totals: SettlementTotals;
};

type StoredSettlement = Omit<SettlementRow, 'settled_revision'>;

const COLUMNS = `id, merchant_id, currency, number, opened_on, closed_on, settled_on, ${TOTALS.join(', ')}`;

/** Returns the sums of the net amounts of the settlements that `findSettlements` lists, on all pages. */
export const sumSettlements = (db: Db, merchantId: string, query: Pick<MerchantQuery, 'currency'>): Promise<Sum[]> =>
  sumTable(db, 'net_amount', 'ledger.settlements', ofMerchant(merchantId, query));

/** Returns settlements by opened_on, then id; `total` counts all pages. */
export async function findSettlements(
  db: Db,
  merchantId: string,
  query: Omit<MerchantQuery, 'date_from' | 'date_to'>,
): Promise<{ total: number; items: Settlement[] }> {
  const conditions = ofMerchant(merchantId, query);
  return readTablePage(db, query, { table: 'ledger.settlements', columns: COLUMNS, conditions, order_by: 'opened_on', item: settlementOf });
}

/** Returns settlements of any merchant by merchant, currency and number; undefined when there is no settlement `after`. */
export async function findAllSettlements(db: Db, query: MerchantsQuery): Promise<Settlement[] | undefined> {
  const { after } = query;
  const conditions = ofMerchants(query);
  if (after !== undefined) {
    const { rows } = await db.query<Pick<Settlement, 'merchant_id' | 'currency' | 'number'>>(
      `select merchant_id, currency, number from ledger.settlements where id = $1`,
      [after],
    );
    const [last] = rows;
    if (!last) return undefined;
    const place = [last.merchant_id, last.currency, last.number].map((value) => conditions.parameter(value));
    conditions.always(`(merchant_id, currency, number) > (${place.join(', ')})`);
  }
  const { rows } = await db.query<StoredSettlement>(
    `select ${COLUMNS} from ledger.settlements where ${conditions.sql()} order by merchant_id, currency, number limit $1`,
    conditions.values,
  );
  return rows.map(settlementOf);
}

/** Returns those that exist. */
export async function findSettlementsByNumber(
  db: Db,
  keys: readonly Pick<Settlement, 'merchant_id' | 'currency' | 'number'>[],
): Promise<Settlement[]> {
  const { rows } = await db.query<StoredSettlement>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::text[], $3::int4[]) k (merchant_id, currency, number) join ledger.settlements using (merchant_id, currency, number)`,
    [keys.map(({ merchant_id }) => merchant_id), keys.map(({ currency }) => currency), keys.map(({ number }) => number)],
  );
  return rows.map(settlementOf);
}

/** Returns a settlement with its lines in their original order. @param id a UUID @param merchantId absent for any merchant */
export async function findSettlement(db: Db, id: string, merchantId?: string): Promise<(Settlement & { lines: LineWithDispute[] }) | undefined> {
  const { rows } = await db.query<StoredSettlement & { lines: SettlementLine[] }>(
    `select ${COLUMNS}, coalesce((
       select json_agg(json_strip_nulls(json_build_object(
                'kind', kind, 'record_id', record_id, 'net_amount', l.net_amount, 'fee_amount', fee_amount, 'charge_id', charge_id)) order by line)
         from ledger.settlement_lines l where l.settlement_id = s.id), '[]') as lines
       from ledger.settlements s where id = $1 and ($2::uuid is null or merchant_id = $2)`,
    [id, merchantId ?? null],
  );
  return rows[0] && { ...settlementOf(rows[0]), lines: await withDisputes(db, rows[0].lines) };
}

/**
 * Returns settlements (of a mode) that are opened and not booked by their account yet, oldest first. Every run of the settlement process resumes
 * these before it opens others.
 */
export async function findOpenSettlements(db: Db, limit: number, mode?: Mode): Promise<Settlement[]> {
  const conditions = new Conditions(limit).always('settled_on is null').where(mode, isOfMode);
  const { rows } = await db.query<StoredSettlement>(
    `select ${COLUMNS} from ledger.settlements where ${conditions.sql()} order by opened_on, id limit $1`,
    conditions.values,
  );
  return rows.map(settlementOf);
}

function settlementOf(row: StoredSettlement): Settlement {
  const { id, merchant_id, currency, number, opened_on, closed_on, settled_on, ...rest } = row;
  const { net_amount, charges, reversals, returns, refunds, disputes } = rest;
  const totals = { net_amount, charges, reversals, returns, refunds, disputes };
  return { id, merchant_id, currency, number, totals, opened_on, closed_on, settled_on };
}
