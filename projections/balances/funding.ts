import type { ClientBase, PoolClient } from 'pg';
import { effectOnAvailable, LINE_KINDS, type LineKind, type SettlementLine } from '../../src/ledger/events/account.events.js';
import { adjustedAvailable } from '../../src/ledger/events/adjustment.events.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import type { Timestamp } from '../../src/ledger/time.js';
import type { PayoutRow } from '../payouts/payouts.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/**
 * Columns of a queue, which belongs to one merchant and currency. Amounts are minor units. `upto`: the sum of the queue's amounts up to and including
 * this row.
 */
const QUEUED = {
  merchant_id: 'uuid not null',
  currency: 'text collate "C" not null',
  upto: 'numeric not null',
  amount: 'numeric not null',
  ordinal: 'bigint not null',
  occurred_on: 'timestamptz not null',
} as const;
const QUEUE_KEY = ['primary key (merchant_id, currency, upto)'];

/** Settlements and adjustments that brought money. */
const inflowsTable = new Table(
  'inflows',
  {
    ...QUEUED,
    /** null for an adjustment, which has an id. */
    settlement_number: 'integer',
    adjustment_id: 'uuid',
  },
  QUEUE_KEY,
);
/**
 * Money that has left the available balance for good: payouts that succeeded, refunds that their charges have claimed, settlements below zero,
 * adjustments.
 */
const outflowsTable = new Table(
  'outflows',
  {
    ...QUEUED,
    kind: 'text collate "C" not null',
    /** Id of the payout, refund or adjustment; null for a settlement, which has a number. */
    record_id: 'uuid',
    settlement_number: 'integer',
  },
  QUEUE_KEY,
);

type InflowRow = RowOf<(typeof inflowsTable)['definitions'], { readonly upto: bigint; readonly amount: bigint }>;
type OutflowRow = RowOf<
  (typeof outflowsTable)['definitions'],
  { readonly upto: bigint; readonly amount: bigint; readonly kind: 'PAYOUT' | 'REFUND' | 'SETTLEMENT' | 'ADJUSTMENT' }
>;
type Queued<Row> = Omit<Row, 'upto'>;

/**
 * Assigns the settlements and adjustments that pay for each outflow: two queues per account, first in, first out. Both are in the order of the log
 * and only grow, so the sources of a payout never change. A remittance advice promises that.
 */
export const funding: LedgerReadModel = {
  name: 'funding',
  version: 1,
  ddl: (schema) => inflowsTable.ddl(schema) + outflowsTable.ddl(schema),
  indexes: (schema) => [`create unique index outflows_of_records on ${schema}.outflows (record_id) where record_id is not null`],

  async apply(tx, schema, batch) {
    const { inflows, outflows } = fold(batch);
    if (inflows.length > 0) await inflowsTable.add(tx, schema, await placed(tx, `${schema}.inflows`, inflows));
    if (outflows.length > 0) await outflowsTable.add(tx, schema, await placed(tx, `${schema}.outflows`, outflows));
  },
};

const isHandled = handling({
  charges: { except: ['ChargeCreated', 'payments', 'unpaid charges', 'settlement claims', 'ChargeReversed', 'refund submissions', 'refund results'] },
  accounts: {
    except: [
      'PayoutRequested',
      'payout approvals',
      'PayoutSubmitted',
      'PayoutFailed',
      'PayoutCancelled',
      'account refunds',
      'HouseAdjusted',
      'unbooked adjustments',
    ],
  },
});

function fold(batch: readonly LoggedEvent[]): { inflows: Queued<InflowRow>[]; outflows: Queued<OutflowRow>[] } {
  const inflows: Queued<InflowRow>[] = [];
  const outflows: Queued<OutflowRow>[] = [];
  for (const event of batch) {
    if (!isHandled(event)) continue;
    const { ordinal } = event;
    switch (event.type) {
      case 'FundsSettled': {
        const { merchant_id, currency, settlement_number, lines, settled_on: occurred_on } = event.data;
        const amount = lines.reduce((sum, line) => sum + effectOnAvailable(line), 0n);
        const row = { merchant_id, currency, ordinal, occurred_on, settlement_number };
        if (amount > 0n) inflows.push({ ...row, amount, adjustment_id: null });
        else if (amount < 0n) outflows.push({ ...row, amount: -amount, kind: 'SETTLEMENT', record_id: null });
        break;
      }
      case 'PayoutSucceeded': {
        const { merchant_id, currency, payout_id: record_id, amount, succeeded_on: occurred_on } = event.data;
        const row = { merchant_id, currency, ordinal, occurred_on, settlement_number: null };
        outflows.push({ ...row, amount: BigInt(amount), kind: 'PAYOUT', record_id });
        break;
      }
      case 'ChargeRefundClaimed': {
        const { merchant_id, currency, refund_id: record_id, net_amount, source, claimed_on: occurred_on } = event.data;
        const row = { merchant_id, currency, ordinal, occurred_on, settlement_number: null };
        if (source === 'AVAILABLE' && net_amount > 0) outflows.push({ ...row, amount: BigInt(net_amount), kind: 'REFUND', record_id });
        break;
      }
      case 'AccountAdjusted': {
        const { merchant_id, currency, proposal_id, adjusted_on: occurred_on } = event.data;
        const amount = adjustedAvailable(event.data);
        const row = { merchant_id, currency, ordinal, occurred_on, settlement_number: null };
        if (amount > 0n) inflows.push({ ...row, amount, adjustment_id: proposal_id });
        else if (amount < 0n) outflows.push({ ...row, amount: -amount, kind: 'ADJUSTMENT', record_id: proposal_id });
        break;
      }
      default:
        return unreachable(event);
    }
  }
  return { inflows, outflows };
}

/** Gives each row its place after the rows that are already in its queue. */
async function placed<Row extends Omit<InflowRow, 'upto' | 'settlement_number' | 'adjustment_id'>>(
  tx: PoolClient,
  queue: string,
  rows: readonly Row[],
): Promise<(Row & { readonly upto: bigint })[]> {
  const key = ({ merchant_id, currency }: { readonly merchant_id: string; readonly currency: string }): string => `${merchant_id} ${currency}`;
  const accounts = [...new Map(rows.map((row) => [key(row), row])).values()];
  const last = await tx.query<{ merchant_id: string; currency: string; upto: string }>({
    name: `${queue}: ends`,
    text: `select a.merchant_id, a.currency, q.upto from unnest($1::uuid[], $2::text[]) a (merchant_id, currency)
             cross join lateral (select upto from ${queue} q where q.merchant_id = a.merchant_id and q.currency = a.currency
                                  order by q.upto desc limit 1) q`,
    values: [accounts.map(({ merchant_id }) => merchant_id), accounts.map(({ currency }) => currency)],
  });
  const ends = new Map(last.rows.map((row) => [key(row), BigInt(row.upto)]));
  return rows.map((row) => {
    const upto = (ends.get(key(row)) ?? 0n) + row.amount;
    ends.set(key(row), upto);
    return { ...row, upto };
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

/** A payout that succeeded, and its place in the queue of its account: its money follows `before`. Minor units. */
export interface PaidOut extends Pick<PayoutRow, 'merchant_id' | 'currency' | 'amount' | 'fee_amount' | 'net_amount' | 'reference_id'> {
  readonly payout_id: string;
  readonly requested_on: Timestamp;
  readonly succeeded_on: Timestamp;
  /** Ordinal of its PayoutSucceeded. Later settlements have not funded it. */
  readonly position: number;
  readonly before: bigint;
  /** The part that no settlement had covered by then. Later settlements cover it. */
  readonly not_covered: bigint;
}

/** @param payoutId a UUID @param merchantId absent for any merchant @returns undefined when no such payout has succeeded */
export async function findPaidOut(db: Db, payoutId: string, merchantId?: string): Promise<PaidOut | undefined> {
  const { rows } = await db.query<Omit<PaidOut, 'position' | 'before' | 'not_covered'> & { ordinal: bigint; upto: string; came: string }>(
    `select p.id as payout_id, p.merchant_id, p.currency, p.amount, p.fee_amount, p.net_amount, p.reference_id, p.created_on as requested_on,
            o.occurred_on as succeeded_on, o.ordinal, o.upto, coalesce(i.upto, 0) as came
       from ledger.outflows o join ledger.payouts p on p.id = o.record_id
       left join lateral (select upto from ledger.inflows i where i.merchant_id = o.merchant_id and i.currency = o.currency and i.ordinal < o.ordinal
                           order by upto desc limit 1) i on true
      where o.record_id = $1 and o.kind = 'PAYOUT' and ($2::uuid is null or o.merchant_id = $2)`,
    [payoutId, merchantId ?? null],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { ordinal, upto, came, amount, fee_amount, net_amount, ...rest } = row;
  const [before, missing] = [BigInt(upto) - BigInt(amount), BigInt(upto) - BigInt(came)];
  const [paid, nothing] = [BigInt(amount), 0n];
  const not_covered = missing < nothing ? nothing : missing > paid ? paid : missing;
  return {
    ...rest,
    amount: Number(amount),
    fee_amount: Number(fee_amount),
    net_amount: Number(net_amount),
    position: Number(ordinal),
    before,
    not_covered,
  };
}

/** The part of one settlement or adjustment that paid for a payout, and its used and remaining parts. Minor units. */
export interface FundedFrom {
  /** For an adjustment, both are null. */
  readonly settlement_id: string | null;
  readonly settlement_number: number | null;
  /** Absent, not null, for a settlement, so that documents signed before adjustments existed stay the same. */
  readonly adjustment_id?: string;
  readonly settled_on: Timestamp;
  readonly net_amount: bigint;
  readonly used_before: bigint;
  readonly used_here: bigint;
  readonly left: bigint;
}

/** Sums of all money that came into an account and of all that has left it for good, minor units. */
export async function findQueueEnds(
  db: Db,
  { merchant_id, currency }: { readonly merchant_id: string; readonly currency: string },
): Promise<{ readonly came: bigint; readonly went: bigint }> {
  const end = (queue: string): string =>
    `coalesce((select upto from ledger.${queue} where merchant_id = $1 and currency = $2 order by upto desc limit 1), 0)`;
  const { rows } = await db.query<{ came: string; went: string }>(`select ${end('inflows')} as came, ${end('outflows')} as went`, [
    merchant_id,
    currency,
  ]);
  return { came: BigInt(rows[0]!.came), went: BigInt(rows[0]!.went) };
}

/** A range of an account's queue: `amount` from `before` on, paid by inflows before `position`. */
export type QueueRange = Pick<PaidOut, 'merchant_id' | 'currency' | 'amount' | 'before' | 'position'>;

/**
 * Returns the settlements and adjustments that funded a payout, oldest first. Their `used_here` and the payout's `not_covered` add up to its amount.
 * @param after sum of the parts on earlier pages, minor units
 */
export async function findFundings(
  db: Db,
  { merchant_id, currency, amount, before, position }: QueueRange,
  after: bigint,
  limit: number,
): Promise<FundedFrom[]> {
  const end = before + BigInt(amount);
  type Found = Record<'id' | 'adjustment_id', string | null> & Record<'settled_on' | 'amount' | 'upto', string> & { readonly number: number | null };
  const { rows } = await db.query<Found>(
    `select s.id, i.settlement_number as number, i.adjustment_id, i.occurred_on as settled_on, i.amount, i.upto
       from ledger.inflows i
       left join ledger.settlements s on s.merchant_id = i.merchant_id and s.currency = i.currency and s.number = i.settlement_number
      where i.merchant_id = $1 and i.currency = $2 and i.upto > $3 and i.upto - i.amount < $4 and i.ordinal < $5
      order by i.upto limit $6`,
    [merchant_id, currency, before + after, end, position, limit],
  );
  return rows.map(({ id, number, adjustment_id, settled_on, ...row }) => {
    const [net_amount, upto] = [BigInt(row.amount), BigInt(row.upto)];
    const used_before = before > upto - net_amount ? before - (upto - net_amount) : 0n;
    const left = upto > end ? upto - end : 0n;
    const used_here = net_amount - used_before - left;
    const of = { settlement_id: id, settlement_number: number, ...(adjustment_id !== null && { adjustment_id }) };
    return { ...of, settled_on, net_amount, used_before, used_here, left };
  });
}

/** A settlement that brought money, and the payouts that paid it out. */
export interface SettledBy {
  readonly number: number;
  /** Those that succeeded, in the order of their success. */
  readonly payouts: readonly { readonly payout_id: string; readonly succeeded_on: Timestamp }[];
  /** True while not all of its money has left. */
  readonly is_left: boolean;
}

/** @returns undefined for a settlement that has brought no money: one that is not settled yet, or whose lines took as much as they brought */
export async function findSettledBy(
  db: Db,
  { merchant_id, currency, number }: { readonly merchant_id: string; readonly currency: string; readonly number: number },
): Promise<SettledBy | undefined> {
  const { rows } = await db.query<{ is_left: boolean; payout_id: string | null; succeeded_on: Timestamp | null }>(
    `select i.upto > coalesce((select max(upto) from ledger.outflows where merchant_id = $1 and currency = $2), 0) as is_left,
            o.record_id as payout_id, o.occurred_on as succeeded_on
       from ledger.inflows i
       left join ledger.outflows o on o.merchant_id = i.merchant_id and o.currency = i.currency and o.kind = 'PAYOUT'
                                  and o.upto > i.upto - i.amount and o.upto - o.amount < i.upto and i.ordinal < o.ordinal
      where i.merchant_id = $1 and i.currency = $2 and i.settlement_number = $3 order by o.upto`,
    [merchant_id, currency, number],
  );
  const payouts = rows.flatMap(({ payout_id, succeeded_on }) => (payout_id === null || succeeded_on === null ? [] : [{ payout_id, succeeded_on }]));
  return rows[0] && { number, payouts, is_left: rows[0].is_left };
}

/**
 * A line of a settlement with the code and reference that the merchant knows. `gross_amount` less `fee_amount` is `net_amount`, which adds to
 * available.
 */
/** `Kind`: a settlement has no adjustments among its lines. */
export interface FundingLine<Kind = LineKind | 'ADJUSTMENT'> {
  /** Position in the settlement. */
  readonly line: number;
  readonly kind: Kind;
  /** As in SettlementLine. */
  readonly record_id: string;
  readonly charge_id: string | null;
  readonly code: string | null;
  readonly reference_id: string | null;
  readonly gross_amount: bigint;
  readonly fee_amount: bigint;
  readonly net_amount: bigint;
}

/** Joins the charge that a line `alias` of a settlement concerns, as `c`; a return concerns none. */
export const joinChargeOf = (alias: string): string =>
  `left join ledger.charges c on c.id = case when ${alias}.kind in ('charge', 'reversal') then ${alias}.record_id else ${alias}.charge_id end`;

/** Returns lines in the settlement's order. @param after the last line of the page before */
export async function findFundingLines(db: Db, settlementId: string, after: number, limit: number): Promise<FundingLine<LineKind>[]> {
  const { rows } = await db.query<SettlementLine & Pick<FundingLine, 'line' | 'code' | 'reference_id'>>(
    `select l.line, l.kind, l.record_id, l.net_amount, l.fee_amount, c.id as charge_id, c.code, c.reference_id
       from ledger.settlement_lines l
       ${joinChargeOf('l')}
      where l.settlement_id = $1 and l.line > $2 order by l.line limit $3`,
    [settlementId, after, limit],
  );
  return rows.map(({ line, kind, record_id, charge_id = null, code, reference_id, ...amounts }) => {
    const net_amount = effectOnAvailable({ kind, ...amounts });
    const fee_amount = kind === 'charge' ? BigInt(amounts.fee_amount) : -BigInt(amounts.fee_amount);
    const gross_amount = net_amount + fee_amount;
    return { line, kind: LINE_KINDS[kind], record_id, charge_id, code, reference_id, gross_amount, fee_amount, net_amount };
  });
}

/** Returns the one line of an adjustment that brought money. @param id of its proposal, a UUID */
export async function findAdjustmentLine(db: Db, id: string): Promise<FundingLine> {
  type Found = Pick<FundingLine, 'charge_id' | 'code' | 'reference_id' | 'fee_amount'> & { readonly available_change: bigint };
  const { rows } = await db.query<Found>(
    `select a.charge_id, c.code, c.reference_id, a.fee_amount, a.available_change
       from ledger.adjustments a left join ledger.charges c on c.id = a.charge_id where a.id = $1`,
    [id],
  );
  const { charge_id, code, reference_id, fee_amount, available_change: net_amount } = rows[0]!;
  return { line: 1, kind: 'ADJUSTMENT', record_id: id, charge_id, code, reference_id, gross_amount: net_amount + fee_amount, fee_amount, net_amount };
}
