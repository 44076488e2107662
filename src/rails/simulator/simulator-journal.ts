import type { Pool } from 'pg';
import { Gathered } from '../../platform/async/gathered.js';
import type { Deed, DeedKind, SimulatorJournal } from './deeds.js';

/** Maximum deeds per statement; further ones wait for the next. */
const DEEDS_TOGETHER = 512;
const COLUMNS = 'id, kind, record_id, reference, channel_code, currency, amount, done_on';

/** Writes to the primary database. Deeds that arrive while a statement is under way are written together in the next one. */
export class PostgresSimulatorJournal implements SimulatorJournal {
  readonly #writing = new Gathered<readonly Deed[], ReadonlySet<string>>(async (together) => {
    const recorded = await this.#insert(together.flat());
    return together.map((deeds) => new Set(deeds.map(({ id }) => id).filter((id) => recorded.has(id))));
  }, DEEDS_TOGETHER);

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  async record(deeds: readonly Deed[]): Promise<ReadonlySet<string>> {
    return deeds.length === 0 ? new Set() : this.#writing.do(deeds);
  }

  async withdraw(ids: ReadonlySet<string>): Promise<void> {
    if (ids.size > 0) await this.pool.query('delete from simulator_deeds where id = any($1)', [[...ids]]);
  }

  async #insert(deeds: readonly Deed[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'simulator deeds: record',
      text: `insert into simulator_deeds (${COLUMNS})
             select * from unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::timestamptz[])
             on conflict (id) do nothing returning id`,
      values: [
        deeds.map(({ id }) => id),
        deeds.map(({ kind }) => kind),
        deeds.map(({ record_id }) => record_id),
        deeds.map(({ reference }) => reference),
        deeds.map(({ channel_code }) => channel_code),
        deeds.map(({ currency }) => currency),
        deeds.map(({ amount }) => amount),
        deeds.map(({ done_on }) => done_on),
      ],
    });
    return new Set(rows.map(({ id }) => id));
  }
}

interface StoredDeed extends Omit<Deed, 'kind' | 'amount' | 'done_on'> {
  readonly kind: string;
  readonly amount: bigint;
  readonly done_on: string;
}

/** Reads all deeds in the order in which they were recorded. */
export async function readDeeds(db: Pick<Pool, 'query'>): Promise<Deed[]> {
  const { rows } = await db.query<StoredDeed>(`select ${COLUMNS} from simulator_deeds order by ordinal`);
  return rows.map((row) => ({ ...row, kind: row.kind as DeedKind, amount: Number(row.amount), done_on: row.done_on }));
}
