import { ACCOUNTS, isPlatformAccount, SUM_COLUMNS } from './journal.js';
import { PLATFORM } from '../merchants/owners.js';

const MODES_OF_PLATFORM = Object.values(PLATFORM)
  .map((owner) => `'${owner}'`)
  .join(', ');
const PLATFORM_ACCOUNTS = ACCOUNTS.filter(isPlatformAccount)
  .map((account) => `'${account}'`)
  .join(', ');

/**
 * What stood in these tables while the platform was one owner, out of the tables in `schema`: its sums are those of both modes
 * together, and the balance behind a line of its accounts is all that the lines of both modes had come to by then.
 */
export const formerViews = (schema: string): Readonly<Record<'balances' | 'journal', string>> => ({
  balances: `
    select merchant_id, currency, ${SUM_COLUMNS.join(', ')}, pending_count, available_count, modified_on, modified_by
      from ${schema}.balances where merchant_id not in (${MODES_OF_PLATFORM})
    union all
    select '${PLATFORM.live}'::uuid, b.currency, ${SUM_COLUMNS.map((column) => `sum(${column})`).join(', ')},
           sum(pending_count)::bigint, sum(available_count)::bigint, max(modified_on),
           (select booked_by from ${schema}.journal j where j.currency = b.currency order by ordinal desc limit 1)
      from ${schema}.balances b where merchant_id in (${MODES_OF_PLATFORM}) group by b.currency`,
  journal: `
    select j.ordinal, j.event_id, j.merchant_id, j.currency, j.type, j.record_id, j.settlement_number, j.refund_id, j.dispute_id,
           j.booked_on, j.booked_by, ${SUM_COLUMNS.map((column) => `j.${column}`).join(', ')}, j.pending_count, j.available_count,
           j.accounts, j.amounts, coalesce(f.balances, '{}') as balances
      from ${schema}.journal j
      left join (
        select ordinal, array_agg(case when account in (${PLATFORM_ACCOUNTS}) then of_both else balance end order by line) as balances
          from (select e.ordinal, l.account, l.balance, l.line,
                       sum(l.amount) over (partition by e.currency, l.account order by e.ordinal, l.line) as of_both
                  from ${schema}.journal e
                  cross join lateral unnest(e.accounts, e.amounts, e.balances) with ordinality l(account, amount, balance, line)) lines
         group by ordinal) f on f.ordinal = j.ordinal`,
});
