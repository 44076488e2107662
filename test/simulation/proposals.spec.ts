import { describe, expect, it } from '@jest/globals';
import { sized } from '../support/nightly.js';
import { ProposalWorld } from './proposal-world.js';

const SEEDS = sized(250, 1_000);

describe('an approved proposal with executors that crash and sleep, while others change its target', () => {
  it(`an approved proposal takes effect at most once and ends with the outcome at its target: ${SEEDS} seeds`, async () => {
    const types = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { violation, types: written } = await new ProposalWorld(seed).play();
      expect({ seed, violation }).toEqual({ seed, violation: null });
      for (const type of written) types.add(type);
    }
    expect([...types].sort()).toEqual([
      ...['OperatorAdded', 'OperatorRolesSet', 'ProposalApproved', 'ProposalClaimed', 'ProposalExecuted', 'ProposalFailed', 'ProposalMade'],
      ...['ProposalRefused', 'ProposalVoided', 'SuspenseItemClaimed'],
    ]);
  });
});
