import type { ClientBase } from 'pg';
import type { Timestamp } from '../../src/ledger/time.js';
import type { StoredEvidence } from './disputes.js';

type Db = Pick<ClientBase, 'query'>;

export interface DisputeEvidence {
  readonly charge_id: string;
  /** In the order in which it was added. */
  readonly evidence: readonly StoredEvidence[];
}

/** Returns the evidence of a dispute of this merchant; undefined for a dispute of another merchant. @param id a UUID */
export async function findDisputeEvidence(db: Db, merchantId: string, id: string): Promise<DisputeEvidence | undefined> {
  const { rows } = await db.query<DisputeEvidence>({
    name: 'disputes: evidence of one',
    text: 'select charge_id, evidence from ledger.disputes where id = $1 and merchant_id = $2',
    values: [id, merchantId],
  });
  return rows[0];
}

/** Returns the charge of a dispute of any merchant. @param id a UUID */
export async function findChargeOfDispute(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ charge_id: string }>('select charge_id from ledger.disputes where id = $1', [id]);
  return rows[0]?.charge_id;
}

/** Returns disputes whose evidence was erased although their key still exists: a process stopped in between, or a backup restored the key. */
export async function findUnfinishedEvidenceErasures(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'disputes: unfinished erasures',
    text: `select d.id from dispute_keys k join ledger.disputes d on d.id = k.dispute_id
            where k.destroyed_on is null and d.evidence_erased limit $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** Stored bytes of a file. */
export interface KeptEvidence {
  readonly evidence_id: string;
  readonly dispute_id: string;
  readonly charge_id: string;
  readonly stored_on: Timestamp;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Returns up to `limit` files that were stored before `before` and that no dispute contains, after `after`, in the order of storage. */
export async function findUnknownEvidence(db: Db, before: Timestamp, after: KeptEvidence | null, limit: number): Promise<KeptEvidence[]> {
  const { rows } = await db.query<KeptEvidence>({
    name: 'disputes: unknown evidence',
    text: `select e.evidence_id, e.dispute_id, e.charge_id, e.stored_on from dispute_evidence e
            where e.stored_on < $1 and (e.stored_on, e.evidence_id) > (coalesce($2::timestamptz, '-infinity'), $3::uuid)
              and not exists (select from ledger.disputes d, json_array_elements(d.evidence) each
                               where d.id = e.dispute_id and each ->> 'id' = e.evidence_id::text)
            order by e.stored_on, e.evidence_id limit $4`,
    values: [before, after?.stored_on ?? null, after?.evidence_id ?? NO_ID, limit],
  });
  return rows;
}
