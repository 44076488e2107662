import { describe, expect, it } from '@jest/globals';
import { CallQueue } from '../../../src/rails/calls/call-queue.js';
import { Circuit, type CallEnd, type CircuitState } from '../../../src/rails/calls/circuit.js';
import { ClockSkew } from '../../../src/rails/calls/clock-skew.js';
import { ManualClock } from '../../support/manual-clock.js';

describe('the queue of calls to an endpoint', () => {
  const setUp = (perSecond: number) => {
    const clock = new ManualClock();
    const queue = new CallQueue(perSecond, clock);
    const gone: string[] = [];
    const take = (name: string, priority: 'act' | 'confirm' | 'poll' = 'act', withinMs = 60_000) =>
      queue.take(priority, withinMs).then((afterMs) => {
        gone.push(afterMs === null ? `${name} at ${clock.monotonic()}` : `${name} refused, ${afterMs} ms`);
      });
    return { clock, queue, gone, take };
  };

  it('sends a second’s worth of calls at once, and the others at the rate', async () => {
    const { clock, gone, take } = setUp(8);
    for (let call = 0; call < 10; call += 1) void take(`c${call}`);
    await clock.advance(0);
    expect(gone).toHaveLength(8);
    await clock.advance(124);
    expect(gone).toHaveLength(8);
    await clock.advance(126);
    expect(gone.slice(8)).toEqual(['c8 at 125', 'c9 at 250']);
  });

  it('keeps to rates below one a second, too', async () => {
    const { clock, gone, take } = setUp(0.8);
    for (const name of ['a', 'b', 'c']) void take(name);
    await clock.advance(2_500);
    expect(gone).toEqual(['a at 0', 'b at 1250', 'c at 2500']);
  });

  it('never exceeds the rate, however calls arrive', async () => {
    const { clock, gone, take } = setUp(5);
    for (let step = 0; step < 200; step += 1) {
      for (let call = 0; call < step % 4; call += 1) void take('x');
      await clock.advance((step * 37) % 211);
    }
    await clock.advance(100_000);
    const times = gone.map((line) => Number(/at ([\d.]+)/.exec(line)![1]));
    expect(times.length).toBe(300);
    // A bucket of five: in any span of s seconds at most 5 + 5 s.
    const excess = (from: number, to: number): number => times.filter((at) => at >= from && at <= to).length - (5 + ((to - from) * 5) / 1000);
    const worst = Math.max(...times.flatMap((from) => times.filter((to) => to >= from).map((to) => excess(from, to))));
    expect(worst).toBeLessThanOrEqual(0.001);
  });

  it('sends calls that move money first, then calls that confirm it', async () => {
    const { clock, gone, take } = setUp(1);
    void take('first');
    void take('poll', 'poll');
    void take('confirm', 'confirm');
    void take('act 1', 'act');
    void take('act 2', 'act');
    await clock.advance(4_000);
    expect(gone.map((line) => line.replace(/ at.*/, ''))).toEqual(['first', 'act 1', 'act 2', 'confirm', 'poll']);
  });

  it('rejects at once a call that cannot go in time, and later a call that was overtaken', async () => {
    const { clock, gone, take } = setUp(1);
    await take('first');
    await take('hurried', 'act', 900);
    expect(gone.at(-1)).toBe('hurried refused, 1000 ms');
    void take('poll', 'poll', 1_500);
    void take('act 1');
    void take('act 2');
    await clock.advance(3_000);
    expect(gone.slice(2)).toEqual(['act 1 at 1000', expect.stringMatching('poll refused'), 'act 2 at 2000']);
  });

  it('sends nothing during a pause, and begins with one call after it', async () => {
    const { clock, queue, gone, take } = setUp(4);
    queue.pause(26_800);
    queue.pause(1_000);
    await take('impatient', 'act', 8_000);
    expect(gone).toEqual(['impatient refused, 26800 ms']);
    for (const name of ['a', 'b', 'c']) void take(name);
    await clock.advance(30_000);
    expect(gone.slice(1)).toEqual(['a at 26800', 'b at 27050', 'c at 27300']);
  });

  it('rejects calls when too many wait', async () => {
    const { gone, take } = setUp(1);
    for (let call = 0; call < 1_002; call += 1) void take(`c${call}`, 'act', 1e9);
    await Promise.resolve();
    await Promise.resolve();
    expect(gone).toEqual(['c0 at 0', 'c1001 refused, 1001000 ms']);
  });
});

describe('the circuit of an endpoint', () => {
  const setUp = () => {
    const clock = new ManualClock();
    const states: CircuitState[] = [];
    const circuit = new Circuit(clock, (state) => states.push(state));
    const call = (end: CallEnd, isInquiry = false): 'refused' | undefined => {
      const ended = circuit.admit(isInquiry);
      if (!ended) return 'refused';
      ended(end);
      return undefined;
    };
    const open = (): void => {
      for (let unknowns = 0; unknowns < 5; unknowns += 1) call('unknown');
    };
    return { clock, states, circuit, call, open };
  };

  it('opens after five unknown outcomes in a row', () => {
    const { states, circuit, call } = setUp();
    for (let unknowns = 0; unknowns < 4; unknowns += 1) call('unknown');
    for (let answers = 0; answers < 6; answers += 1) call('answered');
    for (let unknowns = 0; unknowns < 4; unknowns += 1) call('unknown');
    expect(states).toEqual([]);
    // A call that was never sent neither counts nor interrupts the row.
    call('not-sent');
    call('unknown');
    expect(states).toEqual(['open']);
    expect(circuit.refusesForMs(false)).toBe(30_000);
    expect(call('answered')).toBe('refused');
  });

  it('opens at half of the last twenty, not of fewer', () => {
    const { states, call } = setUp();
    for (let pair = 0; pair < 9; pair += 1) for (const end of ['unknown', 'answered'] as const) call(end);
    call('answered');
    expect(states).toEqual([]);
    call('unknown');
    expect(states).toEqual(['open']);
  });

  it('admits one trial after 30 s: a clear answer closes the circuit, any other keeps it open for 30 s more', async () => {
    const { clock, states, circuit, call, open } = setUp();
    open();
    for (const end of ['unknown', 'not-sent'] as const) {
      await clock.advance(29_999);
      expect(call('answered')).toBe('refused');
      await clock.advance(1);
      expect(call(end)).toBeUndefined();
    }
    await clock.advance(30_000);
    const trial = circuit.admit(false)!;
    expect(states.at(-1)).toBe('half-open');
    expect(call('answered')).toBe('refused');
    trial('answered');
    expect(states.at(-1)).toBe('closed');
    // It no longer counts the outcomes before it opened.
    for (let unknowns = 0; unknowns < 4; unknowns += 1) call('unknown');
    expect(states.at(-1)).toBe('closed');
  });

  it('never delays an inquiry for longer than a minute, and closes on its answer', async () => {
    const { clock, states, call, open } = setUp();
    open();
    expect(call('unknown', true)).toBeUndefined();
    expect(call('answered', true)).toBe('refused');
    await clock.advance(60_000);
    expect(call('answered', true)).toBeUndefined();
    expect(states.at(-1)).toBe('closed');
  });

  it('ignores calls that were under way when it opened', () => {
    const { states, circuit, open } = setUp();
    const [early, late] = [circuit.admit(false)!, circuit.admit(false)!];
    open();
    early('unknown');
    late('answered');
    expect(states).toEqual(['open']);
  });
});

describe('the difference between clocks', () => {
  const NOW = Date.UTC(2026, 10, 22, 12);

  it.each([
    ['Sun, 22 Nov 2026 12:00:00 GMT', 0],
    ['Sun, 22 Nov 2026 11:59:59 GMT', 0],
    ['Sun, 22 Nov 2026 12:00:02 GMT', 0],
    ['Sun, 22 Nov 2026 12:00:09 GMT', 7_000],
    ['Sun, 22 Nov 2026 11:59:49 GMT', -10_000],
  ])('measures %s as %d ms: seconds and the time of the call do not count', (date, ms) => {
    const skew = new ClockSkew(new ManualClock(NOW));
    skew.measure(date, NOW, NOW + 2_000);
    expect(skew.ms).toBe(ms);
  });

  it('ignores a malformed date, and knows the age of its measure', async () => {
    const clock = new ManualClock(NOW);
    const skew = new ClockSkew(clock);
    skew.measure('yesterday', NOW, NOW);
    expect([skew.ms, skew.ageMs]).toEqual([null, Infinity]);
    skew.measure('Sun, 22 Nov 2026 12:05:00 GMT', NOW, NOW);
    await clock.advance(1_500);
    expect([skew.ms, skew.ageMs]).toEqual([300_000, 1_500]);
  });

  it('follows our own clock when that is set', () => {
    const clock = new ManualClock(NOW);
    const skew = new ClockSkew(clock);
    skew.measure('Sun, 22 Nov 2026 12:05:00 GMT', NOW, NOW);
    clock.set(NOW + 300_000);
    expect(skew.ms).toBe(0);
  });
});
