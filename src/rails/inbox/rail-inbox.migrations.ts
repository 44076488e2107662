import type { Migration } from '../../platform/postgres/migrations.js';

/** Notifications of providers. Ids 671. */
export const railInboxMigrations: readonly Migration[] = [
  {
    id: 671,
    name: 'rail_inbox',
    sql: `
-- Each notification once, however often it is sent. It is believed for nothing: the provider is asked what has happened.
create table rail_inbox (
  rail text collate "C" not null,
  -- SHA-256 of the path behind the notifications' address and of the body as it came
  hash bytea not null,
  -- both, and what it is about, encrypted: bodies hold names and numbers of payers
  sealed bytea not null,
  received_on timestamptz not null,
  -- when the provider is to be asked; null: it has answered, or there is nothing of ours to ask about
  due_on timestamptz,
  unanswered smallint not null,
  is_unknown boolean not null,
  primary key (rail, hash)
);
create index rail_inbox_due on rail_inbox (due_on) where due_on is not null;
create index rail_inbox_by_age on rail_inbox (received_on);
`,
  },
];
