import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { sized } from '../support/nightly.js';
import { APPROVAL_MUTANTS } from './approval-mutants.js';
import { MUTANTS } from './mutants.js';
import { PROPOSAL_MUTANTS } from './proposal-mutants.js';
import { TRANSFER_MUTANTS } from './transfer-mutants.js';
import { World } from './world.js';

/** More, and from elsewhere: `npm run simulate -- --seed N --runs M`. */
const SEED = Number(process.env.SIMULATION_SEED ?? 1);
const RUNS = Number(process.env.SIMULATION_RUNS ?? sized(100, 300));

describe('the simulation', () => {
  const mutants = [...MUTANTS, ...APPROVAL_MUTANTS, ...PROPOSAL_MUTANTS, ...TRANSFER_MUTANTS];
  it.each(mutants.map(({ name, edits }) => ({ name, edits })))('the code to mutate occurs exactly once: $name', async ({ edits }) => {
    for (const { file, from } of edits) {
      const source = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
      expect(source.split(from)).toHaveLength(2);
    }
  });

  it('the simulation runs the same for the same seed', async () => {
    const [one, same, other] = await Promise.all([new World(7).play(), new World(7).play(), new World(8).play()]);
    expect(same).toEqual(one);
    expect(other.trace).not.toEqual(one.trace);
  });

  it(`the simulation conserves money and ends, despite crashes, conflicts, lost events, restored stores and wrong clocks (${RUNS} runs from seed ${SEED})`, async () => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    const types = new Set<string>();
    for (let seed = SEED; seed < SEED + RUNS && wrong.length === 0; seed += 1) {
      const { violation, types: written, trace } = await new World(seed).play();
      for (const type of written) types.add(type);
      if (violation !== null) wrong.push(`seed ${seed}: ${violation}`);
      for (const step of trace) seen.add(kindOf(step));
    }
    expect(wrong).toEqual([]);
    // It is worth something only as long as the things that go wrong do happen.
    expect([...HAPPENS].filter((kind) => !seen.has(kind))).toEqual([]);
    expect([...types].filter((type) => type.startsWith('ChargeDispute')).sort()).toEqual([
      'ChargeDisputeChallenged',
      'ChargeDisputeDueSoon',
      'ChargeDisputeEvidenceAdded',
      'ChargeDisputeEvidenceErased',
      'ChargeDisputeHeld',
      'ChargeDisputeLost',
      'ChargeDisputeOpened',
      'ChargeDisputeReopened',
      'ChargeDisputeSubmitted',
      'ChargeDisputeWon',
    ]);
  }, 300_000);
});

const HAPPENS = [
  'CRASHES',
  'pauses',
  'is refused',
  'waits in vain',
  'does not hear',
  'is not told',
  'delivers or loses',
  'hears no',
  'hears yes',
  'client tries again',
  'JUMPS',
  'LOSES',
  "is told the database's time",
  'notices that the store went back',
];

function kindOf(step: string): string {
  return HAPPENS.find((kind) => step.includes(kind)) ?? '';
}
