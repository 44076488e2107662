import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvRow } from '../../../src/platform/text/csv.js';
import { redacted } from '../../../src/ledger/published/redaction.js';
import { duration } from '../../../src/cli/arguments.js';
import { table } from '../../../src/cli/output.js';
import { progressLine } from '../../../src/cli/progress.js';
import { planCharges } from '../../../tools/seed/plan.js';
import { Random } from '../../../tools/seed/random.js';
import { ANY_CHARACTER } from '../../support/any-character.js';
import { runningCells } from '../../support/spreadsheet.js';

describe('a row of CSV', () => {
  it('quotes cells where needed', () => {
    expect(csvRow(['a', 1, null, 'b,c', 'say "hi"', 'two\nlines', 12345678901234567890n])).toBe(
      'a,1,,"b,c","say ""hi""","two\nlines",12345678901234567890\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'makes %j harmless in a cell',
    (text) => {
      expect(csvRow([text]).replace(/^"/, '')[0]).toBe("'");
    },
  );

  it.each(['a;b', 'a\tb'])('keeps %j one cell for a locale that separates cells by it', (text) => {
    expect(csvRow([text, 'c'])).toBe(`"${text}",c\r\n`);
  });

  it.each([
    ['x; =1+1', `"x;' =1+1"`],
    ['x;=1', `"x;'=1"`],
    ['x\n=1', `"x\n'=1"`],
    ['x\r\n@A1', `"x\r\n'@A1"`],
    ['x;"=1', `"x;'""=1"`],
    ['x;\t-1', `"x;'\t'-1"`],
    ['a;b, c-d', '"a;b, c-d"'],
  ])('makes harmless the part of %j that a locale separates into a cell', (text, written) => {
    expect(csvRow(['x', text])).toBe(`x,${written}\r\n`);
  });

  it.each([',', ';', '\t'])('writes no cell that a spreadsheet runs, whatever the texts, where %j separates cells', (delimiter) => {
    const character = fc.oneof(fc.constantFrom(...'=+-@\t\r\n;," \'a1＝＋－＠\u00a0'), ANY_CHARACTER);
    const text = fc.string({ unit: character, maxLength: 8 });
    const value = fc.oneof(text, fc.integer(), fc.bigInt(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.array(value, { maxLength: 4 })), { minLength: 1, maxLength: 3 }), (rows) => {
        const file = rows.map(([first, others]) => csvRow([first, ...others])).join('');
        expect({ file, running: runningCells(file, delimiter) }).toEqual({ file, running: [] });
      }),
      { seed: 6, numRuns: 3_000 },
    );
  });

  it('parses back as it was written, except for the added apostrophes', () => {
    const rows = [['a "b"', "it's; fine", 'two\r\nlines', '3.5', 'a-b=c']];
    expect(parse(csvRow(rows[0]!))).toEqual(rows);
  });

  it('keeps negative numbers as numbers', () => {
    expect(csvRow([-5, 'a-b'])).toBe('-5,a-b\r\n');
  });
});

describe('a redacted event', () => {
  it('shows no hash of a key and no bank account', () => {
    expect(redacted({ type: 'ApiKeyIssued', data: { key_id: 'key_1', key_hash: 'ab' } })).toEqual({ key_id: 'key_1', key_hash: '[sealed]' });
    const payout = { payout_id: 'p', amount: 5, bank_account_name: 'A', bank_account_number: '123', bank_name: 'B' };
    expect(redacted({ type: 'PayoutRequested', data: payout })).toEqual({
      ...payout,
      bank_account_name: '[sealed]',
      bank_account_number: '[sealed]',
    });
    expect(redacted({ type: 'MerchantRegistered', data: { name: 'N', email: null } })).toEqual({ name: 'N', email: null });
  });

  it('shows no value of an event type that this build does not know', () => {
    expect(redacted({ type: 'Unheard', data: { secret: 1, other: 'x' } })).toEqual({ secret: '[sealed]', other: '[sealed]' });
  });
});

describe('words on a terminal', () => {
  it('aligns columns, numbers to the right', () => {
    expect(
      table(
        ['name', 'count'],
        [
          ['é', 5],
          ['long name', 1234],
        ],
      ),
    ).toBe('NAME       COUNT\né              5\nlong name   1234');
  });

  it('prints no name that moves the cursor', () => {
    expect(table(['name'], [['\x1b[2Jx']])).toBe('NAME\n [2Jx');
  });

  it('shows progress with rate and time left', () => {
    expect(progressLine('charges', 500, 1_000, 2)).toBe(`charges  ${'█'.repeat(15)}${'░'.repeat(15)}  50 %  500 of 1,000  250/s  2 s left`);
  });

  it.each([
    ['0', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('reads the duration %s', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });
});

describe('the plan of a seed', () => {
  const now = Date.UTC(2026, 0, 30, 10);
  const plan = [...planCharges(2_000, 5, now, new Random(42))];

  it('orders charges by time, and plans nothing in the future', () => {
    expect(plan).toHaveLength(2_000);
    for (const [index, { at, changes }] of plan.entries()) {
      expect(at).toBeGreaterThanOrEqual(plan[index - 1]?.at ?? 0);
      for (const change of changes) {
        expect(change.at).toBeGreaterThan(at);
        expect(change.at).toBeLessThanOrEqual(now);
      }
    }
  });

  it('covers every merchant, and leaves the newest charges waiting for their customers', () => {
    expect(new Set(plan.map(({ merchant }) => merchant)).size).toBe(5);
    expect(plan.slice(-80).every(({ changes }) => changes.length === 0)).toBe(true);
    expect(plan.slice(0, -80).every(({ changes }) => changes.length > 0)).toBe(true);
  });

  it('returns the same plan for the same seed', () => {
    expect([...planCharges(2_000, 5, now, new Random(42))]).toEqual(plan);
  });
});
