import {
  StatementCheck,
  type CheckedLine,
  type FileSummary,
  type StatementRules,
} from '../../src/domain/reconciliation/statements/checked-statement.js';
import { BatchNames } from '../../src/domain/reconciliation/formats/batch-names.js';
import { parseCamt053 } from '../../src/domain/reconciliation/formats/camt053.js';
import { parseCsv } from '../../src/domain/reconciliation/formats/csv.js';
import { parseMt940 } from '../../src/domain/reconciliation/formats/mt940.js';
import type { CsvProfile, StatementLine } from '../../src/ledger/events/reconciliation.events.js';
import type { StatementItem } from '../../src/domain/reconciliation/formats/statement-item.js';

export const ZONE = 'Asia/Jakarta';
export const ACCOUNT = '1234567890';
export const RULES: StatementRules = {
  source: 'recon-test-bank',
  currencies: ['IDR'],
  isAccount: (account) => account === ACCOUNT,
  today: '2026-11-30',
};

export const PROFILE: CsvProfile = {
  delimiter: ',',
  encoding: 'utf-8',
  columns: {
    booking_date: 'Date',
    batch: 'Batch',
    kind: 'Type',
    reference: 'Reference',
    gross: 'Gross',
    fee: 'Fee',
    tax: 'Tax',
    amount: 'Net',
    currency: 'Currency',
  },
  decimal: '.',
  grouping: '',
  unit: 'major',
  dates: 'YYYY-MM-DD',
  signs: 'written',
  kinds: { Payment: 'PAYMENT', Reversal: 'REVERSAL', Refund: 'REFUND' },
  totals: { column: 'Date', value: 'TOTAL' },
  ignored: ['Customer'],
};
export const HEADER = 'Date,Batch,Type,Reference,Gross,Fee,Tax,Net,Currency,Customer';

/** In pieces of `size` bytes, as a file comes. */
export async function* pieces(file: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

export type Format = 'camt053' | 'mt940' | 'csv';

export function parsed(
  format: Format,
  file: string | Buffer,
  { profile = PROFILE, size = 7, batch_names = [] as readonly string[], batch = undefined as string | undefined } = {},
): AsyncGenerator<StatementItem[]> {
  const chunks = pieces(file, size);
  const names = new BatchNames(batch_names);
  if (format === 'csv') return parseCsv(chunks, profile, ZONE, batch);
  return format === 'camt053' ? parseCamt053(chunks, ZONE, names) : parseMt940(chunks, names);
}

/** A checked line in one level. */
export type FlatLine = StatementLine & Pick<CheckedLine, 'possible' | 'personal'>;
export const flat = ({ stored, ...more }: CheckedLine): FlatLine => ({ ...stored, ...more });

export async function checked(
  format: Format,
  file: string | Buffer,
  { rules = RULES, profile = PROFILE, size = 7, batch_names = [] as readonly string[], batch = undefined as string | undefined } = {},
): Promise<{ lines: FlatLine[]; summary: FileSummary }> {
  const check = new StatementCheck(rules);
  const lines: FlatLine[] = [];
  for await (const items of parsed(format, file, { profile, size, batch_names, batch }))
    for (const item of items) lines.push(...[check.add(item) ?? []].flat().map(flat));
  return { lines, summary: check.end() };
}

export interface CamtEntry {
  readonly amount: string;
  readonly mark?: 'CRDT' | 'DBIT';
  readonly more?: string;
  readonly details?: string;
  readonly status?: string;
  readonly booked?: string;
}

export const camtEntry = ({ amount, mark = 'CRDT', more = '', details = '', status = 'BOOK', booked = '<Dt>2026-11-20</Dt>' }: CamtEntry): string =>
  `<Ntry><Amt Ccy="IDR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd>${more}<Sts><Cd>${status}</Cd></Sts><BookgDt>${booked}</BookgDt>${details}</Ntry>\n`;

const camtBalance = (code: string, amount: string, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="IDR">${amount.replace('-', '')}</Amt><CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`;

export const camtStatement = (
  number: string,
  opening: string,
  closing: string,
  entries: string,
  { account = ACCOUNT, day = '2026-11-20', more = '' } = {},
): string =>
  `<Stmt><Id>S${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>IDR</Ccy></Acct>\n` +
  `${camtBalance('OPBD', opening, day)}${camtBalance('CLBD', closing, day)}${more}${entries}</Stmt>\n`;

export const camt = (statements: string, { version = '08', head = '<?xml version="1.0" encoding="UTF-8"?>\n', name = 'camt.053' } = {}): string =>
  `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>\n${statements}</BkToCstmrStmt></Document>\n`;
