import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DisputeKeys } from '../../src/domain/charges/disputes/dispute-keys.js';
import { evidenceMigrations } from '../../src/domain/charges/disputes/evidence.migrations.js';
import type { ChargeDisputeEvidenceAdded } from '../../src/ledger/events/dispute.events.js';
import { evidenceToHandOver } from '../../src/domain/charges/disputes/dispute.worker.js';
import { EvidenceErased, EvidenceStore, PART_BYTES, type EvidenceFile } from '../../src/domain/charges/disputes/evidence-store.js';
import { DecryptionFailed } from '../../src/ledger/crypto/encryption.js';
import { suiteDatabase } from '../support/suite-database.js';

const NAME = 'Receipt of Zebulon Quarterstaff.pdf';
const never = new AbortController().signal;

let pool: pg.Pool;
let keys: DisputeKeys;
let evidence: EvidenceStore;

suiteDatabase((opened) => (pool = opened), { migrations: evidenceMigrations, maxConnections: 3 });
beforeAll(async () => {
  keys = new DisputeKeys(pool, Buffer.alloc(32, 7), Date.now);
  evidence = new EvidenceStore(pool, keys, Date.now);
});

async function kept(content: Buffer, dispute_id: string = randomUUID()): Promise<EvidenceFile> {
  const place = { evidence_id: randomUUID(), dispute_id, charge_id: randomUUID() };
  await evidence.put(place, NAME, content, never);
  return { ...place, size: content.length };
}

async function read(file: EvidenceFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of evidence.open(file)) parts.push(part);
  return Buffer.concat(parts);
}

describe('evidence submitted to the processor', () => {
  it('submits evidence with its name and its original bytes, and nothing when a file is missing', async () => {
    const content = randomBytes(PART_BYTES + 1);
    const [file, erased] = [await kept(content), await kept(content)];
    await keys.destroy([erased.dispute_id]);
    const of = { charge_id: randomUUID(), merchant_id: randomUUID(), currency: 'IDR', added_by: 'key', added_on: '2026-01-31T08:15:30.123+00:00' };
    const said = { category: 'RECEIPT', media_type: 'application/pdf', sha256: 'ab' } as const;
    const [there, missing] = [file, erased].map((each) => ({ ...of, ...each, ...said })) as [ChargeDisputeEvidenceAdded, ChargeDisputeEvidenceAdded];
    await expect(evidenceToHandOver(evidence, [there, missing])).rejects.toThrow(`evidence ${erased.evidence_id}`);
    const handed = await evidenceToHandOver(evidence, [there]);
    expect(handed).toEqual([{ id: file.evidence_id, name: NAME, size: content.length, ...said, open: expect.any(Function) }]);
    for (let n = 0; n < 2; n += 1) {
      const parts: Buffer[] = [];
      for await (const part of handed[0]!.open()) parts.push(part);
      expect(Buffer.concat(parts).equals(content)).toBe(true);
    }
  });
});

describe('stored evidence', () => {
  it.each([1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES + 17])('reads evidence of %d bytes as it was sent', async (size) => {
    const content = randomBytes(size);
    const file = await kept(content);
    expect((await read(file)).equals(content)).toBe(true);
    expect(await evidence.namesOf([file.dispute_id])).toEqual(new Map([[file.evidence_id, NAME]]));
  });

  it('evidence is in no table in plain text, and each dispute has one key', async () => {
    const words = 'The parcel was handed over at Kumquat Lane 77. '.repeat(10_000);
    const file = await kept(Buffer.from(words));
    await kept(Buffer.from(words), file.dispute_id);
    expect((await read(file)).toString()).toBe(words);
    const { rows } = await pool.query<{ bytes: Buffer }>(
      `select bytes from dispute_evidence_parts union all select name from dispute_evidence union all select wrapped_key from dispute_keys where wrapped_key is not null`,
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const text of ['Kumquat Lane', 'Quarterstaff']) expect(rows.filter(({ bytes }) => bytes.includes(text))).toEqual([]);
    expect((await pool.query('select from dispute_keys where dispute_id = $1', [file.dispute_id])).rowCount).toBe(1);
  });

  it('stores no evidence when the request was aborted', async () => {
    const place = { evidence_id: randomUUID(), dispute_id: randomUUID(), charge_id: randomUUID() };
    await expect(evidence.put(place, NAME, Buffer.alloc(9), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await evidence.namesOf([place.dispute_id])).toEqual(new Map());
  });

  it('evidence with parts of another file, or without one of its parts, does not decrypt', async () => {
    const dispute_id = randomUUID();
    const [one, other] = [await kept(randomBytes(3 * PART_BYTES), dispute_id), await kept(randomBytes(3 * PART_BYTES), dispute_id)];
    await pool.query(
      'update dispute_evidence_parts p set bytes = o.bytes from dispute_evidence_parts o where p.evidence_id = $1 and o.evidence_id = $2 and p.part = 1 and o.part = 1',
      [one.evidence_id, other.evidence_id],
    );
    await expect(read(one)).rejects.toThrow(DecryptionFailed);
    // Nor does a file that was cut off by a writer of the table.
    await expect(read({ ...other, size: 2 * PART_BYTES })).rejects.toThrow(DecryptionFailed);
    await pool.query('delete from dispute_evidence_parts where evidence_id = $1 and part = 2', [other.evidence_id]);
    await expect(read(other)).rejects.toThrow('was not restored');
  });

  it('evidence cannot be read or added once the key of its dispute is destroyed', async () => {
    const file = await kept(randomBytes(2 * PART_BYTES));
    const unhurt = await kept(Buffer.from('of another dispute'));
    const reading = evidence.open(file);
    expect((await reading.next()).done).toBe(false);
    await keys.destroy([file.dispute_id]);
    await expect(reading.next()).rejects.toThrow(EvidenceErased);
    await expect(read(file)).rejects.toThrow(EvidenceErased);
    expect(await evidence.namesOf([file.dispute_id, unhurt.dispute_id])).toEqual(new Map([[unhurt.evidence_id, NAME]]));
    await expect(kept(Buffer.from('late'), file.dispute_id)).rejects.toThrow(EvidenceErased);
    expect((await read(unhurt)).toString()).toBe('of another dispute');
  });
});
