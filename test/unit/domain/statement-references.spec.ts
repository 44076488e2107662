import { describe, expect, it } from '@jest/globals';
import { BatchNames, batchNameFault } from '../../../src/domain/reconciliation/formats/batch-names.js';
import { referencesIn } from '../../../src/domain/reconciliation/formats/references.js';
import { simulatedTransferReference } from '../../../src/ledger/ids/id-codes.js';
import { camt, camtEntry, camtStatement, checked, HEADER, type Format } from '../../support/statement-files.js';

/** Numbers of accounts, telephones, identity cards, passports, cars and flats, as people write them. */
const PERSONAL = [
  ...['REK-123-456-7890', 'BCA-1234567890', 'AC-12-34567', 'X-1234', '1234-5678A-90', 'DE89-3704-0044-0532-0130-00'],
  ...['HP-0812-3456-7890', 'WA-62812-3456789', '021-555-1234a', 'TEL-021-5551234'],
  ...[
    'NIK-3171012345670001',
    'KTP-3171-0123-4567-0001',
    '900115-10-1234K',
    'S-1234567-D',
    'A-1234567',
    'PNR-19900115-1234',
    'NPWP-09-254-294-3-407-000',
  ],
  ...['B-1234-XYZ', 'RT05-RW03', 'BUDI-1990'],
];
const REFERENCE = simulatedTransferReference('0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d');
const BATCHES = ['SIM-20261120-IDR-1', 'SIM-20261120-01', 'XENDIT-20261119-7', REFERENCE, '1234567890123456789'];

interface Written {
  /** EndToEndId, or the payer's reference of `:61:`. */
  readonly payer?: string;
  /** AcctSvcrRef, or the bank's reference of `:61:`. */
  readonly bank?: string;
  readonly text?: string;
}

function fileOf(format: Format, { payer = 'NOTPROVIDED', bank = '', text = '' }: Written): string {
  if (format === 'mt940') {
    const entry = `:61:261120C10,NTRF${payer === 'NOTPROVIDED' ? 'NONREF' : payer}${bank && `//${bank}`}`;
    const texts = text === '' ? [] : [`:86:${text}`];
    return [':20:S', ':25:1234567890', ':28C:5', ':60F:C261119IDR0,', entry, ...texts, ':62F:C261120IDR10,', '-', ''].join('\n');
  }
  const refs = `<Refs><EndToEndId>${payer}</EndToEndId>${bank && `<AcctSvcrRef>${bank}</AcctSvcrRef>`}</Refs>`;
  const details = `<NtryDtls><TxDtls>${refs}${text && `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`}</TxDtls></NtryDtls>`;
  return camt(camtStatement('1', '0', '10', camtEntry({ amount: '10', details })));
}

describe.each<Format>(['camt053', 'mt940'])('references in a statement in %s', (format) => {
  const read = async (written: Written, batch_names: readonly string[] = []) => {
    const { references, personal, line_key } = (await checked(format, fileOf(format, written), { batch_names })).lines[0]!;
    return { references, texts: personal?.texts ?? [], line_key };
  };

  it.each(PERSONAL)('a number of a person in a text is no reference: %s', async (number) => {
    for (const text of [`RENT ${number} SITI`, number, `(${number})`]) expect(await read({ text })).toMatchObject({ references: [], texts: [text] });
  });

  it.each(BATCHES)('a batch, and our reference of a transfer, in a text is one: %s', async (name) => {
    for (const text of [`SETTLEMENT ${name}`, `${name}/9 HP-0812-3456-7890`, name]) {
      expect(await read({ text })).toMatchObject({ references: [name], texts: [text] });
    }
  });

  it.each(['081234567890', '0812-3456-7890', '+62.812.3456789', '123-456-7890', 'REK-1234567', '3171012345670001', 'DE89370400440532013000'])(
    'a number of a person in the payer’s reference is no reference, and is stored with the texts: %s',
    async (payer) => {
      expect(await read({ payer })).toMatchObject({ references: [], texts: [payer] });
      expect(await read({ payer, text: 'RENT' })).toMatchObject({ references: [], texts: ['RENT', payer] });
      // The bank may use a number for its own reference of the entry.
      expect(await read({ payer, bank: payer })).toMatchObject({ references: [payer] });
    },
  );

  it('a payer’s reference with spaces is read as a text', async () => {
    const payer = `SITI 0812 3456 SIM-20261120-01`;
    expect(await read({ payer })).toMatchObject({ references: ['SIM-20261120-01'], texts: [payer] });
  });

  it.each([...BATCHES, 'X/Y', 'INV77', 'STL20261120001', '20261120-7', 'RF18539007547034', 'f3c1-77ab', 'DE88370400440532013000'])(
    'other references of a payer, and the bank’s own numbers, stay: %s',
    async (payer) => {
      expect(await read({ payer, bank: '20260001234567' })).toMatchObject({ references: [payer, '20260001234567'], texts: [] });
    },
  );

  it('finds batches of the names in the settings, in texts and fields, and the key of the line does not depend on them', async () => {
    const names = ['STL-#####', 'DN ######/*', '88########'];
    const written = { payer: '8812345678', text: 'PAID STL-00017, DN 202611/A7; not STL-000171, nor XSTL-00017, nor STL-00017-A, nor 1812345678' };
    const found = await read(written, names);
    expect(found).toMatchObject({ references: ['8812345678', 'STL-00017', 'DN 202611/A7'], texts: [written.text] });
    expect(await read(written)).toMatchObject({ references: [], texts: [written.text, written.payer], line_key: found.line_key });
  });
});

describe('references in any format', () => {
  it('a remittance has the reference of its column', async () => {
    const file = [HEADER, '2026-11-20,B-77,Payment,8812345678,10,0,0,10,IDR,Siti', 'TOTAL,,,,10,0,0,10,,', ''].join('\n');
    expect((await checked('csv', file)).lines).toMatchObject([{ references: ['8812345678'], batch: 'B-77', personal: null }]);
  });

  it('finds a batch whose name is broken over two lines of MT940', async () => {
    const text = 'PAID SIM-2026\n1120-01 HP-0812-\n3456-7890';
    expect((await checked('mt940', fileOf('mt940', { text }))).lines[0]!.references).toEqual(['SIM-20261120-01']);
  });

  it('recognises statements that earlier versions accepted with personal numbers among their references', async () => {
    const file = [
      ...[':20:S', ':25:1234567890', ':28C:5', ':60F:C261119IDR0,'],
      ...[':61:261120C10,NTRF0812-3456-7890', ':86:RENT REK-123-456-7890'],
      ...[':61:261120C10,NTRFNONREF', ':86:RENT'],
      ...[':61:261120C10,NTRFNONREF', ':86:RENT HP-0812-3456-7890'],
      ...[':61:261120C10,NTRFNONREF', ':86:RENT HP-0812-3456-7890'],
      ...[':62F:C261120IDR40,', '-', ''],
    ].join('\n');
    const { lines, summary } = await checked('mt940', file);
    // As those versions stored and compared them.
    expect(summary.statements[0]!.former_digests).toEqual([
      'f9ee243f07b5aaa29831ae927daf3542a6b8b09090e22caf4445ed91d24916f7',
      '2ea8edf6e3b8df4031ad2e3e36380255f7968d0fc86adac457c3cea7410a7a05',
    ]);
    expect(lines[1]!.line_key).toBe('ca5075430f3f304d9f3159f4956d2b23');
    expect(new Set(lines.map(({ line_key }) => line_key)).size).toBe(4);
    expect(lines.map(({ references }) => references)).toEqual([[], [], [], []]);
  });
});

describe('names of batches in settings', () => {
  it.each([
    ['', 'it has characters other than'],
    [' STL-#', 'it has characters other than'],
    ['STL(#)', 'it has characters other than'],
    ['STL-*#', '* is followed by'],
    ['STL-**', '* is followed by'],
    ['S########', 'it has fewer than 2'],
    ['*', 'it has fewer than 2'],
    [`ST${'#'.repeat(63)}`, 'it has more than 64 characters'],
  ])('“%s” is none', (name, fault) => expect(batchNameFault(name)).toContain(fault));

  it.each(['STL-########-*', 'DN ######/*', 'a.b_c/d', '*-AB-*'])('“%s” is one', (name) => expect(batchNameFault(name)).toBeUndefined());

  it('searches long texts in a time that grows with their length', () => {
    const names = new BatchNames(['AB*-*-*-*-*-#', '*-*-*-*-*.AB', '*-AB']);
    const text = 'AB1-'.repeat(50_000);
    const beganMs = performance.now();
    expect(referencesIn([], [text], names)).toEqual([]);
    expect(performance.now() - beganMs).toBeLessThan(5_000);
  });
});
