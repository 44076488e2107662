import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CsvProfile, StatementAccepted, StatementLines, StatementReceived } from '../../../src/ledger/events/reconciliation.events.js';
import { systemContext } from '../../../src/ledger/streams/new-event.js';
import type { RecordedEvent } from '../../../src/platform/event-store/event-store.js';
import { Spool, SpoolTooLarge } from '../../../src/platform/spool/spool.js';
import { SpooledRecords } from '../../../src/platform/spool/spooled-records.js';
import { Problem } from '../../../src/platform/problem.js';
import { SHIPPED_PROFILES } from '../../../src/domain/reconciliation/formats/shipped-profiles.js';
import { importStatement, type ImportedStatement, type ImportServices } from '../../../src/domain/reconciliation/import-statement.js';
import type { PartPeople } from '../../../src/domain/reconciliation/statements/statement-people.js';
import { identityOf, setSource } from '../../../src/domain/reconciliation/sources.js';
import { InMemoryEventStore, SimulatedCrash } from '../../support/in-memory-event-store.js';
import { BANK, bankDay, bankFile, hmacOf, PROCESSOR, remittance, spooled } from '../../support/recon.js';
import { camtStatement, PROFILE } from '../../support/statement-files.js';

const act = (operator: string) => ({
  operator: { person_id: operator, key_id: `key of ${operator}` },
  context: { ...systemContext(), actor: `key of ${operator}` },
});
const NOBODY = new AbortController().signal;

class Importer {
  readonly store = new InMemoryEventStore();
  readonly people = new Map<string, PartPeople>();
  readonly paid = new Map<string, number>();
  readonly batches = new Set<string>();
  now = Date.parse('2026-11-30T08:00:00Z');
  readonly services: ImportServices = {
    store: this.store,
    clock: () => this.now,
    people: { put: async (id, part, people) => void this.people.set(`${id} ${part}`, people) },
    accountHmac: hmacOf,
    findPaidAmounts: async () => this.paid,
    batchesOf: () => async (words) => new Set(words.filter((word) => this.batches.has(word))),
  };

  static async with(name: string, settings = BANK): Promise<Importer> {
    const importer = new Importer();
    await setSource(importer.services, identityOf('test', name), settings, 'why', act('ani'));
    return importer;
  }

  import(
    file: string,
    { source = 'test-bca', by = 'siti', replaces = null as string | null, signal = NOBODY, batch = undefined as string | undefined } = {},
  ): Promise<ImportedStatement> {
    const order = { source, spool: spooled(file), batch, replaces: replaces === null ? null : { statement_id: replaces, reason: 'again' }, signal };
    return importStatement(this.services, order, act(by));
  }

  async refused(file: string, options: Parameters<Importer['import']>[1] = {}): Promise<object> {
    const before = await this.store.head();
    const error = await this.import(file, options).catch((reason: unknown) => reason);
    if (!(error instanceof Problem)) throw error;
    expect(await this.store.head()).toBe(before);
    return { code: error.code, ...error.members };
  }

  async log(): Promise<RecordedEvent[]> {
    const ended = new AbortController();
    for await (const { events } of this.store.subscribe(null, { signal: ended.signal })) return [...events];
    return [];
  }

  async types(): Promise<string[]> {
    return (await this.log()).map(({ type }) => type);
  }
}

const dayOne = bankFile(bankDay(1, 100, [10, -5]));
const dayTwo = bankFile(bankDay(2, 105, [20]));
const dayThree = bankFile(bankDay(3, 125, [1]));
/** 1,703 lines: four parts, of which three are appended together. */
const long = bankFile(
  bankDay(
    1,
    0,
    Array.from({ length: 1_703 }, (_, n) => (n % 7) + 1),
  ),
);

describe('import of a bank statement', () => {
  it('records a file as events part by part, and then accepts it', async () => {
    const importer = await Importer.with('bca');
    const imported = await importer.import(long);
    expect(imported).toMatchObject({ replayed: false });
    expect(await importer.types()).toEqual([
      'ReconBankClaimed',
      'ReconSourceSet',
      'StatementReceived',
      ...Array.from({ length: 4 }, () => 'StatementLines'),
      'StatementRead',
      'StatementAccepted',
    ]);
    const log = await importer.log();
    const parts = log.filter(({ type }) => type === 'StatementLines').map(({ data }) => data as StatementLines);
    expect(parts.map(({ part, lines }) => [part, lines.length])).toEqual([
      [0, 500],
      [1, 500],
      [2, 500],
      [3, 203],
    ]);
    expect(new Set(parts.flatMap(({ lines }) => lines.map(({ line_key }) => line_key))).size).toBe(1_703);
    for (const { data } of log) expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(300_000);
    expect(log.map(({ metadata }) => metadata.actor).slice(2)).toEqual(Array.from({ length: 7 }, () => 'key of siti'));
  });

  it('returns the first response for a repeated file, whatever was imported since', async () => {
    const importer = await Importer.with('bca');
    const first = await importer.import(dayOne);
    await importer.import(dayTwo);
    const before = await importer.store.head();
    expect(await importer.import(dayOne, { by: 'budi' })).toMatchObject({ statement_id: first.statement_id, replayed: true });
    expect(await importer.store.head()).toBe(before);
  });

  it('stores no names in the log: names and texts are stored outside, part by part; references stay', async () => {
    const importer = await Importer.with('bca');
    const details =
      '<NtryDtls><TxDtls><Amt Ccy="IDR">10</Amt><RltdPties><Dbtr><Pty><Nm>Zebulon Quarterstaff</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>9988776655</Id></Othr></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>rent of Zebulon P0123456789ABCDE</Ustrd></RmtInf></TxDtls></NtryDtls>';
    await importer.import(bankFile(bankDay(1, 0, [10], { details })));
    const log = JSON.stringify((await importer.log()).map(({ data, metadata, stream }) => [data, metadata, stream]));
    expect(log).toContain('P0123456789ABCDE');
    for (const secret of ['Zebulon', 'Quarterstaff', '9988776655', 'rent', '1234567890']) expect(log).not.toContain(secret);
    expect([...importer.people.values()]).toEqual([
      [{ names: ['Zebulon Quarterstaff'], accounts: ['9988776655'], texts: ['rent of Zebulon P0123456789ABCDE'] }],
    ]);
  });

  it('stores no hyphenated number of an account, a telephone or an identity card in the log, and all of them beside the names', async () => {
    const importer = await Importer.with('bca');
    const text = 'rent HP-0812-3456-7890 REK-123-456-7890 NIK-3171-0123-4567-0001';
    const details = `<NtryDtls><TxDtls><Refs><EndToEndId>0812-9999-7890</EndToEndId></Refs><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
    await importer.import(bankFile(bankDay(1, 0, [10], { details })));
    const log = JSON.stringify((await importer.log()).map(({ data, metadata, stream }) => [data, metadata, stream]));
    // Ids and digests are random, and may have any digits.
    const written = log.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/g, '');
    for (const number of ['0812', '123-456', '3171', '7890']) expect(written).not.toContain(number);
    expect([...importer.people.values()]).toEqual([[{ names: [], accounts: [], texts: [text, '0812-9999-7890'] }]]);
  });

  it('stores names of known batches, and keeps keys and parts of lines when they become known later', async () => {
    const importer = await Importer.with('bca');
    const entry = (words: string): string =>
      `<NtryDtls><TxDtls><Refs><EndToEndId>88 ${words}</EndToEndId></Refs><RmtInf><Ustrd>paid ${words}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
    // So long that one part has room for fewer lines than its maximum.
    const words = Array.from({ length: 8 }, (_, n) => `${n}-${'x'.repeat(60)}`).join(' ');
    const amounts = Array.from({ length: 600 }, () => 1);
    const file = bankFile(bankDay(1, 0, amounts, { details: entry(`BATCH-2026-1 ${words}`) }));
    const linesOf = async (of: Importer): Promise<StatementLines[]> =>
      (await of.log()).filter(({ type }) => type === 'StatementLines').map(({ data }) => data as StatementLines);
    const known = await Importer.with('bca');
    known.batches.add('BATCH-2026-1').add(words.split(' ')[3]!);
    await known.import(file);
    await importer.import(file);
    const [without, withNames] = [await linesOf(importer), await linesOf(known)];
    expect(new Set(withNames.flatMap(({ lines }) => lines.map(({ references }) => references.join(' '))))).toEqual(
      new Set([`BATCH-2026-1 ${words.split(' ')[3]!}`]),
    );
    expect(new Set(without.flatMap(({ lines }) => lines.map(({ references }) => references.length)))).toEqual(new Set([0]));
    const keysOf = (parts: StatementLines[]) => parts.map(({ digest, lines }) => [digest, lines.map(({ line_key }) => line_key)]);
    expect(keysOf(withNames)).toEqual(keysOf(without));
    expect(without.map(({ lines }) => lines.length).every((count) => count < 500)).toBe(true);
  });

  // Decisions of operators about lines name their keys.
  it.each([
    ['its own number', (number: number) => number],
    ['no number', () => 0],
    ['the same number each day', () => 1],
  ])('a replacement of the first file keeps the keys of its lines, with %s', async (_, numberOf) => {
    const importer = await Importer.with('bca');
    const day = (number: number, opening: number, amounts: readonly number[]): string =>
      bankDay(number, opening, amounts).replace(`<ElctrncSeqNb>${number}<`, `<ElctrncSeqNb>${numberOf(number)}<`);
    const { statement_id } = await importer.import(bankFile(day(1, 100, [10, -5])));
    await importer.import(bankFile(day(2, 105, [3])));
    await importer.import(bankFile(day(1, 100, [10, -5, 1, -1])), { replaces: statement_id });
    const files = (await importer.log()).filter(({ type }) => type === 'StatementLines').map(({ data }) => data as StatementLines);
    const keys = files.map(({ lines }) => lines.map(({ line_key }) => line_key));
    expect(keys.map(({ length }) => length)).toEqual([2, 1, 4]);
    expect(keys[2]!.slice(0, 2)).toEqual(keys[0]);
  });

  it('accepts the statements of an account that is swept each day, without numbers, in MT940', async () => {
    const importer = await Importer.with('bca', { ...BANK, format: 'mt940' });
    const swept = (day: string, amount: string): string =>
      [
        ':20:X',
        ':25:1234567890',
        ':28C:0',
        `:60F:C${day}IDR0,`,
        `:61:${day}C${amount}NTRFA`,
        `:61:${day}D${amount}NTRFB`,
        `:62F:C${day}IDR0,`,
        '-',
        '',
      ].join('\n');
    for (const [day, amount] of [
      ['261118', '5,'],
      ['261119', '7,'],
      ['261120', '7,'],
    ] as const)
      await importer.import(swept(day, amount));
    expect((await importer.types()).filter((type) => type === 'StatementAccepted')).toHaveLength(3);
    // Two on one day cannot be told apart.
    expect(await importer.refused(swept('261120', '8,'))).toMatchObject({ reason: 'reissued' });
  });

  it('recognises a statement after the source got names of batches', async () => {
    const importer = await Importer.with('bca');
    const day = (number: number, opening: number): string => {
      const details = `<NtryDtls><TxDtls><RmtInf><Ustrd>paid STL-0000${number}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
      return bankDay(number, opening, [10], { details });
    };
    await importer.import(bankFile(day(1, 0)));
    await setSource(importer.services, identityOf('test', 'bca'), { ...BANK, batch_names: ['STL-#####'] }, 'why', act('ani'));
    await importer.import(bankFile(day(1, 0), day(2, 10)));
    const log = await importer.log();
    expect(log.at(-1)).toMatchObject({ type: 'StatementAccepted', data: { dropped: { groups: 1, lines: 1 } } });
    const lines = log.filter(({ type }) => type === 'StatementLines').flatMap(({ data }) => (data as StatementLines).lines);
    expect(lines.map(({ references }) => references)).toEqual([[], ['STL-00001'], ['STL-00002']]);
  });

  it.each<[string, string, object]>([
    ['cut in the middle', dayTwo.slice(0, -200), { reason: 'unreadable' }],
    ['of another account', dayTwo.replaceAll('1234567890', '1234567891'), { reason: 'wrong-account', line: 6, found: 'another' }],
    ['whose sums are wrong', dayTwo.replaceAll('125', '126'), { reason: 'sum', found: '126.00' }],
    ['behind a gap', dayThree, { reason: 'gap', line: 6, expected: expect.stringContaining('105.00 IDR'), found: '125.00 in statement 2026/3' }],
    ['with a number that there was', bankFile(bankDay(1, 100, [10, -6])), { reason: 'reissued' }],
    ['of days to come', bankFile(bankDay(2, 105, [20], { day: '2026-12-01' })), { reason: 'future', expected: '2026-11-30 at the latest' }],
  ])('rejects a file %s, and records nothing', async (_, file, expected) => {
    const importer = await Importer.with('bca');
    await importer.import(dayOne);
    expect(await importer.refused(file)).toMatchObject({ code: 'statement-refused', ...expected });
  });

  it('accepts a file with the maximum of statements and the longest numbers, and rejects longer ones before anything is recorded', async () => {
    const importer = await Importer.with('bca');
    const numbered = (rest: number): string =>
      bankFile(...Array.from({ length: 1_000 }, (_, n) => camtStatement(String(n + 1).padStart(4, '0') + '号'.repeat(rest), '0', '0', '')));
    expect(await importer.refused(numbered(61))).toMatchObject({ code: 'statement-refused', reason: 'unreadable', line: 6 });
    await importer.import(numbered(60));
    expect((await importer.log()).at(-1)).toMatchObject({ type: 'StatementAccepted', data: { statements: { length: 1_000 } } });
  });

  it('accepts statements by day where the bank numbers nothing, with a distinct key per line', async () => {
    const importer = await Importer.with('bca');
    // Each has a line of 7 that was booked on the eleventh.
    const days = [12, 13, 14].map((day, n) => bankDay(0, 100 + 7 * n, [7], { day: `2026-11-${day}`, booked: '2026-11-11' }));
    await importer.import(bankFile(days[0]!));
    await importer.import(bankFile(days[1]!, days[2]!));
    const keys = (await importer.log()).filter(({ type }) => type === 'StatementLines').flatMap(({ data }) => (data as StatementLines).lines);
    expect(keys).toHaveLength(3);
    expect(new Set(keys.map(({ line_key }) => line_key)).size).toBe(3);
    expect(new Set(keys.map(({ entry_key }) => entry_key)).size).toBe(3);
    await importer.import(`${bankFile(...days)}\n`);
    expect((await importer.log()).at(-1)!.data).toMatchObject({ statements: [], dropped: { groups: 3, lines: 3 } });
    const missing = bankDay(0, 128, [1], { day: '2026-11-16' });
    expect(await importer.refused(bankFile(missing))).toMatchObject({ reason: 'gap' });
    expect(await importer.refused(bankFile(bankDay(0, 114, [8], { day: '2026-11-14' })))).toMatchObject({ reason: 'reissued' });
  });

  /** Keys of the lines of these files, in the order of the log. */
  const keysOf = async (importer: Importer, ...ids: readonly string[]): Promise<string[]> =>
    (await importer.log())
      .filter(({ type, data }) => type === 'StatementLines' && ids.includes((data as StatementLines).statement_id))
      .flatMap(({ data }) => (data as StatementLines).lines.map(({ line_key }) => line_key));

  it.each([0, 1])('gives equal lines of statements before and after a new year distinct keys, under number %i', async (number) => {
    const importer = await Importer.with('bca');
    importer.now = Date.parse('2027-01-31T08:00:00Z');
    const days = ['2026-12-31', '2027-01-02', '2027-01-03'].map((day, n) => bankDay(number, 7 * n, [7], { day, booked: '2026-12-31' }));
    const ids: string[] = [];
    for (const day of days) ids.push((await importer.import(bankFile(day))).statement_id);
    expect(new Set(await keysOf(importer, ...ids)).size).toBe(3);
  });

  it('replaces the first file of a number with the same keys', async () => {
    const importer = await Importer.with('bca');
    const [first, second] = [12, 13].map((day, n) => bankFile(bankDay(1, 100 + 7 * n, [7], { day: `2026-11-${day}` }))) as [string, string];
    const { statement_id } = await importer.import(first);
    const other = await importer.import(second);
    const again = await importer.import(`${first}\n`, { replaces: statement_id });
    const [before, after] = [await keysOf(importer, statement_id), await keysOf(importer, again.statement_id)];
    expect(after).toEqual(before);
    expect(await keysOf(importer, other.statement_id)).not.toEqual(before);
  });

  it('never accepts two files with equal keys that were read at once', async () => {
    const [first, second] = [12, 13].map((day, n) =>
      [0, 1].map((number) => bankFile(bankDay(number, 100 + 7 * n, [7], { day: `2026-11-${day}`, booked: '2026-11-11' }))),
    ) as [string[], string[]];
    for (const number of [0, 1]) {
      const importer = await Importer.with('bca');
      // The first file is imported while the second one is about to be accepted.
      let isFirst = true;
      importer.store.hooks = {
        beforeAppend: async ({ events }) => {
          if (!isFirst || events[0]?.type !== 'StatementRead') return;
          isFirst = false;
          await importer.import(first[number]!);
        },
      };
      const imported = await importer.import(second[number]!).catch((error: unknown) => (error as Problem).code);
      const counted = (await importer.log())
        .filter(({ type }) => type === 'StatementAccepted')
        .map(({ data }) => (data as StatementLines).statement_id);
      const keys = await keysOf(importer, ...counted);
      expect([number, new Set(keys).size]).toEqual([number, counted.length]);
      expect(imported).toEqual(number === 0 ? expect.objectContaining({ replayed: false }) : 'state-conflict');
      expect(await importer.import(`${second[number]}\n`).then(({ replayed }) => replayed)).toBe(false);
    }
  });

  it('resumes a file as it began, although the one that counted then was replaced', async () => {
    const importer = await Importer.with('bca');
    const [first, second] = [12, 13].map((day, n) => bankFile(bankDay(1, 100 + 7 * n, [7], { day: `2026-11-${day}`, booked: '2026-11-11' }))) as [
      string,
      string,
    ];
    const { statement_id } = await importer.import(first);
    importer.now += 60_000;
    let appends = 0;
    importer.store.hooks = {
      afterAppend: () => {
        appends += 1;
        if (appends === 1) throw new SimulatedCrash();
      },
    };
    await expect(importer.import(second)).rejects.toThrow(SimulatedCrash);
    importer.store.hooks = {};
    importer.now += 60_000;
    const again = await importer.import(`${first}\n`, { replaces: statement_id });
    const resumed = await importer.import(second);
    expect(new Set(await keysOf(importer, again.statement_id, resumed.statement_id)).size).toBe(2);
  });

  it('completes a file that was begun before another one of its number was accepted', async () => {
    const importer = await Importer.with('bca');
    const [first, second] = [12, 13].map((day, n) => bankFile(bankDay(0, 100 + 7 * n, [7], { day: `2026-11-${day}` }))) as [string, string];
    let appends = 0;
    const die = (): void => {
      appends += 1;
      if (appends === 2) throw new SimulatedCrash();
    };
    importer.store.hooks = { afterAppend: die };
    await expect(importer.import(second)).rejects.toThrow(SimulatedCrash);
    importer.store.hooks = {};
    importer.now += 60_000;
    await importer.import(first);
    expect(await importer.import(second)).toMatchObject({ replayed: false });
  });

  it('rejects a file of days a year before the last other file, or before today', async () => {
    const importer = await Importer.with('bca');
    const of = (number: number, opening: number, day: string): string => bankFile(bankDay(number, opening, [1], { day }));
    expect(await importer.refused(of(1, 0, '2016-11-30'))).toMatchObject({
      reason: 'unreadable',
      expected: 'a day from 2025-11-29 on',
      found: '2016-11-30',
    });
    const { statement_id } = await importer.import(of(1, 0, '2025-11-29'));
    await importer.import(of(2, 1, '2026-11-30'));
    const early = bankFile(bankDay(3, 2, [1], { day: '2026-11-30', booked: '2025-11-28' }));
    expect(await importer.refused(early)).toMatchObject({ reason: 'unreadable', expected: 'a day from 2025-11-29 on' });
    expect(await importer.import(of(1, 0, '2025-11-30'), { replaces: statement_id })).toMatchObject({ replayed: false });
    const sim = await Importer.with('sim', PROCESSOR);
    const remitted = (day: string): string => remittance([{ batch: day, reference: 'R', gross: 10 }], day);
    await sim.import(remitted('2026-11-20'), { source: 'test-sim' });
    expect(await sim.refused(remitted('2016-11-20'), { source: 'test-sim' })).toMatchObject({ expected: 'a day from 2025-11-19 on' });
  });

  it('rejects a file after a gap until the missing file is imported', async () => {
    const importer = await Importer.with('bca');
    await importer.import(dayOne);
    expect(await importer.refused(dayThree)).toMatchObject({ reason: 'gap' });
    await importer.import(dayTwo);
    expect(await importer.import(dayThree)).toMatchObject({ replayed: false });
  });

  it('replaces an accepted file only when the request names it', async () => {
    const importer = await Importer.with('bca');
    await importer.import(dayOne);
    const { statement_id } = await importer.import(dayTwo);
    const again = bankFile(bankDay(2, 105, [19, 1]));
    expect(await importer.refused(again)).toMatchObject({ reason: 'reissued' });
    expect(await importer.refused(again, { replaces: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' })).toEqual({ code: 'state-conflict' });
    await importer.import(again, { replaces: statement_id });
    expect((await importer.types()).at(-1)).toBe('StatementReplaced');
    expect(await importer.import(dayTwo)).toMatchObject({ statement_id, replayed: true });
  });

  it('rejects an unknown source with not-found', async () => {
    expect(await (await Importer.with('bca')).refused(dayOne, { source: 'live-bca' })).toEqual({ code: 'not-found' });
  });
});

describe('import of a processor’s file', () => {
  const lines = Array.from({ length: 1_500 }, (_, n) => ({ batch: n < 900 ? 'B1' : 'B2', reference: `R${n}`, gross: 100 + n }));

  it('drops batches that are known, and rejects a changed batch', async () => {
    const importer = await Importer.with('sim', PROCESSOR);
    await importer.import(remittance(lines.slice(0, 900)), { source: 'test-sim' });
    await importer.import(remittance(lines), { source: 'test-sim' });
    expect((await importer.log()).at(-1)!.data).toMatchObject({ batches: [{ batch: 'B2', lines: 600 }], dropped: { groups: 1, lines: 900 } });
    const changed = lines.map((line, n) => (n === 3 ? { ...line, gross: 1 } : line));
    expect(await importer.refused(remittance(changed), { source: 'test-sim' })).toMatchObject({ reason: 'batch-changed', line: 2 });
  });

  it('ignores known batches in another order of lines, and rejects changed lines', async () => {
    const importer = await Importer.with('sim', PROCESSOR);
    await importer.import(remittance(lines), { source: 'test-sim' });
    await importer.import(remittance([...lines].reverse()), { source: 'test-sim' });
    expect((await importer.log()).at(-1)!.data).toMatchObject({ batches: [], dropped: { groups: 2, lines: 1_500 } });
    const moved = lines.map((line, n) => (n === 0 ? { ...line, gross: line.gross + 1 } : n === 1 ? { ...line, gross: line.gross - 1 } : line));
    expect(await importer.refused(remittance(moved.reverse()), { source: 'test-sim' })).toMatchObject({
      reason: 'batch-changed',
      found: 'the same figures, and other lines',
    });
  });

  it.each([
    ['a hundredfold', 1, 'scale'],
    ['a hundredth', 10_000, 'scale'],
    ['as they were paid', 100, undefined],
  ])('compares amounts with those that were paid: %s', async (_, unit, reason) => {
    const importer = await Importer.with('sim', PROCESSOR);
    for (const { reference, gross } of lines.slice(1_100, 1_104)) importer.paid.set(reference, gross * unit);
    const outcome = importer.import(remittance(lines), { source: 'test-sim' }).then(
      () => undefined,
      ({ members }: Problem) => members,
    );
    expect(await outcome).toEqual(
      reason && { reason, line: 1_102, expected: expect.stringMatching(/^\d+\.\d\d, as was paid under R1100$/), found: expect.any(String) },
    );
  });

  it('accepts a file in which fewer than three, or than nine in ten, amounts are off', async () => {
    const two = await Importer.with('sim', PROCESSOR);
    for (const { reference, gross } of lines.slice(0, 2)) two.paid.set(reference, gross);
    expect(await two.import(remittance(lines), { source: 'test-sim' })).toMatchObject({ replayed: false });
    const most = await Importer.with('sim', PROCESSOR);
    for (const [n, { reference, gross }] of lines.slice(0, 10).entries()) most.paid.set(reference, n < 8 ? gross : gross * 100);
    expect(await most.import(remittance(lines), { source: 'test-sim' })).toMatchObject({ replayed: false });
  });
});

describe('import by a shipped profile', () => {
  /** Net of each batch, minor units. */
  const NETS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'xendit-balance': { '2026-11-21-IDR': -750_000, '2026-11-20-IDR': 1_970_000 },
    'xendit-transactions': { '2026-11-20-IDR': 14_883_450, '2026-11-21-IDR': 1_470_000 },
    midtrans: { 'PAYOUT 7': 16_343_450 },
    doku: { 'PAYOUT 7': 15_939_450 },
    dana: { '20261120111212800110166000001': 14_383_450 },
    // The payouts of these two are rows of their reports: they pay exactly this.
    'adyen-settlement-details': { '4': 4_000 },
    'stripe-payout-reconciliation': { po_1QAAAA0000000001: 696 },
    snap: { 'PAYOUT 7': 15_699_900 },
  };

  it.each(SHIPPED_PROFILES)('a source with the profile $name counts the batches of its sample', async ({ name, profile }) => {
    const importer = await Importer.with('sim', { ...PROCESSOR, currencies: ['IDR', 'SGD'], profile });
    const sample = readFileSync(new URL(`../../golden/remittances/${name}.csv`, import.meta.url), 'utf8');
    const batch = profile.batch === 'given' ? 'PAYOUT 7' : undefined;
    expect(await importer.import(sample, { source: 'test-sim', batch })).toMatchObject({ replayed: false });
    const accepted = (await importer.log()).at(-1)!;
    expect(accepted.type).toBe('StatementAccepted');
    const { batches } = accepted.data as StatementAccepted;
    expect(Object.fromEntries(batches.map((each) => [each.batch, each.amount]))).toEqual(NETS[name]);
  });
});

describe('a batch that is given with a file', () => {
  const { batch: _, ...columns } = PROFILE.columns;
  const profile: CsvProfile = { ...PROFILE, columns, batch: 'given', ignored: ['Customer', 'Batch'] };
  const SOURCE = { source: 'test-sim' };
  const file = (gross: number): string => remittance([{ batch: 'not read', reference: 'R1', gross }]);
  const begun = (): Promise<Importer> => Importer.with('sim', { ...PROCESSOR, profile });

  it('the file and its lines record the batch', async () => {
    const importer = await begun();
    await importer.import(file(10), { ...SOURCE, batch: 'PAYOUT 7' });
    const log = await importer.log();
    expect(log.find(({ type }) => type === 'StatementReceived')!.data).toMatchObject({ batch: 'PAYOUT 7' });
    expect(log.at(-1)!.data).toMatchObject({ batches: [{ batch: 'PAYOUT 7', lines: 1, gross: 1_000 }] });
  });

  it('a batch is required, and refused for files that name their batches', async () => {
    const detail = (importer: Importer, batch?: string): Promise<unknown> =>
      importer.import(file(10), { ...SOURCE, batch }).catch(({ code, detail: of }: Problem) => [code, of]);
    expect(await detail(await begun())).toEqual(['validation-failed', 'Files of test-sim name no batch: give the batch together with the file.']);
    expect(await detail(await Importer.with('sim', PROCESSOR), 'PAYOUT 7')).toEqual([
      'validation-failed',
      'Files of test-sim determine their batches: no batch is given with them.',
    ]);
  });

  it('a file keeps the batch of its first import', async () => {
    const importer = await begun();
    const first = await importer.import(file(10), { ...SOURCE, batch: 'PAYOUT 7' });
    const again = { ...SOURCE, batch: 'PAYOUT 7' };
    expect(await importer.import(file(10), again)).toMatchObject({ statement_id: first.statement_id, replayed: true });
    expect(await importer.refused(file(10), { ...SOURCE, batch: 'PAYOUT 8' })).toEqual({ code: 'state-conflict' });
    // Files keep the settings with which they were received.
    await setSource(importer.services, identityOf('test', 'sim'), PROCESSOR, 'why', act('ani'));
    expect(await importer.import(file(10), again)).toMatchObject({ replayed: true });
    expect(await importer.refused(file(10), SOURCE)).toEqual({ code: 'validation-failed' });
    expect(await importer.import(file(11), SOURCE)).toMatchObject({ replayed: false });
  });

  it('a file keeps its batch after a kill, and that of the request that began it', async () => {
    const importer = await begun();
    importer.store.hooks = {
      afterAppend: () => {
        throw new SimulatedCrash();
      },
    };
    await expect(importer.import(file(10), { ...SOURCE, batch: 'PAYOUT 7' })).rejects.toThrow(SimulatedCrash);
    importer.store.hooks = {};
    expect(await importer.refused(file(10), { ...SOURCE, batch: 'PAYOUT 8' })).toEqual({ code: 'state-conflict' });
    expect(await importer.import(file(10), { ...SOURCE, batch: 'PAYOUT 7' })).toMatchObject({ replayed: false });

    const two = await begun();
    const outcomes = await Promise.allSettled(['PAYOUT 7', 'PAYOUT 8'].map((batch) => two.import(file(10), { ...SOURCE, batch })));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as Problem).code)).toEqual(['state-conflict']);
    const received = (await two.log()).find(({ type }) => type === 'StatementReceived')!.data as StatementReceived;
    expect((await two.log()).at(-1)!.data).toMatchObject({ batches: [{ batch: received.batch }] });
  });
});

describe('an import that is killed', () => {
  /** The events of the whole import, without ids and moments. */
  async function events(importer: Importer): Promise<unknown[]> {
    return (await importer.log()).map(({ type, stream, revision, data }) => {
      const { person_id: _, key_id: __, ...rest } = data as Record<string, unknown>;
      return { type, stream, revision, rest };
    });
  }
  /** Dies at the n-th append, in front of it or behind it. */
  function dieAt(importer: Importer, n: number, isBehind: boolean): void {
    let appends = 0;
    const die = (): void => {
      appends += 1;
      if (appends === n) throw new SimulatedCrash();
    };
    importer.store.hooks = isBehind ? { afterAppend: die } : { beforeAppend: die };
  }

  it('same file completes an import that was killed anywhere, as if it had not been killed', async () => {
    const whole = await Importer.with('bca');
    await whole.import(long);
    const expected = await events(whole);
    // Received, three parts, the last part, read, accepted.
    for (let n = 1; n <= 5; n += 1) {
      for (const isBehind of [false, true]) {
        const importer = await Importer.with('bca');
        dieAt(importer, n, isBehind);
        await expect(importer.import(long)).rejects.toThrow(SimulatedCrash);
        importer.store.hooks = {};
        const head = await importer.store.head();
        expect(await importer.import(long, { by: 'budi' })).toMatchObject({ replayed: n === 5 && isBehind });
        expect(await events(importer)).toEqual(expected);
        expect(importer.people).toEqual(whole.people);
        expect(head! <= (await importer.store.head())!).toBe(true);
      }
    }
  });

  it('same file writes the people again after a kill between people and lines', async () => {
    const importer = await Importer.with('bca');
    const put = importer.services.people.put;
    let puts = 0;
    Object.assign(importer.services.people, {
      put: async (...args: Parameters<typeof put>) => {
        await put(...args);
        puts += 1;
        if (puts === 2) throw new SimulatedCrash();
      },
    });
    await expect(importer.import(long)).rejects.toThrow(SimulatedCrash);
    await importer.import(long);
    expect(importer.people.size).toBe(4);
  });

  it.each([1, 2, 3])('resumes after %i parts that were appended one by one', async (parts) => {
    const whole = await Importer.with('bca');
    await whole.import(long);
    const importer = await Importer.with('bca');
    const [received, ...lines] = (await whole.log()).filter(({ stream }) => stream.startsWith('statement-'));
    await importer.store.append(received!.stream, 'no-stream', [received!]);
    for (const line of lines.slice(0, parts)) await importer.store.append(line.stream, line.revision - 1, [line]);
    await importer.import(long);
    expect(await events(importer)).toEqual(await events(whole));
  });

  it('rejects a file with state-conflict when its recorded parts were read differently', async () => {
    const whole = await Importer.with('bca');
    await whole.import(long);
    const importer = await Importer.with('bca');
    const [received, first, second] = (await whole.log()).filter(({ stream }) => stream.startsWith('statement-'));
    const otherwise = { ...second!, data: { ...second!.data, digest: '0'.repeat(64) } };
    await importer.store.append(received!.stream, 'no-stream', [received!, first!, otherwise]);
    expect(await importer.refused(long)).toEqual({ code: 'state-conflict' });
  });

  it('stops when its request is aborted', async () => {
    const importer = await Importer.with('bca');
    const gone = new AbortController();
    importer.store.hooks = { afterAppend: () => gone.abort(new Error('gone')) };
    await expect(importer.import(long, { signal: gone.signal })).rejects.toThrow('gone');
    expect(await importer.types()).not.toContain('StatementLines');
  });

  it('concurrent imports of the same or the next file, in any order, leave the log of one', async () => {
    const whole = await Importer.with('bca');
    await whole.import(long);
    const expected = await events(whole);
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(12), { maxLength: 3 }), async (scheduler, deaths) => {
        const importer = await Importer.with('bca');
        let appends = 0;
        importer.store.hooks = {
          beforeAppend: () => scheduler.schedule(Promise.resolve(), 'append'),
          afterAppend: () => {
            appends += 1;
            if (deaths.includes(appends)) throw new SimulatedCrash();
          },
        };
        const all = Promise.allSettled([
          importer.import(long, { by: 'siti' }),
          importer.import(long, { by: 'budi' }),
          importer.import(long, { by: 'ani' }),
        ]);
        await scheduler.waitFor(all);
        importer.store.hooks = {};
        await importer.import(long);
        expect(await events(importer)).toEqual(expected);
      }),
      { seed: 20261123, numRuns: 12 },
    );
  });
});

describe('spool', () => {
  const chunk = Buffer.alloc(65_536, 'x');
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) yield chunk;
  }

  it('returns its content as often as it is read, and knows its size and hash', async () => {
    const spool = await Spool.of(
      (async function* () {
        yield Buffer.from('ab');
        yield Buffer.from('c');
      })(),
      3,
    );
    expect(spool).toMatchObject({ size: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' });
    for (let n = 0; n < 2; n += 1) {
      const read: Buffer[] = [];
      for await (const piece of spool.read()) read.push(piece);
      expect(Buffer.concat(read).toString()).toBe('abc');
    }
    await spool.close();
  });

  it('reads records in their order, each unchanged', async () => {
    const records = await SpooledRecords.open();
    const texts = ['é', '', 'x'.repeat(300_000), '{"a":"\\n"}'];
    for (const text of texts) await records.add(text);
    for (let n = 0; n < 2; n += 1) {
      const read: string[] = [];
      for await (const text of records.read()) read.push(text);
      expect(read).toEqual(texts);
    }
    await records.close();
  });

  it('stops at its limit, however long the source continues', async () => {
    await expect(Spool.of(endless(), 10 * chunk.length)).rejects.toThrow(SpoolTooLarge);
  });
});
