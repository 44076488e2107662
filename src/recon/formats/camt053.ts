import { referencesIn } from './references.js';
import type { LineKind } from '../../ledger/events/recon.events.js';
import { unreadable, type ParsedLine, type PersonalData, type StatementItem } from './statement-item.js';
import { daysIn } from '../../ledger/days.js';
import { isoDay, plainAmount } from './values.js';
import { XmlElements, xmlText, type XmlHandler } from './xml-elements.js';

/**
 * ISO 20022 camt.053, BankToCustomerStatement, versions 02 to 13. Booked entries alone: what is pending, and reports within a day
 * (camt.052), are refused. The details of an entry that was booked for many are the lines.
 */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[2-9]|1[0-3])$/;
const STATEMENT = 'Document/BkToCstmrStmt/Stmt';
const BALANCE = `${STATEMENT}/Bal`;
const SUMMARY = `${STATEMENT}/TxsSummry/TtlNtries`;
const ENTRY = `${STATEMENT}/Ntry`;
const DETAILS = `${ENTRY}/NtryDtls/TxDtls`;
/** Values of one path that are kept; and paths of one element. */
const VALUES_MAX = 16;
const PATHS_MAX = 256;

/** In the order in which they are taken for an opening and for a closing balance; interim ones stand between the pages of one statement. */
const OPENING = ['OPBD', 'PRCD', 'ITBD'];
const CLOSING = ['CLBD', 'ITBD'];
const CHARGES = new Set(['CHRG', 'COMM', 'FEES', 'CHAR']);

/** Texts below one element, by their path within it. */
type Texts = Map<string, string[]>;

/** @param timeZone of the source @throws StatementRefused `unreadable`, `sum` */
export async function* parseCamt053(chunks: AsyncIterable<Buffer>, timeZone: string): AsyncGenerator<StatementItem[]> {
  const reader = new Camt053Reader(daysIn(timeZone));
  const elements = new XmlElements(reader);
  for await (const text of xmlText(chunks)) {
    elements.write(text);
    yield reader.taken();
  }
  elements.end();
  yield reader.taken();
}

interface OpenDetail {
  readonly at: number;
  readonly texts: Texts;
}

class Camt053Reader implements XmlHandler {
  private items: StatementItem[] = [];
  private statement: Texts = new Map();
  private balances: Texts[] = [];
  private balance: Texts = new Map();
  private currency: string | undefined;
  private hasOpened = false;
  private entries = 0;
  private entry: Texts = new Map();
  private entryAt = 0;
  private detail: OpenDetail | undefined;
  private first: OpenDetail | undefined;
  private details = 0;

  constructor(private readonly dayAt: (milliseconds: number) => string) {}

  taken(): StatementItem[] {
    const { items } = this;
    this.items = [];
    return items;
  }

  opened(path: string, at: number, attribute: (name: string) => string | undefined, namespace: string): void {
    if (!path.includes('/') && (path !== 'Document' || !NAMESPACE.test(namespace))) {
      unreadable(at, 'a camt.053 document of version 02 to 13', namespace || path);
    }
    switch (path) {
      case STATEMENT:
        this.statement = new Map();
        this.balances = [];
        this.currency = undefined;
        this.hasOpened = false;
        this.entries = 0;
        return;
      case BALANCE:
        this.balance = new Map();
        return;
      case ENTRY:
        this.begin(at);
        this.entry = new Map();
        this.entryAt = at;
        this.details = 0;
        this.first = undefined;
        this.entries += 1;
        return;
      case DETAILS:
        this.detail = { at, texts: new Map() };
        return;
    }
    const currency = attribute('Ccy');
    if (currency !== undefined) this.keep(`${path}@Ccy`, currency, at);
  }

  closed(path: string, text: string, at: number): void {
    switch (path) {
      case BALANCE:
        this.balances.push(this.balance);
        if (this.balances.length > VALUES_MAX) unreadable(at, `at most ${VALUES_MAX} balances`, 'more');
        return;
      case DETAILS:
        return this.endDetail(at);
      case ENTRY:
        return this.endEntry(at);
      case STATEMENT:
        return this.endStatement(at);
    }
    if (text !== '') this.keep(path, text, at);
  }

  private keep(path: string, text: string, at: number): void {
    if (this.detail && path.startsWith(`${DETAILS}/`)) keepIn(this.detail.texts, path.slice(DETAILS.length + 1), text, at);
    else if (path.startsWith(`${ENTRY}/`)) keepIn(this.entry, path.slice(ENTRY.length + 1), text, at);
    else if (path.startsWith(`${BALANCE}/`)) keepIn(this.balance, path.slice(BALANCE.length + 1), text, at);
    else if (path.startsWith(`${STATEMENT}/`)) keepIn(this.statement, path.slice(STATEMENT.length + 1), text, at);
  }

  /** All that stands before the entries was read. */
  private begin(at: number): void {
    if (this.hasOpened) return;
    const { statement } = this;
    const number = one(statement, 'ElctrncSeqNb') ?? one(statement, 'LglSeqNb') ?? one(statement, 'Id');
    const page = Number(one(statement, 'StmtPgntn/PgNb') ?? 1);
    if (!Number.isSafeInteger(page) || page < 1) unreadable(at, 'a number in StmtPgntn/PgNb', one(statement, 'StmtPgntn/PgNb')!);
    const account = one(statement, 'Acct/Id/IBAN') ?? one(statement, 'Acct/Id/Othr/Id');
    const opening = this.balanceOf(OPENING, 'first');
    if (!number) unreadable(at, 'ElctrncSeqNb or Id of the statement', 'none');
    if (!account) unreadable(at, 'Acct/Id of the statement', 'none');
    if (!opening) unreadable(at, 'an opening balance (OPBD)', 'none');
    this.currency = one(statement, 'Acct/Ccy') ?? one(opening, 'Amt@Ccy');
    const amount = this.signed(opening, 'Amt', at);
    this.hasOpened = true;
    const day = this.dayOf(this.balanceOf(CLOSING, 'last') ?? opening) ?? '';
    this.items.push({ is: 'opens', at, number, page: page === 1 ? null : page, day, account, currency: this.currency!, opening: amount });
  }

  private endStatement(at: number): void {
    this.begin(at);
    const closing = this.balanceOf(CLOSING, 'last') ?? unreadable(at, 'a closing balance (CLBD)', 'none');
    const count = one(this.statement, 'TxsSummry/TtlNtries/NbOfNtries');
    if (count !== undefined) {
      if (!/^\d{1,15}$/.test(count)) unreadable(at, `a number in ${SUMMARY}/NbOfNtries`, count);
      this.items.push({ is: 'total', at, of: 'statement', what: 'count', value: Number(count) });
    }
    const closes_on = this.dayOf(closing) ?? unreadable(at, 'the day of the closing balance', 'none');
    this.items.push({ is: 'closes', at, closing: this.signed(closing, 'Amt', at), closes_on });
  }

  private endDetail(at: number): void {
    const detail = this.detail!;
    this.detail = undefined;
    this.details += 1;
    if (this.details === 1) {
      this.first = detail;
      return;
    }
    if (this.details === 2) this.push(this.first!, at);
    this.push(detail, at);
  }

  private endEntry(at: number): void {
    const status = one(this.entry, 'Sts/Cd') ?? one(this.entry, 'Sts');
    if (status !== 'BOOK') unreadable(this.entryAt, 'booked entries only (BOOK)', status ?? 'none');
    const amount = this.signed(this.entry, 'Amt', this.entryAt);
    if (this.details >= 2) {
      this.items.push({ is: 'total', at, of: 'entry', what: 'amount', value: amount });
      return;
    }
    const stated = this.first && amountIn(this.first.texts, ['Amt'], this.first.at);
    this.items.push(this.lineOf(this.first ?? { at: this.entryAt, texts: new Map() }, amount));
    if (stated !== undefined) this.items.push({ is: 'total', at, of: 'entry', what: 'amount', value: amount < 0 ? -stated : stated });
  }

  /** One of several details of the entry: each must have its amount. */
  private push(detail: OpenDetail, at: number): void {
    const { texts } = detail;
    const amount = amountIn(texts, ['Amt', 'AmtDtls/TxAmt/Amt'], detail.at);
    if (amount === undefined) unreadable(detail.at, 'an amount for each detail of the entry', 'none');
    const currency = one(texts, 'Amt@Ccy') ?? one(texts, 'AmtDtls/TxAmt/Amt@Ccy');
    if (currency !== undefined && currency !== this.currency) unreadable(at, `details in ${this.currency}`, currency);
    const mark = one(texts, 'CdtDbtInd') ?? one(this.entry, 'CdtDbtInd');
    this.items.push(this.lineOf(detail, bySign(amount, mark, detail.at)));
  }

  private lineOf({ at, texts }: OpenDetail, amount: number): ParsedLine {
    const { entry } = this;
    const value = one(entry, 'ValDt/Dt') ?? one(entry, 'ValDt/DtTm');
    const booked = one(entry, 'BookgDt/Dt') ?? one(entry, 'BookgDt/DtTm') ?? value;
    const booking_date = (booked && isoDay(booked, this.dayAt)) || unreadable(at, 'the booking date of the entry', booked ?? 'none');
    const value_date = value === undefined ? null : (isoDay(value, this.dayAt) ?? unreadable(at, 'a value date', value));
    const personal = personalOf(entry, texts);
    const references = referencesIn(
      [...REFERENCES.flatMap((path) => texts.get(path) ?? []), one(entry, 'AcctSvcrRef'), one(entry, 'NtryRef')],
      personal?.texts ?? [],
    );
    const line = {
      is: 'line',
      at,
      entry: this.entries,
      booking_date,
      value_date,
      amount,
      currency: this.currency!,
      kind: kindOf(entry, texts),
    } as const;
    return { ...line, gross: null, fee: null, tax: null, batch: null, references, personal };
  }

  private signed(texts: Texts, path: string, at: number): number {
    const currency = one(texts, `${path}@Ccy`);
    if (this.currency !== undefined && currency !== this.currency) unreadable(at, `an amount in ${this.currency}`, currency ?? 'none');
    const amount = amountIn(texts, [path], at) ?? unreadable(at, 'an amount', 'none');
    return bySign(amount, one(texts, 'CdtDbtInd'), at);
  }

  private dayOf(balance: Texts): string | undefined {
    return isoDay(one(balance, 'Dt/Dt') ?? one(balance, 'Dt/DtTm') ?? '', this.dayAt);
  }

  private balanceOf(codes: readonly string[], which: 'first' | 'last'): Texts | undefined {
    for (const code of codes) {
      const found = this.balances.filter((balance) => one(balance, 'Tp/CdOrPrtry/Cd') === code);
      if (found.length > 0) return which === 'first' ? found[0] : found.at(-1);
    }
    return undefined;
  }
}

const REFERENCES = ['Refs/EndToEndId', 'Refs/InstrId', 'Refs/TxId', 'Refs/PmtInfId', 'Refs/MsgId', 'Refs/AcctSvcrRef', 'RmtInf/Strd/CdtrRefInf/Ref'];
const NAMES = ['Dbtr/Nm', 'Cdtr/Nm', 'UltmtDbtr/Nm', 'UltmtCdtr/Nm', 'Dbtr/Pty/Nm', 'Cdtr/Pty/Nm', 'UltmtDbtr/Pty/Nm', 'UltmtCdtr/Pty/Nm'];
const ACCOUNTS = ['DbtrAcct/Id/IBAN', 'CdtrAcct/Id/IBAN', 'DbtrAcct/Id/Othr/Id', 'CdtrAcct/Id/Othr/Id'];

function personalOf(entry: Texts, texts: Texts): PersonalData | null {
  const parties = (paths: readonly string[]): string[] => paths.flatMap((path) => texts.get(`RltdPties/${path}`) ?? []);
  const written = [...(texts.get('RmtInf/Ustrd') ?? []), ...(texts.get('AddtlTxInf') ?? []), ...(entry.get('AddtlNtryInf') ?? [])];
  const personal = { names: parties(NAMES), accounts: parties(ACCOUNTS), texts: written };
  return Object.values(personal).every(({ length }) => length === 0) ? null : personal;
}

function kindOf(entry: Texts, texts: Texts): LineKind {
  const codes = ['BkTxCd/Domn/Fmly/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd'].flatMap((path) => texts.get(path) ?? entry.get(path) ?? []);
  return codes.some((code) => CHARGES.has(code)) ? 'CHARGE' : 'TRANSFER';
}

function keepIn(texts: Texts, path: string, text: string, at: number): void {
  const kept = texts.get(path);
  if (kept === undefined) {
    if (texts.size >= PATHS_MAX) unreadable(at, `at most ${PATHS_MAX} kinds of elements`, path);
    texts.set(path, [text]);
  } else if (kept.length < VALUES_MAX) kept.push(text);
}

const one = (texts: Texts, path: string): string | undefined => texts.get(path)?.[0];

function amountIn(texts: Texts, paths: readonly string[], at: number): number | undefined {
  const written = paths.flatMap((path) => texts.get(path) ?? [])[0];
  return written === undefined ? undefined : plainAmount(written, '.', at);
}

/** A reversal has the direction in which it was booked: RvslInd changes nothing about it. */
function bySign(amount: number, mark: string | undefined, at: number): number {
  if (mark !== 'CRDT' && mark !== 'DBIT') unreadable(at, 'CRDT or DBIT', mark ?? 'none');
  return mark === 'DBIT' && amount !== 0 ? -amount : amount;
}
