import type { ClientBase } from 'pg';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { Table } from '../../src/platform/postgres/binary/table.js';

/** Owners of accounts and their modes: every merchant, and in the books also the owner of the house accounts of each mode. */
const table = new Table('owners', { merchant_id: 'uuid not null primary key', mode: 'text collate "C" not null' });

export const ownersDdl = (schema: string): string => table.ddl(schema);

/** Adds the owners of the house accounts, for books in which these have separate entries. */
export const houseOwners = (schema: string): string =>
  `insert into ${schema}.owners (merchant_id, mode) values ${MODES.map((mode) => `('${HOUSE_OWNERS[mode]}', '${mode}')`).join(', ')};`;

/** Owners of the rows that sum up the merchants of a mode; the balances of their platform accounts are those of the platform in that mode. */
export const PLATFORM: Readonly<Record<Mode, string>> = {
  live: '00000000-0000-0000-0000-000000000000',
  test: '00000000-0000-0000-0000-000000000001',
};

/** Returns the merchants that a batch registered, and their modes. */
export function registeredIn(batch: readonly LoggedEvent[]): Map<string, Mode> {
  const registered = new Map<string, Mode>();
  for (const event of batch) if (event.type === 'MerchantRegistered') registered.set(event.data.merchant_id, event.data.mode);
  return registered;
}

export const saveOwners = (tx: ClientBase, schema: string, registered: ReadonlyMap<string, Mode>): Promise<void> =>
  table.add(
    tx,
    schema,
    [...registered].map(([merchant_id, mode]) => ({ merchant_id, mode })),
  );

const TABLE = 'ledger.owners';

/** Joins the mode of a row's merchant as `o.mode`. Rows of other owners are excluded. */
export const joinOwners = (row: string): string => `join ${TABLE} o on o.merchant_id = ${row}.merchant_id`;

/** Returns a condition on rows with a merchant: the merchant has the mode in `parameter`. */
export const isOfMode = (parameter: string): string => `merchant_id in (select merchant_id from ${TABLE} where mode = ${parameter})`;

/** Returns undefined for a merchant that the ledger projection does not know. @param merchantId a UUID */
export async function findMode(db: Pick<ClientBase, 'query'>, merchantId: string): Promise<Mode | undefined> {
  const { rows } = await db.query<{ mode: Mode }>(`select mode from ${TABLE} where merchant_id = $1`, [merchantId]);
  return rows[0]?.mode;
}
