import { MT940_LINE_END, mt940Lines } from '../../src/domain/reconciliation/formats/mt940-writer.js';
import { withTwoDecimals } from '../../src/platform/text/amounts.js';
import { netOf, type BankEntry, type BankStatement, type RemittanceRow } from './day.js';
import { ACCOUNT, PROFILE } from './terms.js';

/** A file, and the line (from 1) of each row, each entry and each statement's opening. */
export interface WrittenFile {
  readonly text: string;
  readonly lines: ReadonlyMap<object, number>;
}

const KINDS = Object.fromEntries(Object.entries(PROFILE.kinds).map(([word, kind]) => [kind, word]));
const BOM = '\ufeff';

/**
 * Writes rows of one currency, because totals have one. @param totalOff added to the total of gross amounts, minor units; `unit`: factor of all
 * amounts
 */
export function writeRemittance(day: string, rows: readonly RemittanceRow[], { hasBom = false, totalOff = 0, unit = 1 } = {}): WrittenFile {
  const money = (minorUnits: number): string => withTwoDecimals(minorUnits * unit, '.');
  const { columns, totals } = PROFILE;
  const lines = new Map<object, number>();
  const all = [rowOf(...(Object.values(columns) as string[]))];
  const sums = { gross: totalOff, fee: 0, tax: 0, net: 0 };
  for (const row of rows) {
    const { batch, kind, reference, gross, fee, tax, currency, booked = dayOfBatch(batch, day) } = row;
    const net = netOf(row);
    all.push(rowOf(booked, batch, KINDS[kind]!, reference, money(gross), money(fee), money(tax), money(net), currency));
    lines.set(row, all.length);
    sums.gross += gross;
    sums.fee += fee;
    sums.tax += tax;
    sums.net += net;
  }
  all.push(rowOf(totals!.value, '', '', '', money(sums.gross), money(sums.fee), money(sums.tax), money(sums.net), ''));
  return { text: (hasBom ? BOM : '') + all.join(''), lines };
}

/** A minus starts no formula here: programs read the file. */
const rowOf = (...cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** A batch of another day keeps its day. */
export function dayOfBatch(batch: string, day: string): string {
  const [, year, month, date] = /^SIM-(\d{4})(\d{2})(\d{2})-/.exec(batch) ?? [];
  return year === undefined ? day : `${year}-${month}-${date}`;
}

/** A tampered closing balance, minor units. */
export interface Tampering {
  readonly closingOff?: number;
}

class Lines {
  readonly lines = new Map<object, number>();
  private readonly all: string[] = [];

  add(text: string, of?: object): void {
    this.all.push(text);
    if (of) this.lines.set(of, this.all.length);
  }

  /** The next line is that of `of`. */
  next(of: object): void {
    this.lines.set(of, this.all.length + 1);
  }

  file(end: string): WrittenFile {
    return { text: this.all.map((line) => line + end).join(''), lines: this.lines };
  }
}

/** ISO 20022 camt.053, a statement for each currency. Payouts of a day are one entry with a detail for each. */
export function writeCamt053(statements: readonly BankStatement[], { closingOff = 0 }: Tampering = {}): WrittenFile {
  const out = new Lines();
  out.add('<?xml version="1.0" encoding="UTF-8"?>');
  out.add('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>');
  out.add(`<GrpHdr><MsgId>SIM${statements[0]?.day.replaceAll('-', '') ?? ''}</MsgId></GrpHdr>`);
  for (const statement of statements) {
    const { number, currency, day, opening, entries, closing } = statement;
    out.add(`<Stmt><Id>${currency}-${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb>`);
    out.add(`<Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>`);
    out.add(camtBalance('OPBD', opening, currency, day));
    out.add(camtBalance('CLBD', closing + closingOff, currency, day));
    // It is read as opened once its first entry begins.
    out.next(statement);
    const payouts = entries.filter(({ kind, booked }) => kind === 'PAYOUT' && booked === undefined);
    const single = payouts.length > 1 ? entries.filter((entry) => !payouts.includes(entry)) : entries;
    if (payouts.length > 1) {
      out.add(`${camtEntry(payouts, currency, day)}<NtryDtls><Btch><NbOfTxs>${payouts.length}</NbOfTxs></Btch>`);
      for (const entry of payouts) out.add(camtDetail(entry), entry);
      out.add('</NtryDtls></Ntry>');
    }
    for (const entry of single)
      out.add(`${camtEntry([entry], currency, entry.booked ?? day)}<NtryDtls>${camtDetail(entry)}</NtryDtls></Ntry>`, entry);
    out.add('</Stmt>');
  }
  out.add('</BkToCstmrStmt></Document>');
  return out.file('\n');
}

const mark = (amount: number): string => `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const camtAmount = (amount: number, currency: string): string => `<Amt Ccy="${currency}">${withTwoDecimals(Math.abs(amount), '.')}</Amt>`;

const camtBalance = (code: string, amount: number, currency: string, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${camtAmount(amount, currency)}${mark(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;

function camtEntry(entries: readonly BankEntry[], currency: string, day: string): string {
  const amount = entries.reduce((sum, entry) => sum + entry.amount, 0);
  const family = entries[0]!.kind === 'CHARGE' ? 'CHRG' : amount < 0 ? 'ICDT' : 'RCDT';
  const code = `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>OTHR</SubFmlyCd></Fmly></Domn></BkTxCd>`;
  const days = `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`;
  return `<Ntry>${camtAmount(amount, currency)}${mark(amount)}<Sts><Cd>BOOK</Cd></Sts>${days}${code}`;
}

function camtDetail({ amount, currency, reference, text }: BankEntry): string {
  const refs = `<Refs><EndToEndId>${reference ?? 'NOTPROVIDED'}</EndToEndId></Refs>`;
  return `<TxDtls>${refs}${camtAmount(amount, currency)}${mark(amount)}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
}

/** SWIFT MT940, a message for each currency. */
export function writeMt940(statements: readonly BankStatement[], { closingOff = 0 }: Tampering = {}): WrittenFile {
  const out = new Lines();
  for (const statement of statements) {
    const { number, currency, day, opening, entries, closing } = statement;
    const lines = mt940Lines({
      reference: `SIM${day.slice(2).replaceAll('-', '')}`,
      ...{ account: ACCOUNT, number: `${number}/1`, currency, day, opening, closing: closing + closingOff },
      entries: entries.map((of) => ({
        of,
        amount: of.amount,
        isCharge: of.kind === 'CHARGE',
        reference: referenceIn61(of),
        bankReference: null,
        text: of.text,
      })),
    });
    for (const { text, entry } of lines) out.add(withDayOf(entry?.of, text), entry?.of ?? (text.startsWith(':60F:') ? statement : undefined));
  }
  return out.file(MT940_LINE_END);
}

/** `:61:` begins with the value date YYMMDD and the entry date MMDD. */
function withDayOf(entry: BankEntry | undefined, text: string): string {
  const date = entry?.booked?.slice(2).replaceAll('-', '');
  return date === undefined ? text : text.replace(/^(:61:)\d{10}/, `$1${date}${date.slice(2)}`);
}

/** A longer reference is only in the text. */
const MT940_REFERENCE_MAX = 16;
const referenceIn61 = ({ reference }: BankEntry): string | null => (reference !== null && reference.length <= MT940_REFERENCE_MAX ? reference : null);
