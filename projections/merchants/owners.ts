import type { ClientBase } from 'pg';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { Table } from '../../src/platform/postgres/binary/table.js';

/** Whose accounts there are: every merchant, and whether it is a live one; in the books also the house itself, in either mode. */
const table = new Table('owners', { merchant_id: 'uuid not null primary key', mode: 'text collate "C" not null' });

export const ownersDdl = (schema: string): string => table.ddl(schema);

/** Adds the house, for books in which it has entries of its own. */
export const houseOwners = (schema: string): string =>
  `insert into ${schema}.owners (merchant_id, mode) values ${MODES.map((mode) => `('${HOUSE_OWNERS[mode]}', '${mode}')`).join(', ')};`;

/** Owners of the rows that sum up the merchants of a mode; their platform accounts' balances are those of the platform in that mode. */
export const PLATFORM: Readonly<Record<Mode, string>> = {
  live: '00000000-0000-0000-0000-000000000000',
  test: '00000000-0000-0000-0000-000000000001',
};

/** Merchants that were registered in a batch, and their modes. */
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

/** Joins rows that have a merchant to its mode, as `o.mode`; rows that have another owner fall out. */
export const joinOwners = (row: string): string => `join ${TABLE} o on o.merchant_id = ${row}.merchant_id`;

/** Condition on rows that have a merchant: it is of the mode that stands at `parameter`. */
export const isOfMode = (parameter: string): string => `merchant_id in (select merchant_id from ${TABLE} where mode = ${parameter})`;

/** undefined: no such merchant is known to the ledger. @param merchantId a UUID */
export async function findMode(db: Pick<ClientBase, 'query'>, merchantId: string): Promise<Mode | undefined> {
  const { rows } = await db.query<{ mode: Mode }>(`select mode from ${TABLE} where merchant_id = $1`, [merchantId]);
  return rows[0]?.mode;
}
