import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Liveness, type Death } from '../../../src/app/workers/liveness.js';

const PATIENCE_MS = 5_000;

/** A second of a process: its messages, the state of its thread, and the processor time that it used. */
type Second = readonly [beat: boolean, state: string, cpuMs: number];

/** Returns the number of looks until the process counts as dead, and the cause; undefined while it counts as alive. */
function judge(seconds: readonly Second[], patienceMs = PATIENCE_MS): [looks: number, cause: Death] | undefined {
  const liveness = new Liveness(patienceMs);
  let cpuMs = 0;
  for (const [index, [beat, state, usedMs]] of seconds.entries()) {
    cpuMs += usedMs;
    const cause = liveness.look({ beat, thread: { state, cpuMs } });
    if (cause) return [index + 1, cause];
  }
  return undefined;
}
const times = (count: number, second: Second): Second[] => Array.from({ length: count }, () => second);
const BEATS: Second = [true, 'S', 20];

describe('Liveness', () => {
  it.each([
    ['it is stopped: after the patience', [BEATS, ...times(9, [false, 'T', 0])], [7, 'stopped']],
    ['it is stopped during its start: after the patience', times(9, [false, 'T', 0]), [6, 'stopped']],
    ['it spins on a whole core: after the patience', [BEATS, ...times(9, [false, 'R', 1_000])], [7, 'spins']],
    ['it spins on a tenth of a core: after as much processor time', [BEATS, ...times(99, [false, 'R', 100])], [52, 'spins']],
    ['it waits in its only thread for something unknown: after twelve times the patience', [BEATS, ...times(99, [false, 'S', 0])], [62, 'silent']],
  ] as const)('%s', (_, seconds, verdict) => {
    expect(judge(seconds)).toEqual(verdict);
  });

  it.each([
    ['it starts, however long that takes', times(999, [false, 'R', 1_000])],
    ['it waits for a database during its start', times(999, [false, 'S', 0])],
    ['it waits for a processor and gets none', [BEATS, ...times(999, [false, 'R', 0])]],
    ['it waits for a disk', [BEATS, ...times(999, [false, 'D', 0])]],
    ['it works four seconds of processor time on a hundredth of a core', [BEATS, ...times(399, [false, 'R', 10]), BEATS]],
    ['it is found stopped each time, and works in between', [BEATS, ...times(39, [false, 'T', 100]), BEATS]],
    ['its messages are late on a busy machine', times(99, [true, 'R', 1_000])],
  ] as const)('a process is alive while %s', (_, seconds) => {
    expect(judge(seconds)).toBeUndefined();
  });

  it('counts a message of any second as a turn of the event loop', () => {
    const spinning = times(5, [false, 'R', 1_000]);
    expect(judge([BEATS, ...spinning, BEATS, ...spinning, BEATS, ...spinning])).toBeUndefined();
    expect(judge([BEATS, ...spinning, BEATS, ...spinning, [false, 'R', 1_000]])).toEqual([13, 'spins']);
  });

  it('waits for messages alone on a system without /proc, twelve times the patience', () => {
    const liveness = new Liveness(PATIENCE_MS);
    const look = (beat: boolean): Death | undefined => liveness.look({ beat, thread: undefined });
    expect([look(true), ...Array.from({ length: 60 }, () => look(false))].every((cause) => cause === undefined)).toBe(true);
    expect(look(false)).toBe('silent');
  });

  it('a process whose event loop turns within the patience of its processor time is never dead, whatever its share of a core', () => {
    const second = (): fc.Arbitrary<Second> => fc.tuple(fc.constant(false), fc.constantFrom('R', 'D'), fc.nat({ max: 1_000 }));
    fc.assert(
      fc.property(fc.array(fc.array(second(), { maxLength: 40 }), { maxLength: 8 }), (steps) => {
        const seconds = steps.flatMap((step) => {
          let spentMs = 0;
          const within = step.map(([beat, state, cpuMs]): Second => {
            const usedMs = Math.min(cpuMs, PATIENCE_MS - spentMs);
            spentMs += usedMs;
            return [beat, state, usedMs];
          });
          return [...within, BEATS];
        });
        expect(judge([BEATS, ...seconds])).toBeUndefined();
      }),
      { seed: 20261126 },
    );
  });

  it('a longer patience is never the earlier one to find a process dead', () => {
    const second = fc.tuple(fc.boolean(), fc.constantFrom('R', 'D', 'S', 'T'), fc.constantFrom(0, 0, 10, 1_000));
    fc.assert(
      fc.property(fc.array(second, { maxLength: 200 }), (seconds) => {
        const [looks = Infinity] = judge(seconds) ?? [];
        const [later = Infinity] = judge(seconds, 2 * PATIENCE_MS) ?? [];
        expect(later).toBeGreaterThanOrEqual(looks);
      }),
      { seed: 20261126 },
    );
  });
});
