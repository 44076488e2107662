import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ProviderResult } from '../../../src/ledger/ports/provider-result.js';
import { DAY_MS, timestamp } from '../../../src/ledger/time.js';
import type { BankLine, StatedFigures, StatementPage } from '../../../src/domain/payouts/transfer/remote-bank.js';
import { dayStatements, provenDay } from '../../../src/rails/snap/day-statement.js';
import { snapMt940 } from '../../../src/rails/snap/mt940.js';
import { snapProfile } from '../../../src/rails/snap/profiles.js';
import { SnapBank } from '../../../src/rails/snap/snap-bank.js';
import { railFixture } from '../../support/rail-facts.js';
import { ScriptedRail } from '../../support/scripted-rail.js';
import { snapOptions } from '../../support/snap.js';
import { ACCOUNT, checked, RULES } from '../../support/statement-files.js';

const DAY = '2026-11-22';
const MIDNIGHT = Date.parse(`${DAY}T00:00:00+07:00`);
const LIMITS = snapProfile('standard')!.statement;

const line = (amount: number, more: Partial<BankLine> = {}): BankLine => ({
  ...{ reference: 'b1', partner_reference: null, booked_on: timestamp(MIDNIGHT), amount, currency: 'IDR', text: 'TRF' },
  ...more,
});
const page = (stated: StatedFigures, ...lines: BankLine[]): StatementPage => ({ lines, stated });

describe('daily statement of a bank', () => {
  it('checks the figures of a day over all its pages', () => {
    const totals = { credits: { count: 1, amount: 700 }, debits: { count: 2, amount: 300 } };
    const first = page({ opening: 1_000, closing: 1_400, ...totals }, line(-100), line(700, { booked_on: timestamp(MIDNIGHT + 5) }));
    const rest = page({ opening: 1_600, closing: 1_400, debits: { count: 1, amount: 200 } }, line(-200, { booked_on: timestamp(MIDNIGHT + 3) }));
    const { lines, ...proven } = provenDay(DAY, [first, rest]);
    expect(proven).toEqual({ day: DAY, opening: 1_000, closing: 1_400 });
    expect(lines.map(({ amount }) => amount)).toEqual([-100, -200, 700]);
  });

  it('returns the same statement for any order of the lines', () => {
    const lines = [line(1), line(2), line(2), line(-3, { text: 'é' }), line(4, { reference: null })];
    const stated = { opening: 0, closing: 6 };
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        expect(provenDay(DAY, [page(stated, ...shuffled)])).toEqual(provenDay(DAY, [page(stated, ...lines)]));
      }),
      { seed: 20261124, numRuns: 50 },
    );
  });

  const MAX = Number.MAX_SAFE_INTEGER;
  // As floats they add up to MAX - 2.
  const beyond = [MAX, MAX, -1, -MAX].map((amount, at) => line(amount, { booked_on: timestamp(MIDNIGHT + at) }));
  const even = { opening: 1_000, closing: 900 };
  it.each<[string, StatementPage[], RegExp]>([
    ['without balances', [page({}, line(-100))], /reports no opening and closing balance.*download/],
    ['without the closing one', [page({ opening: 1_000 }, line(-100))], /reports no opening and closing balance/],
    ['with balances that cannot be read', [page({ ...even, opening: 'unreadable' }, line(-100))], /no amounts of whole rupiah/],
    ['with totals that cannot be read', [page({ ...even, credits: { count: 'unreadable' } }, line(-100))], /no amounts of whole rupiah/],
    ['with a line less', [page(even)], /it opens with 10\.00, its lines add up to 0\.00, and it closes with 9\.00$/],
    ['with a line more', [page(even, line(-100), line(-1))], /its lines add up to -1\.01/],
    ['with other counts', [page({ ...even, debits: { count: 2 } }, line(-100))], /it states 2 debits, and has 1$/],
    [
      'with other sums',
      [page({ ...even, credits: { amount: 5 }, debits: { amount: 100 } }, line(-100))],
      /it states credits of 0\.05, and has 0\.00$/,
    ],
    ['with a line of another day', [page(even, line(-100, { booked_on: timestamp(MIDNIGHT - 1) }))], /it has a line of 2026-11-21T16:59:59\.999/],
    ['with a line of the next day', [page(even, line(-100, { booked_on: timestamp(MIDNIGHT + DAY_MS) }))], /it has a line of 2026-11-22T17:00/],
    ['that changes while it is read', [page({ opening: 1_000, closing: 1_000 }), page(even, line(-100))], /it closes with 10\.00 and with 9\.00/],
    ['whose lines add up to more than is safe', [page({ opening: 0, closing: MAX - 2 }, ...beyond)], /its lines add up to 90071992547409\.90, and/],
  ])('rejects a day %s', (_, pages, message) => expect(() => provenDay(DAY, pages)).toThrow(message));

  it('rejects the inconsistent statement that BCA prints', async () => {
    const { response } = railFixture('snap-bca-bank-statement');
    const token = { http: 200, body: railFixture('snap-token-b2b').response.body };
    const refusal = (body: object) => {
      const rail = new ScriptedRail(({ endpoint }) => (endpoint === 'token' ? token : { http: 200, body }));
      const days = { from: '2020-12-18', to: '2020-12-18', now: MIDNIGHT };
      return dayStatements(new SnapBank(snapOptions('bca', rail)), snapProfile('bca')!.statement, days).catch(String);
    };
    expect(await refusal(response.body)).toMatch(/^NoStatement: 2020-12-18: .* no amounts of whole rupiah/);
    const inRupiah = JSON.parse(JSON.stringify(response.body).replaceAll('IDR?', 'IDR'));
    expect(await refusal(inRupiah)).toBe(
      'NoStatement: 2020-12-18: the bank’s statement disagrees with itself: it opens with 500000.00, its lines add up to -20000.00, and it closes with 500000.00; ' +
        'it states 10 credits, and has 0; it states credits of 500000.00, and has 0.00; it states 10 debits, and has 2; it states debits of 500000.00, and has 20000.00',
    );
  });
});

describe('request for daily statements', () => {
  const asked: string[] = [];
  const ask = (outcome: ProviderResult<StatementPage>, more: Partial<Parameters<typeof dayStatements>[2]> = {}, limits = LIMITS) => {
    asked.length = 0;
    const statement = async (from: string, to: string, next = 'first'): Promise<ProviderResult<StatementPage>> => {
      asked.push(`${from} ${to} ${next}`);
      return Promise.resolve(outcome);
    };
    return dayStatements({ statement }, limits, { from: DAY, to: DAY, now: MIDNIGHT + DAY_MS, ...more });
  };
  const empty = { is: 'accepted', value: page({ opening: 5, closing: 5 }) } as const;

  it('requests whole days of Jakarta, one after the other', async () => {
    const days = await ask(empty, { from: '2026-11-20', to: '2026-11-21' });
    expect(days.map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-21']);
    expect(asked).toEqual([
      '2026-11-19T17:00:00.000+00:00 2026-11-20T17:00:00.000+00:00 first',
      '2026-11-20T17:00:00.000+00:00 2026-11-21T17:00:00.000+00:00 first',
    ]);
  });

  it.each<[string, Partial<Parameters<typeof dayStatements>[2]>, number, RegExp]>([
    ['a day that is not over', { now: MIDNIGHT + DAY_MS - 1 }, 0, /^NoStatement: 2026-11-22 is not over yet in Jakarta$/],
    ['a day whose delay is not over', { now: MIDNIGHT + DAY_MS + 899_999 }, 900, /from 2026-11-22T17:15:00\.000\+00:00 on/],
    ['days in the wrong order', { to: '2026-11-21' }, 0, /2026-11-21 is before 2026-11-22/],
    ['too many days', { from: '2026-10-22' }, 0, /states 31 days at once/],
  ])('rejects %s without asking the bank', async (_, more, delay, message) => {
    expect(await ask(empty, more, { ...LIMITS, delay }).catch(String)).toMatch(message);
    expect(asked).toEqual([]);
  });

  it('returns as many days as the bank states at once, from the end of its delay on', async () => {
    expect(await ask(empty, { from: '2026-10-23', now: MIDNIGHT + DAY_MS + 900_000 }, { ...LIMITS, delay: 900 })).toHaveLength(31);
  });

  it.each<[ProviderResult<never>, RegExp]>([
    [{ is: 'rejected', code: '4031400', detail: 'not agreed' }, /^NoStatement: 2026-11-22: the bank refuses it: 4031400 not agreed$/],
    [{ is: 'retryable', code: '4291400', after_ms: 1_200 }, /could not be asked: 4291400; ask again in 2 s$/],
    [{ is: 'retryable', code: 'circuit-open' }, /could not be asked: circuit-open$/],
    [{ is: 'unknown', code: 'too-many-lines' }, /response is not reliable: too-many-lines$/],
  ])('returns no statement when the bank answers %j', async (outcome, message) => {
    expect(await ask(outcome).catch(String)).toMatch(message);
  });

  it('rejects days whose balances do not connect, and pages that never end', async () => {
    const moving = async (from: string): Promise<ProviderResult<StatementPage>> =>
      Promise.resolve({ is: 'accepted', value: page({ opening: 5, closing: 6 }, line(1, { booked_on: from })) });
    const twoDays = { from: '2026-11-21', to: DAY, now: MIDNIGHT + DAY_MS };
    expect(await dayStatements({ statement: moving }, LIMITS, twoDays).catch(String)).toBe(
      'NoStatement: 2026-11-22 opens with 0.05, and 2026-11-21 closes with 0.06',
    );
    expect(await ask({ is: 'accepted', value: { ...empty.value, next: 'again' } }).catch(String)).toMatch(/more than 1000 pages/);
    expect(asked).toHaveLength(1_000);
  });
});

describe('MT940 file of daily statements', () => {
  it('writes one message per day', () => {
    const lines = [line(-1_000_000, { partner_reference: '1763780000123456789', reference: 'a-b/7', text: 'TRF 1763780000123456789' })];
    const file = snapMt940(ACCOUNT, [
      { day: '2026-01-01', opening: 5_000_000, closing: 4_000_000, lines },
      { day: '2026-12-31', opening: 4_000_000, closing: 4_000_000, lines: [] },
    ]);
    expect(file.split('\r\n')).toEqual([
      ...[':20:SNAP20260101', ':25:1234567890', ':28C:26001/1', ':60F:C260101IDR50000,00'],
      ...[':61:2601010101D10000,00NTRF1763780000123456789//a-b/7', ':86:TRF 1763780000123456789', ':62F:C260101IDR40000,00', '-'],
      ...[':20:SNAP20261231', ':25:1234567890', ':28C:26365/1', ':60F:C261231IDR40000,00', ':62F:C261231IDR40000,00', '-', ''],
    ]);
  });

  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...':-/{}\r\n 0123456789P6A_é\u0000\u{1f600}'), maxLength: 600 }),
    fc.constantFrom(':61:', '\n:62F:C261122IDR0,00', '\r\n-\r\n', '-}', '{4:', '-', ':86:', '//', ' '),
  );
  const reference = fc.oneof(
    fc.constant(null),
    fc.stringMatching(/^\d{19}$/),
    fc.stringMatching(/^[0-9A-Za-z]([0-9A-Za-z.-]|\/[0-9A-Za-z]){0,29}$/),
    words,
  );
  const bankLine = fc.record({
    amount: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((rupiah) => rupiah * 100),
    ...{ reference, partner_reference: reference, text: words },
    at: fc.integer({ min: 0, max: DAY_MS - 1 }),
  });

  it('reads back with the same lines, whatever the remarks of the bank', async () => {
    const property = fc.asyncProperty(fc.array(bankLine, { maxLength: 12 }), async (drawn) => {
      const all = drawn.map(({ at, ...rest }) => line(rest.amount, { ...rest, booked_on: timestamp(MIDNIGHT + at) }));
      const opening = 1_000_000_000_000;
      const closing = all.reduce((sum, { amount }) => sum + amount, opening);
      const { lines } = provenDay(DAY, [page({ opening, closing }, ...all)]);
      const file = snapMt940(ACCOUNT, [{ day: DAY, opening, closing, lines }]);
      for (const each of file.split('\r\n')) expect(each.length).toBeLessThanOrEqual(400);
      const read = await checked('mt940', file, { rules: RULES });
      expect(read.summary.statements).toMatchObject([{ number: '2026/26326/1', opening, closing, closes_on: DAY, lines: lines.length }]);
      expect(read.lines.map(({ amount, booking_date, kind }) => ({ amount, booking_date, kind }))).toEqual(
        lines.map(({ amount }) => ({ amount, booking_date: DAY, kind: 'TRANSFER' })),
      );
      for (const [index, { reference: theirs, partner_reference: ours }] of lines.entries()) {
        const plain = [ours, theirs].filter((each) => each !== null && /^[0-9A-Za-z]([0-9A-Za-z.-]|\/[0-9A-Za-z])*$/.test(each) && each.length <= 64);
        expect(read.lines[index]!.references).toEqual(expect.arrayContaining(plain));
      }
    });
    await fc.assert(property, { seed: 20261124, numRuns: 300 });
  });

  it('writes the Latin letters of a remark in ASCII, and no other digits', async () => {
    const file = snapMt940(ACCOUNT, [
      { day: DAY, opening: 100, closing: 0, lines: [line(-100, { reference: null, text: 'Søren Łukasz É Straße １２３ 好' })] },
    ]);
    expect(file).toContain('Soren Lukasz E Strasse ... .');
  });

  it('takes our reference from a remark, and makes none from other digits', async () => {
    const digits = '1'.repeat(26);
    const text = `${'word '.repeat(74)}${digits} ${'2'.repeat(19)}`;
    const all = [line(-100, { text: 'pay:\n1763780000123456789 é' }), line(-200, { reference: null, text })];
    const file = snapMt940(ACCOUNT, [{ day: DAY, opening: 300, closing: 0, lines: all }]);
    const { lines } = await checked('mt940', file, { rules: RULES });
    expect(lines.map(({ references }) => references)).toEqual([['b1', '1763780000123456789'], []]);
  });
});
