import type { ClientBase, PoolClient } from 'pg';
import type { CustomerDetails } from '../../src/ledger/events/customer.events.js';
import { decryptDetails } from '../../src/ledger/crypto/customer-encryption.js';
import type { UnfinishedErasures } from '../../src/ledger/crypto/erasure.worker.js';
import type { KeyWrapping } from '../../src/ledger/crypto/key-wrapping.js';
import { handling, ledgerProjection, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { readPage, type PageQuery } from '../../src/platform/postgres/list-page.js';
import { unreachable } from '../../src/ledger/unreachable.js';

const customersTable = new Table('customers', {
  id: 'uuid not null primary key',
  merchant_id: 'uuid not null',
  created_on: 'timestamptz not null',
  updated_on: 'timestamptz not null',
  version: 'integer not null',
  sealed: 'text not null',
});
const totalsTable = new Table(
  'customer_totals',
  { merchant_id: 'uuid not null primary key', total: 'bigint not null check (total > 0)' },
  [],
  'with (fillfactor = 50)',
);
const deletedTable = new Table('deleted_customers', { ordinal: 'bigint not null primary key', id: 'uuid not null' });

/**
 * Current state of customers. Personal data is encrypted as in the events: a replay needs no key, and returns the same rows after an erasure. The
 * number of customers per merchant is stored, so that the total of a list needs no count.
 */
const customersModel: LedgerReadModel = {
  name: 'customers',
  version: 1,
  ddl: (schema) => [customersTable, totalsTable, deletedTable].map((table) => table.ddl(schema)).join('\n'),
  indexes: (schema) => [`create index customers_created on ${schema}.customers (merchant_id, created_on, id)`],

  async apply(tx, schema, batch) {
    const { created, updated, deleted } = fold(batch);
    await customersTable.add(tx, schema, [...created.values()]);
    await update(tx, schema, [...updated.values()]);
    await remove(tx, schema, deleted);
    await count(tx, schema, [...created.values()], deleted);
  },
};

export const customers = ledgerProjection({ name: 'customers', readModels: [customersModel], gatherMs: 100 });

const isHandled = handling({ customers: 'all' });

type CustomerRow = RowOf<(typeof customersTable)['definitions']>;
type Update = Pick<CustomerRow, 'id' | 'updated_on' | 'version' | 'sealed'>;

interface Deleted {
  readonly ordinal: number;
  readonly id: string;
  readonly merchant_id: string;
}

/** A customer that was created and deleted in the batch is in both `created` and `deleted`: inserted and removed again, in one transaction. */
function fold(batch: readonly LoggedEvent[]): { created: Map<string, CustomerRow>; updated: Map<string, Update>; deleted: Deleted[] } {
  const created = new Map<string, CustomerRow>();
  const updated = new Map<string, Update>();
  const deleted: Deleted[] = [];
  for (const event of batch) {
    if (!isHandled(event)) continue;
    switch (event.type) {
      case 'CustomerCreated': {
        const { customer_id: id, merchant_id, sealed, created_on } = event.data;
        created.set(id, { id, merchant_id, created_on, updated_on: created_on, version: 1, sealed });
        break;
      }
      case 'CustomerUpdated': {
        const { customer_id: id, sealed, updated_on } = event.data;
        const update = { id, sealed, updated_on, version: event.revision + 1 };
        const row = created.get(id);
        if (row) created.set(id, { ...row, ...update });
        else updated.set(id, update);
        break;
      }
      case 'CustomerDeleted': {
        const { customer_id: id, merchant_id } = event.data;
        deleted.push({ ordinal: event.ordinal, id, merchant_id });
        break;
      }
      default:
        return unreachable(event);
    }
  }
  return { created, updated, deleted };
}

const updateColumns = customersTable.parameters(['id', 'updated_on', 'version', 'sealed'], 'n');
const deletedColumns = deletedTable.parameters(['ordinal', 'id'], 'rows');
const totalColumns = totalsTable.parameters(['merchant_id', 'total'], 'n');

async function update(tx: PoolClient, schema: string, rows: readonly Update[]): Promise<void> {
  if (rows.length === 0) return;
  const { rowCount } = await tx.query({
    name: `${schema} customers: update`,
    text: `update ${schema}.customers c set sealed = n.sealed, version = n.version, updated_on = n.updated_on
             from ${updateColumns.rows} where c.id = n.id`,
    values: updateColumns.values(rows),
  });
  if (rowCount !== rows.length) throw new Error(`${rows.length - (rowCount ?? 0)} customers of the batch were never created`);
}

async function remove(tx: PoolClient, schema: string, deleted: readonly Deleted[]): Promise<void> {
  if (deleted.length === 0) return;
  const values = deletedColumns.values(deleted);
  const { rowCount } = await tx.query({
    name: `${schema} customers: remove`,
    text: `with gone as (insert into ${schema}.deleted_customers (ordinal, id) select ordinal, id from ${deletedColumns.rows} returning id)
           delete from ${schema}.customers c using gone where c.id = gone.id`,
    values,
  });
  if (rowCount !== deleted.length) throw new Error(`${deleted.length - (rowCount ?? 0)} deleted customers of the batch were never created`);
}

async function count(
  tx: PoolClient,
  schema: string,
  created: readonly { readonly merchant_id: string }[],
  deleted: readonly { readonly merchant_id: string }[],
): Promise<void> {
  const changes = new Map<string, number>();
  for (const { merchant_id } of created) changes.set(merchant_id, (changes.get(merchant_id) ?? 0) + 1);
  for (const { merchant_id } of deleted) changes.set(merchant_id, (changes.get(merchant_id) ?? 0) - 1);
  const rows = [...changes].map(([merchant_id, total]) => ({ merchant_id, total })).filter(({ total }) => total !== 0);
  if (rows.length === 0) return;
  // Deletes rows that reach zero: the table must be the same whether a customer is created and deleted in one batch or in two.
  await tx.query({
    name: `${schema} customers: count`,
    text: `merge into ${schema}.customer_totals t using ${totalColumns.rows} on t.merchant_id = n.merchant_id
           when matched and t.total + n.total = 0 then delete
           when matched then update set total = t.total + n.total
           when not matched then insert (${totalColumns.list}) values (n.merchant_id, n.total)`,
    values: totalColumns.values(rows),
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

export interface Customer {
  readonly id: string;
  readonly details: CustomerDetails;
  /** 1 after creation; each update adds one. */
  readonly version: number;
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
}

interface StoredCustomer extends Omit<Customer, 'details'> {
  readonly sealed: string;
  readonly wrapped_key: Buffer | null;
}

/** The clocks of two processes may differ, so a later event may have an earlier time. */
const STORED = 'c.id, c.version, c.created_on, greatest(c.created_on, c.updated_on) as updated_on, c.sealed, k.wrapped_key';
/** A customer whose key is destroyed is deleted, even if the projection has not applied that event yet. */
const READABLE = 'left join customer_keys k on k.customer_id = c.id where k.destroyed_on is null';

/** Returns a customer of this merchant; undefined for a customer of another merchant. @param id a UUID */
export async function findCustomer(db: Db, wrapping: KeyWrapping, merchantId: string, id: string): Promise<Customer | undefined> {
  const { rows } = await db.query<StoredCustomer>({
    name: 'customers: one',
    text: `select ${STORED} from customers.customers c ${READABLE} and c.id = $1 and c.merchant_id = $2`,
    values: [id, merchantId],
  });
  return rows.map((row) => opened(wrapping, row))[0];
}

/** A customer without personal data. */
export type KnownCustomer = Pick<CustomerRow, 'id' | 'merchant_id' | 'created_on' | 'updated_on'>;

/** Returns those of `ids` (UUIDs) that exist, of any merchant. */
export async function findCustomersById(db: Db, ids: readonly string[]): Promise<KnownCustomer[]> {
  const { rows } = await db.query<KnownCustomer>(
    `select c.id, c.merchant_id, c.created_on, greatest(c.created_on, c.updated_on) as updated_on
       from customers.customers c ${READABLE} and c.id = any($1::uuid[])`,
    [ids],
  );
  return rows;
}

/** Returns customers by created_on, then id. `total` counts all pages exactly, in the same snapshot as the items. */
export async function findCustomers(
  db: Db,
  wrapping: KeyWrapping,
  merchantId: string,
  query: PageQuery,
): Promise<{ total: number; items: Customer[] }> {
  return readPage(db, {
    ...query,
    name: 'customers: list',
    values: [merchantId],
    total: 'select coalesce(sum(total), 0)::int8 from customers.customer_totals where merchant_id = $1',
    rows: `select ${STORED} from customers.customers c ${READABLE} and c.merchant_id = $1`,
    // A customer whose key has just been destroyed is counted, and keeps its place in the list, until the projection has removed it.
    keys: 'select id, created_on from customers.customers where merchant_id = $1',
    order_by: 'created_on',
    item: (row: StoredCustomer) => opened(wrapping, row),
  });
}

function opened(wrapping: KeyWrapping, { sealed, wrapped_key, ...row }: StoredCustomer): Customer {
  const { id, version, created_on, updated_on } = row;
  if (wrapped_key === null) throw new Error(`the key of customer ${id} is missing: customer_keys was not restored with the database`);
  return { id, details: decryptDetails(wrapping.unwrap(id, wrapped_key), id, sealed), version, created_on, updated_on };
}

/** Checks up to `limit` deletions after `after`, in the order of the log. */
export async function findUnfinishedErasures(db: Db, after: bigint, limit: number): Promise<UnfinishedErasures> {
  const { rows } = await db.query<{ ordinal: bigint; id: string; destroyed: boolean }>(
    `select d.ordinal, d.id, k.destroyed_on is not null as destroyed
       from (select ordinal, id from customers.deleted_customers where ordinal > $1 order by ordinal limit $2) d
       left join customer_keys k on k.customer_id = d.id
      order by d.ordinal`,
    [after, limit],
  );
  return { ids: rows.filter(({ destroyed }) => !destroyed).map(({ id }) => id), looked_to: rows.at(-1)?.ordinal ?? after };
}
