import type { Migration } from '../../platform/postgres/migrations.js';

/**
 * Actual movements of money at the simulated processor and bank. Ids 730–739. No replay restores them: the log has only the reports that the service
 * received.
 */
export const simulatorJournalMigrations: readonly Migration[] = [
  {
    id: 730,
    name: 'simulator_deeds, simulator_defects',
    sql: `
create table simulator_deeds (
  ordinal bigint generated always as identity primary key,
  id text collate "C" not null unique,
  kind text collate "C" not null,
  record_id uuid not null,
  reference text collate "C" not null,
  channel_code text collate "C",
  currency text collate "C" not null,
  amount bigint not null,
  done_on timestamptz not null
);

-- what was planted in the files of a day: later statements go on from the balance that these end with
create table simulator_defects (
  mode text collate "C" not null,
  day text collate "C" not null,
  defects integer[] not null,
  seed bigint not null,
  primary key (mode, day)
);
`,
  },
];
