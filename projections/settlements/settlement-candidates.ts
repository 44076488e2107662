import type { ClientBase } from 'pg';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import { readFact } from '../../src/ledger/catalogue.js';
import type { OrdinalEvent, ReadModel } from '../../src/platform/projector/projection.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Columns } from '../../src/platform/postgres/binary/columns.js';
import { NewRows } from '../../src/platform/postgres/binary/new-rows.js';

/**
 * What could be a line of a settlement and is not claimed by one: paid charges from the day on which they are due, reversals of
 * claimed charges and returned payouts at once. The process looks here; the records' own streams decide.
 */
export const settlementCandidates: ReadModel = {
  name: 'settlement_candidates',
  version: 1,
  ddl: (schema) => `
create table ${schema}.settlement_candidates (
  record_id uuid not null,
  kind text collate "C" not null,
  merchant_id uuid not null,
  currency text collate "C" not null,
  due_on timestamptz not null,
  net_amount bigint not null,
  fee_amount bigint not null,
  primary key (record_id, kind)
)`,
  indexes: (schema) => [
    `create index settlement_candidates_due on ${schema}.settlement_candidates (merchant_id, currency, due_on, record_id)`,
    `create index settlement_candidates_urgent on ${schema}.settlement_candidates (merchant_id, currency) where kind <> 'charge'`,
  ],

  async apply(tx, schema, batch) {
    const { added, removed } = fold(batch);
    await Promise.all([
      newCandidates.add(tx, `${schema}.settlement_candidates`, added),
      removed.length > 0 &&
        tx.query({
          name: `${schema} candidates: remove`,
          text: `delete from ${schema}.settlement_candidates c using ${removedColumns.rows} where c.record_id = n.record_id and c.kind = n.kind`,
          values: removedColumns.values(removed),
        }),
    ]);
  },
};

interface CandidateRow extends SettlementLine {
  readonly merchant_id: string;
  readonly currency: string;
  readonly due_on: Timestamp;
}

type CandidateKey = Pick<CandidateRow, 'record_id' | 'kind'>;

const newCandidates = new NewRows<CandidateRow>({
  record_id: 'uuid',
  kind: 'text',
  merchant_id: 'uuid',
  currency: 'text',
  due_on: 'timestamptz',
  net_amount: 'bigint',
  fee_amount: 'bigint',
});
const removedColumns = new Columns<CandidateKey>({ record_id: 'uuid', kind: 'text' }, 'n');

/** A record becomes a candidate of each kind once at most, so what comes and goes within the batch leaves no trace. */
function fold(batch: readonly OrdinalEvent[]): { added: CandidateRow[]; removed: CandidateKey[] } {
  const added = new Map<string, CandidateRow>();
  const removed: CandidateKey[] = [];
  const add = (row: CandidateRow): void => void added.set(`${row.kind} ${row.record_id}`, row);
  const remove = (kind: CandidateKey['kind'], record_id: string): void => {
    if (!added.delete(`${kind} ${record_id}`)) removed.push({ kind, record_id });
  };
  for (const recorded of batch) {
    const event = readFact(recorded);
    switch (event.type) {
      case 'ChargePaid': {
        const { charge_id: record_id, merchant_id, currency, net_amount, fee_amount, settlement_date: due_on } = event.data;
        add({ kind: 'charge', record_id, merchant_id, currency, net_amount, fee_amount, due_on });
        break;
      }
      case 'ChargeSettlementClaimed':
        remove('charge', event.data.charge_id);
        break;
      case 'ChargeReversed': {
        const { charge_id: record_id, merchant_id, currency, net_amount, fee_amount, claimed_in, reversed_on: due_on } = event.data;
        if (claimed_in === null) remove('charge', record_id);
        else add({ kind: 'reversal', record_id, merchant_id, currency, net_amount, fee_amount, due_on });
        break;
      }
      case 'ChargeReversalClaimed':
        remove('reversal', event.data.charge_id);
        break;
      case 'PayoutReturned': {
        const { payout_id: record_id, merchant_id, currency, net_amount, fee_amount, returned_on: due_on } = event.data;
        add({ kind: 'return', record_id, merchant_id, currency, net_amount, fee_amount, due_on });
        break;
      }
      case 'PayoutReturnClaimed':
        remove('return', event.data.payout_id);
    }
  }
  return { added: [...added.values()], removed };
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

export interface DueAccount {
  readonly merchant_id: string;
  readonly currency: string;
}

/** Accounts that have something due at `dueBefore` (inclusive). Steps from account to account, however much each has. */
export async function findDueAccounts(db: Db, dueBefore: Timestamp): Promise<DueAccount[]> {
  const { rows } = await db.query<DueAccount>(
    `with recursive accounts as (
       (select merchant_id, currency, due_on from ledger.settlement_candidates order by merchant_id, currency, due_on limit 1)
       union all
       select next.* from accounts a cross join lateral (
         select c.merchant_id, c.currency, c.due_on from ledger.settlement_candidates c
          where (c.merchant_id, c.currency) > (a.merchant_id, a.currency) order by c.merchant_id, c.currency, c.due_on limit 1) next
     )
     select merchant_id, currency from accounts where due_on <= $1`,
    [dueBefore],
  );
  return rows;
}

/** Accounts with a reversal or a return: those do not wait for the next round. */
export async function findUrgentAccounts(db: Db): Promise<DueAccount[]> {
  const { rows } = await db.query<DueAccount>(
    `select distinct merchant_id, currency from ledger.settlement_candidates where kind <> 'charge' order by merchant_id, currency`,
  );
  return rows;
}

/** The account's lines that are due at `dueBefore` (inclusive), longest due first, at most `limit`. */
export async function findSettlementCandidates(db: Db, account: DueAccount, dueBefore: Timestamp, limit: number): Promise<SettlementLine[]> {
  const { rows } = await db.query<Pick<SettlementLine, 'kind' | 'record_id'> & Record<'net_amount' | 'fee_amount', bigint>>(
    `select kind, record_id, net_amount, fee_amount from ledger.settlement_candidates
      where merchant_id = $1 and currency = $2 and due_on <= $3 order by due_on, record_id limit $4`,
    [account.merchant_id, account.currency, dueBefore, limit],
  );
  return rows.map(({ kind, record_id, net_amount, fee_amount }) => ({
    kind,
    record_id,
    net_amount: Number(net_amount),
    fee_amount: Number(fee_amount),
  }));
}
