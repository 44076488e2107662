import type { Migration } from '../platform/postgres/migrations.js';

/** The service's secret, wrapped. Ids 510–519. It needs a backup like the keys of customers, together with ENCRYPTION_KEY. */
export const serviceSecretMigrations: readonly Migration[] = [
  {
    id: 510,
    name: 'service_secret',
    sql: `
-- one secret, once for each ENCRYPTION_KEY that opens it
create table service_secret (
  encryption_key_id text collate "C" not null primary key,
  wrapped_secret bytea not null,
  added_on timestamptz not null
);
`,
  },
];
