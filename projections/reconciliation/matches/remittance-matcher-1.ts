import type { PoolClient } from 'pg';
import { correctStatistics, lookUp } from '../planning.js';
import { endContradicted, foundAtBank, matchBatches, matchBatchesByAmount, matchCharges, matchPayouts } from './remittance-matcher-1-bank.js';
import type { FoundBreak, Tick } from '../days/tick.js';
import { EARLIEST_DAY } from '../statements.js';
import { foundInRemittances, matchRemitted } from './remittance-matcher-1-batches.js';

/**
 * Matchers 1 and 2, which differ in missing files only. Their passes never change, so that past days never change. They run in SQL over all open
 * lines of a source at once. Every remaining difference is a break: ends breaks that are resolved, and returns new ones.
 */
export async function runRemittanceMatcher1(tx: PoolClient, schema: string, tick: Tick): Promise<FoundBreak[]> {
  await endContradicted(tx, schema, tick);
  if (tick.kind === 'PROCESSOR') await matchRemitted(tx, schema, tick);
  else {
    await matchBatches(tx, schema, tick);
    if (tick.by_amount) await matchBatchesByAmount(tx, schema, tick);
    await correctStatistics(tx, schema);
    await matchPayouts(tx, schema, tick);
    await matchCharges(tx, schema, tick);
  }
  await correctStatistics(tx, schema);
  return replaceBreaks(tx, schema, tick);
}

const COUNTED = 'g.source = $1 and g.counted_from <= $4 and (g.counted_until is null or g.counted_until > $4)';

/**
 * Returns conditions of the days of files: from the first one, a banking day `due.day` without a file is missing. Statements of a bank are
 * consecutive, so a later statement covers the earlier days. By matcher 1, days count of files that were replaced, and a processor's file covers all
 * days from its first line to its last one.
 */
function filedDays(schema: string, { kind, matcher }: Tick): { readonly from: string; readonly has: string } {
  const from = matcher === 1 ? 'g.source = $1 and g.counted_from <= $4' : COUNTED;
  if (kind === 'BANK') return { from, has: `(due.day <= coalesce((select max(g.day) from ${schema}.groups g where ${COUNTED}), ''))` };
  if (matcher === 1) {
    const statement = `join ${schema}.statements s on s.id = g.statement_id`;
    const has = `exists (select from ${schema}.groups g ${statement} where ${COUNTED} and (g.day = due.day or due.day between s.booked_from and s.booked_to))`;
    return { from, has };
  }
  const days = lookUp(`${schema}.group_days`, 'statement_id = g.statement_id and name = g.name');
  return { from, has: `due.day in (select d.day from ${schema}.groups g cross join lateral ${days} d where ${COUNTED})` };
}

/** Finds banking days that no file of the source covers. */
function filesMissing(schema: string, tick: Tick): string {
  const { from, has } = filedDays(schema, tick);
  return `
    select 'FILE_MISSING', due.day, null::int8, null::int8, null, null, null
      from (select to_char(d, 'YYYY-MM-DD') as day
              from generate_series((select min(g.day) from ${schema}.groups g where ${from} and g.day > '${EARLIEST_DAY}')::timestamp, $8::timestamp, '1 day') d
             where extract(isodow from d) < 6) due
     where not ${has}`;
}

const COLUMNS = 'kind, subject, line_id, item, batch_source, batch, of_mode';

async function replaceBreaks(tx: PoolClient, schema: string, tick: Tick): Promise<FoundBreak[]> {
  const { with: of, found, values } = (tick.kind === 'BANK' ? foundAtBank : foundInRemittances)(schema, tick);
  const { rows } = await tx.query<FoundBreak>({
    name: `${schema} matcher ${tick.matcher}: breaks of a ${tick.kind}`,
    text: `with ${of}, found (${COLUMNS}) as (
             ${found}
             union all ${filesMissing(schema, tick)}
           ), side as (
             -- Joined, they would be held each against each: Postgres expects few of them.
             select *, count(id) over same as known, count(*) over same - count(id) over same as found
               from (select ${COLUMNS}, null::uuid as id, null::int8 as opened_from from found
                     union all
                     select ${COLUMNS}, id, opened_from from ${schema}.breaks where source = $1 and resolved_from is null) both_sides
             window same as (partition by ${COLUMNS})
           ), resolved as (
             update ${schema}.breaks b set resolved_from = $4, resolved_on = $7
               from side
              where side.found = 0 and (b.id, b.opened_from) = (side.id, side.opened_from)
                and not (b.kind in ('FEE', 'TAX')
                         and exists (select from ${schema}.matches m where (m.line_id, m.item) = (b.line_id, b.item) and m.matched_until is null))
           )
           select ${COLUMNS} from side where id is null and known = 0 order by line_id, item, subject`,
    values: [
      ...[tick.source, values.second, tick.mode, tick.ordinal, tick.currencies, tick.overdue_before, tick.on, tick.last_filed],
      ...values.more,
    ],
  });
  return rows;
}
