import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { HttpProblem } from '../../../src/platform/problem.js';
import type { ProjectionWatch } from '../../../src/platform/projector/projection-watch.js';
import { ReadYourWrites } from '../../../src/platform/projector/read-your-writes.js';

/**
 * Reads the record that a change responds with. `shownAfterMs`: when the read model contains the change; `stopped`: it stands still; `lag`: for how long it was behind
 * before, seconds.
 * @returns the record or the code of the problem, and whether the response states that it is behind
 */
async function respond(record: 'exists' | 'is new' | 'is gone', shownAfterMs: number, { stopped = false, lag = 3 } = {}): Promise<[string, boolean]> {
  const headers = new Set<string>();
  let isShown = false;
  const reply = { header: (name: string) => headers.add(name) } as unknown as FastifyReply;
  const watch = {
    wrote: () => undefined,
    waitFor: async (_projection: string, _position: bigint, timeoutMs: number) => (isShown = timeoutMs >= shownAfterMs),
    lagSeconds: () => lag,
    stop: () => (stopped ? {} : null),
  } as unknown as ProjectionWatch;
  const read = async (): Promise<string> => {
    if (record === 'is gone' || (record === 'is new' && !isShown)) throw new HttpProblem('not-found', 'It does not exist.');
    return isShown ? 'changed' : 'as it was';
  };
  const outcome = await new ReadYourWrites(watch).read(reply, 7n, read).catch(({ code }: HttpProblem) => code);
  expect(headers).toContain('Ledger-Position');
  return [outcome, headers.has('Ledger-Lag')];
}

describe('the response to a change, with the record that was changed', () => {
  it.each([0, 500, 3_000])('shows the change when the read model contains it after %s ms', async (ms) => {
    expect(await respond('exists', ms)).toEqual(['changed', false]);
    expect(await respond('is new', ms)).toEqual(['changed', false]);
  });

  it('shows the record as it was, marked as behind, when the read model does not contain the change in time', async () => {
    expect(await respond('exists', 10_000)).toEqual(['as it was', true]);
  });

  it.each([{ stopped: true }, { lag: 5 }])('a read model that stands still is not waited for: %p', async (still) => {
    expect(await respond('exists', 3_000, still)).toEqual(['as it was', true]);
  });

  it('a record that the change made and that is not shown in time is unavailable: the same request is to be retried', async () => {
    expect(await respond('is new', 10_000)).toEqual(['unavailable', true]);
  });

  it('a read model with the change and without the record is not-found', async () => {
    expect(await respond('is gone', 3_000)).toEqual(['not-found', false]);
  });
});
