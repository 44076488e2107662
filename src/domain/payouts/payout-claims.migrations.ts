import type { Migration } from '../../platform/postgres/migrations.js';

/** The currency with which an Idempotency-Key of payouts is used. Ids 630–639. */
export const payoutClaimsMigrations: readonly Migration[] = [
  {
    id: 630,
    name: 'payout_claims',
    sql: `
-- Counts while requests are under way; the payout's own stream knows those that exist.
create table payout_claims (
  payout_id uuid primary key,
  currency text collate "C" not null,
  -- requests that claimed it and were not refused
  holders integer not null,
  claimed_on timestamptz not null
);
create index payout_claims_by_age on payout_claims (claimed_on);
`,
  },
];
