import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import type { MeantDifference } from '../../src/platform/projector/projection.js';
import { ACCOUNTS, isPlatformAccount, SUM_COLUMNS } from './journal.js';
import { PLATFORM } from '../merchants/owners.js';

const listOf = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
const PLATFORMS = listOf(Object.values(PLATFORM));
const PLATFORM_ACCOUNTS = listOf(ACCOUNTS.filter(isPlatformAccount));

/** Excludes unmatched payments: they moved nothing, so the previous journal has no entries of them. All credits of `suspense` are theirs. */
const WAS_BOOKED = `type <> 'ChargePaymentUnmatched'`;
/** The sums of a row without unmatched payments. */
const previousSum = (row: string, column: string): string =>
  column === 'processor_debit' ? `(${row}.processor_debit - ${row}.suspense_credit)` : `${row}.${column}`;

/** From this version on, house accounts have an owner, and lines have a proposal and a month. */
const HOUSE_OWNS = 8;
/** From this version on, unmatched payments are booked. */
const UNMATCHED_BOOKED = 7;
/** From this version on, the platform is one owner per mode; before, its sums were those of both modes together. */
const MODES_APART = 6;

/** Selects the rows of the tables of version `from` from the tables in `schema`. */
export function previousViews(schema: string, from: number): Readonly<Record<'balances' | 'journal' | 'owners', string>> {
  // True when the balances of the platform's accounts are those of one mode, false when they are those of both modes.
  const isApart = from >= MODES_APART;
  const [wasBooked, sumOf] = from >= UNMATCHED_BOOKED ? ['true', (row: string, column: string) => `${row}.${column}`] : [WAS_BOOKED, previousSum];
  const owner = isApart ? 'b.merchant_id' : `'${PLATFORM.live}'::uuid`;
  const ofMode = isApart ? 'e.mode, ' : '';
  return {
    owners: `select merchant_id, mode from ${schema}.owners where ${from >= HOUSE_OWNS ? 'true' : `merchant_id not in (${listOf(Object.values(HOUSE_OWNERS))})`}`,
    // The merchant's part of `processor` is selected as it is now. The difference is reported.
    balances: `
      select b.merchant_id, b.currency, ${SUM_COLUMNS.map((column) => `b.${column}`).join(', ')}, b.pending_count, b.available_count,
             coalesce(l.booked_on, b.modified_on) as modified_on, coalesce(l.booked_by, b.modified_by) as modified_by
        from ${schema}.balances b
        left join (
          select distinct on (merchant_id, currency) merchant_id, currency, booked_on, booked_by from ${schema}.journal
           where ${wasBooked} and (merchant_id, currency) in (select merchant_id, currency from ${schema}.balances where suspense_credit > 0)
           order by merchant_id, currency, ordinal desc) l using (merchant_id, currency)
       where b.merchant_id not in (${PLATFORMS}) and (b.suspense_credit = 0 or l.booked_on is not null)
      union all
      select ${owner} as merchant_id, b.currency, ${SUM_COLUMNS.map((column) => `sum(${sumOf('b', column)}) as ${column}`).join(', ')}, sum(pending_count)::bigint, sum(available_count)::bigint,
             max(l.booked_on), (array_agg(l.booked_by order by l.ordinal desc))[1]
        from ${schema}.balances b
        join (
          select mode, currency, max(booked_on) as booked_on, max(ordinal) as ordinal,
                 (array_agg(booked_by order by ordinal desc))[1] as booked_by
            from ${schema}.journal where ${wasBooked} group by mode, currency) l
          on l.currency = b.currency and b.merchant_id = case l.mode when 'live' then '${PLATFORM.live}'::uuid else '${PLATFORM.test}'::uuid end
       group by ${owner}, b.currency`,
    journal: `
      select j.ordinal, j.event_id, j.merchant_id, j.currency, j.type, j.record_id, j.settlement_number, j.refund_id, j.dispute_id, ${from >= HOUSE_OWNS ? 'j.proposal_id, j.relates_to,' : ''}
             j.booked_on, j.booked_by, ${SUM_COLUMNS.map((column) => `${sumOf('j', column)} as ${column}`).join(', ')},
             j.pending_count, j.available_count, j.accounts, j.amounts, coalesce(f.balances, '{}') as balances, j.mode
        from ${schema}.journal j
        left join (
          select ordinal, array_agg(case when account in (${PLATFORM_ACCOUNTS}) then of_platform else balance end order by line) as balances
            from (select e.ordinal, l.account, l.balance, l.line,
                         sum(l.amount) over (partition by ${ofMode}e.currency, l.account order by e.ordinal, l.line) as of_platform
                    from ${schema}.journal e
                    cross join lateral unnest(e.accounts, e.amounts, e.balances) with ordinality l(account, amount, balance, line)
                   where ${wasBooked}) lines
           group by ordinal) f on f.ordinal = j.ordinal
       where ${wasBooked}`,
  };
}

/**
 * Returns the differences that unmatched payments explain: the processor's debt grew by their sum, and entries after such a payment are booked later
 * where the clocks of the processes differed, because booking times rise within an account.
 */
export const meantSincePrevious = (schema: string): Readonly<Record<'balances' | 'journal', MeantDifference>> => ({
  balances: {
    columns: ['processor_debit', 'modified_on'],
    when: `rebuilt.modified_on >= live.modified_on
      and exists (select from ${schema}.balances b where b.currency = rebuilt.currency and b.suspense_credit > 0)
      and (rebuilt.processor_debit = live.processor_debit
        or rebuilt.processor_debit - live.processor_debit = (select suspense_credit from ${schema}.balances b
             where b.merchant_id = rebuilt.merchant_id and b.currency = rebuilt.currency))`,
    sum: 'rebuilt.processor_debit - live.processor_debit',
    words: 'payments that no charge could take, in minor units',
  },
  journal: {
    columns: ['booked_on'],
    when: `rebuilt.booked_on >= live.booked_on
      and exists (select from ${schema}.journal j where j.ordinal = rebuilt.ordinal and j.suspense_credit > 0)`,
    sum: 'extract(epoch from rebuilt.booked_on - live.booked_on)',
    words: 'booked behind such a payment, in seconds',
  },
});
