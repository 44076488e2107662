import type { Migration } from '../../platform/postgres/migrations.js';

/** The keys of customers. Ids 500–509. No replay restores this table: it is backed up together with ENCRYPTION_KEY. */
export const customerKeysMigrations: readonly Migration[] = [
  {
    id: 500,
    name: 'customer_keys',
    sql: `
create table customer_keys (
  customer_id uuid not null primary key,
  wrapped_key bytea,
  -- the row of a destroyed key stays: it says that there must never be a second one
  destroyed_on timestamptz,
  -- since then nothing is left of a destroyed key in the table's files, nor in the log where that is ours
  traces_removed_on timestamptz,
  check ((wrapped_key is null) = (destroyed_on is not null))
);
create index customer_keys_traces on customer_keys (customer_id) where destroyed_on is not null and traces_removed_on is null;
`,
  },
];
