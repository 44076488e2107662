import type { Migration } from '../../../platform/postgres/migrations.js';

/** References that were used with each rail. Ids 660–669. */
export const railReferencesMigrations: readonly Migration[] = [
  {
    id: 660,
    name: 'rail_references',
    sql: `
create table rail_references (
  rail text collate "C" not null,
  -- 'payout' for partner references, for external ids the day in Jakarta
  scope text collate "C" not null,
  reference text collate "C" not null,
  -- null: of a call that is about no payout
  payout_id uuid,
  used_on timestamptz not null,
  primary key (rail, scope, reference)
);
create index rail_references_by_age on rail_references (used_on) where scope <> 'payout';
`,
  },
];
