import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, isBankingDay } from '../../../src/ledger/days.js';
import type { ReconSourceSet } from '../../../src/ledger/events/reconciliation.events.js';
import { DEFECTS_COUNT } from '../../../tools/simulated-files/day.js';
import { NothingToPlantIn } from '../../../tools/simulated-files/books.js';
import { REFUSED_DEFECTS, simulatedFiles, type SimulatedFile, type SimulatedFiles } from '../../../tools/simulated-files/files.js';
import type { BankFormat } from '../../../tools/simulated-files/terms.js';
import { StatementRefused } from '../../../src/domain/reconciliation/formats/statement-item.js';
import { settingsOf, type GivenSettings } from '../../../src/domain/reconciliation/sources.js';
import { checkedLines } from '../../../src/domain/reconciliation/statements/statement-file.js';
import { hmacOf, spooled } from '../../support/recon.js';
import { flat, type FlatLine } from '../../support/statement-files.js';
import { DEFECT_DAY, FIRST_DAY, LAST_DAY, midnight, SimulatedTrade } from '../../support/simulated-trade.js';

const trade = new SimulatedTrade(1);
const clock = (): number => midnight(addDays(LAST_DAY, 2));

function filesOf(
  day: string,
  { defects = [], seed = 1, format = 'camt053' }: { defects?: readonly number[]; seed?: number; format?: BankFormat } = {},
): SimulatedFiles {
  const { deeds, foreign } = trade;
  return simulatedFiles({ day, mode: 'live', format, deeds, foreign, plans: new Map([[day, { defects, seed }]]) });
}

async function linesOf({ source, text }: SimulatedFile, { settings }: SimulatedFiles): Promise<FlatLine[]> {
  const given = settingsOf({ ...defaults, ...settings[source] } as unknown as GivenSettings, hmacOf);
  const set = { ...given, source: `live-${source}` } as unknown as ReconSourceSet;
  const lines: FlatLine[] = [];
  for await (const each of checkedLines(spooled(text), { settings: set, accountHmac: hmacOf, clock })) lines.push(...each.map(flat));
  return lines;
}
const defaults = { costs: {}, by_amount: false };

/** Those that the file itself shows, without payments and earlier files. */
const REFUSED_ALONE = [15, 19, 31, 32, 33, 34, 35, 36, 39, 41];

const days: string[] = [];
for (let day = FIRST_DAY; day <= LAST_DAY; day = addDays(day, 1)) days.push(day);

describe('files of the simulated processor and bank', () => {
  it.each(['camt053', 'mt940'] as const)('reads the files of every day as they are meant (%s)', async (format) => {
    let read = 0;
    for (const day of days) {
      const written = filesOf(day, { format });
      expect(written.expected).toEqual({ breaks: [], refusals: [], hidden: [] });
      expect(written.files.some(({ source }) => source === 'bank')).toBe(isBankingDay(day));
      for (const file of written.files) read += (await linesOf(file, written)).length;
    }
    expect(read).toBeGreaterThan(trade.deeds.length);
  });

  it('both formats of a bank have the same lines', async () => {
    for (const day of days.filter(isBankingDay)) {
      const [camt, mt] = await Promise.all(
        (['camt053', 'mt940'] as const).map(async (format) => {
          const written = filesOf(day, { format });
          const lines = await linesOf(
            written.files.find(({ source }) => source === 'bank')!,
            written,
          );
          return lines
            .map(({ amount, currency, kind, booking_date, references }) => [amount, currency, kind, booking_date, ...references].join())
            .sort();
        }),
      );
      expect(mt).toEqual(camt);
    }
  });

  it.each(Array.from({ length: DEFECTS_COUNT }, (_, n) => n + 1))('plants defect %i where the expected results name it', async (defect) => {
    const written = filesOf(DEFECT_DAY, { defects: [defect] });
    const { breaks, refusals, hidden } = written.expected;
    expect(breaks.length + refusals.length + hidden.length).toBeGreaterThan(0);
    expect(refusals.length).toBe(REFUSED_DEFECTS.includes(defect) ? 1 : 0);
    expect([...breaks, ...refusals, ...hidden].map((each) => each.defect).every((each) => each === defect)).toBe(true);
    const files = written.files.map(({ text }) => text).join('');
    for (const { text } of hidden) expect(files).toContain(text);
    for (const { day } of breaks) if (day !== null) expect(written.files.some(({ source }) => source === 'processor')).toBe(false);
    for (const file of written.files) {
      const refusal = refusals.find((each) => each.file === file.name);
      const lines = await linesOf(file, written).catch((error: unknown) => error);
      if (refusal && REFUSED_ALONE.includes(defect)) {
        const { reason, line, expected } = refusal;
        expect(lines).toMatchObject({
          reason,
          ...(line !== null && { line }),
          ...(expected !== null && { expected: expect.stringContaining(expected) }),
        });
      } else if (lines instanceof StatementRefused) throw lines;
      const places = new Set((Array.isArray(lines) ? (lines as FlatLine[]) : []).map(({ at }) => at));
      for (const { line } of breaks) if (line?.file === file.name) expect(places).toContain(line.line);
    }
  });

  it('returns the same files for a seed, and others for another', () => {
    const of = (seed: number): SimulatedFiles => filesOf(DEFECT_DAY, { defects: [1, 5, 7, 12, 21, 26], seed });
    expect(of(3)).toEqual(of(3));
    expect(of(4).expected).not.toEqual(of(3).expected);
  });

  // Later files continue from the files that were written with a stored plan.
  it.each([
    ['camt053', '3e5d6ac69963771e15c3b547cfea2e441bf9863d9a4e3db97f4d66b6193dd80c'],
    ['mt940', '98795b6a0232162edfab631ff3eaf92eb1ea69ba44fa84f03c1e376304aa3321'],
  ] as const)('writes the files of defects 1 to 30 unchanged, byte for byte (%s)', (format, expected) => {
    const hash = createHash('sha256');
    for (let defect = 1; defect <= 30; defect += 1)
      for (const { name, text } of filesOf(DEFECT_DAY, { defects: [defect], format }).files) hash.update(`${name}\n${text}`);
    expect(hash.digest('hex')).toBe(expected);
  });

  it('rejects a defect on a day that has nothing to plant it in', () => {
    expect(() => filesOf('2026-11-14', { defects: [24] })).toThrow(NothingToPlantIn);
    expect(() => filesOf('2026-11-14', { defects: [43] })).toThrow(NothingToPlantIn);
    expect(() => filesOf(DEFECT_DAY, { defects: [43, 3] })).toThrow('2026-11-12 has nothing that defect 3 could be planted in');
    expect(() => filesOf(DEFECT_DAY, { defects: [3, 43] })).toThrow('2026-11-12 has nothing that defect 43 could be planted in');
    expect(() => filesOf(FIRST_DAY, { defects: [1] })).toThrow('2026-11-04 has nothing that defect 1 could be planted in');
  });
});
