import type { ClientBase, PoolClient } from 'pg';
import type { CancelCause, PayoutRequested } from '../../src/ledger/events/account.events.js';
import type { HeldReason, NameMatch } from '../../src/ledger/events/transfer.events.js';
import { simulatedTransferReference } from '../../src/ledger/ids/id-codes.js';
import type { Fee } from '../../src/ledger/money.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { later } from '../../src/ledger/time.js';
import { answered, type Stored } from '../../src/platform/postgres/answered.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { APPROVAL_COLUMNS, foldApprovals, NO_APPROVALS, updateApprovals, type GivenApproval } from './approval-columns.js';
import { foldTransfers, NO_TRANSFER, TRANSFER_COLUMNS, updateTransfers } from './transfer-columns.js';
import { readPage } from '../../src/platform/postgres/list-page.js';
import { ofMerchant, type MerchantQuery } from '../merchants/list-queries.js';
import { unreachable } from '../../src/ledger/unreachable.js';

export type PayoutStatus = 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'REVERSED';

export type PayoutRow = RowOf<
  (typeof payoutsTable)['definitions'],
  {
    readonly payout_status: PayoutStatus;
    readonly beneficiary_match: NameMatch | null;
    readonly held_reason: HeldReason | null;
    readonly cancel_cause: CancelCause | null;
  }
>;

const payoutsTable = new Table('payouts', {
  id: 'uuid not null primary key',
  merchant_id: 'uuid not null',
  /** Ordinal of its PayoutRequested. A reader of new payouts continues after the last one. */
  ordinal: 'bigint not null',
  created_on: 'timestamptz not null',
  amount: 'bigint not null',
  fee_amount: 'bigint not null',
  net_amount: 'bigint not null',
  currency: 'text collate "C" not null',
  payout_status: 'text collate "C" not null',
  fee: 'json not null',
  bank_account_name: 'text not null',
  bank_account_number: 'text not null',
  bank_name: 'text not null',
  reference_id: 'text',
  description: 'text',
  created_by: 'text not null',
  updated_by: 'text not null',
  updated_on: 'timestamptz not null',
  bank_code: 'text',
  /** When it was handed to the bank. */
  submitted_on: 'timestamptz',
  /** When the bank paid it. It stays when the bank returns the payout later. */
  paid_on: 'timestamptz',
  ...TRANSFER_COLUMNS,
  ...APPROVAL_COLUMNS,
});
const totalsTable = new Table(
  'payout_totals',
  {
    merchant_id: 'uuid not null',
    currency: 'text collate "C" not null',
    payout_status: 'text collate "C" not null',
    total: 'bigint not null check (total > 0)',
  },
  ['primary key (merchant_id, currency, payout_status)'],
  'with (fillfactor = 50)',
);
/** Revisions of events about a payout in its account's stream. */
const accountEventsTable = new Table('payout_account_events', { payout_id: 'uuid not null', revision: 'integer not null' }, [
  'primary key (payout_id, revision)',
]);
type AccountEventRow = RowOf<(typeof accountEventsTable)['definitions']>;

const READ = payoutsTable.namesWithout('ordinal', 'reference_id', 'created_by', 'updated_by');

/** A payout as it is read. Amounts are minor units. */
export type Payout = Pick<PayoutRow, Exclude<(typeof READ)[number], 'fee' | 'approvals'>> & {
  readonly fee: Fee;
  readonly approvals: readonly GivenApproval[];
};

/** Folds the case of ASCII letters and sorts by code points. */
const REFERENCE_KEY = `lower(reference_id collate "C")`;

/**
 * One row per payout, the number of payouts per merchant and status, so that the total of a list needs no count, and the places of a payout's events
 * in the stream of its account.
 */
export const payouts: LedgerReadModel = {
  name: 'payouts',
  version: 2,
  ddl: (schema) => payoutsTable.ddl(schema) + totalsTable.ddl(schema) + accountEventsTable.ddl(schema),
  indexes: (schema) => [
    `create index payouts_created on ${schema}.payouts (merchant_id, created_on, id)`,
    `create unique index payouts_requested on ${schema}.payouts (ordinal)`,
    `create index payouts_open on ${schema}.payouts (ordinal) where payout_status in ('PENDING', 'PROCESSING')`,
    `create index payouts_to_approve on ${schema}.payouts (approve_by) where payout_status = 'PENDING' and approvals_required > 0`,
    `create index payouts_paid on ${schema}.payouts (right(bank_account_number, 4)) where payout_status = 'SUCCEEDED'`,
    `create index payouts_by_reference on ${schema}.payouts (${REFERENCE_KEY})`,
    `create index payouts_held on ${schema}.payouts (held_on) where held_reason is not null`,
  ],

  async apply(tx, schema, batch) {
    const { requested, moved, accountEvents } = fold(batch);
    const [transfers, approvals] = [foldTransfers(batch), foldApprovals(batch)];
    await accountEventsTable.add(tx, schema, accountEvents);
    if (requested.size > 0 || moved.size > 0) {
      const [, before] = await Promise.all([payoutsTable.add(tx, schema, [...requested.values()]), update(tx, schema, [...moved.values()])]);
      await count(tx, schema, [...requested.values()], before);
    }
    if (transfers.length > 0) await updateTransfers(tx, schema, transfers);
    if (approvals.length > 0) await updateApprovals(tx, schema, approvals);
  },
};

type Move = Pick<PayoutRow, 'id' | 'payout_status' | 'updated_by' | 'updated_on' | 'submitted_on' | 'paid_on'>;

const isHandled = handling({ accounts: { except: ['account refunds', 'adjustments'] } });

interface Folded {
  readonly requested: ReadonlyMap<string, PayoutRow>;
  /** Changes of earlier payouts; a null time changes nothing. */
  readonly moved: ReadonlyMap<string, Move>;
  readonly accountEvents: readonly AccountEventRow[];
}

/** Folds a batch. In log order: the status and time of the last event win. */
function fold(batch: readonly LoggedEvent[]): Folded {
  const requested = new Map<string, PayoutRow>();
  const moved = new Map<string, Move>();
  const accountEvents: AccountEventRow[] = [];
  for (const event of batch) {
    if (!isHandled(event)) continue;
    const { revision } = event;
    const to = (id: string, payout_status: PayoutStatus, times?: Partial<Pick<Move, 'submitted_on' | 'paid_on'>>): void => {
      const { actor, occurred_on } = event.metadata;
      const row = requested.get(id);
      const before = row ?? moved.get(id);
      const move = {
        id,
        payout_status,
        updated_by: actor,
        updated_on: row ? later(row.created_on, occurred_on) : occurred_on,
        submitted_on: times?.submitted_on ?? before?.submitted_on ?? null,
        paid_on: times?.paid_on ?? before?.paid_on ?? null,
      };
      if (row) requested.set(id, { ...row, ...move });
      else moved.set(id, move);
    };
    switch (event.type) {
      case 'PayoutRequested':
        requested.set(event.data.payout_id, rowOf(event.data, event.ordinal));
        break;
      case 'PayoutApproved':
      case 'PayoutApprovalVoided':
        break;
      case 'PayoutSubmitted':
        to(event.data.payout_id, 'PROCESSING', { submitted_on: event.data.submitted_on });
        break;
      case 'PayoutSucceeded':
        to(event.data.payout_id, 'SUCCEEDED', { paid_on: event.data.succeeded_on });
        break;
      case 'PayoutFailed':
        to(event.data.payout_id, 'FAILED');
        break;
      case 'PayoutCancelled':
        to(event.data.payout_id, 'CANCELLED');
        break;
      case 'FundsSettled':
        for (const { kind, record_id: payout_id } of event.data.lines) {
          if (kind !== 'return') continue;
          to(payout_id, 'REVERSED');
          accountEvents.push({ payout_id, revision });
        }
        continue;
      default:
        return unreachable(event);
    }
    accountEvents.push({ payout_id: event.data.payout_id, revision });
  }
  return { requested, moved, accountEvents };
}

function rowOf(requested: PayoutRequested, ordinal: number): PayoutRow {
  // Field by field: object spreads are slow in a replay.
  return {
    id: requested.payout_id,
    merchant_id: requested.merchant_id,
    ordinal,
    created_on: requested.created_on,
    amount: requested.amount,
    fee_amount: requested.fee_amount,
    net_amount: requested.net_amount,
    currency: requested.currency,
    payout_status: 'PENDING',
    fee: JSON.stringify(requested.fee),
    bank_account_name: requested.bank_account_name,
    bank_account_number: requested.bank_account_number,
    bank_name: requested.bank_name,
    reference_id: requested.reference_id,
    description: requested.description,
    created_by: requested.created_by,
    updated_by: requested.created_by,
    updated_on: requested.created_on,
    bank_code: requested.bank_code ?? null,
    submitted_on: null,
    paid_on: null,
    ...NO_TRANSFER,
    approvals_required: requested.approvals_required,
    approve_by: requested.approve_by,
    ...NO_APPROVALS,
  };
}

const moveColumns = payoutsTable.parameters(['id', 'payout_status', 'updated_by', 'updated_on', 'submitted_on', 'paid_on'], 'n');
const totalColumns = totalsTable.parameters(['merchant_id', 'currency', 'payout_status', 'total'], 'n');

type Totalled = Pick<PayoutRow, 'merchant_id' | 'currency' | 'payout_status'>;

/** @returns for each changed payout the status that it was counted under, and its new status */
async function update(tx: PoolClient, schema: string, moves: readonly Move[]): Promise<(Totalled & { now: PayoutStatus })[]> {
  if (moves.length === 0) return [];
  const { rows } = await tx.query<Totalled & { now: PayoutStatus }>({
    name: `${schema} payouts: update`,
    text: `with n as materialized (select * from ${moveColumns.rows}),
           before as materialized (
             select p.id, p.merchant_id, p.currency, p.payout_status, n.payout_status as now from n join ${schema}.payouts p using (id)
           ), moved as (
             update ${schema}.payouts p
                set payout_status = n.payout_status, updated_by = n.updated_by, updated_on = greatest(p.created_on, n.updated_on),
                    submitted_on = coalesce(n.submitted_on, p.submitted_on), paid_on = coalesce(n.paid_on, p.paid_on)
               from n where p.id = n.id
           )
           select merchant_id, currency, payout_status, now from before`,
    values: moveColumns.values(moves),
  });
  if (rows.length !== moves.length) throw new Error(`${moves.length - rows.length} payouts of the batch were never requested`);
  return rows;
}

async function count(
  tx: PoolClient,
  schema: string,
  requested: readonly Totalled[],
  moved: readonly (Totalled & { now: PayoutStatus })[],
): Promise<void> {
  const changes = new Map<string, Totalled & { total: number }>();
  const add = ({ merchant_id, currency, payout_status }: Totalled, by: number): void => {
    const key = `${merchant_id} ${currency} ${payout_status}`;
    changes.set(key, { merchant_id, currency, payout_status, total: (changes.get(key)?.total ?? 0) + by });
  };
  for (const payout of requested) add(payout, 1);
  for (const { now, ...before } of moved) {
    add(before, -1);
    add({ ...before, payout_status: now }, 1);
  }
  const rows = [...changes.values()].filter(({ total }) => total !== 0);
  if (rows.length === 0) return;
  // Deletes rows that reach zero: the table must not depend on how the log was split into batches while a payout changed its status.
  await tx.query({
    name: `${schema} payouts: count`,
    text: `merge into ${schema}.payout_totals t using ${totalColumns.rows}
             on t.merchant_id = n.merchant_id and t.currency = n.currency and t.payout_status = n.payout_status
           when matched and t.total + n.total = 0 then delete
           when matched then update set total = t.total + n.total
           when not matched then insert (${totalColumns.list}) values (n.merchant_id, n.currency, n.payout_status, n.total)`,
    values: totalColumns.values(rows),
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

export const PAYOUT_COLUMNS = READ.join(', ');

export type StoredPayout = Stored<Payout>;

export function payoutOf(row: StoredPayout): Payout {
  const payout = answered<Payout, keyof Payout>(READ, row);
  const { id, rail, payout_status } = payout;
  // Only the simulated bank ends a payout without a rail. Its reference follows from the id, so no event has it.
  return rail === null && ENDED_AT_BANK.includes(payout_status) ? { ...payout, partner_reference: simulatedTransferReference(id) } : payout;
}

const ENDED_AT_BANK: readonly PayoutStatus[] = ['SUCCEEDED', 'FAILED', 'REVERSED'];

/** Returns a payout of this merchant; undefined for a payout of another merchant. @param id a UUID */
export async function findPayout(db: Db, merchantId: string, id: string): Promise<Payout | undefined> {
  const { rows } = await db.query<StoredPayout>({
    name: 'payouts: one',
    text: `select ${PAYOUT_COLUMNS} from ledger.payouts where id = $1 and merchant_id = $2`,
    values: [id, merchantId],
  });
  return rows.map(payoutOf)[0];
}

/** Returns those of `ids` (UUIDs) that exist, of any merchant. */
export async function findPayoutsById(db: Db, ids: readonly string[]): Promise<Payout[]> {
  const { rows } = await db.query<StoredPayout>({
    name: 'payouts: by id',
    text: `select ${PAYOUT_COLUMNS} from ledger.payouts where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(payoutOf);
}

/** Returns payouts of any merchant whose reference begins with `text` (ASCII letters are case-insensitive), by reference, at most `limit`. */
export async function findPayoutsReferenced(db: Db, text: string, limit: number): Promise<Payout[]> {
  const { rows } = await db.query<StoredPayout>(
    `select ${PAYOUT_COLUMNS} from ledger.payouts
      where ${REFERENCE_KEY} >= lower($1 collate "C") and ${REFERENCE_KEY} < lower($1 collate "C") || $2 order by ${REFERENCE_KEY}, id limit $3`,
    [text, '\u{10ffff}', limit],
  );
  return rows.map(payoutOf);
}

export interface PayoutListQuery extends MerchantQuery {
  readonly payout_status?: PayoutStatus | undefined;
}

/** Returns payouts by created_on, then id. `total` counts all pages exactly, in the same snapshot as the items. */
export async function findPayouts(db: Db, merchantId: string, query: PayoutListQuery): Promise<{ total: number; items: Payout[] }> {
  const { currency, payout_status, date_from, date_to, ...page } = query;
  const conditions = ofMerchant(merchantId, { currency }).equal({ payout_status });
  const isOfAnyTime = date_from === undefined && date_to === undefined;
  const total = isOfAnyTime && `select coalesce(sum(total), 0)::int8 from ledger.payout_totals where ${conditions.sql()}`;
  conditions.within('created_on', date_from, date_to);
  return readPage(db, {
    ...page,
    values: conditions.values,
    total: total || `select count(*) from ledger.payouts where ${conditions.sql()}`,
    rows: `select ${PAYOUT_COLUMNS} from ledger.payouts where ${conditions.sql()}`,
    order_by: 'created_on',
    item: payoutOf,
  });
}

/** Returns the revisions of events about the payout in its account's stream, in ascending order. @param payoutId a UUID */
export async function findPayoutRevisions(db: Db, payoutId: string): Promise<number[]> {
  const { rows } = await db.query<{ revision: number }>({
    name: 'payouts: account events',
    text: 'select revision from ledger.payout_account_events where payout_id = $1 order by revision',
    values: [payoutId],
  });
  return rows.map(({ revision }) => revision);
}
