import type { Migration } from '../../platform/postgres/migrations.js';

/** Deliveries of webhooks and their results. Ids 600–609. No replay rebuilds these tables: sent deliveries cannot be undone. */
export const deliveriesMigrations: readonly Migration[] = [
  {
    id: 600,
    name: 'web_hook_deliveries',
    sql: `
-- One row for each endpoint that was ever sent to. Whoever changes what is pending for it holds its lock.
create table web_hook_queues (
  merchant_id uuid not null primary key,
  -- deliveries were made of what was told up to here
  fed bigint not null,
  -- when the first pending delivery is due; null: none is pending
  next_due_on timestamptz,
  -- of the first failure behind the last success
  failing_since timestamptz,
  succeeded_on timestamptz,
  -- the event of the message at fed: shows whether the outbox still has the messages that the queue was fed; null: unknown, or none
  fed_event uuid
) with (fillfactor = 50);
create index web_hook_queues_due on web_hook_queues (next_due_on) where next_due_on is not null;

create table web_hook_deliveries (
  id uuid not null primary key,
  merchant_id uuid not null,
  -- null: a test
  sequence bigint,
  previous_sequence bigint,
  webhook_id uuid not null,
  kind text collate "C" not null,
  status text collate "C" not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  -- while PENDING: when to try next; while somebody tries: when to believe that he has died
  due_on timestamptz,
  claim uuid,
  -- of this round: a redelivery begins a new one
  attempts integer not null default 0,
  log json not null default '[]',
  created_on timestamptz not null,
  updated_on timestamptz not null,
  -- the worker that sends
  claimed_by bigint,
  -- attempts of all rounds: the log holds the newest of them
  total_attempts integer not null default 0
) with (fillfactor = 80);
-- After a restore of an older log, other messages have the sequences of lost ones, whose deliveries remain.
create unique index web_hook_deliveries_of_messages on web_hook_deliveries (merchant_id, sequence, webhook_id);
create index web_hook_deliveries_due on web_hook_deliveries (merchant_id, due_on, sequence) where status = 'PENDING';
create index web_hook_deliveries_listed on web_hook_deliveries (merchant_id, created_on desc, id desc);
create index web_hook_deliveries_ended on web_hook_deliveries (updated_on) where status <> 'PENDING';

-- A worker holds the advisory lock of its id as long as it lives. One without its lock has died with deliveries in hand.
create table web_hook_workers (
  id bigint not null primary key,
  started_on timestamptz not null
);
`,
  },
];
