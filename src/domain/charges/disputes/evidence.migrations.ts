import type { Migration } from '../../../platform/postgres/migrations.js';

/** Evidence of merchants for disputes. Ids 640–649. No replay restores these tables: they are backed up together with ENCRYPTION_KEY. */
export const evidenceMigrations: readonly Migration[] = [
  {
    id: 640,
    name: 'dispute_keys, dispute_evidence',
    sql: `
create table dispute_keys (
  dispute_id uuid not null primary key,
  wrapped_key bytea,
  -- the row of a destroyed key stays: it says that there must never be a second one
  destroyed_on timestamptz,
  -- since then nothing is left of a destroyed key in the table's files, nor in the log where that is ours
  traces_removed_on timestamptz,
  check ((wrapped_key is null) = (destroyed_on is not null))
);
create index dispute_keys_traces on dispute_keys (dispute_id) where destroyed_on is not null and traces_removed_on is null;

create table dispute_evidence (
  evidence_id uuid not null primary key,
  dispute_id uuid not null,
  charge_id uuid not null,
  stored_on timestamptz not null,
  -- encrypted, as the bytes are
  name bytea not null
);
create index dispute_evidence_dispute on dispute_evidence (dispute_id);
create index dispute_evidence_stored on dispute_evidence (stored_on, evidence_id);

create table dispute_evidence_parts (
  evidence_id uuid not null references dispute_evidence on delete cascade,
  part integer not null,
  bytes bytea not null,
  primary key (evidence_id, part)
);
-- what is encrypted cannot be made smaller
alter table dispute_evidence_parts alter column bytes set storage external;
`,
  },
];
