import type { PoolClient } from 'pg';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';

type OnBatch = (batch: readonly OrdinalEvent[], tx: PoolClient) => void | Promise<void>;

/** Writes down every event that it is given, and by which version; twice the same would break its key. */
export function seen(name: string, { version = 1, onBatch }: { version?: number; onBatch?: OnBatch } = {}): Projection {
  return {
    name,
    decode: (event) => event,
    readModels: [
      {
        name: 'seen',
        version,
        ddl: (schema) =>
          `create table ${schema}.seen (ordinal bigint primary key, id uuid not null unique, type text not null, version int not null)`,
        indexes: (schema) => [`create index seen_type on ${schema}.seen (type)`],
        async apply(tx, schema, batch) {
          await onBatch?.(batch, tx);
          await tx.query(`insert into ${schema}.seen select *, ${version} from unnest($1::bigint[], $2::uuid[], $3::text[])`, [
            batch.map(({ ordinal }) => ordinal),
            batch.map(({ id }) => id),
            batch.map(({ type }) => type),
          ]);
        },
      },
    ],
  };
}

/** A gate that is closed: `pass` waits until it is opened. */
export function gate(): { pass: () => Promise<void>; reached: Promise<void>; open: () => void } {
  let open!: () => void;
  let arrive!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  return { pass: () => (arrive(), opened), reached, open };
}
