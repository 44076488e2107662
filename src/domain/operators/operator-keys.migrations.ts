import type { Migration } from '../../platform/postgres/migrations.js';

/** Keys of operators' personal data. Ids 680–689. No replay restores this table: back it up together with ENCRYPTION_KEY. */
export const operatorKeysMigrations: readonly Migration[] = [
  {
    id: 680,
    name: 'person_keys',
    sql: `
create table person_keys (
  person_id uuid not null primary key,
  wrapped_key bytea,
  -- the row of a destroyed key stays: it says that there must never be a second one
  destroyed_on timestamptz,
  -- as with the keys of customers
  traces_removed_on timestamptz,
  check ((wrapped_key is null) = (destroyed_on is not null))
);
`,
  },
];
