import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findBreaks } from '../../projections/reconciliation/matches/match-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import type { BreakKind } from '../../projections/reconciliation/days/tick.js';
import { findSuggestions } from '../../src/domain/reconciliation/breaks/suggestions.js';
import { project } from '../support/projected.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

describe('suggestions for unmatched bank credits and batches', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  /** Batches of these nets, then credits; all of it is due. */
  async function played(
    batches: Readonly<Record<string, number>>,
    credits: readonly (readonly [reference: string, amount: number])[],
  ): Promise<Remittances> {
    const world = new Remittances();
    world.set('live-bca');
    for (const [batch, amount] of Object.entries(batches)) world.remit([{ reference: `R ${batch}`, amount }], { batch });
    world.days(10);
    world.book(credits.map(([reference, amount]) => ({ reference, amount })));
    await project(pool, recon, world.log.events, 1_000);
    return world;
  }

  /** Returns the suggestions for each break of the kind, sorted by the amount of the break. */
  async function suggested({ log }: Remittances, kind: BreakKind) {
    const breaks = (await findBreaks(pool, { source: 'live-bca', kind, status: 'OPEN', limit: 1_000 }, log.clockMs))!;
    const all = await Promise.all(
      breaks.map(async (found) => {
        const suggestions = await findSuggestions(pool, found);
        const shown = suggestions.map(({ line, batches, distance }) => [line?.amount ?? null, batches.map(({ batch }) => batch), distance]);
        return [
          found.line?.amount ?? found.remittance!.amount,
          shown,
          suggestions.flatMap(({ batches }) => batches.map(({ break_id }) => break_id)),
        ] as const;
      }),
    );
    return {
      amounts: all.map(([amount, shown]) => [amount, shown] as const).sort(([a], [b]) => a - b),
      breaks: all.flatMap(([, , ids]) => ids),
      ids: new Set(breaks.map(({ id }) => id)),
    };
  }

  it('suggests up to three batches that add up to a credit, and for each batch the credit that may contain it', async () => {
    const world = await played({ 'B-1': 100, 'B-2': 250, 'B-3': 31, 'B-4': 7_000 }, [
      ['two', 350],
      ['three', 381],
      ['more than three', 7_381],
    ]);
    const credits = await suggested(world, 'BANK_UNKNOWN');
    expect(credits.amounts).toEqual([
      [350, [[null, ['B-1', 'B-2'], null]]],
      [381, [[null, ['B-1', 'B-2', 'B-3'], null]]],
      [7_381, []],
    ]);
    const batches = await suggested(world, 'REMITTANCE_MISSING');
    expect(batches.amounts).toEqual(
      expect.arrayContaining([
        [
          100,
          [
            [350, ['B-2'], null],
            [381, ['B-2', 'B-3'], null],
          ],
        ],
        [31, [[381, ['B-1', 'B-2'], null]]],
        [7_000, []],
      ]),
    );
    // Each leads to the break of the other side.
    for (const id of credits.breaks) expect(batches.ids).toContain(id);
  });

  it('suggests a batch with a similar name and a batch of the same amount', async () => {
    const world = await played({ 'BATCH-7': 500, 'OTHER-1': 90 }, [
      ['BATCH7', 480],
      ['something', 90],
    ]);
    expect((await suggested(world, 'BANK_UNKNOWN')).amounts).toEqual([
      [90, [[null, ['OTHER-1'], null]]],
      [480, [[null, ['BATCH-7'], 1]]],
    ]);
    expect((await suggested(world, 'REMITTANCE_MISSING')).amounts).toEqual(
      expect.arrayContaining([
        [500, [[480, [], 1]]],
        [90, [[90, [], null]]],
      ]),
    );
  });

  it('suggests no batch that is matched, of the other mode or of another month', async () => {
    const world = new Remittances();
    for (const source of ['live-bca', 'test-sim']) world.set(source);
    world.remit([{ reference: 'R1', amount: 60 }], { batch: 'OLD' });
    world.days(60);
    world.remit([{ reference: 'R2', amount: 60 }], { batch: 'TEST', source: 'test-sim' });
    world.remit([{ reference: 'R3', amount: 60 }], { batch: 'TAKEN' });
    world.book([
      { reference: 'TAKEN', amount: 60 },
      { reference: 'whose', amount: 60 },
    ]);
    await project(pool, recon, world.log.events, 1_000);
    expect((await suggested(world, 'BANK_UNKNOWN')).amounts).toEqual([[60, []]]);
  });

  it('finds suggestions among many batches with a few statements', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`B-${n}`, 1_000_000 + 7 * n * n]));
    const world = await played(many, [['three', 3_000_000 + 7 * (1 + 4 + 9)]]);
    let statements = 0;
    const counting = { query: (...args: Parameters<Pool['query']>) => ((statements += 1), pool.query(...args)) } as unknown as Pool;
    const [found] = (await findBreaks(pool, { source: 'live-bca', kind: 'BANK_UNKNOWN', limit: 1 }, world.log.clockMs))!;
    const suggestions = await findSuggestions(counting, found!);
    expect(suggestions.length).toBeLessThanOrEqual(5);
    expect(statements).toBeLessThanOrEqual(3);
  });
});
