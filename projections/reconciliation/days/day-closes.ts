import type { PoolClient } from 'pg';
import type { DayCloseOpened, DayFigures } from '../../../src/ledger/events/day-close.events.js';
import type { Mode } from '../../../src/ledger/mode.js';
import { handling, type HandledBy, type LedgerReadModel } from '../../../src/ledger/read-model.js';
import { Table, type RowOf } from '../../../src/platform/postgres/binary/table.js';
import { addDayRows } from './day-rows.js';
import { claimsTable, dayRowsDdl, IS_DIFFERENCE } from './day-rows-table.js';
import type { Tick } from './tick.js';
import { unreachable } from '../../../src/ledger/unreachable.js';

const table = new Table(
  'day_closes',
  {
    source: 'text collate "C" not null',
    n: 'integer not null',
    /** Id of DayCloseOpened. */
    id: 'uuid not null',
    /** Ordinal of that event, which is the tick. */
    ordinal: 'bigint not null',
    mode: 'text collate "C" not null',
    day: 'text collate "C" not null',
    matcher: 'integer not null',
    opened_by: 'uuid not null',
    opened_on: 'timestamptz not null',
    /** Number of rows and parts that the tick has written to `day_rows`. */
    rows: 'integer not null',
    parts: 'integer not null',
    /** TickFigures by currency, JSON. */
    figures: 'json not null',
    /** Number of parts that are booked so far. */
    booked_parts: 'integer not null',
    /** Ordinal and data (JSON) of DayClosed; null before. */
    closed_from: 'bigint',
    closed: 'json',
  },
  ['primary key (source, n)'],
);

export type DayCloseRow = RowOf<(typeof table)['definitions'], { readonly mode: Mode }>;

/** Figures that the tick of a close adds to the bank's closing balance. Minor units. */
export interface TickFigures extends Omit<DayFigures, 'book_cash' | 'residual'> {
  /** Change of the `bank` account by the close's rows, with the sign of the bank's statement. */
  readonly booked: number;
}

/** Applied before the ticks of a batch. A claim after a tick is recognised by its ordinal. */
export const suspenseClaims: LedgerReadModel = {
  name: 'suspense claims',
  version: 1,
  ddl: () => '',
  indexes: () => [],
  async apply(tx, schema, batch) {
    const claims = batch.filter((event) => event.type === 'SuspenseItemClaimed');
    await claimsTable.add(
      tx,
      schema,
      claims.map(({ ordinal, data }) => ({ item_id: data.item_id, claimed_from: ordinal })),
    );
  },
};

/** Closes of a bank's days. `matching` writes their rows at their ticks; this read model records which of them are booked. */
export const dayCloses: LedgerReadModel = {
  name: 'day closes',
  version: 1,
  ddl: (schema) => `${table.ddl(schema)}${dayRowsDdl(schema)}`,
  indexes: (schema) => [
    `create unique index day_closes_by_id on ${schema}.day_closes (id)`,
    `create unique index day_closes_in_order on ${schema}.day_closes (ordinal)`,
    `create index day_rows_in_parts on ${schema}.day_rows (source, n, part, place)`,
    `create index day_closes_open on ${schema}.day_closes (ordinal) where closed_from is null`,
  ],
  async apply(tx, schema, batch) {
    for (const event of batch.filter(isOfClose)) await follow(tx, schema, event);
  },
};

const isOfClose = handling({ recon: { except: ['statements', 'recon sources', 'breaks'] } });

async function follow(tx: PoolClient, schema: string, event: HandledBy<typeof isOfClose>): Promise<void> {
  switch (event.type) {
    case 'DayCloseOpened':
      return;
    case 'BankLinesBooked':
      return change(tx, schema, event, 'booked_parts = $3::int4', event.data.part);
    case 'DayClosed':
      return change(tx, schema, event, 'closed_from = $3::int8, closed = $4::json', event.ordinal, JSON.stringify(event.data));
    default:
      return unreachable(event);
  }
}

async function change(
  tx: PoolClient,
  schema: string,
  { type, data: { source, n } }: HandledBy<typeof isOfClose>,
  what: string,
  ...values: readonly unknown[]
): Promise<void> {
  const { rowCount } = await tx.query({
    name: `${schema} day closes: ${type}`,
    text: `update ${schema}.day_closes set ${what} where source = $1 and n = $2`,
    values: [source, n, ...values],
  });
  if (rowCount !== 1) throw new Error(`close ${n} of ${source} was never opened`);
}

/** The tick of a close, after the matcher's passes: writes the rows to book, and the figures that compare the books with the bank's balance. */
export async function openDay(tx: PoolClient, schema: string, tick: Tick, id: string, data: DayCloseOpened): Promise<void> {
  const { source, n, day, mode, matcher, closings, person_id: opened_by, opened_on } = data;
  const { rows: before } = await tx.query<{ day: string; ordinal: bigint }>({
    name: `${schema} day closes: last`,
    text: `select day, ordinal from ${schema}.day_closes where source = $1 and n = $2`,
    values: [source, n - 1],
  });
  const last = before.map((each) => ({ day: each.day, ordinal: Number(each.ordinal) }))[0] ?? { day: '', ordinal: 0 };
  const { rows, parts } = await addDayRows(tx, schema, tick, { n, day, last });
  const figures = await figuresOf(tx, schema, tick, n);
  const closing = new Map(closings.map((each) => [each.currency, each.closing]));
  const all = figures.map((each) => ({ ...each, closing: closing.get(each.currency) ?? null }));
  const opened: RowOf<(typeof table)['definitions']> = {
    source,
    n,
    id,
    ordinal: tick.ordinal,
    mode,
    day,
    matcher,
    opened_by,
    opened_on,
    rows,
    parts,
    figures: JSON.stringify(all),
    booked_parts: 0,
    closed_from: null,
    closed: null,
  };
  await table.add(tx, schema, [opened]);
}

async function figuresOf(
  tx: PoolClient,
  schema: string,
  { source, mode, ordinal, currencies }: Tick,
  n: number,
): Promise<Omit<TickFigures, 'closing'>[]> {
  const { rows } = await tx.query<{ currency: string; booked: string; payouts: string; returns: string; under_way: string; differences: string }>({
    name: `${schema} day closes: figures`,
    text: `with mine as (
             select r.*, case when reversed then -amount else amount end as booked, ${IS_DIFFERENCE} as is_difference
               from ${schema}.day_rows r where source = $1 and n = $4
           ), figure as (
             select currency, booked, 0 as payouts, 0 as returns, 0 as under_way, 0 as differences
               from mine where movement in ('BATCH', 'CHARGE', 'UNKNOWN') or (is_difference and processor is null)
             union all
             select currency, 0, 0, 0, 0, booked from mine where is_difference
             union all
             select currency, 0, -amount, 0, 0, 0 from ${schema}.items where mode = $2 and succeeded_from < $3 and not is_held
             union all
             select currency, 0, 0, amount, 0, 0 from ${schema}.items where kind = 'RETURN' and mode = $2 and ordinal < $3 and not is_held
             union all
             select currency, 0, 0, 0, -amount, 0 from ${schema}.items where kind = 'PAYOUT' and mode = $2 and is_held and succeeded_from is null
             union all
             select currency, 0, 0, 0, -amount, 0 from ${schema}.items where mode = $2 and is_held and succeeded_from >= $3
           )
           select c.currency, coalesce(sum(booked), 0)::text as booked, coalesce(sum(payouts), 0)::text as payouts, coalesce(sum(returns), 0)::text as returns,
                  coalesce(sum(under_way), 0)::text as under_way, coalesce(sum(differences), 0)::text as differences
             from unnest($5::text[]) c (currency) left join figure f on f.currency = c.currency group by c.currency order by c.currency`,
    values: [source, mode, ordinal, n, currencies],
  });
  return rows.map(({ currency, booked, payouts, returns, under_way, differences }) => ({
    currency,
    booked: Number(booked),
    payouts: Number(payouts),
    returns: Number(returns),
    under_way: Number(under_way),
    differences: Number(differences),
  }));
}
