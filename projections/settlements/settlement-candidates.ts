import type { ClientBase } from 'pg';
import type { ChargeLineKind, SettlementLine } from '../../src/ledger/events/account.events.js';
import { handling, type HandledBy, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { addToDueSums, changesBy, dueSumsDdl, type DueSum } from './due-sums.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

const table = new Table(
  'settlement_candidates',
  {
    record_id: 'uuid not null',
    kind: 'text collate "C" not null',
    merchant_id: 'uuid not null',
    currency: 'text collate "C" not null',
    due_on: 'timestamptz not null',
    net_amount: 'bigint not null',
    fee_amount: 'bigint not null',
    /** Only for the line of a refund or dispute; null for others. */
    charge_id: 'uuid',
  },
  ['primary key (record_id, kind)'],
);

/**
 * Possible lines of a settlement that no settlement has claimed: paid charges from their due day on; and, due at once, reversals of claimed charges,
 * returned payouts, money that refunds return, and holds, releases and fees of disputes. Amounts of charges are reduced by refunds and disputes. The
 * worker reads this table; the records' own streams decide.
 */
export const settlementCandidates: LedgerReadModel = {
  name: 'settlement_candidates',
  version: 2,
  ddl: (schema) => table.ddl(schema) + dueSumsDdl(schema),
  indexes: (schema) => [
    `create index settlement_candidates_due on ${schema}.settlement_candidates (merchant_id, currency, due_on, record_id)`,
    `create index settlement_candidates_urgent on ${schema}.settlement_candidates (merchant_id, currency) where kind <> 'charge'`,
  ],

  async apply(tx, schema, batch) {
    const { added, changed, removed } = fold(batch);
    const [, , ...replies] = await Promise.all([
      table.add(tx, schema, [...added.values()]),
      addToDueSums(
        tx,
        schema,
        [...added.values()].map((line) => ({ ...line, count: 1 })),
      ),
      changed.size > 0 &&
        tx.query<DueSum>({
          name: `${schema} candidates: change`,
          text: `with lines as (
                   update ${schema}.settlement_candidates c set net_amount = c.net_amount + n.net_amount, fee_amount = c.fee_amount + n.fee_amount
                     from ${changedColumns.rows} where c.record_id = n.record_id and c.kind = 'charge'
                   returning c.merchant_id, c.currency, c.due_on, c.kind, n.net_amount, n.fee_amount)
                 ${changesBy('lines', 'changed')}`,
          values: changedColumns.values([...changed.values()]),
        }),
      removed.length > 0 &&
        tx.query<DueSum>({
          name: `${schema} candidates: remove`,
          text: `with lines as (
                   delete from ${schema}.settlement_candidates c using ${removedColumns.rows} where c.record_id = n.record_id and c.kind = n.kind
                   returning c.*)
                 ${changesBy('lines', 'removed')}`,
          values: removedColumns.values(removed),
        }),
    ]);
    await addToDueSums(
      tx,
      schema,
      replies.flatMap((reply) => (reply ? reply.rows : [])),
    );
  },
};

type CandidateRow = RowOf<(typeof table)['definitions'], { readonly kind: SettlementLine['kind'] }>;
type AmountChange = Pick<CandidateRow, 'record_id' | 'net_amount' | 'fee_amount'>;
type CandidateKey = Pick<CandidateRow, 'record_id' | 'kind'>;

const changedColumns = table.parameters(['record_id', 'net_amount', 'fee_amount'], 'n');
const removedColumns = table.parameters(['record_id', 'kind'], 'n');

const isHandled = handling({
  charges: { except: ['ChargeCreated', 'ChargePaymentUnmatched', 'unpaid charges', 'refund submissions', 'ChargeRefundSucceeded'] },
  disputes: { except: ['dispute proceedings'] },
  payouts: { except: ['transfers', 'PayoutRegistered', 'PayoutOutcomeContradicted'] },
});
type CandidateEvent = HandledBy<typeof isHandled>;

/**
 * Changes by a batch. A record becomes a candidate of each kind at most once, so a candidate that is added and removed within the batch leaves no
 * row.
 */
class Candidates {
  readonly added = new Map<string, CandidateRow>();
  readonly changed = new Map<string, AmountChange>();
  readonly removed: CandidateKey[] = [];

  add(row: CandidateRow): void {
    this.added.set(`${row.kind} ${row.record_id}`, row);
  }

  /** A refund or dispute whose fee was its whole amount moves nothing. */
  addLine(
    kind: ChargeLineKind,
    { record_id, merchant_id, currency, net_amount, due_on, charge_id }: Omit<CandidateRow, 'kind' | 'fee_amount'>,
  ): void {
    if (net_amount > 0) this.add({ kind, record_id, merchant_id, currency, net_amount, fee_amount: 0, due_on, charge_id });
  }

  /** Changes the remaining amount of a charge. Has no effect when the charge is no longer a candidate. */
  change(
    { charge_id: record_id, net_amount: net, fee_amount: fee }: { charge_id: string; net_amount: number; fee_amount: number },
    sign: 1 | -1,
  ): void {
    const row = this.added.get(`charge ${record_id}`);
    const { net_amount, fee_amount } = row ?? this.changed.get(record_id) ?? { net_amount: 0, fee_amount: 0 };
    const amounts = { net_amount: net_amount + sign * net, fee_amount: fee_amount + sign * fee };
    if (row) this.add({ ...row, ...amounts });
    else this.changed.set(record_id, { record_id, ...amounts });
  }

  remove(kind: CandidateKey['kind'], record_id: string): void {
    if (!this.added.delete(`${kind} ${record_id}`)) this.removed.push({ kind, record_id });
  }
}

function fold(batch: readonly LoggedEvent[]): Candidates {
  const candidates = new Candidates();
  for (const event of batch) if (isHandled(event)) take(candidates, event);
  return candidates;
}

function take(candidates: Candidates, event: CandidateEvent): void {
  switch (event.type) {
    case 'ChargePaid': {
      const { charge_id: record_id, merchant_id, currency, net_amount, fee_amount, settlement_date: due_on } = event.data;
      return candidates.add({ kind: 'charge', record_id, merchant_id, currency, net_amount, fee_amount, due_on, charge_id: null });
    }
    case 'ChargeSettlementClaimed':
      return candidates.remove('charge', event.data.charge_id);
    case 'ChargeReversed': {
      const { charge_id: record_id, merchant_id, currency, net_amount, fee_amount, claimed_in, reversed_on: due_on } = event.data;
      if (claimed_in === null) return candidates.remove('charge', record_id);
      return candidates.add({ kind: 'reversal', record_id, merchant_id, currency, net_amount, fee_amount, due_on, charge_id: null });
    }
    case 'ChargeReversalClaimed':
      return candidates.remove('reversal', event.data.charge_id);
    case 'ChargeLineClaimed':
      return candidates.remove(event.data.kind, event.data.record_id);
    case 'PayoutReturned': {
      const { payout_id: record_id, merchant_id, currency, net_amount, fee_amount, returned_on: due_on } = event.data;
      return candidates.add({ kind: 'return', record_id, merchant_id, currency, net_amount, fee_amount, due_on, charge_id: null });
    }
    case 'PayoutReturnClaimed':
      return candidates.remove('return', event.data.payout_id);
    default:
      return takeBack(candidates, event);
  }
}

/** Handles refunds and disputes: they reduce a charge that is not claimed yet, and add lines for a charge that a settlement has claimed. */
function takeBack(
  candidates: Candidates,
  event: Extract<CandidateEvent, { readonly type: `ChargeRefund${string}` | `ChargeDispute${string}` }>,
): void {
  switch (event.type) {
    case 'ChargeRefundClaimed':
      if (event.data.source === 'PENDING') candidates.change(event.data, -1);
      return;
    case 'ChargeRefundFailed':
    case 'ChargeRefundCancelled':
    case 'ChargeRefundBounced':
      if (event.data.to === 'PENDING') candidates.change(event.data, 1);
      if (event.data.to === 'RETURNS')
        candidates.addLine('refund-return', { ...event.data, record_id: event.data.refund_id, due_on: event.metadata.occurred_on });
      return;
    case 'ChargeDisputeHeld':
      if (event.data.from === 'PENDING') candidates.change(event.data, -1);
      else candidates.addLine('dispute-hold', { ...event.data, record_id: event.data.hold_id, due_on: event.data.held_on });
      return;
    case 'ChargeDisputeWon':
      if (event.data.to === 'PENDING') candidates.change(event.data, 1);
      else candidates.addLine('dispute-release', { ...event.data, record_id: event.data.release_id, due_on: event.data.won_on });
      return;
    case 'ChargeDisputeLost': {
      const { dispute_id: record_id, dispute_fee_amount: net_amount, lost_on: due_on } = event.data;
      return candidates.addLine('dispute-fee', { ...event.data, record_id, net_amount, due_on });
    }
    default:
      return unreachable(event);
  }
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

export interface DueAccount {
  readonly merchant_id: string;
  readonly currency: string;
}

/**
 * Returns the longest due line of each account that has a line due at `dueBefore` (inclusive). Skips from account to account, independent of the
 * number of lines.
 */
export async function findDueAccounts(db: Db, dueBefore: Timestamp): Promise<(DueAccount & { readonly due_on: Timestamp })[]> {
  const { rows } = await db.query<DueAccount & { due_on: Timestamp }>(
    `with recursive accounts as (
       (select merchant_id, currency, due_on from ledger.settlement_candidates order by merchant_id, currency, due_on limit 1)
       union all
       select next.* from accounts a cross join lateral (
         select c.merchant_id, c.currency, c.due_on from ledger.settlement_candidates c
          where (c.merchant_id, c.currency) > (a.merchant_id, a.currency) order by c.merchant_id, c.currency, c.due_on limit 1) next
     )
     select merchant_id, currency, due_on from accounts where due_on <= $1`,
    [dueBefore],
  );
  return rows;
}

/** Returns accounts with a reversal, a return, or a line of a refund or dispute. They do not wait for the next round. */
export async function findUrgentAccounts(db: Db): Promise<DueAccount[]> {
  const { rows } = await db.query<DueAccount>(
    `select distinct merchant_id, currency from ledger.settlement_candidates where kind <> 'charge' order by merchant_id, currency`,
  );
  return rows;
}

/** Returns the account's lines that are due at `dueBefore` (inclusive), longest due first, at most `limit`. */
export async function findSettlementCandidates(db: Db, account: DueAccount, dueBefore: Timestamp, limit: number): Promise<SettlementLine[]> {
  const { rows } = await db.query<CandidateKey & Record<'net_amount' | 'fee_amount', bigint> & { charge_id: string | null }>(
    `select kind, record_id, net_amount, fee_amount, charge_id from ledger.settlement_candidates
      where merchant_id = $1 and currency = $2 and due_on <= $3 order by due_on, record_id limit $4`,
    [account.merchant_id, account.currency, dueBefore, limit],
  );
  return rows.map(({ kind, record_id, net_amount, fee_amount, charge_id }) => ({
    kind,
    record_id,
    net_amount: Number(net_amount),
    fee_amount: Number(fee_amount),
    ...(charge_id !== null && { charge_id }),
  }));
}
