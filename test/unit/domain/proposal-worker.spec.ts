import { expect, it } from '@jest/globals';
import { ProposalWorker } from '../../../src/domain/approvals/proposal.worker.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

it('retries a proposal that cannot continue ever more rarely, down to once a minute, and delays no other', async () => {
  const tried: string[] = [];
  const failed: number[] = [];
  let now = 0;
  const worker = new ProposalWorker({
    store: new InMemoryEventStore(),
    clock: () => 0,
    elapsedMs: () => now,
    effects: {
      run: async (id) => {
        tried.push(id);
        if (id === 'unknown') throw new Error('this version does not know proposals of its kind');
        return undefined;
      },
    },
    findApproved: async () => ['unknown', 'known'],
    findUnapproved: async () => [],
    onError: () => failed.push(now / 1_000),
  });
  for (; now < 240_000; now += 1_000) await worker.pass(new AbortController().signal);
  expect(failed).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  expect(tried.filter((id) => id === 'known')).toHaveLength(240);
});
