import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { DisputeWorker } from '../../../src/domain/charges/disputes/dispute.worker.js';
import { NO_CONCESSIONS } from '../../support/no-concessions.js';
import type { ChallengeInstruction } from '../../../src/domain/charges/processor.js';
import { newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const golden = (type: string): Record<string, string> =>
  (JSON.parse(readFileSync(`test/golden/${type}.1.json`, 'utf8')) as { event: { data: Record<string, string> } }).event.data;
const { dispute_id, charge_id, merchant_id, stage } = golden('ChargeDisputeOpened') as Record<
  'dispute_id' | 'charge_id' | 'merchant_id' | 'stage',
  string
>;
const { evidence_id } = golden('ChargeDisputeEvidenceAdded') as Record<'evidence_id', string>;
const never = new AbortController().signal;

/** A dispute of a paid charge; the list of challenges names it, whatever has become of it. */
class Listed {
  readonly store = new InMemoryEventStore();
  readonly names = new Map([[evidence_id, 'receipt.pdf']]);
  readonly shown: ChallengeInstruction[] = [];
  readonly errors: unknown[] = [];
  readonly worker = new DisputeWorker({
    concessions: NO_CONCESSIONS,
    store: this.store,
    evidence: { namesOf: async () => this.names, open: () => Promise.reject(new Error('nobody reads it here')) as never },
    findDue: async () => [],
    findChallenges: async () => [{ dispute_id, charge_id, merchant_id, ordinal: 5 }],
    processorOf: () => ({
      challenge: async (challenge) => {
        this.shown.push(challenge);
        return { status: 'PROCESSING' };
      },
    }),
    clock: Date.now,
    onError: (_, error) => void this.errors.push(error),
  });

  async add(...types: readonly string[]): Promise<void> {
    const of = { charge_id, dispute_id, merchant_id, stage };
    const events = types.map((type) => newEvent({ ...golden(type), ...of }, type));
    const { length } = await this.store.read(`charge-${charge_id}`);
    await this.store.append(`charge-${charge_id}`, length === 0 ? 'no-stream' : length - 1, events);
  }
}

describe('the worker of disputes', () => {
  let listed: Listed;
  beforeEach(async () => {
    listed = new Listed();
    await listed.add('ChargeCreated', 'ChargePaid', 'ChargeDisputeOpened', 'ChargeDisputeEvidenceAdded');
  });

  it('submits only disputes under review that the processor has not taken yet', async () => {
    await listed.worker.pass(never);
    expect(listed.shown).toEqual([]);
    await listed.add('ChargeDisputeChallenged');
    await listed.worker.pass(never);
    expect(listed.shown).toMatchObject([{ dispute_id, stage, evidence: [{ id: evidence_id, name: 'receipt.pdf' }] }]);
    await listed.add('ChargeDisputeSubmitted');
    await listed.worker.pass(never);
    expect([listed.shown.length, listed.errors]).toEqual([1, []]);
  });

  it('keeps a challenge whose evidence is missing, and reports it once, until the evidence is there or erased', async () => {
    await listed.add('ChargeDisputeChallenged');
    listed.names.clear();
    await listed.worker.pass(never);
    await listed.worker.pass(never);
    expect(listed.shown).toEqual([]);
    expect(listed.errors.map(String)).toEqual([
      `Error: evidence ${evidence_id} of dispute ${dispute_id} is missing, or its key is: the challenge waits for it`,
    ]);
    listed.names.set(evidence_id, 'receipt.pdf');
    await listed.worker.pass(never);
    expect(listed.shown).toHaveLength(1);
    listed.names.clear();
    await listed.worker.pass(never);
    expect(listed.errors).toHaveLength(2);
    await listed.add('ChargeDisputeEvidenceErased');
    await listed.worker.pass(never);
    expect(listed.shown.map(({ evidence }) => evidence.length)).toEqual([1, 0]);
  });
});
