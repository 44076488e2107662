import { describe, expect, it } from '@jest/globals';
import { TransferWorld } from './transfer-world.js';

const SEEDS = 200;
const SEEDS_OF_A_TEST = 50;

describe('a payout by a bank that forgets, answers late or not at all, with workers that crash and sleep', () => {
  it.each(Array.from({ length: SEEDS / SEEDS_OF_A_TEST }, (_, index) => 1 + index * SEEDS_OF_A_TEST))(
    'a payout is paid at most once and ends in the state of the bank: seeds from %i',
    async (first) => {
      for (let seed = first; seed < first + SEEDS_OF_A_TEST; seed += 1) {
        const { violation } = await new TransferWorld(seed).play();
        expect({ seed, violation }).toEqual({ seed, violation: null });
      }
    },
  );
});
