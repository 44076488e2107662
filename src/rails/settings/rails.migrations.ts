import type { Migration } from '../../platform/postgres/migrations.js';

/** Credentials of rails, which are backed up together with ENCRYPTION_KEY, and states of rails. Ids 650–659. */
export const railsMigrations: readonly Migration[] = [
  {
    id: 650,
    name: 'rail_credentials',
    sql: `
-- Which version is in force, the log says; what it does not name is of a command that was cut short.
create table rail_credentials (
  rail text collate "C" not null,
  version integer not null,
  field text collate "C" not null,
  -- encrypted under the service's secret, bound to the other columns
  sealed bytea not null,
  primary key (rail, version, field)
);
`,
  },
  {
    id: 651,
    name: 'rail_conditions',
    sql: `
-- What calls of each process have met, said again while it lasts; can be lost.
create table rail_conditions (
  rail text collate "C" not null,
  process uuid not null,
  conditions jsonb not null,
  said_on timestamptz not null,
  primary key (rail, process)
);
`,
  },
];
