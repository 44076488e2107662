import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { profileFault } from '../../../src/domain/reconciliation/formats/profile.js';
import { SHIPPED_PROFILES } from '../../../src/domain/reconciliation/formats/shipped-profiles.js';
import { checked, RULES } from '../../support/statement-files.js';

const sampleOf = (name: string): string => readFileSync(new URL(`../../golden/remittances/${name}.csv`, import.meta.url), 'utf8');
const rules = { ...RULES, currencies: ['IDR', 'SGD'] };
const read = (name: string, file: string, batch = BATCHES[name]) =>
  checked('csv', file, { profile: SHIPPED_PROFILES.find((shipped) => shipped.name === name)!.profile, rules, size: 64, batch });

/** Batches that are given with files. */
const BATCHES: Readonly<Record<string, string>> = { midtrans: 'PAYOUT-20261120', doku: 'STL-20261120-1', snap: 'SNAP-20261120' };

type Expected = readonly [
  kind: string,
  gross: number,
  fee: number | null,
  tax: number | null,
  amount: number,
  day: string,
  batch: string,
  references: string,
];

/** The lines of each sample: minor units, and references in one text. */
const LINES: Readonly<Record<string, readonly Expected[]>> = {
  'xendit-balance': [
    ['TRANSFER', -200_000, null, null, -200_000, '2026-11-21', '2026-11-21-IDR', 'disb-1 payout-1'],
    ['CHARGE', -50_000, null, null, -50_000, '2026-11-21', '2026-11-21-IDR', 'disb-1 payout-1'],
    ['PAYMENT', 15_000_000, 105_000, 11_550, 14_883_450, '2026-11-20', '2026-11-20-IDR', 'py-11111111-0000-4000-8000-000000000001 order-1'],
    ['PAYMENT', 2_000_000, 30_000, 0, 1_970_000, '2026-11-20', '2026-11-20-IDR', 'py-11111111-0000-4000-8000-000000000002 order-2'],
    ['REVERSAL', -15_000_000, -105_000, -11_550, -14_883_450, '2026-11-20', '2026-11-20-IDR', 'py-11111111-0000-4000-8000-000000000001 order-1'],
    ['REFUND', -500_000, 0, 0, -500_000, '2026-11-21', '2026-11-21-IDR', 'rfd-11111111-0000-4000-8000-000000000003 refund-1'],
  ],
  'xendit-transactions': [
    ['PAYMENT', 15_000_000, 105_000, 11_550, 14_883_450, '2026-11-20', '2026-11-20-IDR', 'py-01 order-1'],
    ['PAYMENT', 2_000_000, 30_000, 0, 1_970_000, '2026-11-21', '2026-11-21-IDR', 'py-02 order-2'],
    ['REFUND', -500_000, 0, 0, -500_000, '2026-11-21', '2026-11-21-IDR', 'rfd-01 refund-1'],
  ],
  midtrans: [
    ['PAYMENT', 15_000_000, 105_000, 11_550, 14_883_450, '2026-11-20', 'PAYOUT-20261120', '9aed5972-5b6a-401e-894b-a32c91ed1a3a order-1'],
    ['PAYMENT', 2_000_000, 40_000, 0, 1_960_000, '2026-11-20', 'PAYOUT-20261120', '0d8178e1-c6c7-4ab4-81a6-893be9d924ab order-2'],
    ['REFUND', -500_000, 0, 0, -500_000, '2026-11-20', 'PAYOUT-20261120', 'b2d8cb05-7a77-4ad0-8b2d-6a7f0ad1c111 order-1'],
  ],
  doku: [
    ['PAYMENT', 15_000_000, 105_000, 11_550, 14_883_450, '2026-11-20', 'STL-20261120-1', 'INV-1 DK-0001'],
    ['PAYMENT', 2_000_000, 400_000, 44_000, 1_556_000, '2026-11-20', 'STL-20261120-1', 'INV-2 DK-0002'],
    ['REFUND', -500_000, 0, 0, -500_000, '2026-11-20', 'STL-20261120-1', 'INV-1 DK-0001'],
  ],
  dana: [
    ['PAYMENT', 15_000_000, 105_000, 11_550, 14_883_450, '2026-11-20', '20261120111212800110166000001', '20261119111212800100166 order-1'],
    ['PAYMENT', 2_000_000, 20_000, 2_200, 1_977_800, '2026-11-20', '20261120111212800110166000001', '20261119111212800100167 order-2'],
    ['REFUND', -500_000, 0, 0, -500_000, '2026-11-20', '20261120111212800110166000001', '20261119111212800100166 order-1'],
    ['REVERSAL', -2_000_000, -20_000, -2_200, -1_977_800, '2026-11-20', '20261120111212800110166000001', '20261119111212800100167 order-2'],
  ],
  'adyen-settlement-details': [
    ['PAYMENT', 5_000, 120, null, 4_880, '2026-11-18', '4', 'HM9ZP8BRXZ3WPQ65 order-1'],
    ['PAYMENT', 2_000, 25, null, 1_975, '2026-11-18', '4', 'HM9ZP8BRXZ3WPQ67 order-2'],
    ['REFUND', -1_000, 5, null, -1_005, '2026-11-19', '4', 'HM9ZP8BRXZ3WPQ65 order-1'],
    ['DISPUTE', -1_500, 750, null, -2_250, '2026-10-26', '4', 'HM9ZP8BRXZ3WPQ70 order-0'],
    ['CHARGE', -120, 0, null, -120, '2026-11-20', '4', ''],
    ['TRANSFER', 520, 0, null, 520, '2026-11-20', '4', ''],
  ],
  'stripe-payout-reconciliation': [
    ['PAYMENT', 6_000, 254, null, 5_746, '2026-11-20', 'po_1QAAAA0000000001', 'ch_1QAAAA0000000001 pi_1QAAAA0000000001'],
    ['REFUND', -2_000, 0, null, -2_000, '2026-11-20', 'po_1QAAAA0000000001', 'ch_1QAAAA0000000001 pi_1QAAAA0000000001'],
    ['DISPUTE', -1_500, 1_500, null, -3_000, '2026-11-20', 'po_1QAAAA0000000001', 'ch_1QAAAA0000000009 pi_1QAAAA0000000009'],
    ['CHARGE', -50, 0, null, -50, '2026-11-20', 'po_1QAAAA0000000001', ''],
  ],
  snap: [
    ['PAYMENT', 15_000_000, 105_000, null, 14_895_000, '2026-11-20', 'SNAP-20261120', '2026112000000000001 order-1'],
    ['PAYMENT', 2_000_000, 0, null, 2_000_000, '2026-11-21', 'SNAP-20261120', '2026112000000000002 order-2'],
    ['REFUND', -500_000, 0, null, -500_000, '2026-11-20', 'SNAP-20261120', '2026112000000000001 order-1'],
    ['REVERSAL', -700_000, -4_900, null, -695_100, '2026-11-20', 'SNAP-20261120', '2026112000000000003 order-3'],
  ],
};

describe('shipped profiles', () => {
  it('there are eight, each with a document, a date and a sample', () => {
    expect(SHIPPED_PROFILES.map(({ name }) => name)).toEqual(Object.keys(LINES));
    for (const { report, source, read_on, profile } of SHIPPED_PROFILES) {
      expect(report.length).toBeGreaterThan(20);
      expect(source).toMatch(/https:\/\/[a-z.-]+\/\S+/);
      expect(read_on).toMatch(/^2026-\d\d-\d\d$/);
      expect(profileFault(profile)).toBeUndefined();
    }
  });

  it.each(Object.entries(LINES))('%s reads each line of its sample', async (name, expected) => {
    const { lines } = await read(name, sampleOf(name));
    const shown = lines.map(({ kind, gross, fee, tax, amount, booking_date, batch, references }) => [
      ...[kind, gross, fee, tax, amount, booking_date, batch],
      references.join(' '),
    ]);
    expect(shown).toEqual(expected);
    expect(new Set(lines.map(({ line_key }) => line_key)).size).toBe(lines.length);
  });

  it.each(SHIPPED_PROFILES.map(({ name, profile }) => [name, profile] as const))(
    '%s refuses its sample without a column, with another name of it, and with one more',
    async (name, { delimiter, title_rows = false }) => {
      const rows = sampleOf(name).trimEnd().split('\n');
      const at = title_rows ? 2 : 0;
      const names = rows[at]!.split(delimiter);
      const withNames = (changed: readonly string[]): string => rows.with(at, changed.join(delimiter)).join('\n');
      const refusalOf = (file: string): Promise<unknown> =>
        read(name, file).then(
          () => 'accepted',
          ({ reason, expected, found }: Record<string, string>) => [reason, expected, found],
        );
      for (const [place, column] of names.entries()) {
        const renamed = `${column} 2`;
        expect(await refusalOf(withNames(names.with(place, renamed)))).toEqual(['unreadable', 'only columns that the profile names', renamed]);
        expect(await refusalOf(withNames(names.toSpliced(place, 1)))).toEqual(['unreadable', `the column ${column}`, expect.any(String)]);
      }
      expect(await refusalOf(withNames([...names, 'Rebate']))).toEqual(['unreadable', 'only columns that the profile names', 'Rebate']);
    },
  );

  it.each(['xendit-balance', 'xendit-transactions'])('%s refuses a time without its offset, which determines the day', async (name) => {
    const local = sampleOf(name).replace('2026-11-20T03:00:01.123Z', '2026-11-20T03:00:01.123');
    await expect(read(name, local)).rejects.toMatchObject({ reason: 'unreadable', line: 2, found: '2026-11-20T03:00:01.123' });
  });

  it('refuses a kind of Xendit without a documented meaning, and a payment of Adyen in two currencies', async () => {
    const other = sampleOf('xendit-balance').replace('DISBURSEMENT,TRANSACTION', 'OTHER,TRANSACTION');
    await expect(read('xendit-balance', other)).rejects.toMatchObject({ line: 11, expected: 'a kind of the profile', found: 'OTHER/TRANSACTION' });
    const abroad = sampleOf('adyen-settlement-details').replace(',SGD,,50.00,1,SGD,', ',EUR,,50.00,1.5,SGD,');
    await expect(read('adyen-settlement-details', abroad)).rejects.toMatchObject({
      line: 2,
      expected: 'the currency EUR in the column Net Currency',
      found: 'SGD',
    });
  });
});
