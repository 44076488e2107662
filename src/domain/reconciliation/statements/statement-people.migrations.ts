import type { Migration } from '../../../platform/postgres/migrations.js';

/** Personal data in statements. Ids 720–729. No replay restores these tables: back them up together with ENCRYPTION_KEY. */
export const statementPeopleMigrations: readonly Migration[] = [
  {
    id: 720,
    name: 'statement_keys, statement_people',
    sql: `
create table statement_keys (
  statement_id uuid not null primary key,
  wrapped_key bytea,
  -- the row of a destroyed key stays: it says that there must never be a second one
  destroyed_on timestamptz,
  -- as with the keys of customers
  traces_removed_on timestamptz,
  check ((wrapped_key is null) = (destroyed_on is not null))
);
create index statement_keys_traces on statement_keys (statement_id) where destroyed_on is not null and traces_removed_on is null;

create table statement_people (
  statement_id uuid not null,
  part integer not null,
  bytes bytea not null,
  primary key (statement_id, part)
);
-- what is encrypted cannot be made smaller
alter table statement_people alter column bytes set storage external;
`,
  },
];
