import type { Migration } from '../../platform/postgres/migrations.js';

/** Signatures of remittance advice. Ids 690–699. A lost signature is requested again and gets the same bytes. */
export const remittanceSignaturesMigrations: readonly Migration[] = [
  {
    id: 690,
    name: 'remittance_signatures',
    sql: `
create table remittance_signatures (
  payout_id uuid not null primary key,
  asked_on timestamptz not null default now(),
  -- null until the process that seals has signed
  digest bytea,
  public_key bytea,
  signature bytea,
  check (num_nulls(digest, public_key, signature) in (0, 3))
);
create index remittance_signatures_asked on remittance_signatures (asked_on) where signature is null;
`,
  },
];
