import type { ClientBase } from 'pg';
import { REVERSED_WITH_FEE } from '../charges/charges.js';
import { cellOf, channelNumbers } from '../charges/charge-blocks.js';
import { UUID } from '../../src/platform/text/uuid.js';

/**
 * Explains a merchant's balance: each bucket lists the records whose amounts add up to it, to the minor unit. All reads of one response must use one
 * snapshot (postgres/snapshot.ts).
 *
 * The available balance is explained first in, first out. The settlements and adjustments of an account, in the order of the log, are a queue of
 * money. Outgoing money takes the oldest money that is left: payouts that have neither failed nor been cancelled, refunds of money that a settlement
 * had claimed, settlements that took back more than they brought, and adjustments that take money. Completed outflows come first, in the order in
 * which they completed, as in a remittance advice (funding.ts); open ones follow. Money that such a refund returns is a line of a later settlement.
 * docs/money-reference.md describes this for finance.
 */
export const BUCKETS = ['PENDING', 'AVAILABLE', 'RESERVED', 'FEES', 'PAYOUTS', 'REFUNDS', 'ADJUSTMENTS'] as const;
export type Bucket = (typeof BUCKETS)[number];

export interface AccountName {
  readonly merchant_id: string;
  readonly currency: string;
}

/** Part of a bucket: `amount`, in minor units, is the sum of all records of one kind and status. */
export interface Group {
  readonly kind: 'CHARGES' | 'SETTLEMENTS' | 'ADJUSTMENTS' | 'PAYOUTS' | 'REFUNDS' | 'DISPUTES';
  /** null in a bucket that does not distinguish records by status. */
  readonly status: string | null;
  readonly count: number;
  readonly amount: bigint;
}

/** Money of one settlement or adjustment in a payout or refund. */
export interface Funding {
  /** null for an adjustment. */
  readonly settlement_id: string | null;
  readonly settlement_number: number | null;
  /** null for a settlement. */
  readonly adjustment_id: string | null;
  readonly amount: bigint;
}

/** A record and its contribution to the bucket, in minor units; below zero for money that it takes out. */
export interface Part {
  readonly kind: 'CHARGE' | 'SETTLEMENT' | 'ADJUSTMENT' | 'PAYOUT' | 'REFUND' | 'DISPUTE';
  readonly id: string;
  readonly settlement_number: number | null;
  /** Code of the charge. */
  readonly code: string | null;
  readonly reference_id: string | null;
  /** Settlement status of a charge, status of a payout or refund. */
  readonly status: string | null;
  readonly amount: bigint;
  /**
   * Sources of the money of a payout, or of a refund that took available money: settlements and adjustments, oldest first, at most FUNDINGS_MAX; null
   * for other records.
   */
  readonly funded_from: readonly Funding[] | null;
  /** Number of all these sources; null for other records. */
  readonly funded_from_count: number | null;
  /** Opaque; the next page starts after this part. */
  readonly cursor: string;
}

/** Maximum sources listed for one payout or refund. The count includes the others. */
export const FUNDINGS_MAX = 100;

type Db = Pick<ClientBase, 'query'>;

/** Totals of the account, from its balance row. */
export interface Figures {
  readonly fees: bigint;
  /** Charges that are paid and not reversed, settled or not. */
  readonly charges: number;
}

const COUNTED_PAYOUT_STATUSES = `('PENDING', 'PROCESSING', 'SUCCEEDED', 'REVERSED')`;

/** Returns the groups that add up to the bucket. */
export async function findGroups(db: Db, bucket: Bucket, account: AccountName, figures: Figures): Promise<Group[]> {
  const values = [account.merchant_id, account.currency];
  const groups = async (sql: string): Promise<Group[]> => {
    const { rows } = await db.query<Omit<Group, 'count' | 'amount'> & { count: bigint; amount: string }>(sql, values);
    return rows.map(({ kind, status, count, amount }) => ({ kind, status, count: Number(count), amount: BigInt(amount) }));
  };
  const payouts = (condition: string, amount: string, status: string): string =>
    `select 'PAYOUTS' as kind, ${status} as status, count(*) as count, coalesce(sum(${amount}), 0)::numeric as amount
       from ledger.payouts where merchant_id = $1 and currency = $2 and ${condition}`;
  const refunds = (condition: string, amount: string, status: string): string =>
    `select 'REFUNDS' as kind, ${status} as status, count(*) as count, coalesce(sum(${amount}), 0)::numeric as amount
       from (${REFUNDS}) r where ${condition}`;
  const adjustments = (amount: string): string =>
    `select 'ADJUSTMENTS' as kind, null as status, count(*) as count, sum(${amount})::numeric as amount
       from (${ADJUSTMENTS}) a where ${amount} <> 0 having count(*) > 0`;
  switch (bucket) {
    case 'PENDING':
      return groups(
        `select 'CHARGES' as kind, status, count(*) as count, sum(amount)::numeric as amount from (${PENDING_CHARGES}) c group by status order by status`,
      );
    case 'AVAILABLE':
      return groups(
        `select 'SETTLEMENTS' as kind, null as status, count(*) as count, coalesce(sum(net_amount), 0) as amount
           from ledger.settlements where merchant_id = $1 and currency = $2 and settled_on is not null
         union all ${payouts(`payout_status in ${COUNTED_PAYOUT_STATUSES}`, '-amount', 'null')}
         union all ${refunds(`source = 'AVAILABLE'`, '-amount', 'null')}
         union all ${adjustments('available_change')}`,
      );
    case 'RESERVED':
      return groups(
        `${payouts(`payout_status in ('PENDING', 'PROCESSING')`, 'amount', 'payout_status')} group by payout_status
         union all ${refunds(`status in ('PENDING', 'PROCESSING')`, 'amount', 'status')} group by status
         union all select 'DISPUTES', null, count(*), sum(amount)::numeric from (${HELD_FOR_DISPUTES}) d having count(*) > 0 order by 1, 2`,
      );
    case 'FEES': {
      const ofPayouts = await groups(payouts(`payout_status = 'SUCCEEDED'`, 'fee_amount', 'null'));
      const ofDisputes = await groups(
        `select 'DISPUTES' as kind, null as status, count(*) as count, sum(amount)::numeric as amount from (${DISPUTE_FEES}) d having count(*) > 0`,
      );
      const ofAdjustments = await groups(adjustments('fee_change'));
      const beside = [...ofAdjustments, ...ofDisputes, ...ofPayouts];
      const amount = figures.fees - beside.reduce((sum, each) => sum + each.amount, 0n);
      // An account may have millions of charges. The fees of charges are therefore the total less all other fees.
      const [reversed] = await groups(
        `select 'CHARGES' as kind, null as status, count(*) as count, 0::numeric as amount
           from ledger.charges where merchant_id = $1 and currency = $2 and ${REVERSED_WITH_FEE}`,
      );
      return [{ kind: 'CHARGES', status: null, count: figures.charges + reversed!.count, amount }, ...beside];
    }
    case 'PAYOUTS':
      return groups(
        `${payouts(`payout_status in ${COUNTED_PAYOUT_STATUSES}`, '-amount', 'payout_status')} group by payout_status order by payout_status`,
      );
    case 'REFUNDS':
      return groups(`${refunds(`source = 'AVAILABLE'`, '-amount', 'status')} group by status order by status`);
    case 'ADJUSTMENTS':
      return groups(adjustments('available_change'));
  }
}

/** Refunds by the amount that the merchant pays. Refunds that only the account knows of yet are PENDING. */
export const REFUNDS = `
  select id, net_amount as amount, source, refund_status as status, reference_id, created_on as at from ledger.refunds
   where merchant_id = $1 and currency = $2
  union all
  select refund_id, net_amount, 'AVAILABLE', 'PENDING', null, reserved_on from ledger.refund_reservations
   where merchant_id = $1 and currency = $2 and not is_claimed`;

/** The merchant's money that each dispute holds, by the entries of the journal. */
const HELD_FOR_DISPUTES = `
  select j.dispute_id as id, min(j.booked_on) as at, sum(a.amount) as amount
    from ledger.journal j cross join lateral unnest(j.accounts, j.amounts) a (account, amount)
   where j.merchant_id = $1 and j.currency = $2 and j.dispute_id is not null and a.account = 'disputed'
   group by j.dispute_id having sum(a.amount) <> 0`;

/** Adjustments by the change of the merchant's available balance, and by the change of earned fees. */
const ADJUSTMENTS = `
  select id, available_change, case kind when 'FEE_CORRECTION' then -available_change else fee_amount end as fee_change
    from ledger.adjustments where merchant_id = $1 and currency = $2`;

/** Fees that settlements have taken for lost disputes, one per dispute. */
const DISPUTE_FEES = `
  select l.record_id as id, l.net_amount as amount
    from ledger.settlement_lines l join ledger.settlements s on s.id = l.settlement_id
   where l.kind = 'dispute-fee' and s.merchant_id = $1 and s.currency = $2 and s.settled_on is not null`;

/**
 * Charges that a settlement has claimed and the account has not taken yet, with the amount that the claim took. @param of condition on the settlement
 * `s`
 */
export const claimedCharges = (of: string): string => `
  select c.id, c.merchant_id, c.currency, c.settlement_date as due_on, coalesce(c.claimed_net_amount, c.net_amount) as amount from ledger.charges c
   where c.settlement_status = 'PROCESSING' and c.id in (
     select l.record_id from ledger.settlements s join ledger.settlement_lines l on l.settlement_id = s.id and l.kind = 'charge'
      where ${of} and s.settled_on is null)`;

/** Charges that wait for a settlement, and claimed ones. */
const PENDING_CHARGES = `
  select record_id as id, 'PENDING' as status, net_amount as amount from ledger.settlement_candidates
   where merchant_id = $1 and currency = $2 and kind = 'charge'
  union all
  select id, 'PROCESSING', amount from (${claimedCharges('s.merchant_id = $1 and s.currency = $2')}) claimed`;

/** Inflows and outflows of the queue, each with the sum up to and including it. */
const QUEUE = `
  inflow as materialized (
    select case when i.adjustment_id is null then 'SETTLEMENT' else 'ADJUSTMENT' end as kind, coalesce(i.adjustment_id, s.id) as id,
           i.settlement_number as number, i.amount, i.upto
      from ledger.inflows i left join ledger.settlements s on s.merchant_id = $1 and s.currency = $2 and s.number = i.settlement_number
     where i.merchant_id = $1 and i.currency = $2
  ), outflow as materialized (
    select kind, id, number, reference_id, status, at, amount, sum(amount) over (order by place, at, id) as upto from (
      select 'PAYOUT' as kind, p.id, null::int as number, p.reference_id, p.payout_status as status, p.created_on as at, p.amount::numeric as amount, f.ordinal as place
        from ledger.payouts p left join ledger.outflows f on f.record_id = p.id
       where p.merchant_id = $1 and p.currency = $2 and p.payout_status in ${COUNTED_PAYOUT_STATUSES}
      union all
      select 'REFUND', r.id, null, r.reference_id, r.status, r.at, r.amount, f.ordinal
        from (${REFUNDS}) r left join ledger.outflows f on f.record_id = r.id where r.source = 'AVAILABLE' and r.amount > 0
      union all
      select 'SETTLEMENT', s.id, s.number, null, null, s.settled_on, -s.net_amount, f.ordinal
        from ledger.settlements s
        join ledger.outflows f on f.merchant_id = s.merchant_id and f.currency = s.currency and f.settlement_number = s.number
       where s.merchant_id = $1 and s.currency = $2
      union all
      select 'ADJUSTMENT', a.id, null, null, null, a.adjusted_on, -a.available_change, f.ordinal
        from ledger.adjustments a join ledger.outflows f on f.record_id = a.id where a.merchant_id = $1 and a.currency = $2
    ) o
  ), totals as materialized (
    select (select coalesce(max(upto), 0) from inflow) as came, (select coalesce(max(upto), 0) from outflow) as went
  )`;

type PartRow = Omit<Part, 'amount' | 'funded_from' | 'funded_from_count'> & { readonly amount: string };

/**
 * Returns the records of the bucket after `after`, the cursor of a part, in the bucket's own order. @throws RangeError when the cursor does not
 * belong to this bucket
 */
export async function findParts(db: Db, bucket: Bucket, account: AccountName, after: string | undefined, limit: number): Promise<Part[]> {
  const values: unknown[] = [account.merchant_id, account.currency, limit];
  const parts = async (sql: string): Promise<Part[]> => {
    const { rows } = await db.query<PartRow>(sql, values);
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount), funded_from: null, funded_from_count: null }));
  };
  switch (bucket) {
    case 'PENDING':
      return parts(
        `select 'CHARGE' as kind, p.id, null::int as settlement_number, c.code, c.reference_id, p.status, p.amount::numeric as amount, p.id::text as cursor
           from (${PENDING_CHARGES}) p join ledger.charges c on c.id = p.id
          where ${behindId('p.id', after, values)} order by p.id limit $3`,
      );
    case 'AVAILABLE':
      // Remaining money of each settlement; when more money went out than came in, the part of each outflow that is not covered.
      return parts(
        `with ${QUEUE}
         select kind, id, number as settlement_number, null as code, reference_id, status, amount, id::text as cursor from (
           select i.kind, i.id, i.number, null as reference_id, null as status, least(i.amount, i.upto - t.went) as amount
             from inflow i cross join totals t where i.upto > t.went
           union all
           select o.kind, o.id, o.number, o.reference_id, o.status, -least(o.amount, o.upto - t.came)
             from outflow o cross join totals t where o.upto > t.came
         ) p where ${behindId('id', after, values)} order by id limit $3`,
      );
    case 'RESERVED':
    case 'PAYOUTS':
    case 'REFUNDS':
      return outflowParts(db, bucket, after, values);
    case 'FEES':
      return parts(feeParts(account.currency, after, values));
    case 'ADJUSTMENTS':
      return parts(
        `select 'ADJUSTMENT' as kind, id, null::int as settlement_number, null as code, null as reference_id, null as status,
                available_change::numeric as amount, id::text as cursor
           from (${ADJUSTMENTS}) a where available_change <> 0 and ${behindId('id', after, values)} order by id limit $3`,
      );
  }
}

const OUTFLOWS = {
  RESERVED: `(kind = 'DISPUTE' or kind <> 'SETTLEMENT' and status in ('PENDING', 'PROCESSING'))`,
  PAYOUTS: `kind = 'PAYOUT'`,
  REFUNDS: `kind = 'REFUND'`,
} as const;

/** Refunds of money that was still pending, and disputes, are in no queue of settlements. Their money is reserved too. */
const RESERVED_BESIDE = `
  select 'REFUND', id, null::int, reference_id, status, at, amount::numeric, null::numeric from (${REFUNDS}) r where source = 'PENDING' and amount > 0
  union all
  select 'DISPUTE', id, null, null, null, at, amount, null from (${HELD_FOR_DISPUTES}) d`;

async function outflowParts(db: Db, bucket: keyof typeof OUTFLOWS, after: string | undefined, values: unknown[]): Promise<Part[]> {
  const isReserved = bucket === 'RESERVED';
  const { rows } = await db.query<
    PartRow & { readonly funded_from: readonly (Omit<Funding, 'amount'> & { amount: string })[]; readonly fundings: bigint }
  >(
    `with ${QUEUE}, page as materialized (
       select * from (select * from outflow ${isReserved ? `union all ${RESERVED_BESIDE}` : ''}) o
        where ${OUTFLOWS[bucket]} and ${behindId('id', after, values)} order by id limit $3
     )
     select p.kind, p.id, null::int as settlement_number, null as code, p.reference_id, p.status, ${isReserved ? '' : '-'}p.amount as amount, p.id::text as cursor,
            coalesce(f.funded_from, '[]') as funded_from, coalesce(f.fundings, 0) as fundings
       from page p
       left join lateral (
         select count(*) as fundings,
                json_agg(json_build_object('settlement_id', case kind when 'SETTLEMENT' then id end, 'settlement_number', number,
                                           'adjustment_id', case kind when 'ADJUSTMENT' then id end, 'amount', amount::text) order by nth) filter (where nth <= ${FUNDINGS_MAX}) as funded_from
           from (select i.kind, i.id, i.number, row_number() over (order by i.upto) as nth,
                        least(i.upto, p.upto) - greatest(i.upto - i.amount, p.upto - p.amount) as amount
                   from inflow i where i.upto > p.upto - p.amount and i.upto - i.amount < p.upto) overlap
       ) f on true
      order by p.id`,
    values,
  );
  return rows.map(({ funded_from, fundings, ...row }) => ({
    ...row,
    amount: BigInt(row.amount),
    ...(row.kind === 'DISPUTE'
      ? { funded_from: null, funded_from_count: null }
      : { funded_from: funded_from.map((each) => ({ ...each, amount: BigInt(each.amount) })), funded_from_count: Number(fundings) }),
  }));
}

const FEE_KINDS: readonly string[] = ['ADJUSTMENT', 'CHARGE', 'DISPUTE', 'PAYOUT'];

/** Selects adjustments, then charges, disputes and payouts, each sorted by id. */
function feeParts(currency: string, after: string | undefined, values: unknown[]): string {
  const [kind, id] = (after === undefined ? ['ADJUSTMENT'] : after.split(':')) as [string, string | undefined];
  if (!FEE_KINDS.includes(kind)) throw new RangeError('no cursor of fees');
  const behind = behindId('id', id, values);
  /** Selects the records of a kind that follow the cursor. */
  const condition = (of: string): string => (of === kind ? behind : `${FEE_KINDS.indexOf(of) > FEE_KINDS.indexOf(kind)}`);
  const cells = channelNumbers(undefined, currency).map((channel) => cellOf(channel, 'SUCCEEDED'));
  const ofCharges = `
    select 'CHARGE' as kind, c.id, null::int as settlement_number, c.code, c.reference_id, c.settlement_status as status, c.earned_fee::numeric as amount
      from unnest($${values.push(cells)}::int2[]) wanted (cell) cross join lateral (
        select * from ledger.charges where merchant_id = $1 and cell = wanted.cell and (settlement_status <> 'REVERSED' or earned_fee <> 0) and ${condition('CHARGE')} order by id limit $3) c`;
  const ofDisputes = `
    select 'DISPUTE', id, null::int, null, null, null, amount::numeric from (${DISPUTE_FEES}) d
     where ${condition('DISPUTE')}`;
  const ofPayouts = `
    select 'PAYOUT', id, null::int, null, reference_id, payout_status, fee_amount::numeric from ledger.payouts
     where merchant_id = $1 and currency = $2 and payout_status = 'SUCCEEDED' and ${condition('PAYOUT')}`;
  const ofAdjustments = `
    select 'ADJUSTMENT', id, null::int, null, null, null, fee_change::numeric from (${ADJUSTMENTS}) a where fee_change <> 0 and ${condition('ADJUSTMENT')}`;
  return `select *, kind || ':' || id as cursor from (${ofCharges} union all ${ofAdjustments} union all ${ofDisputes} union all ${ofPayouts}) p order by kind, id limit $3`;
}

function behindId(column: string, after: string | undefined, values: unknown[]): string {
  if (after === undefined) return 'true';
  if (!UUID.test(after)) throw new RangeError('no cursor');
  return `${column} > $${values.push(after)}::uuid`;
}
