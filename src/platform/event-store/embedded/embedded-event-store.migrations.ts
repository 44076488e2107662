import type { Migration } from '../../postgres/migrations.js';

/**
 * The embedded engine inside Postgres. Ids 100–199 belong to this engine.
 *
 * These rules keep the log correct:
 * - `append` holds one advisory lock until its commit, and takes positions from `head` under it: 1, 2, 3 … in commit order, no gap. A reader of
 *   `position > last` can therefore never pass over an event that commits later.
 * - `unique (stream, revision)` would reject a fork of a stream even if everything above it were wrong.
 * - An append names the event that it follows, and an event of another stream that its decision depends on: a restored log uses revisions again,
 *   never ids.
 * - `data` and `metadata` are `json`: the bytes that were written. `jsonb` rewrites them.
 * - No user can change or remove events, not even the owner of the table: the triggers are `enable always`, the privileges revoked. Neither needs
 *   more than an ordinary user that owns its tables.
 */
export const embeddedEventStoreMigrations: readonly Migration[] = [
  {
    id: 100,
    name: 'event_store',
    sql: `
create schema event_store;

create table event_store.events (
  position bigint not null primary key,
  id uuid not null,
  revision integer not null check (revision >= 0),
  stream text collate "C" not null,
  type text collate "C" not null,
  data json not null,
  metadata json not null,
  -- The position goes along, so that the events of a prefix are found and put in order without a look at the table.
  unique (stream, revision) include (position)
);

-- One row. A low fillfactor keeps its versions on one page, so that no index is touched by a batch.
create table event_store.head (
  one boolean not null primary key default true check (one),
  position bigint not null
) with (fillfactor = 10);
insert into event_store.head (position) values (0);

create function event_store.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on event_store.events is refused: events are facts', tg_op using errcode = 'restrict_violation';
end $$;
create trigger events_are_facts before update or delete or truncate on event_store.events
  for each statement execute function event_store.refuse_change();
alter table event_store.events enable always trigger events_are_facts;
revoke update, delete, truncate on event_store.events from public, current_user;

-- Appends of one batch, each to another stream; the arrays hold one element per event, an append's events side by side.
-- nth: 0 at the first event of each append. revisions: where the event is to stand.
-- after: at the first event of an append, the id that the event before it must have; null: any.
-- before: the newest position before this batch; the events written follow it in the order of the arrays.
-- moved: places in the arrays (1-based) of the first events of those appends whose stream did not end as they expected;
--   nothing was written for them. newest: their streams' newest revision (-1: no stream). standing: the position of the
--   append's last event when all its ids stand at their places already (a retry), else null. All null when all were written.
create function event_store.append(
  p_nth integer[], p_streams text[], p_revisions integer[], p_ids uuid[], p_types text[], p_data json[], p_metadata json[],
  p_after uuid[] default null,
  out before bigint, out moved integer[], out newest integer[], out standing bigint[]
) language plpgsql as $$
declare
  written integer := cardinality(p_ids);
begin
  perform pg_advisory_xact_lock(7310579611652677989);

  select array_agg(e.place::integer), array_agg(coalesce(s.revision, -1))
    into moved, newest
    from unnest(p_nth, p_streams, p_revisions, p_after) with ordinality as e(nth, stream, revision, after, place)
    left join lateral (
      select n.revision, n.id from event_store.events n where n.stream = e.stream order by n.revision desc limit 1
    ) s on true
   where e.nth = 0 and (coalesce(s.revision, -1) <> e.revision - 1 or s.id <> e.after);

  if moved is null then
    update event_store.head set position = position + written returning position - written into before;
    insert into event_store.events (position, id, revision, stream, type, data, metadata)
      select before + e.place, e.id, e.revision, e.stream, e.type, e.data, e.metadata
        from unnest(p_ids, p_revisions, p_streams, p_types, p_data, p_metadata)
             with ordinality as e(id, revision, stream, type, data, metadata, place);
    perform pg_notify('event_store', (before + written)::text);
    return;
  end if;

  with asked as (
    select e.*, e.place - e.nth as first
      from unnest(p_nth, p_streams, p_revisions, p_ids) with ordinality as e(nth, stream, revision, id, place)
  ), there as (
    select a.first, case when count(s.position) = count(*) then max(s.position) end as position
      from asked a left join event_store.events s on s.stream = a.stream and s.revision = a.revision and s.id = a.id
     where a.first = any(moved)
     group by a.first
  )
  select array_agg(t.position order by array_position(moved, t.first::integer)) into standing from there t;

  select count(*) into written
    from unnest(p_nth) with ordinality as e(nth, place) where e.place - e.nth <> all(moved);
  update event_store.head set position = position + written where written > 0 returning position - written into before;
  if before is null then
    select position into before from event_store.head;
    return;
  end if;
  insert into event_store.events (position, id, revision, stream, type, data, metadata)
    select before + row_number() over (order by e.place), e.id, e.revision, e.stream, e.type, e.data, e.metadata
      from unnest(p_nth, p_ids, p_revisions, p_streams, p_types, p_data, p_metadata)
           with ordinality as e(nth, id, revision, stream, type, data, metadata, place)
     where e.place - e.nth <> all(moved);
  perform pg_notify('event_store', (before + written)::text);
end $$;

-- As append, for batches in which some rest on events of other streams: of: which append of the batch, from 0; the others say which event.
-- gone: those of which an event does not stand. When there is one, nothing of the batch is written, and nothing else is said.
create function event_store.append_resting(
  p_nth integer[], p_streams text[], p_revisions integer[], p_ids uuid[], p_types text[], p_data json[], p_metadata json[], p_after uuid[],
  p_rest_of integer[], p_rest_streams text[], p_rest_revisions integer[], p_rest_ids uuid[],
  out before bigint, out moved integer[], out newest integer[], out standing bigint[], out gone integer[]
) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7310579611652677989);

  select array_agg(r.of) into gone
    from unnest(p_rest_of, p_rest_streams, p_rest_revisions, p_rest_ids) as r(of, stream, revision, id)
   where not exists (select from event_store.events s where s.stream = r.stream and s.revision = r.revision and s.id = r.id);
  if gone is not null then
    return;
  end if;

  select a.before, a.moved, a.newest, a.standing into before, moved, newest, standing
    from event_store.append(p_nth, p_streams, p_revisions, p_ids, p_types, p_data, p_metadata, p_after) a;
end $$;
`,
  },
];
