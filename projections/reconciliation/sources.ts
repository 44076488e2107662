import type { ClientBase, PoolClient } from 'pg';
import type { ReconSourceSet } from '../../src/ledger/events/reconciliation.events.js';
import { handling, type HandledBy, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { Table } from '../../src/platform/postgres/binary/table.js';

const table = new Table('sources', {
  id: 'text collate "C" not null primary key',
  /** The data of ReconSourceSet, without the account. */
  settings: 'json not null',
  /** Number of times that the settings were set. */
  version: 'integer not null',
  /** Closing day of its newest statement, or booking day of its newest batch; null before the first accepted file. */
  newest_day: 'text collate "C"',
});

/** Sources of statements: one per house account at a bank, and one per processor. */
export const sources: LedgerReadModel = {
  name: 'sources',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: () => [],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfSource);
    if (events.length === 0) return;
    const rows = await load(tx, schema, [...new Set(events.map(({ data }) => data.source))]);
    for (const event of events) {
      const before = rows.get(event.data.source);
      if (!setsOrCounts(event)) continue;
      if (event.type === 'ReconSourceSet') rows.set(event.data.source, rowOf(event.data, before));
      else if (!before) throw new Error(`a statement of the source ${event.data.source}, which was never set`);
      else {
        const days = [...event.data.statements.map(({ closes_on }) => closes_on), ...event.data.batches.map(({ booked_on }) => booked_on)];
        rows.set(event.data.source, {
          ...before,
          newest_day:
            [...days, before.newest_day]
              .filter((day) => day !== null)
              .sort()
              .at(-1) ?? null,
        });
      }
    }
    await tx.query({ name: `${schema} sources: replace`, text: `delete from ${schema}.sources where id = any($1)`, values: [[...rows.keys()]] });
    await table.add(
      tx,
      schema,
      [...rows.values()].map((row) => ({ ...row, settings: JSON.stringify(row.settings) })),
    );
  },
};

type Counting = Extract<OfSource, { readonly type: 'ReconSourceSet' | 'StatementAccepted' | 'StatementReplaced' }>;
const setsOrCounts = (event: OfSource): event is Counting =>
  event.type === 'ReconSourceSet' || event.type === 'StatementAccepted' || event.type === 'StatementReplaced';

/** Events that set a source, that make its files count, and that start its ticks: all events that its read models use. */
export const isOfSource = handling({
  recon: { except: ['breaks', 'ReconBankClaimed', 'StatementReceived', 'StatementLines', 'StatementRead', 'StatementForgotten'] },
});
export type OfSource = HandledBy<typeof isOfSource>;

export type ShownSettings = Omit<ReconSourceSet, 'merchant_id' | 'account_hmac' | 'source' | 'reason' | 'key_id'>;

export interface Source {
  readonly id: string;
  readonly settings: ShownSettings;
  readonly version: number;
  readonly newest_day: string | null;
}

function rowOf(set: ReconSourceSet, before: Source | undefined): Source {
  const { merchant_id: _, account_hmac: __, source: id, reason: ___, key_id: ____, ...settings } = set;
  return { id, settings, version: (before?.version ?? 0) + 1, newest_day: before?.newest_day ?? null };
}

async function load(tx: PoolClient, schema: string, ids: readonly string[]): Promise<Map<string, Source>> {
  const { rows } = await tx.query<Source>({
    name: `${schema} sources: load`,
    text: `select * from ${schema}.sources where id = any($1)`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

/** Returns sources by id, after `after`. */
export async function findSources(db: Db, { after = '', limit }: { readonly after?: string | undefined; readonly limit: number }): Promise<Source[]> {
  const { rows } = await db.query<Source>('select * from recon.sources where id > $1 order by id limit $2', [after, limit]);
  return rows;
}

export async function findSource(db: Db, id: string): Promise<Source | undefined> {
  return (await db.query<Source>('select * from recon.sources where id = $1', [id])).rows[0];
}
