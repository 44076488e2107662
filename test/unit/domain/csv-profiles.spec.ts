import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { profileFault } from '../../../src/domain/reconciliation/formats/profile.js';
import type { CsvProfile, ProfileColumns } from '../../../src/ledger/events/reconciliation.events.js';
import { checked, RULES, type FlatLine } from '../../support/statement-files.js';

/** Date, batch, reference and currency; each test adds its figures. */
const COMMON = { booking_date: 'Date', batch: 'Batch', reference: 'Id', currency: 'Currency' } as const;
const profileOf = ({ columns, ...more }: Partial<Omit<CsvProfile, 'columns'>> & { columns?: Partial<ProfileColumns> } = {}): CsvProfile => ({
  ...{ delimiter: ',', encoding: 'utf-8', decimal: '.', grouping: '', unit: 'major', dates: 'YYYY-MM-DD', signs: 'written', kinds: {}, ignored: [] },
  columns: { ...COMMON, ...columns },
  ...more,
});
const csv = (header: string, ...rows: readonly string[]): string => [header, ...rows, ''].join('\n');
const rules = { ...RULES, currencies: ['IDR', 'SGD'] };
const linesOf = async (file: string, profile: CsvProfile, batch?: string): Promise<FlatLine[]> => {
  expect(profileFault(profile)).toBeUndefined();
  return (await checked('csv', file, { profile, rules, size: 4_096, batch })).lines;
};
const refusal = (file: string, profile: CsvProfile, batch?: string): Promise<object | undefined> =>
  linesOf(file, profile, batch).then(
    () => undefined,
    ({ reason, line, expected, found }: Record<string, unknown>) => ({ reason, line, expected, found }),
  );
const figures = ({ kind, gross, fee, tax, amount }: FlatLine): unknown[] => [kind, gross, fee, tax, amount];

describe('a sign in another column', () => {
  const profile = profileOf({
    columns: { sign: 'Side', kind: 'Type', amount: 'Amount' },
    signs: 'column',
    sign_texts: { CREDIT: 'PLUS', DEBIT: 'MINUS' },
    kinds: { Payment: 'PAYMENT', Refund: 'REFUND' },
  });
  const header = 'Date,Batch,Id,Currency,Side,Type,Amount';

  it('reads debits as negative amounts', async () => {
    const lines = await linesOf(
      csv(header, '2026-11-20,B1,P1,IDR,CREDIT,Payment,100.50', '2026-11-20,B1,P1,IDR,DEBIT,Refund,20', '2026-11-20,B1,P2,IDR,DEBIT,Payment,0'),
      profile,
    );
    expect(lines.map(figures)).toEqual([
      ['PAYMENT', 10_050, null, null, 10_050],
      ['REFUND', -2_000, null, null, -2_000],
      ['PAYMENT', 0, null, null, 0],
    ]);
  });

  it.each([
    ['an unknown text', '2026-11-20,B1,P1,IDR,D,Payment,1', { expected: 'a sign of the profile', found: 'D' }],
    ['an empty text', '2026-11-20,B1,P1,IDR,,Payment,1', { expected: 'a sign of the profile', found: '' }],
    [
      'a sign of the amount as well',
      '2026-11-20,B1,P1,IDR,DEBIT,Payment,-1',
      { expected: 'an amount without a sign in the column Amount', found: '-1' },
    ],
    ['no amount', '2026-11-20,B1,P1,IDR,DEBIT,Payment,', { expected: 'an amount in the column Amount', found: '' }],
  ])('rejects %s', async (_, row, expected) =>
    expect(await refusal(csv(header, row), profile)).toEqual({ reason: 'unreadable', line: 2, ...expected }),
  );
});

describe('figures of several columns', () => {
  const profile = profileOf({
    columns: {
      kind: 'Type',
      gross: { debit: 'Gross Debit', credit: 'Gross Credit' },
      fee: ['Commission', 'Markup'],
      amount: { debit: 'Net Debit', credit: 'Net Credit' },
      currency: ['Currency', 'Net Currency'],
    },
    kinds: { Settled: 'PAYMENT', Refunded: 'REFUND', Fee: 'CHARGE', Payout: 'SKIPPED' },
  });
  const header = 'Date,Batch,Id,Currency,Net Currency,Type,Gross Debit,Gross Credit,Commission,Markup,Net Debit,Net Credit';

  it('takes the filled one of debit and credit, adds fees, and computes the gross of a charge', async () => {
    const lines = await linesOf(
      csv(
        header,
        '2026-11-20,4,P1,SGD,SGD,Settled,,50.00,1.00,0.25,,48.75',
        '2026-11-20,4,P1,SGD,SGD,Refunded,10.00,0,,0.05,10.05,0.00',
        '2026-11-20,4,,,SGD,Fee,,,,,1.20,',
        'never,4,,,SGD,Payout,,,,,much,',
      ),
      profile,
    );
    expect(lines.map(figures)).toEqual([
      ['PAYMENT', 5_000, 125, null, 4_875],
      ['REFUND', -1_000, 5, null, -1_005],
      ['CHARGE', -120, 0, null, -120],
    ]);
    expect(lines.map(({ references }) => references)).toEqual([['P1'], ['P1'], []]);
  });

  it.each<[string, string, object]>([
    [
      'a debit and a credit',
      '2026-11-20,4,P1,SGD,SGD,Settled,1,2,,,,1',
      { reason: 'unreadable', expected: 'an amount in one of the columns Gross Debit and Gross Credit', found: 'in both' },
    ],
    [
      'neither for a payment',
      '2026-11-20,4,P1,SGD,SGD,Settled,,,,,,1',
      { reason: 'unreadable', expected: 'an amount in the column Gross Debit or Gross Credit', found: '' },
    ],
    ['no net', '2026-11-20,4,P1,SGD,SGD,Fee,,,,,,', { reason: 'unreadable', expected: 'an amount in the column Net Debit or Net Credit', found: '' }],
    [
      'a debit with a sign',
      '2026-11-20,4,P1,SGD,SGD,Refunded,-1,,,,1,',
      { reason: 'unreadable', expected: 'an amount without a sign in the column Gross Debit', found: '-1' },
    ],
    [
      'two currencies',
      '2026-11-20,4,P1,IDR,SGD,Settled,,50,1,0,,49',
      { reason: 'unreadable', expected: 'the currency IDR in the column Net Currency', found: 'SGD' },
    ],
    [
      'a sum that differs',
      '2026-11-20,4,P1,SGD,SGD,Settled,,50,1,0.25,,49',
      { reason: 'sum', expected: '48.75 (gross less fee and tax)', found: '49.00' },
    ],
  ])('rejects %s', async (_, row, expected) => expect(await refusal(csv(header, row), profile)).toEqual({ line: 2, ...expected }));

  it.each<[string, ProfileColumns, string, unknown[]]>([
    ['the net from gross, fee and tax', { ...COMMON, gross: 'G', fee: 'F', tax: 'T' }, '100,2,0.22', ['PAYMENT', 10_000, 200, 22, 9_778]],
    ['the gross from net, fee and tax', { ...COMMON, amount: 'G', fee: 'F', tax: 'T' }, '97.78,2,0.22', ['PAYMENT', 10_000, 200, 22, 9_778]],
  ])('computes %s', async (_, columns, row, line) => {
    const lines = await linesOf(csv('Date,Batch,Id,Currency,G,F,T', `2026-11-20,B1,P1,IDR,${row}`), profileOf({ columns }));
    expect(lines.map(figures)).toEqual([line]);
  });
});

describe('rows of fee and tax', () => {
  const profile = profileOf({
    columns: { kind: ['Type', 'Row'], reference: ['Id', 'Order'], joined_by: 'Transaction', amount: 'Amount' },
    kinds: {
      ...{ 'PAY/AMOUNT': 'PAYMENT', 'PAY/FEE': 'FEE', 'PAY/VAT': 'TAX' },
      ...{ 'PAY/AMOUNT BACK': 'REVERSAL', 'PAY/FEE BACK': 'REVERSED_FEE', 'PAY/VAT BACK': 'REVERSED_TAX', 'OUT/AMOUNT': 'TRANSFER' },
    },
  });
  const header = 'Date,Batch,Id,Order,Currency,Transaction,Type,Row,Amount';
  const row = (transaction: string, type: string, amount: string, batch = 'B1'): string =>
    `2026-11-20,${batch},P${transaction},O${transaction},IDR,${transaction},${type.replace('/', ',')},${amount}`;
  const paid = row('1', 'PAY/AMOUNT', '100');
  const [fee, vat] = [row('1', 'PAY/FEE', '-2'), row('1', 'PAY/VAT', '-0.22')];
  const other = row('2', 'PAY/AMOUNT', '50');

  it.each([
    ['after the payment', [paid, fee, vat, other]],
    ['before the payment', [vat, fee, paid, other]],
    ['among rows of other payments', [fee, other, row('3', 'OUT/AMOUNT', '-5'), paid, vat]],
  ])('fee and tax become figures of the payment: %s', async (_, rows) => {
    const lines = await linesOf(csv(header, ...rows), profile);
    const payment = lines.find(({ references }) => references[0] === 'P1')!;
    expect([...figures(payment), payment.references, payment.batch]).toEqual(['PAYMENT', 10_000, 200, 22, 9_778, ['P1', 'O1'], 'B1']);
    expect(lines.find(({ references }) => references[0] === 'P2')).toMatchObject({ gross: 5_000, fee: 0, tax: 0, amount: 5_000 });
  });

  it('a reversal has its own fee and tax, with the same transaction', async () => {
    const back = ['PAY/VAT BACK', 'PAY/AMOUNT BACK', 'PAY/FEE BACK'].map((type, n) => row('1', type, ['0.22', '-100', '2'][n]!));
    expect((await linesOf(csv(header, paid, back[0]!, fee, back[1]!, vat, back[2]!), profile)).map(figures)).toEqual([
      ['PAYMENT', 10_000, 200, 22, 9_778],
      ['REVERSAL', -10_000, -200, -22, -9_778],
    ]);
  });

  it.each<[string, string[], unknown[][]]>([
    [
      'without a payment',
      [fee, vat],
      [
        ['CHARGE', -200, null, null, -200],
        ['CHARGE', -22, null, null, -22],
      ],
    ],
    [
      'in another batch',
      [paid, row('1', 'PAY/FEE', '-2', 'B2')],
      [
        ['PAYMENT', 10_000, 0, 0, 10_000],
        ['CHARGE', -200, null, null, -200],
      ],
    ],
    ['without a transaction', [row('', 'PAY/FEE', '-2')], [['CHARGE', -200, null, null, -200]]],
    [
      'of two payments with one transaction',
      [paid, fee, row('1', 'PAY/AMOUNT', '50')],
      [
        ['PAYMENT', 10_000, 0, 0, 10_000],
        ['PAYMENT', 5_000, 0, 0, 5_000],
        ['CHARGE', -200, null, null, -200],
      ],
    ],
  ])('fee and tax stay charges %s', async (_, rows, expected) => {
    const lines = (await linesOf(csv(header, ...rows), profile)).map(figures);
    expect(lines).toHaveLength(expected.length);
    expect(lines).toEqual(expect.arrayContaining(expected));
  });

  it('a fee is joined within 10,000 rows, and stays a charge beyond', async () => {
    const between = Array.from({ length: 9_998 }, (_, n) => row(`9${n}`, 'PAY/AMOUNT', '1'));
    const near = await linesOf(csv(header, paid, ...between, fee), profile);
    expect(near.find(({ references }) => references[0] === 'P1')).toMatchObject({ fee: 200, amount: 9_800 });
    const far = await linesOf(csv(header, paid, ...between, other, fee), profile);
    expect(far.find(({ references }) => references[0] === 'P1')).toMatchObject({ kind: 'PAYMENT', fee: 0, amount: 10_000 });
    expect(far.filter(({ kind }) => kind === 'CHARGE').map(figures)).toEqual([['CHARGE', -200, null, null, -200]]);
  });

  it('the row of totals includes joined rows', async () => {
    const withTotals = { ...profile, totals: { column: 'Date', value: 'TOTAL' } };
    expect((await linesOf(csv(header, paid, fee, 'TOTAL,,,,,,,,98'), withTotals)).map(figures)).toEqual([['PAYMENT', 10_000, 200, 0, 9_800]]);
    expect(await refusal(csv(header, paid, fee, 'TOTAL,,,,,,,,100'), withTotals)).toMatchObject({ reason: 'sum', line: 4, found: '100.00' });
  });

  it('rows in any order give the same lines, which add up to the rows', async () => {
    const parts = fc.record({
      gross: fc.integer({ min: 1, max: 1_000_000 }),
      fees: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 3 }),
      taxes: fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 2 }),
      hasPayment: fc.boolean(),
    });
    const minor = (amount: number): string =>
      `${amount < 0 ? '-' : ''}${Math.floor(Math.abs(amount) / 100)}.${`${Math.abs(amount) % 100}`.padStart(2, '0')}`;
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), async (payments, keys) => {
        const rows = payments.flatMap(({ gross, fees, taxes, hasPayment }, n) => [
          ...(hasPayment || fees.length + taxes.length === 0 ? [{ text: row(`${n}`, 'PAY/AMOUNT', minor(gross)), amount: gross }] : []),
          ...fees.map((amount) => ({ text: row(`${n}`, 'PAY/FEE', minor(-amount)), amount: -amount })),
          ...taxes.map((amount) => ({ text: row(`${n}`, 'PAY/VAT', minor(-amount)), amount: -amount })),
        ]);
        const shuffled = rows.map((each) => [keys.next().value as number, each] as const).sort(([a], [b]) => a - b);
        const [inOrder, inAnother] = await Promise.all([
          linesOf(csv(header, ...rows.map(({ text }) => text)), profile),
          linesOf(csv(header, ...shuffled.map(([, { text }]) => text)), profile),
        ]);
        const keysOf = (lines: readonly FlatLine[]): string[] => lines.map(({ line_key }) => line_key).sort();
        expect(keysOf(inAnother)).toEqual(keysOf(inOrder));
        expect(inOrder.reduce((sum, { amount }) => sum + amount, 0)).toBe(rows.reduce((sum, { amount }) => sum + amount, 0));
        for (const { gross: of, fee: less, tax, amount } of inOrder) expect(amount).toBe(of! - (less ?? 0) - (tax ?? 0));
      }),
      { seed: 20261127, numRuns: 60 },
    );
  });
});

describe('a batch without a column', () => {
  const { batch: _, ...columns } = COMMON;
  const header = 'Date,Id,Currency,Net';
  const file = csv(header, '2026-11-20,P1,IDR,1', '2026-11-21,P2,IDR,2', '2026-11-20,P3,SGD,3');
  const profile: CsvProfile = { ...profileOf(), columns: { ...columns, amount: 'Net' } };

  it('the batch is the day with the currency', async () => {
    const lines = await linesOf(file, { ...profile, batch: 'day' });
    expect(lines.map(({ batch }) => batch)).toEqual(['2026-11-20-IDR', '2026-11-21-IDR', '2026-11-20-SGD']);
  });

  it('the batch is given with the file', async () => {
    const given: CsvProfile = { ...profile, batch: 'given' };
    const lines = await linesOf(csv(header, '2026-11-20,P1,IDR,1', '2026-11-21,P2,IDR,2'), given, 'PAYOUT 7');
    expect(lines.map(({ batch }) => batch)).toEqual(['PAYOUT 7', 'PAYOUT 7']);
    expect(await refusal(file, given, 'PAYOUT 7')).toMatchObject({ reason: 'unreadable', line: 4, expected: 'lines of batch PAYOUT 7 in IDR' });
    expect(await refusal(file, given, 'x'.repeat(65))).toMatchObject({ line: 2, expected: 'a batch of 1 to 64 characters' });
  });

  it('a file without a column of currencies has the currency of the profile', async () => {
    const { currency: __, ...rest } = columns;
    const lines = await linesOf(csv('Date,Id,Net', '2026-11-20,P1,1'), {
      ...profile,
      batch: 'day',
      currency: 'SGD',
      columns: { ...rest, amount: 'Net' },
    });
    expect(lines).toMatchObject([{ currency: 'SGD', batch: '2026-11-20-SGD' }]);
  });
});

describe('dates with a time', () => {
  const dayOf = (dates: string, written: string): Promise<unknown> =>
    linesOf(csv('Date,Batch,Id,Currency,Net', `"${written}",B1,P1,IDR,1`), profileOf({ columns: { amount: 'Net' }, dates })).then(
      ([line]) => line!.booking_date,
      ({ line, expected, found }: Record<string, unknown>) => ({ line, expected, found }),
    );

  it.each([
    ['MM/DD/YYYY HH:mm:ss', '11/20/2026 23:59:59', '2026-11-20'],
    ['MM/DD/YYYY HH:mm:ss', '11/20/2026 23:59:59.123456789012', '2026-11-20'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-11-20T16:59:59.9Z', '2026-11-20'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-11-20T17:00:00+00:00', '2026-11-21'],
    ['YYYY-MM-DD HH:mm Z', '2026-11-20 23:30 -0500', '2026-11-21'],
    ['DD MMM YYYY HH.mm', '20 nov 2026 09.05', '2026-11-20'],
    ['YYYYMMDD HH:mm:ss', '20260230 10:00:00', '2026-02-28'],
    ['iso', '2026-11-20T17:00:00.000000000000001Z', '2026-11-21'],
    ['iso', '2026-11-20T17:00:00+0000', '2026-11-21'],
    ['iso', '2026-11-20 00:30:00-07', '2026-11-20'],
  ])('reads %s in Jakarta: %s', async (dates, written, day) => expect(await dayOf(dates, written)).toBe(day));

  it.each([
    ['MM/DD/YYYY HH:mm:ss', '11/20/2026 24:00:00'],
    ['MM/DD/YYYY HH:mm:ss', '11/20/2026 10:60:00'],
    ['MM/DD/YYYY HH:mm:ss', '11/20/2026'],
    ['MM/DD/YYYY HH:mm:ss', '20/11/2026 10:00:00'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-11-20T16:59:59'],
    ['DD MMM YYYY', '20 Foo 2026'],
  ])('%s rejects %s', async (dates, written) =>
    expect(await dayOf(dates, written)).toEqual({ line: 2, expected: `a date as ${dates}`, found: written }),
  );
});

describe('rows before the row of names', () => {
  const profile = profileOf({ columns: { amount: 'Net' }, title_rows: true });
  const table = ['Date,Batch,Id,Currency,Net', '2026-11-20,B1,P1,IDR,1'];
  const titles = (count: number): string[] => Array.from({ length: count }, (_, n) => `Report ${n},,,,`);

  it('up to twenty rows of titles are skipped', async () => {
    for (const count of [0, 1, 20]) expect((await linesOf(csv('', ...titles(count), ...table), profile)).map(({ amount }) => amount)).toEqual([100]);
    expect(await refusal(csv('', ...titles(21), ...table), profile)).toMatchObject({ reason: 'unreadable', line: 2, found: 'Report 0' });
  });

  it('a refusal names the row that has most of the names', async () => {
    const renamed = csv('', ...titles(3), table[0]!.replace('Net', 'Total'), ...Array<string>(30).fill(table[1]!));
    expect(await refusal(renamed, profile)).toEqual({
      ...{ reason: 'unreadable', line: 5, expected: 'only columns that the profile names', found: 'Total' },
    });
    expect(await refusal(csv('', ...titles(2), table[0]!.replace(',Net', '')), profile)).toMatchObject({ line: 4, expected: 'the column Net' });
  });

  it('a profile without rows of titles refuses them', async () => {
    expect(await refusal(csv('Report,,,,', ...table), profileOf({ columns: { amount: 'Net' } }))).toMatchObject({ line: 1, found: 'Report' });
  });
});

describe('a fault of a profile', () => {
  const base = profileOf({ columns: { amount: 'Net' } });
  const withColumns = (columns: Partial<ProfileColumns>): Partial<CsvProfile> => ({ columns: { ...base.columns, ...columns } });
  const without = (...names: (keyof ProfileColumns)[]): Partial<CsvProfile> => ({
    columns: Object.fromEntries(Object.entries(base.columns).filter(([name]) => !names.includes(name as 'batch'))) as unknown as ProfileColumns,
  });
  it.each<[string, Partial<CsvProfile>]>([
    ['it needs a column gross, or amount', without('amount')],
    ['a column is named twice', withColumns({ fee: ['Fee', 'Net'] })],
    ['a column is named twice', { ...withColumns({ joined_by: 'Text', kind: 'Type' }), kinds: { F: 'FEE', P: 'PAYMENT' }, ignored: ['Text'] }],
    ['it needs either a column batch, or batch as day or given', without('batch')],
    ['it needs either a column batch, or batch as day or given', { batch: 'day' }],
    ['it needs either a column currency, or the currency of all rows', without('currency')],
    ['it needs either a column currency, or the currency of all rows', { currency: 'IDR' }],
    ['signs by a column go with a column sign', { signs: 'column' }],
    ['signs by a column go with a column sign', withColumns({ sign: 'Side' })],
    ['signs by a column go with sign_texts', { ...withColumns({ sign: 'Side' }), signs: 'column' }],
    ['signs by a column go with sign_texts', { sign_texts: { C: 'PLUS', D: 'MINUS' } }],
    ['sign_texts have PLUS and MINUS', { ...withColumns({ sign: 'Side' }), signs: 'column', sign_texts: { C: 'PLUS' } }],
    ['columns of debits and credits are the signs of their amounts', { ...withColumns({ amount: { debit: 'D', credit: 'C' } }), signs: 'kinds' }],
    ['totals go with figures of one column', { ...withColumns({ fee: ['F', 'G'] }), totals: { column: 'Date', value: 'TOTAL' } }],
    ['the kinds FEE and TAX go with the column joined_by', { ...withColumns({ kind: 'Type' }), kinds: { P: 'PAYMENT', F: 'FEE' } }],
    ['the kinds FEE and TAX go with the column joined_by', { ...withColumns({ kind: 'Type', joined_by: 'Id' }), kinds: { P: 'PAYMENT' } }],
    ['a text has an unknown kind', { ...withColumns({ kind: 'Type' }), kinds: { P: 'GIFT' as 'PAYMENT' } }],
    ['dates are iso, or have YYYY, MM and DD once', { dates: 'YYYY-MM-MMM-DD' }],
    ['dates are iso, or have YYYY, MM and DD once', { dates: 'YYYY-MM-DD DD' }],
    ['dates have the letter h, which is part of no YYYY, MM, MMM, DD, HH, mm, ss or Z', { dates: 'MM/DD/YYYY hh:mm:ss' }],
    ['dates have the letter S, which is part of no YYYY, MM, MMM, DD, HH, mm, ss or Z', { dates: 'MM/DD/YYYY HH:mm:ss.SSS' }],
    ['dates have a time without HH, or without mm', { dates: 'MM/DD/YYYY HH:ss' }],
    ['dates have a time without HH, or without mm', { dates: 'MM/DD/YYYY mm' }],
    ['dates have a time without HH, or without mm', { dates: 'MM/DD/YYYY Z' }],
    ['dates contain the delimiter', { dates: 'DD MMM YYYY, HH:mm' }],
  ])('%s', (fault, change) => {
    expect(profileFault(base)).toBeUndefined();
    expect(profileFault({ ...base, ...change })).toBe(fault);
  });
});
