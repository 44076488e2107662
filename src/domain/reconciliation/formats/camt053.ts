import type { BatchNames } from './batch-names.js';
import { unreadable, type ParsedLine, type StatementItem } from './statement-item.js';
import { daysIn } from '../../../ledger/days.js';
import { keepIn, kindOf, newEntry, one, partiesOf, together, VALUES_MAX, type OpenDetail, type OpenEntry, type Texts } from './camt053-entry.js';
import { dayWithin, isoDay, plainAmount, standardAmount } from './values.js';
import { XmlElements, xmlText, type XmlHandler } from './xml-elements.js';

/**
 * ISO 20022 camt.053, BankToCustomerStatement, versions 02 to 13. Only booked entries are accepted: pending ones, and intraday reports (camt.052),
 * are refused. When an entry was booked for many payments, its details are the lines.
 */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[2-9]|1[0-3])$/;
const MESSAGE_PAGE = 'Document/BkToCstmrStmt/GrpHdr/MsgPgntn/PgNb';
const STATEMENT = 'Document/BkToCstmrStmt/Stmt';
const BALANCE = `${STATEMENT}/Bal`;
const SUMMARY = `${STATEMENT}/TxsSummry/TtlNtries`;
const ENTRY = `${STATEMENT}/Ntry`;
const DETAILS = `${ENTRY}/NtryDtls/TxDtls`;
const CHARGES_OF = { entry: `${ENTRY}/Chrgs`, details: `${DETAILS}/Chrgs` } as const;
/** Maximum details of one entry that are held until all of it is known, and maximum characters of them. An entry may have a million. */
const HELD_MAX = 256;
const HELD_CHARS_MAX = 1_048_576;

/** Types of opening and closing balances, the preferred ones first; interim balances are between the pages of one statement. */
const OPENING = ['OPBD', 'PRCD', 'ITBD'];
const CLOSING = ['CLBD', 'ITBD'];

/** @param timeZone of the source @param names of batches in its settings @throws StatementRefused `unreadable`, `sum` */
export async function* parseCamt053(chunks: AsyncIterable<Buffer>, timeZone: string, names: BatchNames): AsyncGenerator<StatementItem[]> {
  const reader = new Camt053Reader(daysIn(timeZone), names);
  const elements = new XmlElements(reader);
  for await (const text of xmlText(chunks)) {
    elements.write(text);
    yield reader.taken();
  }
  elements.end();
  yield reader.taken();
}

class Camt053Reader implements XmlHandler {
  private items: StatementItem[] = [];
  private statement: Texts = new Map();
  /** Number of the message among those of a paged one. */
  private messagePage: string | undefined;
  private balances: Texts[] = [];
  private balance: Texts = new Map();
  private currency: string | undefined;
  private hasOpened = false;
  private entries = 0;
  private entry: OpenEntry = newEntry(0);
  private detail: OpenDetail | undefined;
  private charge: Texts | undefined;

  constructor(
    private readonly dayAt: (milliseconds: number) => string,
    private readonly names: BatchNames,
  ) {}

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
        this.entry = newEntry(at);
        this.entries += 1;
        return;
      case DETAILS:
        this.detail = { at, texts: new Map() };
        return;
      case CHARGES_OF.entry:
      case CHARGES_OF.details:
      case `${CHARGES_OF.entry}/Rcrd`:
      case `${CHARGES_OF.details}/Rcrd`:
        this.charge = new Map();
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
      case CHARGES_OF.entry:
      case `${CHARGES_OF.entry}/Rcrd`:
        return this.endCharge('entry');
      case CHARGES_OF.details:
      case `${CHARGES_OF.details}/Rcrd`:
        return this.endCharge('details');
    }
    if (path === MESSAGE_PAGE) this.messagePage = text;
    else if (text !== '') this.keep(path, text, at);
  }

  private keep(path: string, text: string, at: number): void {
    if (this.charge) keepIn(this.charge, path.slice(path.lastIndexOf('/') + 1), text, at);
    else if (this.detail && path.startsWith(`${DETAILS}/`)) {
      this.entry.chars += text.length;
      keepIn(this.detail.texts, path.slice(DETAILS.length + 1), text, at);
    } else if (path.startsWith(`${ENTRY}/`)) keepIn(this.entry.texts, path.slice(ENTRY.length + 1), text, at);
    else if (path.startsWith(`${BALANCE}/`)) keepIn(this.balance, path.slice(BALANCE.length + 1), text, at);
    else if (path.startsWith(`${STATEMENT}/`)) keepIn(this.statement, path.slice(STATEMENT.length + 1), text, at);
  }

  /** Adds the opening, because everything before the entries has been read. */
  private begin(at: number): void {
    if (this.hasOpened) return;
    const { statement } = this;
    const number = one(statement, 'ElctrncSeqNb') ?? one(statement, 'LglSeqNb') ?? one(statement, 'Id');
    const page = this.pageOf(at);
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

  /** A statement without pages that opens with an interim balance continues one of the message's earlier pages. */
  private pageOf(at: number): number {
    const continues = this.balanceOf(OPENING.slice(0, -1), 'first') === undefined;
    const written = one(this.statement, 'StmtPgntn/PgNb') ?? (continues ? this.messagePage : undefined) ?? '1';
    const page = /^\d{1,9}$/.test(written) ? Number(written) : 0;
    return page >= 1 ? page : unreadable(at, 'the number of a page', written);
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
    const { entry } = this;
    const detail = this.detail!;
    this.detail = undefined;
    if (entry.state === 'split') this.push(detail, at);
    else if (entry.state === 'held') {
      entry.held.push(detail);
      if (entry.held.length >= HELD_MAX || entry.chars >= HELD_CHARS_MAX) this.decide(at);
    }
  }

  private endCharge(of: keyof OpenEntry['charges']): void {
    const { charge } = this;
    this.charge = undefined;
    const written = charge && (one(charge, 'Amt') ?? one(charge, 'TtlChrgsAndTaxAmt'));
    if (written === undefined) return;
    const currency = one(charge!, 'Amt@Ccy') ?? one(charge!, 'TtlChrgsAndTaxAmt@Ccy');
    const amount = (currency === this.currency ? standardAmount(written, '.') : undefined) ?? NaN;
    this.entry.charges[of] += one(charge!, 'CdtDbtInd') === 'CRDT' ? amount : -amount;
  }

  /** Details are lines when each has an amount in the account's currency. */
  private decide(at: number): void {
    const { entry } = this;
    const { held } = entry;
    const isSplit = held.every(({ at: detailAt, texts }) => this.amountOf(texts, DETAIL_AMOUNTS, detailAt) !== undefined);
    entry.state = isSplit ? 'split' : 'whole';
    if (!isSplit) return;
    entry.held = [];
    for (const detail of held) this.push(detail, at);
  }

  private endEntry(at: number): void {
    const { entry } = this;
    const { texts, held } = entry;
    const status = one(texts, 'Sts/Cd') ?? one(texts, 'Sts');
    if (status !== 'BOOK') unreadable(entry.at, 'booked entries only (BOOK)', status ?? 'none');
    const amount = this.signed(texts, 'Amt', entry.at);
    if (entry.state === 'held' && held.length >= 2) this.decide(at);
    if (entry.state === 'split') {
      this.pushCharge(amount);
      return this.pushTotal(amount, at);
    }
    if (held.length !== 1) return void this.items.push(this.lineOf({ at: entry.at, texts: together(held) }, amount));
    const [detail] = held as [OpenDetail];
    const stated = this.amountOf(detail.texts, ['Amt'], detail.at);
    if (stated === undefined) return void this.items.push(this.lineOf(detail, amount));
    entry.sum = amount < 0 ? -stated : stated;
    const isCharged = this.chargesTo(amount) !== undefined;
    // Some banks state the detail less charges that the entry does not contain.
    const isLess = stated < Math.abs(amount) && this.chargesTo(2 * entry.sum - amount) !== undefined;
    this.items.push(this.lineOf(detail, isCharged ? entry.sum : amount));
    this.pushCharge(amount);
    this.pushTotal(isCharged || isLess ? amount : entry.sum, at);
  }

  private pushTotal(value: number, at: number): void {
    this.items.push({ is: 'total', at, of: 'entry', what: 'amount', value });
  }

  /** Adds a separate line for charges when they make up the difference to the entry. */
  private pushCharge(amount: number): void {
    const charged = this.chargesTo(amount);
    if (charged === undefined) return;
    const line = this.lineOf({ at: this.entry.at, texts: new Map() }, charged);
    this.items.push({ ...line, kind: 'CHARGE', references: [], keyed: [], former: null, personal: null });
  }

  /**
   * Returns the difference between the entry and its details, if it is exactly the charges that are stated: those of the entry, of the details, or
   * both.
   */
  private chargesTo(amount: number): number | undefined {
    const { sum, charges } = this.entry;
    const charged = amount - sum;
    const stated = [charges.details, charges.entry, charges.details + charges.entry];
    return charged !== 0 && stated.includes(charged) ? charged : undefined;
  }

  /** Adds one of several details of the entry as a line. Each must have an amount. */
  private push(detail: OpenDetail, at: number): void {
    const { texts } = detail;
    const stated = this.amountOf(texts, DETAIL_AMOUNTS, detail.at) ?? unreadable(at, `an amount in ${this.currency} for each detail`, 'none');
    const mark = one(texts, 'CdtDbtInd') ?? one(this.entry.texts, 'CdtDbtInd');
    const amount = bySign(stated, mark, detail.at);
    this.entry.sum += amount;
    this.items.push(this.lineOf(detail, amount));
  }

  /** Returns the first amount in the account's currency. */
  private amountOf(texts: Texts, paths: readonly string[], at: number): number | undefined {
    const path = paths.find((each) => texts.has(each) && (one(texts, `${each}@Ccy`) ?? this.currency) === this.currency);
    return path === undefined ? undefined : amountIn(texts, path, at);
  }

  private lineOf({ at, texts }: OpenDetail, amount: number): ParsedLine {
    const entry = this.entry.texts;
    const value = one(entry, 'ValDt/Dt') ?? one(entry, 'ValDt/DtTm');
    const booked = one(entry, 'BookgDt/Dt') ?? one(entry, 'BookgDt/DtTm') ?? value;
    const booking_date = this.dayIn(booked) ?? unreadable(at, 'the booking date of the entry', booked ?? 'none');
    const value_date =
      value === undefined ? null : (isoDay(value, this.dayAt) ?? (this.dayIn(value) && booking_date) ?? unreadable(at, 'a value date', value));
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
    return { ...line, gross: null, fee: null, tax: null, batch: null, ...partiesOf(entry, texts, this.names) };
  }

  private signed(texts: Texts, path: string, at: number): number {
    const currency = one(texts, `${path}@Ccy`);
    if (this.currency !== undefined && currency !== this.currency) unreadable(at, `an amount in ${this.currency}`, currency ?? 'none');
    const amount = amountIn(texts, path, at) ?? unreadable(at, 'an amount', 'none');
    return bySign(amount, one(texts, 'CdtDbtInd'), at);
  }

  private dayOf(balance: Texts): string | undefined {
    return this.dayIn(one(balance, 'Dt/Dt') ?? one(balance, 'Dt/DtTm'));
  }

  private dayIn(written: string | undefined): string | undefined {
    return written === undefined ? undefined : isoDay(written, this.dayAt, dayWithin);
  }

  private balanceOf(codes: readonly string[], which: 'first' | 'last'): Texts | undefined {
    for (const code of codes) {
      const found = this.balances.filter((balance) => one(balance, 'Tp/CdOrPrtry/Cd') === code);
      if (found.length > 0) return which === 'first' ? found[0] : found.at(-1);
    }
    return undefined;
  }
}

/** Amounts of a detail, the preferred one first. */
const DETAIL_AMOUNTS = ['Amt', 'AmtDtls/TxAmt/Amt'];
function amountIn(texts: Texts, path: string, at: number): number | undefined {
  const written = one(texts, path);
  return written === undefined ? undefined : plainAmount(written, '.', at);
}

/** A reversal has the direction in which it was booked; RvslInd does not change it. */
function bySign(amount: number, mark: string | undefined, at: number): number {
  if (mark !== 'CRDT' && mark !== 'DBIT') unreadable(at, 'CRDT or DBIT', mark ?? 'none');
  return mark === 'DBIT' && amount !== 0 ? -amount : amount;
}
