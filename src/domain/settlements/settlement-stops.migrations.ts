import type { Migration } from '../../platform/postgres/migrations.js';

/** Shows operators which settlements are blocked. Ids 620–629. */
export const settlementStopsMigrations: readonly Migration[] = [
  {
    id: 620,
    name: 'settlement_stops',
    sql: `
-- At most one for each account: its settlements come one after the other. It counts as long as that settlement is not on the account.
create table settlement_stops (
  merchant_id uuid not null,
  currency text collate "C" not null,
  settlement_number integer not null,
  line_kind text collate "C" not null,
  record_id uuid not null,
  -- what the line's own stream answered
  reason text collate "C" not null,
  since timestamptz not null default now(),
  attempts integer not null default 1,
  primary key (merchant_id, currency)
);
`,
  },
];
