import { describe, expect, it } from '@jest/globals';
import { sized } from '../support/nightly.js';
import { World } from './world.js';

/** More, and from elsewhere: `npm run simulate -- --approvals --seed N --runs M`. */
const SEED = Number(process.env.SIMULATION_SEED ?? 1);
const RUNS = Number(process.env.SIMULATION_RUNS ?? sized(50, 150));

describe('payouts that require approvals', () => {
  it(`payouts are paid only with their approvals and none is stuck, despite cancellations, suspensions, late approvals and crashes (${RUNS} runs from seed ${SEED})`, async () => {
    const types = new Set<string>();
    let isSuspended = false;
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
      const { violation, types: written, trace } = await new World(seed, { approvals: true }).play();
      expect({ seed, violation }).toEqual({ seed, violation: null });
      for (const type of written) types.add(type);
      isSuspended ||= trace.some((step) => step.includes('is SUSPENDED'));
    }
    // It is worth something only as long as all of that happens.
    expect([isSuspended, [...types].filter((type) => type.startsWith('Payout')).sort()]).toEqual([
      true,
      [
        ...['PayoutApprovalVoided', 'PayoutApproved', 'PayoutCancelled', 'PayoutFailed', 'PayoutRegistered', 'PayoutRequested'],
        ...['PayoutReturnClaimed', 'PayoutReturned', 'PayoutSubmitted', 'PayoutSucceeded'],
      ],
    ]);
  });
});
