import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { explore, type Case, type Model } from '../../docs/models/explorer.js';
import { PROPOSAL } from '../../docs/models/proposal.js';
import { RAIL } from '../../docs/models/rail.js';
import { REFUND } from '../../docs/models/refund.js';
import { REWIND } from '../../docs/models/rewind.js';

/** Two processes that each read a counter and write it back with one added; `isAtomic` makes it one step. */
const counter = (isAtomic: boolean): Model<{ value: number; read: number[]; done: number }> => ({
  initial: { value: 0, read: [-1, -1], done: 0 },
  steps({ read }, step) {
    read.forEach((seen, index) => {
      if (seen === -1)
        step(`${index} reads`, (next) => {
          next.read[index] = next.value;
          if (isAtomic) write(next, index);
        });
      else if (seen >= 0) step(`${index} writes`, (next) => write(next, index));
    });
  },
  violation: ({ value, done }) => (done === 2 && value !== 2 ? 'an update is lost' : undefined),
  isFinished: ({ done }) => done === 2,
});
function write(next: { value: number; read: number[]; done: number }, index: number): void {
  next.value = next.read[index]! + 1;
  next.read[index] = -2;
  next.done += 1;
}

describe('the explorer', () => {
  it('finds the shortest trace to a violation', () => {
    expect(explore(counter(false)).failure).toEqual({ why: 'an update is lost', trace: ['0 reads', '1 reads', '0 writes', '1 writes'] });
  });

  it('counts the states of a model that holds', () => {
    expect(explore(counter(true))).toEqual({ states: 4 });
  });

  it('finds a state from which no continuation ends well', () => {
    const model: Model<{ at: number }> = {
      initial: { at: 0 },
      steps({ at }, step) {
        if (at !== 0) return;
        step('goes right', (next) => (next.at = 1));
        step('goes astray', (next) => (next.at = 2));
      },
      violation: () => undefined,
      isFinished: ({ at }) => at === 1,
    };
    expect(explore(model).failure).toEqual({ why: 'stuck: no continuation ends well', trace: ['goes astray'] });
  });
});

describe('docs/models', () => {
  const small = (model: string, cases: readonly Case[], names: readonly string[]): [string, Case | undefined][] =>
    names.map((name) => [`${model}: ${name}`, cases.find((each) => each.name === name)]);

  it.each([
    ...small('proposal', PROPOSAL, ['a newer build with another rule', 'without: after a conflict the target is searched again']),
    ...small('rail', RAIL, ['without: PayoutAttempted is stored before the call', 'without: no response is an unknown outcome']),
    ...small('refund', REFUND, ['a refund of 6, unknown outcome', 'without: an open reservation of the refund is continued']),
    ...small('rewind', REWIND, ['stages of a payout, two processes, one loss', 'without: an end depends on the registration']),
  ])('%s ends as expected', (_, each) => {
    const { failure } = each!.verdict();
    expect(failure === undefined).toBe(each!.holds);
  });

  it.each(Object.entries({ PROPOSAL, RAIL, REFUND, REWIND }))('%s has cases of other names, or other options, only', (_, cases) => {
    const names = cases.filter(({ holds }) => holds).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the nightly workflow', () => {
  interface Workflow {
    readonly jobs: Readonly<Record<string, { readonly strategy: { readonly matrix: { readonly run: readonly string[] } } }>>;
  }
  const { jobs } = parse(readFileSync('.github/workflows/nightly.yml', 'utf8')) as Workflow;
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it('names scripts of package.json, the models among them', () => {
    const named = Object.values(jobs).flatMap(({ strategy }) => strategy.matrix.run.map((command) => /^npm run ([\w:]+)/.exec(command)![1]!));
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    expect(named).toContain('models');
  });
});
