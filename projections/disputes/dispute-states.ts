import type { ClientBase } from 'pg';
import type { LedgerReadModel } from '../../src/ledger/read-model.js';
import { Table } from '../../src/platform/postgres/binary/table.js';
import { disputeOf, type Dispute } from './dispute-reads.js';
import { isOfDispute, rowAfter, type DisputeRow } from './disputes.js';

const table = new Table('dispute_states', {
  /** Ordinal of the event that led to this state. */
  ordinal: 'bigint not null primary key',
  dispute_id: 'uuid not null',
  charge_id: 'uuid not null',
  /** A row of `disputes`. */
  record: 'json not null',
});

/** Every dispute as it was after each of its events. A message about an event contains this state, however late it is sent. Disputes are few. */
export const disputeStates: LedgerReadModel = {
  name: 'dispute_states',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: (schema) => [
    `create index dispute_states_of_dispute on ${schema}.dispute_states (dispute_id, ordinal)`,
    `create index dispute_states_of_charge on ${schema}.dispute_states (charge_id, dispute_id, ordinal)`,
  ],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfDispute);
    if (events.length === 0) return;
    const { rows } = await tx.query<{ dispute_id: string; record: DisputeRow }>({
      name: `${schema} dispute states: load`,
      text: `select distinct on (dispute_id) dispute_id, record from ${schema}.dispute_states
              where dispute_id = any($1::uuid[]) order by dispute_id, ordinal desc`,
      values: [[...new Set(events.map(({ data }) => data.dispute_id))]],
    });
    const newest = new Map(rows.map(({ dispute_id, record }) => [dispute_id, record]));
    const added = events.map((event) => {
      const { dispute_id, charge_id } = event.data;
      const record = rowAfter(newest.get(dispute_id), event);
      newest.set(dispute_id, record);
      return { ordinal: event.ordinal, dispute_id, charge_id, record: JSON.stringify(record) };
    });
    await table.add(tx, schema, added);
  },
};

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

/**
 * Returns each of these disputes as it was after an event, in their order; undefined for one that does not exist. The file names of evidence are not
 * included.
 */
export async function findDisputesThen(
  db: Db,
  wanted: readonly { readonly dispute_id: string; readonly ordinal: number }[],
): Promise<(Dispute | undefined)[]> {
  const { rows } = await db.query<{ record: DisputeRow | null }>(
    `select s.record
       from unnest($1::uuid[], $2::bigint[]) with ordinality w (dispute_id, ordinal, place)
       left join lateral (
         select record from ledger.dispute_states s where s.dispute_id = w.dispute_id and s.ordinal <= w.ordinal order by s.ordinal desc limit 1
       ) s on true
      order by w.place`,
    [wanted.map(({ dispute_id }) => dispute_id), wanted.map(({ ordinal }) => ordinal)],
  );
  return rows.map(({ record }) => (record ? disputeOf(record) : undefined));
}

/** Returns the amount that disputes held of a charge, or had lost of it, at an event: for each charge and ordinal, in their order. Minor units. */
export async function findDisputedThen(db: Db, wanted: readonly { readonly charge_id: string; readonly ordinal: number }[]): Promise<number[]> {
  const { rows } = await db.query<{ disputed_amount: string }>(
    `select coalesce(sum((s.record ->> 'held_amount')::int8), 0) as disputed_amount
       from unnest($1::uuid[], $2::bigint[]) with ordinality w (charge_id, ordinal, place)
       left join lateral (
         select distinct on (dispute_id) record from ledger.dispute_states s
          where s.charge_id = w.charge_id and s.ordinal <= w.ordinal order by dispute_id, ordinal desc
       ) s on true
      group by w.place order by w.place`,
    [wanted.map(({ charge_id }) => charge_id), wanted.map(({ ordinal }) => ordinal)],
  );
  return rows.map(({ disputed_amount }) => Number(disputed_amount));
}
