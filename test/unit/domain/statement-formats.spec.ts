import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AccountStatement, CsvProfile } from '../../../src/ledger/events/reconciliation.events.js';
import { profileFault } from '../../../src/domain/reconciliation/formats/profile.js';
import { referencesIn } from '../../../src/domain/reconciliation/formats/references.js';
import { numbersOf } from '../../../src/domain/reconciliation/statements/checked-statement.js';
import { daysIn } from '../../../src/ledger/days.js';
import { dayWithin, isoDay, signedAmount, type NumberForm } from '../../../src/domain/reconciliation/formats/values.js';
import { camt, camtEntry, camtStatement, checked, HEADER, PROFILE, RULES, type Format } from '../../support/statement-files.js';

const refusal = (format: Format, file: string | Buffer, more: Parameters<typeof checked>[2] = {}) =>
  checked(format, file, more).then(
    () => undefined,
    ({ reason, line, expected, found }: Record<string, unknown>) => ({ reason, line, expected, found }),
  );

describe('amounts in files', () => {
  const form = (decimal: '.' | ',', grouping: NumberForm['grouping'], unit: NumberForm['unit'] = 'major'): NumberForm => ({
    decimal,
    grouping,
    unit,
  });
  it.each([
    ['1.234,56', form(',', '.'), 123_456],
    ['-1.234,56', form(',', '.'), -123_456],
    ['1.234,56-', form(',', '.'), -123_456],
    ['(1,234.5)', form('.', ','), -123_450],
    ['1500,', form(',', ''), 150_000],
    ['150000', form('.', '', 'minor'), 150_000],
    ['+10', form('.', ''), 1_000],
    ['-0', form('.', ''), 0],
    ['1.234', form(',', '.'), 123_400],
    ['1\u00a0234\u00a0567,89', form(',', ' '), 123_456_789],
    ['-1\u202f234,5', form(',', ' '), -123_450],
    ['1\u202f234,5', form(',', ' '), 123_450],
    ['\u2212150.00', form('.', ''), -15_000],
    ['150.00\u2212', form('.', ''), -15_000],
    ['00000000000000001,5', form(',', ''), 150],
  ])('reads %s by its form', (text, by, amount) => expect(signedAmount(text, by)).toBe(amount));

  it.each([
    ['1.23,4', form(',', '.')],
    ['1,234.56', form(',', '.')],
    ['12,34,567', form('.', ',')],
    ['1.234', form('.', '')],
    ['150.000', form('.', '')],
    ['1.500.000', form('.', '')],
    ['12,340', form(',', '.')],
    ['10.00', form('.', '', 'minor')],
    ['1e5', form('.', '')],
    ['1\u00a0234,5', form(',', '')],
    ['1\u00a0234,5', form(',', '.')],
    ['12\u00a034,5', form(',', ' ')],
    ['--1', form('.', '')],
    ['10.5', form('.', '', 'minor')],
    ['', form('.', '')],
    ['٣', form('.', '')],
    ['90071992547409920', form('.', '', 'minor')],
  ])('%s is no amount', (text, by) => expect(signedAmount(text, by)).toBeUndefined());

  const profile = { ...PROFILE, totals: undefined } as unknown as CsvProfile;
  const row = (amount: string): string => [HEADER, `2026-11-20,B1,Payment,C1,${amount},0,0,${amount},IDR,`, ''].join('\n');
  const statement = (amount: string): string =>
    [':20:S', ':25:1234567890', ':28C:5/1', ':60F:C261119IDR0,', `:61:261120C${amount}NTRFA`, ':62F:C261120IDR150,', '-', ''].join('\n');
  it.each<[Format, string, string, number]>([
    ['csv', row('150.000'), '150.000', 2],
    ['csv', row('0.500'), '0.500', 2],
    ['mt940', statement('150,000'), '150,000', 5],
    ['mt940', statement('150,').replace('IDR150,', 'IDR150,000'), 'C261120IDR150,000'.slice(10), 6],
    ['camt053', camt(camtStatement('1', '0', '150.001', camtEntry({ amount: '150.001' }))), '150.001', 6],
    ['camt053', camt(camtStatement('1', '0', '150.0010', camtEntry({ amount: '150' }))), '150.0010', 7],
  ])('rejects a %s file with more decimals than its currency has, zeros included unless XML excludes groups', async (format, file, found, line) => {
    expect(await refusal(format, file, { profile })).toMatchObject({
      reason: 'precision',
      found,
      line,
      expected: expect.stringContaining('2 decimals'),
    });
  });

  it('amounts come back as they were written, whatever the country', () => {
    const forms = fc.constantFrom(['.', ','] as const, [',', '.'] as const, [',', ' '] as const);
    fc.assert(
      fc.property(fc.maxSafeInteger(), forms, (amount, [decimal, grouping]) => {
        const digits = String(Math.abs(amount)).padStart(3, '0');
        const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, grouping);
        const text = `${amount < 0 ? '-' : ''}${whole}${decimal}${digits.slice(-2)}`;
        expect(signedAmount(text, form(decimal, grouping))).toBe(amount);
      }),
      { seed: 20261123, numRuns: 500 },
    );
  });
});

describe('texts in files', () => {
  const cell = (batch: string, reference: string): string => [HEADER, `2026-11-20,${batch},Payment,${reference},10,0,0,10,IDR,`, ''].join('\n');
  const profile = { ...PROFILE, totals: undefined } as unknown as CsvProfile;
  const statement = (number: string, reference = 'A'): string =>
    [':20:S', ':25:1234567890', `:28C:${number}`, ':60F:C261119IDR0,', `:61:261120C10,NTRF${reference}`, ':62F:C261120IDR10,', '-', ''].join('\n');

  it.each<[string, Format, string, number, string]>([
    ['U+0000 in a batch', 'csv', cell('B\u00002', 'C1'), 2, 'no control character in the column Batch'],
    ['a control character in a reference', 'csv', cell('B2', 'C\u00071'), 2, 'no control character in the column Reference'],
    ['U+0000 in :28C:', 'mt940', statement('5\u0000/1'), 4, 'a number of the statement of at most 64 characters'],
    ['a :28C: that is too long', 'mt940', statement('5'.repeat(65)), 4, 'a number of the statement of at most 64 characters'],
    ['U+0000 in a reference of :61:', 'mt940', statement('5/1', 'A\u0000B'), 5, 'values that can be recorded'],
    [
      'an Id that is too long',
      'camt053',
      camt(camtStatement('9'.repeat(4_000), '0', '0', '')),
      2,
      'a number of the statement of at most 64 characters',
    ],
  ])('rejects a file with %s, and names the line and the field', async (_, format, file, line, expected) => {
    const refused = await refusal(format, file, { profile });
    expect(refused).toMatchObject({ reason: 'unreadable', expected: expect.stringContaining(expected) });
    expect(refused!.line).toBeGreaterThanOrEqual(line);
  });
});

describe('days in files', () => {
  const jakarta = daysIn('Asia/Jakarta');
  it.each([
    ['2026-11-20', '2026-11-20'],
    ['2026-11-20T16:59:59.999Z', '2026-11-20'],
    ['2026-11-20T17:00:00Z', '2026-11-21'],
    ['2026-11-20T23:30:00', '2026-11-20'],
    ['2026-11-20T23:30:00-05:00', '2026-11-21'],
    ['2026-02-29', undefined],
    ['20.11.2026', undefined],
    ['0000-01-01', undefined],
    ['0001-01-01', undefined],
    ['0000-11-20T16:59:59Z', undefined],
  ])('reads the day of %s in Jakarta', (written, day) => expect(isoDay(written, jakarta)).toBe(day));

  it.each([
    ['2026-02-30', '2026-02-28'],
    ['2028-02-31', '2028-02-29'],
    ['2026-04-31', '2026-04-30'],
    ['2026-02-30T18:00:00Z', '2026-03-01'],
    ['2026-02-30T18:00:00', '2026-02-28'],
    ['2026-02-28', '2026-02-28'],
    ['2026-02-32', undefined],
    ['2026-02-00', undefined],
    ['2026-13-30', undefined],
    ['2026-00-30', undefined],
  ])('maps %s to the last day of a month that lacks it', (written, day) => expect(isoDay(written, jakarta, dayWithin)).toBe(day));

  const FEBRUARY = { rules: { ...RULES, today: '2026-03-31' } };
  const dates = async (format: Format, file: string, profile: CsvProfile = PROFILE) =>
    (await checked(format, file, { ...FEBRUARY, profile })).lines.map(({ booking_date, value_date }) => [booking_date, value_date]);

  it.each([
    ['2602300227', '2026-02-27', '2026-02-27'],
    ['260230', '2026-02-28', '2026-02-28'],
    ['2602280230', '2026-02-28', '2026-02-28'],
    ['2602300230', '2026-02-28', '2026-02-28'],
    ['2602300302', '2026-03-02', '2026-03-02'],
    ['2602270302', '2026-03-02', '2026-02-27'],
  ])('maps the days of a line of MT940 to the calendar: %s', async (written, booked, valued) => {
    const file = [':20:S', ':25:1234567890', ':28C:5', ':60F:C260130IDR0,', `:61:${written}C10,NTRFA`, ':62F:C260230IDR10,', '-', ''].join('\n');
    expect(await dates('mt940', file)).toEqual([[booked, valued]]);
    expect((await checked('mt940', file, FEBRUARY)).summary.statements[0]!.closes_on).toBe('2026-02-28');
    expect(await refusal('mt940', file.replace(`:61:${written.slice(0, 4)}`, `:61:${written.slice(0, 2)}13`), FEBRUARY)).toMatchObject({
      reason: 'unreadable',
    });
  });

  it.each([
    ['<Dt>2026-02-27</Dt>', '2026-02-27', '2026-02-27'],
    ['<Dt>2026-02-30</Dt>', '2026-02-28', '2026-02-28'],
  ])('maps the days of an entry of camt.053 to the calendar: %s', async (booked, on, valued) => {
    const entry = camtEntry({ amount: '10', booked }).replace('</BookgDt>', '</BookgDt><ValDt><Dt>2026-02-30</Dt></ValDt>');
    expect(await dates('camt053', camt(camtStatement('1', '0', '10', entry, { day: '2026-02-30' })))).toEqual([[on, valued]]);
  });

  it('maps the days of a row of CSV to the calendar', async () => {
    const { totals: _, ...rest } = PROFILE;
    const profile: CsvProfile = { ...rest, dates: 'DD/MM/YYYY', columns: { ...PROFILE.columns, value_date: 'Value' } };
    const row = (booked: string, valued: string): string => `${booked},B1,Payment,C1,1,0,0,1,IDR,,${valued}`;
    const file = [`${HEADER},Value`, row('30/02/2026', '27/02/2026'), row('27/02/2026', '30/02/2026'), row('30/02/2026', '31/02/2026'), ''].join(
      '\n',
    );
    expect(await dates('csv', file, profile)).toEqual([
      ['2026-02-28', '2026-02-27'],
      ['2026-02-27', '2026-02-27'],
      ['2026-02-28', '2026-02-28'],
    ]);
    expect(await refusal('csv', file.replace('27/02', '27/13'), { ...FEBRUARY, profile })).toMatchObject({ reason: 'unreadable', line: 2 });
  });
});

describe('references in texts', () => {
  it('finds our references and batches, and no account', () => {
    const texts = ['TRF P0123456789ABCDE TO 1234567890 SITI RAHMA', 'DE89370400440532013000 SIM-20261120-01/9', '1234567890123456789'];
    expect(referencesIn(['NOTPROVIDED', ' X1 '], texts)).toEqual(['X1', 'P0123456789ABCDE', 'SIM-20261120-01', '1234567890123456789']);
  });
});

describe('camt.053', () => {
  const details = (...amounts: string[]): string =>
    `<NtryDtls><Btch><NbOfTxs>${amounts.length}</NbOfTxs></Btch>${amounts
      .map(
        (amount, n) =>
          `<TxDtls><Refs><EndToEndId>E${n}</EndToEndId></Refs><Amt Ccy="IDR">${amount}</Amt><RmtInf><Ustrd>for &amp; by ${n}</Ustrd></RmtInf></TxDtls>`,
      )
      .join('')}</NtryDtls>`;

  it.each([1, 7, 100_000])('reads a camt.053 file alike in pieces of %i bytes', async (size) => {
    const entries = [
      camtEntry({ amount: '1500.5', more: '<RvslInd>false</RvslInd>' }),
      camtEntry({ amount: '30', details: details('10', '20') }),
      camtEntry({ amount: '0.50', mark: 'DBIT', more: '<RvslInd>true</RvslInd>', booked: '<DtTm>2026-11-19T17:30:00Z</DtTm>' }),
    ];
    const { lines, summary } = await checked('camt053', camt(camtStatement('7', '-100', '1430', entries.join(''))), { size });
    const keys = [...new Set(lines.map(({ entry_key }) => entry_key))];
    const shown = lines.map(({ amount, entry_key, booking_date, references }) => ({
      amount,
      entry: keys.indexOf(entry_key) + 1,
      booking_date,
      references,
    }));
    expect(shown).toEqual([
      { amount: 150_050, entry: 1, booking_date: '2026-11-20', references: [] },
      { amount: 1_000, entry: 2, booking_date: '2026-11-20', references: ['E0'] },
      { amount: 2_000, entry: 2, booking_date: '2026-11-20', references: ['E1'] },
      { amount: -50, entry: 3, booking_date: '2026-11-20', references: [] },
    ]);
    expect(lines[1]!.personal).toEqual({ names: [], accounts: [], texts: ['for & by 0'] });
    expect(summary.statements).toMatchObject([{ number: '2026/7', opening: -10_000, closing: 143_000, closes_on: '2026-11-20', lines: 4 }]);
    expect(new Set(lines.map(({ line_key }) => line_key)).size).toBe(4);
    // As files that were accepted have them, for ever.
    expect([lines[0]!.line_key, lines[0]!.entry_key]).toEqual(['ac396e9abecbd606d2f47e10c40a1602', 'd1340054f6c221519d0404bb06586b96']);
  });

  it('gives equal lines distinct keys, the same in every file', async () => {
    const twice = camt(camtStatement('1', '0', '20', camtEntry({ amount: '10' }).repeat(2)));
    const [first, second] = [await checked('camt053', twice), await checked('camt053', `${twice}\n`)];
    expect(first.lines[0]!.line_key).not.toBe(first.lines[1]!.line_key);
    expect(second.lines.map(({ line_key }) => line_key)).toEqual(first.lines.map(({ line_key }) => line_key));
    expect(second.summary.statements[0]!.digest).toBe(first.summary.statements[0]!.digest);
  });

  describe('details of an entry', () => {
    const amount = (path: string, value: string, currency: string): string =>
      path
        .split('/')
        .reduceRight((inner, name, n, { length }) => `<${name}${n === length - 1 ? ` Ccy="${currency}"` : ''}>${inner}</${name}>`, value);
    const detail = (id: string, ...parts: string[]): string => `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${parts.join('')}</TxDtls>`;
    const record = (value: string, { currency = 'IDR', mark = 'DBIT' } = {}): string =>
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="${currency}">9</TtlChrgsAndTaxAmt><Rcrd>${amount('Amt', value, currency)}<CdtDbtInd>${mark}</CdtDbtInd><Tax>${amount('Amt', '1', 'IDR')}</Tax></Rcrd></Chrgs>`;
    const flat = (value: string): string => `<Chrgs>${amount('Amt', value, 'IDR')}</Chrgs>`;
    const read = async (entry: string, mark: 'CRDT' | 'DBIT', details: string, more = '') => {
      const [closing] = [mark === 'DBIT' ? `-${entry}` : entry];
      const file = camt(camtStatement('1', '0', closing, camtEntry({ amount: entry, mark, more, details: `<NtryDtls>${details}</NtryDtls>` })));
      const { lines } = await checked('camt053', file);
      expect(new Set(lines.map(({ entry_key }) => entry_key)).size).toBe(1);
      return lines.map(({ amount: of, kind, references }) => [of, kind[0], ...references]);
    };

    it.each<[string, string, 'CRDT' | 'DBIT', string, (number | string)[][], string]>([
      ['one in another currency', '150', 'CRDT', detail('A', amount('Amt', '9.999', 'USD')), [[15_000, 'T', 'A']], ''],
      [
        'several in another currency, each with an amount of the account',
        '150',
        'CRDT',
        ['A', 'B']
          .map((id, n) => detail(id, amount('Amt', '5', 'USD'), amount('AmtDtls/TxAmt/Amt', `${n + 1}00`.replace('200', '50'), 'IDR')))
          .join(''),
        [
          [10_000, 'T', 'A'],
          [5_000, 'T', 'B'],
        ],
        '',
      ],
      [
        'several in another currency alone',
        '150',
        'DBIT',
        ['A', 'B'].map((id) => detail(id, amount('AmtDtls/InstdAmt/Amt', '5', 'USD'), amount('AmtDtls/TxAmt/Amt', '5', 'USD'))).join(''),
        [[-15_000, 'T', 'A', 'B']],
        '',
      ],
      ['several without amounts', '150', 'CRDT', detail('A') + detail('B'), [[15_000, 'T', 'A', 'B']], ''],
      [
        'one of which charges were taken',
        '97.50',
        'CRDT',
        detail('A', amount('Amt', '100', 'IDR'), record('2.5')),
        [
          [10_000, 'T', 'A'],
          [-250, 'C'],
        ],
        '',
      ],
      [
        'several to which charges were added, as version 02 has them',
        '303',
        'DBIT',
        detail('A', amount('AmtDtls/TxAmt/Amt', '100', 'IDR'), flat('1')) + detail('B', amount('Amt', '200', 'IDR'), flat('2')),
        [
          [-10_000, 'T', 'A'],
          [-20_000, 'T', 'B'],
          [-300, 'C'],
        ],
        '',
      ],
      [
        'charges of the entry, some given back',
        '99',
        'CRDT',
        detail('A', amount('Amt', '60', 'IDR')) + detail('B', amount('Amt', '40', 'IDR')),
        [
          [6_000, 'T', 'A'],
          [4_000, 'T', 'B'],
          [-100, 'C'],
        ],
        record('3') + record('2', { mark: 'CRDT' }),
      ],
      ['charges that are in the amount already', '100', 'CRDT', detail('A', amount('Amt', '100', 'IDR'), record('2.5')), [[10_000, 'T', 'A']], ''],
    ])('%s', async (_, entry, mark, details, lines, more) => expect(await read(entry, mark, details, more)).toEqual(lines));

    it.each<[string, string, string]>([
      ['one that differs', '97.5', detail('A', amount('Amt', '100', 'IDR'))],
      ['one with other charges', '97.5', detail('A', amount('Amt', '100', 'IDR'), record('2.4'))],
      ['charges in another currency', '97.5', detail('A', amount('Amt', '100', 'IDR'), record('2.5', { currency: 'USD' }))],
      ['charges of the wrong direction', '97.5', detail('A', amount('Amt', '100', 'IDR'), record('2.5', { mark: 'CRDT' }))],
      ['several that are less', '97.5', detail('A', amount('Amt', '50', 'IDR'), record('2')) + detail('B', amount('Amt', '50', 'IDR'))],
    ])('rejects %s', async (_, entry, details) => {
      const file = camt(camtStatement('1', '0', entry, camtEntry({ amount: entry, details: `<NtryDtls>${details}</NtryDtls>` })));
      expect(await refusal('camt053', file)).toMatchObject({ reason: 'sum' });
    });

    it('reads any number of details, with or without amounts', async () => {
      const many = (part: string): string => Array.from({ length: 700 }, (_, n) => detail(`E${n}`, part, flat('0.01'))).join('');
      const lines = await read('693', 'CRDT', many(amount('Amt', '1', 'IDR')));
      expect([lines.length, lines[0], lines.at(-1)]).toEqual([701, [100, 'T', 'E0'], [-700, 'C']]);
      expect(await read('693', 'CRDT', many(amount('Amt', '1', 'USD')))).toEqual([[69_300, 'T', ...Array.from({ length: 8 }, (_, n) => `E${n}`)]]);
      const file = many(amount('Amt', '1', 'IDR')) + detail('last', amount('Amt', '1', 'USD'));
      const late = camt(camtStatement('1', '0', '1', camtEntry({ amount: '1', details: `<NtryDtls>${file}</NtryDtls>` })));
      expect(await refusal('camt053', late)).toMatchObject({ reason: 'unreadable', expected: 'an amount in IDR for each detail' });
    });
  });

  it('digest of a statement ignores the order of its entries', async () => {
    const entries = ['10', '20', '10'].map((amount) => camtEntry({ amount }));
    const digests = async (...all: string[]) => (await checked('camt053', camt(camtStatement('1', '0', '40', all.join(''))))).summary.statements[0];
    const [first, second, other] = [
      await digests(...entries),
      await digests(entries[0]!, entries[2]!, entries[1]!),
      await digests(entries[0]!, entries[1]!, camtEntry({ amount: '10', booked: '<Dt>2026-11-19</Dt>' })),
    ];
    expect(other!.digest).not.toBe(first!.digest);
    expect(second!.digest).toBe(first!.digest);
    expect(second!.former_digests).not.toEqual(first!.former_digests);
  });

  it('reads consecutive pages under one number', async () => {
    const page = (n: number, opening: string, closing: string, entry: string): string =>
      camtStatement('17', opening, closing, entry).replace('<ElctrncSeqNb>', `<StmtPgntn><PgNb>${n}</PgNb></StmtPgntn><ElctrncSeqNb>`);
    const same = camtEntry({ amount: '10' });
    const { lines, summary } = await checked('camt053', camt(page(1, '0', '10', same) + page(2, '10', '20', same)));
    expect(summary.statements.map(({ number }) => number)).toEqual(['2026/17', '2026/17/2']);
    expect(new Set(lines.flatMap(({ line_key, entry_key }) => [line_key, entry_key])).size).toBe(4);
    expect(await refusal('camt053', camt(page(0, '0', '10', same)))).toMatchObject({ reason: 'unreadable', found: '0' });
  });

  it('reads a statement that continues in the next page of its message under one number', async () => {
    const file = (page: string, statement: string): string =>
      camt(statement.replace('<ElctrncSeqNb>17</ElctrncSeqNb>', '')).replace(
        '</GrpHdr>',
        `<MsgPgntn><PgNb>${page}</PgNb><LastPgInd>${page === '2'}</LastPgInd></MsgPgntn></GrpHdr>`,
      );
    const entry = camtEntry({ amount: '10' });
    const first = camtStatement('17', '0', '10', entry).replace('CLBD', 'ITBD');
    const second = camtStatement('17', '10', '20', entry).replace('OPBD', 'ITBD');
    const numbers = async (text: string) => (await checked('camt053', text)).summary.statements.map(({ number }) => number);
    expect(await numbers(file('1', first))).toEqual(['2026/S17']);
    expect(await numbers(file('2', second))).toEqual(['2026/S17/2']);
    // A statement that begins in a later page of the message is not continued there.
    expect(await numbers(file('2', camtStatement('17', '10', '20', entry)))).toEqual(['2026/S17']);
    expect(await refusal('camt053', file('x', second))).toMatchObject({ reason: 'unreadable', found: 'x' });
  });

  it('takes the entry’s amount when its only detail is less its charges, by any place of the charges', async () => {
    const charge = (amount: string) =>
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="IDR">${amount}</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="IDR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>`;
    const detail = (amount: string, more = '') => `<NtryDtls><TxDtls><Amt Ccy="IDR">${amount}</Amt>${more}</TxDtls></NtryDtls>`;
    const amounts = async (entry: Parameters<typeof camtEntry>[0], closing = '100') =>
      (await checked('camt053', camt(camtStatement('1', '0', closing, camtEntry(entry))))).lines.map(({ amount, kind }) => [amount, kind]);
    expect(await amounts({ amount: '100', details: detail('95', charge('5')) })).toEqual([[10_000, 'TRANSFER']]);
    expect(await amounts({ amount: '100', more: charge('5.000'), details: detail('95') })).toEqual([[10_000, 'TRANSFER']]);
    // The entry is less the charges of its detail: two lines, as they were.
    expect(await amounts({ amount: '95', details: detail('100', charge('5')) }, '95')).toEqual([
      [10_000, 'TRANSFER'],
      [-500, 'CHARGE'],
    ]);
    const wrong = camt(camtStatement('1', '0', '100', camtEntry({ amount: '100', details: detail('94', charge('5')) })));
    expect(await refusal('camt053', wrong)).toMatchObject({ reason: 'sum' });
  });

  it('takes moments with fractions of a second, and more decimals if they are zeros', async () => {
    const moment = camtEntry({ amount: '160.000', booked: '<DtTm>2026-11-20T23:59:59.123456+07:00</DtTm>' });
    const { lines } = await checked('camt053', camt(camtStatement('1', '0.00000', '0160.000', moment)));
    expect(lines.map(({ amount, booking_date }) => [amount, booking_date])).toEqual([[16_000, '2026-11-20']]);
    expect(await refusal('camt053', camt(camtStatement('1', '0', '160.005', camtEntry({ amount: '160.005' }))))).toMatchObject({
      reason: 'precision',
      found: '160.005',
    });
  });

  it('accepts a prefix, versions from 02 on, and Latin-1 where it is declared', async () => {
    const file = camt(camtStatement('1', '0', '10', camtEntry({ amount: '10' }).replace('<Sts><Cd>BOOK</Cd></Sts>', '<Sts>BOOK</Sts>')), {
      version: '02',
    });
    const prefixed = file.replaceAll(/<(\/?)([A-Z])/g, '<$1a:$2').replace('xmlns=', 'xmlns:a=');
    expect((await checked('camt053', prefixed)).lines).toHaveLength(1);
    const latin = file.replace('UTF-8', 'ISO-8859-1').replace('</Ntry>', '<AddtlNtryInf>Caf\u00e9</AddtlNtryInf></Ntry>');
    expect((await checked('camt053', Buffer.from(latin, 'latin1'))).lines[0]!.personal!.texts).toEqual(['Caf\u00e9']);
    expect(await refusal('camt053', Buffer.from(latin.replace('ISO-8859-1', 'UTF-8'), 'latin1'))).toMatchObject({ reason: 'unreadable' });
  });

  const one = camtStatement('1', '0', '10', camtEntry({ amount: '10' }));
  const bomb = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>\n';
  it.each<[string, string, object]>([
    ['a document type', camt(one, { head: bomb }), { reason: 'unreadable', found: 'a DOCTYPE' }],
    ['an external entity', camt(one.replace('S1', '&xxe;')), { reason: 'unreadable', found: expect.stringMatching(/undefined entity$/) }],
    ['deep elements', camt(one.replace('<Id>S1</Id>', '<X>'.repeat(40))), { reason: 'unreadable', expected: 'elements within at most 32 others' }],
    ['a long text', camt(one.replace('S1', 'x'.repeat(4_097))), { reason: 'unreadable', expected: 'at most 4096 characters of text' }],
    ['a text without end', `${camt('').split('</BkToCstmrStmt>')[0]}<!--${'x'.repeat(40_000)}`, { reason: 'unreadable' }],
    ['a file cut in the middle', camt(one).slice(0, -30), { reason: 'unreadable', expected: 'the end of the document' }],
    ['pending entries', camt(camtStatement('1', '0', '10', camtEntry({ amount: '10', status: 'PDNG' }))), { reason: 'unreadable', found: 'PDNG' }],
    ['reports within a day', camt(one, { name: 'camt.052' }), { reason: 'unreadable' }],
    ['a version that is not there yet', camt(one, { version: '14' }), { reason: 'unreadable' }],
    ['three decimals', camt(camtStatement('1', '0', '10', camtEntry({ amount: '10.001' }))), { reason: 'precision', found: '10.001' }],
    ['a wrong closing', camt(camtStatement('1', '0', '11', camtEntry({ amount: '10' }))), { reason: 'sum', found: '11.00' }],
    [
      'details that are less',
      camt(camtStatement('1', '0', '30', camtEntry({ amount: '30', details: details('10', '19') }))),
      { reason: 'sum', found: '30.00' },
    ],
    [
      'a wrong number of entries',
      camt(
        camtStatement('1', '0', '10', camtEntry({ amount: '10' }), {
          more: '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>',
        }),
      ),
      { reason: 'sum', found: '2' },
    ],
    [
      'another account',
      camt(camtStatement('1', '0', '10', camtEntry({ amount: '10' }), { account: '99' })),
      { reason: 'wrong-account', found: 'another' },
    ],
    ['another currency', camt(one.replaceAll('IDR', 'SGD')), { reason: 'wrong-account', found: 'SGD' }],
    [
      'a gap within the file',
      camt(one + camtStatement('2', '11', '11', '')),
      { reason: 'gap', expected: 'an opening balance of 10.00', found: '11.00' },
    ],
    ['a day to come', camt(one.replace('<BookgDt><Dt>2026-11-20', '<BookgDt><Dt>2026-12-01')), { reason: 'future', found: '2026-12-01' }],
    ['no statement', camt(''), { reason: 'unreadable' }],
    ['no XML', 'PK\u0003\u0004', { reason: 'unreadable' }],
    ['nothing', '', { reason: 'unreadable' }],
  ])('rejects %s', async (_, file, expected) => expect(await refusal('camt053', file)).toMatchObject(expected));
});

describe('MT940', () => {
  const message = (fields: string[]): string =>
    ['{1:F01BANKIDJAAXXX0000000000}{2:I940BANKIDJAXXXXN}{4:', ':20:STMT', ':25:1234567890', ...fields, '-}'].join('\r\n');
  const balances = (opening: string, closing: string, ...lines: string[]): string =>
    message([':28C:5/1', `:60F:C261119IDR${opening}`, ...lines, `:62F:C261120IDR${closing}`, ':64:C261120IDR0,']);

  it.each([1, 9, 100_000])('reads an MT940 file alike in pieces of %i bytes', async (size) => {
    const file = balances(
      '1000,',
      '2449,5',
      ':61:2611201120C1500,NTRFP0123456789ABCDE//B-77',
      'supplementary',
      ':86:?20FROM SITI?21:NOT A FIELD:',
      ':8 also text',
      ':61:261120RC50,5NTRFNONREF',
      ':61:261120RD10,NTRFX/Y',
      ':61:2612310101D10,NCHGNONREF',
    )
      .replace('261231', '261119')
      .replace('0101D', '1119D');
    const { lines, summary } = await checked('mt940', file, { size });
    expect(lines.map(({ amount, kind, references }) => ({ amount, kind, references }))).toEqual([
      { amount: 150_000, kind: 'TRANSFER', references: ['P0123456789ABCDE', 'B-77'] },
      { amount: -5_050, kind: 'TRANSFER', references: [] },
      { amount: 1_000, kind: 'TRANSFER', references: ['X/Y'] },
      { amount: -1_000, kind: 'CHARGE', references: [] },
    ]);
    expect(lines[0]!.personal!.texts).toEqual(['supplementary', '?20FROM SITI?21:NOT A FIELD:\n:8 also text']);
    expect(summary.statements).toMatchObject([{ number: '2026/5/1', opening: 100_000, closing: 244_950, closes_on: '2026-11-20' }]);
  });

  it.each(['20', '21', '25', '28'])('a line that begins with the time :%s:44 belongs to the text before it', async (minute) => {
    for (const before of [[':61:261120C10,NTRFA'], [':61:261120C10,NTRFA', ':86:TRANSFER AT 10']]) {
      const { lines, summary } = await checked(
        'mt940',
        balances('0,', '20,', ...before, `:${minute}:44 REF P0123456789ABCDE`, ':61:261120C10,NTRFB'),
      );
      expect(lines.map(({ references }) => references)).toEqual([expect.arrayContaining(['A', 'P0123456789ABCDE']), ['B']]);
      expect(summary.statements).toMatchObject([{ number: '2026/5/1', closing: 2_000 }]);
    }
    // A file that lacks a closing balance is refused as before.
    const cut = [':20:S', ':25:1234567890', ':28C:5', ':60F:C261119IDR0,', ':61:261120C10,NTRFA', ':86:TEXT'].join('\n');
    expect(await refusal('mt940', `${cut}\n${cut}\n:62F:C261120IDR20,\n-\n`)).toMatchObject({ expected: 'the closing balance :62F: or :62M: first' });
  });

  it.each([':940:', '940', '{1:F01BANKIDJAAXXX0000000000}{2:I940X}{4:'])('reads a message behind the first line %s', async (first) => {
    const body = [':20:S', ':25:1234567890', ':28C:5', ':60F:C261119IDR000000000000,', ':61:261120C000000000010,NTRFA', ':86:TEXT'];
    const file = [first, ...body, ':62F:C261120IDR000000000010,00', '-', ''].join('\n');
    const { lines, summary } = await checked(
      'mt940',
      file +
        file
          .replace('28C:5', '28C:6')
          .replaceAll('1119', '1120')
          .replace('60F:C261120IDR000000000000,', '60F:C261120IDR10,')
          .replace('62F:C261120IDR000000000010,00', '62F:C261120IDR20,00'),
    );
    expect(lines.map(({ amount }) => amount)).toEqual([1_000, 1_000]);
    expect(summary.statements.map(({ number, closing }) => [number, closing])).toEqual([
      ['2026/5', 1_000],
      ['2026/6', 2_000],
    ]);
  });

  it('gives an entry the year that is nearest to its value date', async () => {
    const at = (line: string) => checked('mt940', balances('0,', '10,', line), { rules: { ...RULES, today: '2027-01-31' } });
    expect((await at(':61:2701011231C10,NTRFA')).lines[0]).toMatchObject({ value_date: '2027-01-01', booking_date: '2026-12-31' });
    expect((await at(':61:2612310102C10,NTRFA')).lines[0]).toMatchObject({ value_date: '2026-12-31', booking_date: '2027-01-02' });
  });

  it('reads pages, also without braces and carriage returns', async () => {
    const page = (n: number, [from, to]: [string, string], fields: string[]): string =>
      [':20:S', ':25:1234567890', `:28C:9/${n}`, from, ...fields, to, '-', ''].join('\n');
    const file =
      page(1, [':60F:C261119IDR0,', ':62M:C261119IDR10,'], [':61:261119C10,NTRFA']) +
      page(2, [':60M:C261119IDR10,', ':62F:D261120IDR5,'], [':61:261120D15,NTRFB']);
    const { summary } = await checked('mt940', file);
    expect(summary.statements.map(({ number, closing }) => [number, closing])).toEqual([
      ['2026/9/1', 1_000],
      ['2026/9/2', -500],
    ]);
  });

  it.each(['', ':28:0', ':28C:00000/001', ':28C:5'])('tells days and pages apart without numbers: %s', async (number) => {
    const part = (from: string, to: string): string =>
      [':20:S', ':25:1234567890', ...(number === '' ? [] : [number]), from, ':61:261119C5,NTRFA', to, '-', ''].join('\n');
    const file =
      part(':60F:C261118IDR0,', ':62M:C261119IDR5,') +
      part(':60M:C261119IDR5,', ':62F:C261119IDR10,') +
      part(':60F:C261119IDR10,', ':62F:C261120IDR15,');
    const { lines, summary } = await checked('mt940', file);
    const written = number === '' ? '0' : number.split(':')[2];
    expect(summary.statements.map(({ number: each }) => each)).toEqual([`2026/${written}`, `2026/${written}/2`, `2026/${written}`]);
    expect(new Set(lines.map(({ line_key }) => line_key)).size).toBe(3);
  });

  describe('equal lines in two statements', () => {
    const message = (number: string, from: string, to: string, ...lines: readonly string[]): string =>
      [':20:S', ':25:1234567890', `:28C:${number}`, from, ...lines, to, '-', ''].join('\n');
    const LINE = ':61:2512311231C5,NTRFA';
    const BACK = ':61:2512311231D5,NTRFA';

    it.each(['0', '00001/001'])('equal lines have distinct keys across a new year, under number %s', async (number) => {
      const days = [
        message(number, ':60F:C251230IDR0,', ':62F:C251231IDR5,', LINE),
        message(number, ':60F:C251231IDR5,', ':62F:C260102IDR10,', LINE),
        message(number, ':60F:C260102IDR10,', ':62F:C260105IDR15,', LINE),
        message(number, ':60F:C260105IDR15,', ':62F:C260106IDR20,', LINE),
      ];
      const together = await checked('mt940', days.join(''));
      expect(new Set(together.lines.flatMap(({ line_key, entry_key }) => [line_key, entry_key])).size).toBe(8);
      const keys: string[] = [];
      const counted: AccountStatement[] = [];
      for (const day of days) {
        const { lines, summary } = await checked('mt940', day, { rules: { ...RULES, taken: new Set(counted.flatMap(numbersOf)) } });
        keys.push(...lines.map(({ line_key }) => line_key));
        counted.push(...summary.statements);
      }
      expect(new Set(keys).size).toBe(4);
    });

    it('equal lines have distinct keys in pages that begin with the same balance', async () => {
      const pages = [
        message('0', ':60F:C251231IDR0,', ':62M:C251231IDR0,', LINE, BACK),
        message('0', ':60M:C251231IDR0,', ':62F:C251231IDR5,', LINE),
      ];
      expect(new Set((await checked('mt940', pages.join(''))).lines.map(({ line_key }) => line_key)).size).toBe(3);
    });

    it('the file is refused if neither number, day nor balance distinguishes the statements', async () => {
      const first = message('0', ':60F:C251231IDR0,', ':62F:C251231IDR0,', LINE, BACK);
      const other = (...lines: readonly string[]): string => message('0', ':60F:C251231IDR0,', ':62F:C260102IDR5,', ...lines);
      expect(await refusal('mt940', first + other(LINE))).toMatchObject({ reason: 'reissued', line: 13, expected: 'each line of 2025-12-31 once' });
      expect((await checked('mt940', first + other(LINE.replace('NTRFA', 'NTRFB')))).lines).toHaveLength(3);
    });
  });

  it('never carries a number over from the message before', async () => {
    const file = [':20:S', ':25:1234567890', ':28C:5', ':60F:C261119IDR0,', ':62F:C261119IDR0,'];
    const { summary } = await checked('mt940', [...file, ...file.filter((line) => line !== ':28C:5'), ''].join('\n'));
    expect(summary.statements.map(({ number }) => number)).toEqual(['2026/5', '2026/0']);
  });

  it.each(['BANKIDJA\n940\nBANKIDJA\n', ':940:\n', '0000 01BANKIDJAXXXX00001\n940 00\n', '\n940\n\n'])(
    'skips lines in front of a statement: %j',
    async (header) => {
      const part = (opening: number): string =>
        [
          ':20:S',
          ':25:1234567890',
          `:28C:${opening}`,
          `:60F:C261119IDR${opening},`,
          ':61:261120C10,NTRFA',
          `:62F:C261120IDR${opening + 10},`,
          '-',
          '',
        ].join('\n');
      const { lines, summary } = await checked('mt940', [0, 10].map((opening) => header + part(opening)).join(''));
      expect([lines.length, summary.statements.length]).toEqual([2, 2]);
      const unended = [0, 10].map((opening) => header + part(opening).replace('-\n', '')).join('');
      expect((await checked('mt940', unended)).lines).toHaveLength(2);
    },
  );

  const line = ':61:261120C10,NTRFA';
  it.each<[string, string, object]>([
    ['a file cut in the middle', balances('0,', '10,', line).slice(0, -45), { reason: 'unreadable' }],
    ['a wrong closing', balances('0,', '11,', line), { reason: 'sum', line: 7, found: '11.00' }],
    ['a line that is none', balances('0,', '10,', ':61:261120X10,NTRFA'), { reason: 'unreadable', line: 6 }],
    ['a point for a comma', balances('0,', '10,', ':61:261120C10.00NTRFA'), { reason: 'unreadable', line: 6 }],
    ['32 February', balances('0,', '10,', ':61:260232C10,NTRFA'), { reason: 'unreadable', line: 6 }],
    ['lines behind the last statement', `${balances('0,', '10,', line)}\nBANKIDJA\n940\n`, { reason: 'unreadable', line: 10, found: 'BANKIDJA' }],
    ['a header with no statement', 'BANKIDJA\n940\nBANKIDJA\n', { reason: 'unreadable', line: 1, found: 'BANKIDJA' }],
    ['a header with fields alone', 'BANKIDJA\n940\n:20:S\n:25:1234567890\n-\n', { reason: 'unreadable', line: 1 }],
    ['a text in front', `${'a line\n'.repeat(9)}${balances('0,', '10,', line)}`, { reason: 'unreadable', line: 1 }],
    ['no opening', message([':28C:5/1', line]), { reason: 'unreadable' }],
    ['a long line', balances('0,', '10,', line, `:86:${'x'.repeat(5_000)}`), { reason: 'unreadable' }],
    ['a field without end', balances('0,', '10,', line, ':86:', ...Array<string>(70).fill('x')), { reason: 'unreadable' }],
    ['a field that is none', balances('0,', '10,', ':99Z:x'), { reason: 'unreadable' }],
    ['binary', '\u0000\u0001\n', { reason: 'unreadable', line: 1 }],
  ])('rejects %s', async (_, file, expected) => expect(await refusal('mt940', file)).toMatchObject(expected));
});

describe('CSV by a profile', () => {
  const rows = (...lines: string[]): string => [HEADER, ...lines, ''].join('\r\n');
  const payment = '2026-11-20,B1,Payment,C1,100.00,2.00,0.22,97.78,IDR,"=HYPERLINK(""x"")"';
  const total = 'TOTAL,,,,90.00,1.80,0.20,88.00,,';
  const reversal = '2026-11-20,B1,Reversal,C2,-10.00,-0.20,-0.02,-9.78,IDR,Siti';

  it.each([1, 13, 100_000])('reads a CSV file alike in pieces of %i bytes, with a byte order mark and a footer', async (size) => {
    const { lines, summary } = await checked('csv', `\ufeff${rows(payment, reversal, total)}`, { size });
    expect(lines).toMatchObject([
      {
        at: 2,
        batch: 'B1',
        kind: 'PAYMENT',
        gross: 10_000,
        fee: 200,
        tax: 22,
        amount: 9_778,
        references: ['C1'],
        booking_date: '2026-11-20',
        entry_key: null,
      },
      { at: 3, kind: 'REVERSAL', gross: -1_000, fee: -20, tax: -2, amount: -978, references: ['C2'] },
    ]);
    expect(JSON.stringify(lines)).not.toContain('HYPERLINK');
    expect(summary.batches).toMatchObject([{ batch: 'B1', lines: 2, amount: 8_800, gross: 9_000, booked_on: '2026-11-20', line: 2 }]);
  });

  it('reads amounts, dates, signs and characters of another country', async () => {
    const { totals, ...rest } = PROFILE;
    const profile: CsvProfile = {
      ...rest,
      delimiter: ';',
      encoding: 'windows-1252',
      decimal: ',',
      grouping: '.',
      dates: 'DD.MM.YYYY',
      signs: 'kinds',
    };
    expect(totals).toBeDefined();
    const file = [HEADER.replaceAll(',', ';'), '20.11.2026;B1;Refund;C1;1.234,50;0;0;1.234,50;IDR;Caf\u00e9'].join('\n');
    const { lines } = await checked('csv', Buffer.from(file, 'latin1'), { profile });
    expect(lines).toMatchObject([{ amount: -123_450, fee: 0, gross: -123_450, booking_date: '2026-11-20' }]);
  });

  it.each<[string, string, object]>([
    ['a missing column', rows(payment, total).replace(',Tax', ''), { reason: 'unreadable', line: 1, expected: 'the column Tax' }],
    ['an unknown column', rows(payment, total).replace('Customer', 'Rebate'), { reason: 'unreadable', line: 1, found: 'Rebate' }],
    ['a column twice', rows(payment, total).replace('Customer', 'Fee'), { reason: 'unreadable', line: 1, found: 'twice' }],
    ['a wrong total', rows(payment, total), { reason: 'sum', line: 3, expected: '100.00 (gross of the file)', found: '90.00' }],
    ['a file cut in the middle', rows(payment, reversal), { reason: 'unreadable', expected: 'the row of totals' }],
    ['a row behind the totals', rows(payment, reversal, total, payment), { reason: 'unreadable', line: 5 }],
    ['a row that is too short', rows('2026-11-20,B1', total), { reason: 'unreadable', line: 2 }],
    ['a net that is not gross less fee and tax', rows(payment.replace('97.78', '97.77')), { reason: 'sum', line: 2, found: '97.77' }],
    ['an unknown kind', rows(payment.replace('Payment', 'Bonus')), { reason: 'unreadable', line: 2, found: 'Bonus' }],
    ['a quotation that never ends', rows(`${payment}x"${'y'.repeat(20_000)}`), { reason: 'unreadable' }],
    ['a day to come', rows(payment.replace('2026-11-20', '2026-12-01'), 'TOTAL,,,,,,,,,'), { reason: 'future', line: 2 }],
    ['a batch in two currencies', rows(payment, payment.replace('IDR', 'SGD'), 'TOTAL,,,,,,,,,'), { reason: 'wrong-account', line: 3 }],
    ['Latin-1 in UTF-8', rows(payment).replace('Payment', 'Caf\u00e9'), { reason: 'unreadable', line: 2, found: 'Caf\u00e9' }],
    ['names of columns alone', rows('TOTAL,,,,0,0,0,0,,'), { reason: 'unreadable', expected: 'a statement or a line' }],
    ['nothing', '', { reason: 'unreadable', found: 'an empty file' }],
  ])('rejects %s', async (_, file, expected) => expect(await refusal('csv', file)).toMatchObject(expected));

  it.each([
    ['behind each row', HEADER, ','],
    ['behind the names too', `${HEADER},`, ','],
    ['more than once', `${HEADER},,`, ',,'],
    ['behind the names alone', `${HEADER},`, ''],
  ])('accepts a delimiter %s', async (_, header, behind) => {
    const file = [header, ...[payment, reversal, total].map((row) => row + behind), ''].join('\n');
    expect((await checked('csv', file)).lines.map(({ amount }) => amount)).toEqual([9_778, -978]);
  });

  it.each<[string, string[]]>([
    ['in some rows only', [payment, `${reversal},`]],
    ['and something behind it', [`${payment},`, `${reversal},1`]],
    ['where a row is too short', [`${payment},`, reversal]],
    ['where an amount has fallen in two', [payment, '2026-11-20,B1,Payment,C2,1,234.00,0,0,1,IDR,']],
  ])('rejects a delimiter %s', async (_, lines) =>
    expect(await refusal('csv', rows(...lines, total))).toMatchObject({ reason: 'unreadable', line: 3 }),
  );

  it('gives the lines of a batch the same keys in every file', async () => {
    const [alone, among] = [
      await checked('csv', rows(payment, payment, 'TOTAL,,,,200,,,,,')),
      await checked('csv', rows(payment.replace('B1', 'B0'), payment, payment, 'TOTAL,,,,300,,,,,')),
    ];
    expect(among.lines.slice(1).map(({ line_key }) => line_key)).toEqual(alone.lines.map(({ line_key }) => line_key));
    expect(among.summary.batches[1]!.digest).toBe(alone.summary.batches[0]!.digest);
  });

  it.each<[Partial<CsvProfile>, string]>([
    [{ ignored: ['Fee'] }, 'a column is named twice'],
    [{ grouping: '.' }, 'decimals and groups have the same character'],
    [{ dates: 'YY-MM-DD' }, 'dates are iso, or have YYYY, MM and DD once'],
    [{ kinds: {} }, 'kinds go with a column of kinds'],
    [{ totals: { column: 'Sum', value: 'x' } }, 'the column of totals, Sum, is not in the profile'],
  ])('reports a fault in a profile: %j', (change, fault) => {
    expect(profileFault({ ...PROFILE, ...change })?.replace("'", '\u2019')).toBe(fault);
    expect(profileFault(PROFILE)).toBeUndefined();
  });
});
