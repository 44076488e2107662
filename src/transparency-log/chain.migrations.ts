import type { Migration } from '../platform/postgres/migrations.js';

/**
 * The sealed chain. Ids 700–709. It is no read model: it is never rebuilt, only verified, and restored with the events that it seals. Only the one
 * row of the head is ever changed, and nothing is removed.
 */
export const chainMigrations: readonly Migration[] = [
  {
    id: 700,
    name: 'chain',
    sql: `
create schema chain;

-- The hashes of the tree's complete subtrees, 32 bytes each, in the order in which they became complete; a row per sealing.
-- first: how many stand in the rows before.
create table chain.hashes (
  first bigint not null primary key,
  hashes bytea not null
);
-- Hashes do not compress, and one is taken out of the middle.
alter table chain.hashes alter column hashes set storage external;

-- Which event is which leaf: event_id is not unique, an id may be used again in another stream.
create table chain.events (
  ordinal bigint not null primary key,
  event_id uuid not null,
  stream text collate "C" not null,
  revision integer not null
);
create index events_by_id on chain.events (event_id);

-- One row, or none before the first sealing. position: the engine's, of the last sealed event.
create table chain.head (
  one boolean not null primary key default true check (one),
  events bigint not null,
  hash bytea not null,
  signature bytea not null,
  sealed_on timestamptz not null,
  position bigint not null
) with (fillfactor = 10);

create function chain.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on chain.% is refused: what is sealed stays', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger hashes_stay before update or delete or truncate on chain.hashes
  for each statement execute function chain.refuse_change();
create trigger events_stay before update or delete or truncate on chain.events
  for each statement execute function chain.refuse_change();
alter table chain.hashes enable always trigger hashes_stay;
alter table chain.events enable always trigger events_stay;
`,
  },
];
