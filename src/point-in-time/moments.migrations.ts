import type { Migration } from '../platform/postgres/migrations.js';

/** Open moments, and the databases that were made for them. Ids 740–749. */
export const momentsMigrations: readonly Migration[] = [
  {
    id: 740,
    name: 'point_in_time',
    sql: `
create schema point_in_time;

-- position: ordinal of the last event; the columns up to occurred_on identify that event.
create table point_in_time.moments (
  position bigint not null primary key check (position > 0),
  event_id uuid not null,
  stream text collate "C" not null,
  revision integer not null,
  occurred_on timestamptz not null,
  state text collate "C" not null check (state in ('BUILDING', 'READY', 'FAILED')),
  -- versions of the read models in its database; null before that is made
  version text collate "C",
  events_done bigint not null default 0,
  size_bytes bigint,
  reason text,
  opened_by text collate "C" not null,
  opened_on timestamptz not null default now(),
  used_on timestamptz not null default now()
);

-- A database is dropped only when it is listed here: one of the same name may be someone else's. Listed before it is made.
create table point_in_time.databases (
  name text collate "C" not null primary key,
  position bigint not null
);
`,
  },
  {
    id: 741,
    name: 'point_in_time_scenarios',
    sql: `
-- name: of a scenario in addresses; null: the recorded fees. A process of an earlier version writes none.
alter table point_in_time.moments
  add column name text collate "C",
  add column scenario json,
  add column id text collate "C" generated always as (position::text || coalesce('~' || name, '')) stored,
  drop constraint moments_pkey,
  add primary key (id),
  add check ((name is null) = (scenario is null));

alter table point_in_time.databases
  add column scenario text collate "C",
  add column moment text collate "C" generated always as (position::text || coalesce('~' || scenario, '')) stored;
`,
  },
];
