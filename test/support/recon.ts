import { createHash } from 'node:crypto';
import type { SourceEvent, SourceSettings } from '../../src/ledger/events/reconciliation.events.js';
import type { StatementImport } from '../../src/domain/reconciliation/import-statement.js';
import { accountHmac } from '../../src/domain/reconciliation/sources.js';
import { ACCOUNT, camt, camtEntry, camtStatement, HEADER, pieces, PROFILE, ZONE } from './statement-files.js';

export const RECON_SECRET = Buffer.alloc(32, 7);
export const hmacOf = accountHmac(RECON_SECRET);

export const BANK: SourceSettings = {
  kind: 'BANK',
  currencies: ['IDR'],
  account_hmac: hmacOf(ACCOUNT),
  format: 'camt053',
  profile: null,
  time_zone: ZONE,
  processor: null,
  due_days: 2,
  costs: {},
  by_amount: false,
};

/** First events of a bank's source: its settings, and a file of statements that close on these days with a balance of 10. */
export function bankBegins(source: string, days: readonly string[], now: string): SourceEvent[] {
  const of = { merchant_id: null, source };
  const by = { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' };
  const statements = days.map((closes_on, at) => ({
    ...{ group: `${at + 1}`, number: `2026/${at + 1}`, currency: 'IDR', opening: 0, closing: 10, closes_on, lines: 3, digest: `${at + 1}` },
  }));
  const [mode, name] = source.split('-') as ['live' | 'test', string];
  return [
    { type: 'ReconSourceSet', data: { ...of, mode, name, ...BANK, ...by, reason: 'why', set_on: now } },
    {
      type: 'StatementAccepted',
      data: { ...of, statement_id: 'f1', statements, batches: [], dropped: { groups: 0, lines: 0 }, matcher: 2, ...by, accepted_on: now },
    },
  ];
}

export const PROCESSOR: SourceSettings = {
  ...BANK,
  kind: 'PROCESSOR',
  account_hmac: null,
  format: 'csv',
  profile: PROFILE,
  processor: 'SIMULATOR',
  costs: { QR_QRIS: { type: 'PERCENTAGE', value: 0.63 } },
};

/** The simulator's source of test money, as it is set over the interface. */
export const SIMULATOR_SOURCE = {
  mode: 'test',
  name: 'sim',
  kind: 'PROCESSOR',
  currencies: ['IDR'],
  format: 'csv',
  profile: PROFILE,
  processor: 'SIMULATOR',
} as const;

/** A bank's statement of one day: its lines are amounts in whole units, and add up to its closing balance. */
export function bankDay(
  number: number,
  opening: number,
  amounts: readonly number[],
  { day = `2026-11-${10 + number}`, details = '', booked = '' } = {},
): string {
  const entries = amounts.map((amount) =>
    camtEntry({ amount: `${Math.abs(amount)}`, mark: amount < 0 ? 'DBIT' : 'CRDT', booked: `<Dt>${booked || day}</Dt>`, details }),
  );
  const closing = amounts.reduce((sum, amount) => sum + amount, opening);
  return camtStatement(`${number}`, `${opening}`, `${closing}`, entries.join(''), { day });
}

export const bankFile = (...days: readonly string[]): string => camt(days.join(''));

export interface RemittedLine {
  readonly batch: string;
  readonly reference: string;
  /** Whole units. */
  readonly gross: number;
}

/** A processor's file, which keeps 1 of each line. */
export function remittance(lines: readonly RemittedLine[], day = '2026-11-20'): string {
  const gross = lines.reduce((sum, line) => sum + line.gross, 0);
  const rows = lines.map(({ batch, reference, gross }) => `${day},${batch},Payment,${reference},${gross},1,0,${gross - 1},IDR,Siti Rahma`);
  return [HEADER, ...rows, `TOTAL,,,,${gross},${lines.length},0,${gross - lines.length},,`, ''].join('\n');
}

/** A file as the edge hands it on, without a disk. */
export function spooled(file: string | Buffer): StatementImport['spool'] {
  const bytes = Buffer.from(file);
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), read: () => pieces(bytes, 65_536) };
}
