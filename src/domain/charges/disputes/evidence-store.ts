import type { Pool } from 'pg';
import { decrypt, encrypt } from '../../../ledger/crypto/encryption.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { inTransaction } from '../../../platform/postgres/pool.js';
import type { DisputeKeys } from './dispute-keys.js';

/**
 * Size of the parts in which a file is encrypted and stored, in bytes. No second copy of a whole file is in memory, neither here nor
 * on the way to Postgres.
 */
export const PART_BYTES = 262_144;

/** The owner of a file. An event in `charge-<charge_id>` records the file; without that event it is deleted after a day. */
export interface EvidencePlace {
  readonly evidence_id: string;
  readonly dispute_id: string;
  readonly charge_id: string;
}

/** A file with the fields of its event that concern its bytes. */
export interface EvidenceFile {
  readonly evidence_id: string;
  readonly dispute_id: string;
  /** Bytes. */
  readonly size: number;
}

/** The dispute's key is destroyed, or was never made. */
export class EvidenceErased extends Error {
  override readonly name = 'EvidenceErased';
}

const nameOf = ({ evidence_id, dispute_id }: Omit<EvidencePlace, 'charge_id'>): string => `name of evidence ${evidence_id} of dispute ${dispute_id}`;
/** The name includes the number of parts, so a truncated file cannot be opened. */
const partOf = ({ evidence_id, dispute_id, size }: EvidenceFile, part: number): string =>
  `part ${part} of ${partsOf(size)} of evidence ${evidence_id} of dispute ${dispute_id}`;
const partsOf = (size: number): number => Math.ceil(size / PART_BYTES);

/** Files with which merchants challenge disputes, and their names: encrypted under a key per dispute, outside the log. */
export class EvidenceStore {
  /** @param pool the primary database, never a replica: an erased file must not be readable any more */
  constructor(
    private readonly pool: Pool,
    private readonly keys: DisputeKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a file in one transaction, part by part. `signal` aborts when no request waits for the result.
   * @throws EvidenceErased; the signal's reason, with nothing stored
   */
  async put(place: EvidencePlace, name: string, content: Buffer, signal: AbortSignal): Promise<void> {
    const { evidence_id, dispute_id, charge_id } = place;
    const key = await this.keys.getOrCreate(dispute_id);
    if (key === null) throw new EvidenceErased(`the key of dispute ${dispute_id} is destroyed`);
    await inTransaction(this.pool, async (client) => {
      await client.query({
        name: 'dispute evidence: put',
        text: 'insert into dispute_evidence (evidence_id, dispute_id, charge_id, stored_on, name) values ($1, $2, $3, $4, $5)',
        values: [evidence_id, dispute_id, charge_id, timestamp(this.clock()), encrypt(key, Buffer.from(name), nameOf(place))],
      });
      const file = { evidence_id, dispute_id, size: content.length };
      for (let part = 0; part < partsOf(file.size); part += 1) {
        signal.throwIfAborted();
        const bytes = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        await client.query({
          name: 'dispute evidence: put part',
          text: 'insert into dispute_evidence_parts (evidence_id, part, bytes) values ($1, $2, $3)',
          values: [evidence_id, part, encrypt(key, bytes, partOf(file, part))],
        });
      }
    });
  }

  /** Yields the file part by part, as the reader requests them. @throws EvidenceErased, also between two parts */
  async *open(file: EvidenceFile): AsyncGenerator<Buffer> {
    const { evidence_id, dispute_id, size } = file;
    for (let part = 0; part < partsOf(size); part += 1) {
      // The key is read for each part and not kept, so that an erasure also ends reads that have begun.
      const key = await this.keys.find(dispute_id);
      if (key === null) throw new EvidenceErased(`the key of dispute ${dispute_id} is destroyed`);
      const { rows } = await this.pool.query<{ bytes: Buffer }>({
        name: 'dispute evidence: part',
        text: 'select bytes from dispute_evidence_parts where evidence_id = $1 and part = $2',
        values: [evidence_id, part],
      });
      if (!rows[0]) throw new Error(`part ${part} of evidence ${evidence_id} is missing: dispute_evidence was not restored with the database`);
      yield decrypt(key, rows[0].bytes, partOf(file, part));
    }
  }

  /** Returns names by evidence, for all files of these disputes that can be opened. */
  async namesOf(disputeIds: readonly string[]): Promise<Map<string, string>> {
    if (disputeIds.length === 0) return new Map();
    const keys = await this.keys.findAll(disputeIds);
    const { rows } = await this.pool.query<{ evidence_id: string; dispute_id: string; name: Buffer }>({
      name: 'dispute evidence: names',
      text: 'select evidence_id, dispute_id, name from dispute_evidence where dispute_id = any($1::uuid[])',
      values: [[...keys.keys()]],
    });
    return new Map(rows.map((row) => [row.evidence_id, decrypt(keys.get(row.dispute_id)!, row.name, nameOf(row)).toString('utf8')]));
  }

  /** Deletes files. Missing files are no error. */
  async remove(evidenceIds: readonly string[]): Promise<void> {
    await this.pool.query({
      name: 'dispute evidence: remove',
      text: 'delete from dispute_evidence where evidence_id = any($1::uuid[])',
      values: [evidenceIds],
    });
  }
}
