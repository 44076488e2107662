import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { ChallengeAnswer, ChallengeInstruction } from '../../src/domain/charges/processor.js';
import { DisputeKeys } from '../../src/domain/charges/disputes/dispute-keys.js';
import { DisputeWorker } from '../../src/domain/charges/disputes/dispute.worker.js';
import { NO_CONCESSIONS } from '../support/no-concessions.js';
import { evidenceMigrations } from '../../src/domain/charges/disputes/evidence.migrations.js';
import { EvidenceStore, PART_BYTES } from '../../src/domain/charges/disputes/evidence-store.js';
import { newEvent } from '../support/events.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { suiteDatabase } from '../support/suite-database.js';

const golden = (type: string): Record<string, string> =>
  (JSON.parse(readFileSync(`test/golden/${type}.1.json`, 'utf8')) as { event: { data: Record<string, string> } }).event.data;
const { dispute_id, reference, stage } = golden('ChargeDisputeOpened') as Record<'dispute_id' | 'reference' | 'stage', string>;
const { charge_id, merchant_id } = golden('ChargeCreated') as Record<'charge_id' | 'merchant_id', string>;
const never = new AbortController().signal;

describe('a challenge', () => {
  let pool: pg.Pool;
  suiteDatabase((opened) => (pool = opened), { migrations: evidenceMigrations, maxConnections: 2 });

  it('submits a challenge with the original bytes of its files, until the processor accepts it', async () => {
    const evidence = new EvidenceStore(pool, new DisputeKeys(pool, Buffer.alloc(32, 7), Date.now), Date.now);
    const content = randomBytes(PART_BYTES + 5);
    const { evidence_id, ...added } = golden('ChargeDisputeEvidenceAdded') as Record<string, string> & { evidence_id: string };
    await evidence.put({ evidence_id, dispute_id, charge_id }, 'receipt.pdf', content, never);
    const store = new InMemoryEventStore();
    const of = { charge_id, dispute_id, merchant_id };
    await store.append(`charge-${charge_id}`, 'no-stream', [
      newEvent(golden('ChargeCreated'), 'ChargeCreated'),
      newEvent({ ...golden('ChargePaid'), ...of }, 'ChargePaid'),
      newEvent({ ...golden('ChargeDisputeOpened'), ...of }, 'ChargeDisputeOpened'),
      newEvent({ ...added, ...of, evidence_id, size: content.length }, 'ChargeDisputeEvidenceAdded'),
      newEvent({ ...golden('ChargeDisputeChallenged'), ...of, stage }, 'ChargeDisputeChallenged'),
    ]);
    const types = async (): Promise<string[]> => (await store.read(`charge-${charge_id}`)).map(({ type }) => type);

    const taken: (ChallengeInstruction & { readonly bytes: Buffer })[] = [];
    const answers: ChallengeAnswer['status'][] = ['PROCESSING', 'TAKEN'];
    const errors: unknown[] = [];
    const worker = new DisputeWorker({
      concessions: NO_CONCESSIONS,
      store,
      findDue: async () => [],
      findChallenges: async () => [{ dispute_id, charge_id, merchant_id, ordinal: 5 }],
      processorOf: () => ({
        async challenge(instruction) {
          const parts: Buffer[] = [];
          for (const { open } of instruction.evidence) for await (const part of open()) parts.push(part);
          taken.push({ ...instruction, bytes: Buffer.concat(parts) });
          return { status: answers.shift()! };
        },
      }),
      evidence,
      clock: Date.now,
      onError: (_, error) => void errors.push(error),
    });
    await worker.pass(never);
    expect([(await types()).at(-1), errors]).toEqual(['ChargeDisputeChallenged', []]);
    await worker.pass(never);
    await worker.pass(never);
    expect([(await types()).at(-1), errors, taken.length]).toEqual(['ChargeDisputeSubmitted', [], 2]);
    for (const { bytes, evidence: files, ...instruction } of taken) {
      expect(instruction).toEqual({ dispute_id, reference, stage });
      expect(files).toMatchObject([{ id: evidence_id, name: 'receipt.pdf', size: content.length, media_type: added['media_type'] }]);
      expect(bytes.equals(content)).toBe(true);
    }
  });
});
