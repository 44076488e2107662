import type { ClientBase } from 'pg';
import { effectOnAvailable, LINE_KINDS, type LineKind, type SettlementLine } from '../../src/ledger/events/account.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import { milliseconds, timestamp, type Timestamp } from '../../src/ledger/time.js';
import { UUID } from '../../src/platform/text/uuid.js';
import { IS_ANSWERABLE, IS_OPEN } from '../disputes/dispute-reads.js';
import { claimedCharges, REFUNDS, type AccountName } from './explanation.js';
import { joinOwners } from '../merchants/owners.js';
import { joinChargeOf } from './funding.js';
import { balanceSql } from './journal.js';

/**
 * Reads the money that is on its way to an account's available balance: the lines that no settlement has claimed yet, at their due times, and the
 * lines that a settlement has claimed and the account has not taken. All reads of one response must use one snapshot (postgres/snapshot.ts).
 */
type Db = Pick<ClientBase, 'query'>;

/** Lines of one kind that are due at the same time. */
export interface DueLines {
  readonly kind: LineKind;
  /** Not before the moment of the read: overdue and claimed lines are due at that moment. */
  readonly due_on: Timestamp;
  readonly count: number;
  /** Amount that the lines add to available, minor units; negative when they take money. */
  readonly effect: bigint;
}

/** Returns the lines of an account in groups, from the sums of unclaimed lines and the lines of open settlements. */
export async function findDueLines(db: Db, { merchant_id, currency }: AccountName, now: Timestamp): Promise<DueLines[]> {
  const rows = await groupedLines<GroupRow>(db, '', (row) => `${row}.merchant_id = $1 and ${row}.currency = $2`, [merchant_id, currency, now]);
  return rows.map(dueLinesOf);
}

interface GroupRow extends Pick<SettlementLine, 'kind'> {
  readonly due_on: Timestamp;
  readonly count: bigint;
  readonly net_amount: string;
  readonly fee_amount: string;
}

/**
 * Groups lines by kind and due time. @param keys further columns of the groups, each followed by a comma @param isAsked condition on the account of a
 * row @param values both values of the condition, and the time of the read
 */
async function groupedLines<Row extends GroupRow>(
  db: Db,
  keys: string,
  isAsked: (row: string) => string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select ${keys} kind, greatest(due_on, $3::timestamptz) as due_on, sum(count)::bigint as count, sum(net_amount) as net_amount,
            sum(fee_amount) as fee_amount
       from (select ${keys} kind, due_on, count, net_amount, fee_amount from ledger.settlement_due_sums d where ${isAsked('d')}
             union all
             select ${keys} kind, $3::timestamptz, 1, net_amount, fee_amount from (${claimedLines(isAsked('s'))}) claimed) l
      group by ${keys} kind, greatest(due_on, $3::timestamptz) order by due_on, kind`,
    [...values],
  );
  return rows;
}

const dueLinesOf = ({ kind, due_on, count, net_amount, fee_amount }: GroupRow): DueLines => ({
  ...{ kind: LINE_KINDS[kind], due_on, count: Number(count) },
  effect: effectOnAvailable({ kind, net_amount: BigInt(net_amount), fee_amount: BigInt(fee_amount) }),
});

/** The lines of a charge are claimed with the amount that its claim took; other lines never change. @param of condition on the settlement `s` */
const claimedLines = (of: string): string => `
  select 'charge' collate "C" as kind, merchant_id, currency, id as record_id, null::uuid as charge_id, due_on, amount as net_amount,
         0::bigint as fee_amount
    from (${claimedCharges(of)}) c
  union all
  select l.kind, s.merchant_id, s.currency, l.record_id, l.charge_id, s.opened_on, l.net_amount, l.fee_amount
    from ledger.settlements s join ledger.settlement_lines l on l.settlement_id = s.id and l.kind <> 'charge'
   where ${of} and s.settled_on is null
     and not exists (select from ledger.settlement_candidates d where d.record_id = l.record_id and d.kind = l.kind)`;

/** A line that is due on a day. */
export interface DueLine {
  readonly kind: LineKind;
  /** Id of the charge, of the payout that a bank returned, of the refund, the dispute or the hold or release of one. */
  readonly record_id: string;
  /** null for a payout that a bank returned. */
  readonly charge_id: string | null;
  readonly code: string | null;
  readonly reference_id: string | null;
  /** Due time of the line; of a claimed line that is not a charge, the time at which its settlement was opened. */
  readonly due_on: Timestamp;
  /** A settlement has claimed it, and the account has not taken the settlement yet. */
  readonly claimed: boolean;
  /** Amount that it adds to available, minor units; negative when it takes money. */
  readonly net_amount: bigint;
  /** Opaque; the next page starts after this line. */
  readonly cursor: string;
}

export interface DuePeriod {
  /** Inclusive; null: from the oldest line on, with all claimed lines. */
  readonly from: Timestamp | null;
  /** Exclusive. */
  readonly to: Timestamp;
}

/** Returns the lines of a period after `after`, the cursor of a line: by due time, then by record. @throws RangeError for a text that is no cursor */
export async function findLinesDue(db: Db, account: AccountName, period: DuePeriod, after: string | undefined, limit: number): Promise<DueLine[]> {
  const { rows } = await db.query<
    Pick<SettlementLine, 'kind'> & Record<'net_amount' | 'fee_amount', bigint> & Omit<DueLine, 'kind' | 'net_amount' | 'cursor'>
  >(
    `select l.kind, l.record_id, c.id as charge_id, c.code, c.reference_id, l.due_on, l.claimed, l.net_amount, l.fee_amount
       from ((select kind, record_id, charge_id, due_on, net_amount, fee_amount, false as claimed from ledger.settlement_candidates
               where merchant_id = $1 and currency = $2 and due_on >= coalesce($3, '-infinity'::timestamptz) and due_on < $4 and ${IS_BEHIND}
               order by due_on, record_id, kind limit $8)
             union all
             select kind, record_id, charge_id, due_on, net_amount, fee_amount, true from (${claimedLines('s.merchant_id = $1 and s.currency = $2')}) claimed
              where $3::timestamptz is null and ${IS_BEHIND}) l
       ${joinChargeOf('l')}
      order by l.due_on, l.record_id, l.kind limit $8`,
    [account.merchant_id, account.currency, period.from, period.to, ...keyOf(after), limit],
  );
  return rows.map(({ kind, net_amount, fee_amount, ...line }) => ({
    kind: LINE_KINDS[kind],
    ...line,
    net_amount: effectOnAvailable({ kind, net_amount, fee_amount }),
    cursor: `${milliseconds(line.due_on)}:${line.record_id}:${kind}`,
  }));
}

const IS_BEHIND = `(due_on, record_id, kind) > ($5::timestamptz, $6::uuid, $7)`;

/** Returns the place of a cursor in the order of the lines; without one, a place before all of them. */
function keyOf(cursor: string | undefined): [due_on: string, record_id: string, kind: string] {
  if (cursor === undefined) return ['-infinity', '00000000-0000-0000-0000-000000000000', ''];
  const [due, id = '', kind = ''] = cursor.split(':');
  if (!/^\d{1,14}$/.test(due!) || !UUID.test(id) || !Object.hasOwn(LINE_KINDS, kind)) throw new RangeError('no cursor of due lines');
  return [timestamp(Number(due)), id, kind];
}

/** Records that are open, and whose effect on the balance is not decided. Amounts are minor units. */
export interface OpenRecords {
  readonly disputes: { readonly count: number; readonly held_amount: bigint; readonly next_due_by: Timestamp | null };
  readonly refunds: { readonly count: number; readonly net_amount: bigint };
  readonly payouts: { readonly count: number; readonly amount: bigint };
}

/** Returns the account's open disputes, refunds and payouts. */
export async function findOpenRecords(db: Db, { merchant_id, currency }: AccountName): Promise<OpenRecords> {
  const { rows } = await db.query<{ record: keyof OpenRecords; count: bigint; amount: string; due_by: Timestamp | null }>({
    name: 'forecast: open records',
    text: `select 'disputes' as record, count(*) as count, coalesce(sum(held_amount), 0) as amount, min(due_by) filter (where ${IS_ANSWERABLE}) as due_by
             from ledger.disputes where merchant_id = $1 and currency = $2 and ${IS_OPEN}
           union all
           select 'refunds', count(*), coalesce(sum(amount), 0), null from (${REFUNDS}) r where status in ('PENDING', 'PROCESSING')
           union all
           select 'payouts', count(*), coalesce(sum(amount), 0), null
             from ledger.payouts where merchant_id = $1 and currency = $2 and payout_status in ('PENDING', 'PROCESSING')`,
    values: [merchant_id, currency],
  });
  const of = (record: keyof OpenRecords) => {
    const found = rows.find((row) => row.record === record)!;
    return { count: Number(found.count), amount: BigInt(found.amount), due_by: found.due_by };
  };
  const [disputes, refunds, payouts] = [of('disputes'), of('refunds'), of('payouts')];
  return {
    disputes: { count: disputes.count, held_amount: disputes.amount, next_due_by: disputes.due_by },
    refunds: { count: refunds.count, net_amount: refunds.amount },
    payouts: { count: payouts.count, amount: payouts.amount },
  };
}

/** The available balance of one account, and all lines that are on their way to it. */
export interface AccountForecast extends AccountName {
  readonly mode: Mode;
  readonly available: bigint;
  readonly lines: readonly DueLines[];
}

const keyOfAccount = ({ merchant_id, currency }: AccountName): string => `${merchant_id} ${currency}`;

/** Returns all accounts of a mode, or of both, in one currency, or in all. */
export async function findAccountForecasts(
  db: Db,
  { mode, currency }: { readonly mode?: Mode | undefined; readonly currency?: string | undefined },
  now: Timestamp,
): Promise<AccountForecast[]> {
  const values = [mode ?? null, currency ?? null];
  const isAsked = (row: string): string =>
    `($2::text is null or ${row}.currency = $2) and ${row}.merchant_id in (select merchant_id from ledger.owners where $1::text is null or mode = $1)`;
  const { rows: accounts } = await db.query<AccountName & { mode: Mode; available: string }>({
    name: 'forecasts: accounts',
    text: `select b.merchant_id, b.currency, o.mode, (${balanceSql('b', ['available'])})::text as available
             from ledger.balances b ${joinOwners('b')} where ${isAsked('b')}`,
    values,
  });
  const lines = await groupedLines<GroupRow & AccountName>(db, 'merchant_id, currency,', isAsked, [...values, now]);
  const byAccount = new Map<string, DueLines[]>(accounts.map((account) => [keyOfAccount(account), []]));
  for (const line of lines) byAccount.get(keyOfAccount(line))!.push(dueLinesOf(line));
  return accounts.map(({ available, ...account }) => ({
    ...account,
    available: BigInt(available),
    lines: byAccount.get(keyOfAccount(account))!,
  }));
}

/** Returns the sum that banks must still pay for open payouts, by mode and currency, minor units: fees stay with the platform. */
export async function findOrderedPayouts(db: Db): Promise<{ readonly mode: Mode; readonly currency: string; readonly amount: bigint }[]> {
  const { rows } = await db.query<{ mode: Mode; currency: string; amount: string }>({
    name: 'forecasts: ordered payouts',
    text: `select o.mode, p.currency, sum(p.net_amount)::text as amount from ledger.payouts p ${joinOwners('p')}
            where p.payout_status in ('PENDING', 'PROCESSING') group by 1, 2`,
    values: [],
  });
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }));
}
