import type { Migration } from '../../platform/postgres/migrations.js';

/** Snapshots of accounts. Ids 400–409. The table may be emptied at any time: it only saves time. */
export const accountSnapshotsMigrations: readonly Migration[] = [
  {
    id: 400,
    name: 'account_snapshots',
    sql: `
create table account_snapshots (
  stream text collate "C" not null primary key,
  version integer not null,
  revision integer not null,
  event_id uuid not null,
  state json not null
);
`,
  },
];
