import type { Migration } from '../../../platform/postgres/migrations.js';

/** The schedule of queries to remote processors. Ids 670. */
export const railDueMigrations: readonly Migration[] = [
  {
    id: 670,
    name: 'rail_due',
    sql: `
-- A row for each charge of a remote processor that is still looked after, and for each instruction that nobody was shown and that
-- is to be cancelled. What the processor answers is in the charge's stream.
create table rail_due (
  charge_id uuid not null,
  -- the instruction that is to be cancelled; '' of a charge that is looked after
  cancels text collate "C" not null,
  merchant_id uuid not null,
  rail text collate "C" not null,
  due_on timestamptz not null,
  -- of the schedule
  step smallint not null,
  -- looks since the step became due that were not answered
  unanswered smallint not null,
  -- calls to create an instruction, answered or not
  attempts smallint not null,
  -- the instruction that was made last
  reference text collate "C",
  begun_on timestamptz not null,
  primary key (charge_id, cancels)
);
create index rail_due_by_time on rail_due (due_on);
create index rail_due_by_reference on rail_due (reference) where reference is not null;
`,
  },
];
