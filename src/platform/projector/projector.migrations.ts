import type { Migration } from '../postgres/migrations.js';

/** Tables in which the projector reports its state to other processes. Ids 200–299 are its own. Checkpoints are in the projections' schemas. */
export const projectorMigrations: readonly Migration[] = [
  {
    id: 200,
    name: 'projector',
    sql: `
create schema projector;

-- One row per projection that cannot go on, for as long as it cannot.
create table projector.stops (
  projection text collate "C" not null primary key,
  since timestamptz not null,
  attempts integer not null,
  retry_on timestamptz,
  error text not null,
  -- The event that cannot be applied; null when the projection stopped for another reason.
  ordinal bigint,
  event_id uuid,
  event_type text,
  stream text,
  revision integer,
  -- Rows by table, when a raised version differs from the previous one in more than the intended differences.
  differing json
);
`,
  },
];
