import type { BatchNames } from './batch-names.js';
import { findReferences } from './references.js';
import type { LineKind } from '../../../ledger/events/reconciliation.events.js';
import { unreadable, type ParsedLine, type StatementItem } from './statement-item.js';
import { dayOf, dayWithin, plainAmount } from './values.js';

/**
 * Parses SWIFT MT940, customer statements (Standards MT, category 9), as banks write it: with or without its blocks in braces, with lines that end in
 * LF or CRLF, and with `:86:` over many lines. Each message is a separate statement, including intermediate ones (60M, 62M): each begins with the
 * balance that the previous one ended with.
 */

/** Maximum bytes of a line; the standard has 65 characters, banks write longer ones. */
const LINE_BYTES_MAX = 4_096;
/** Maximum lines before a message, such as `BANKNL2A`, `940`, `BANKNL2A`. */
const HEADER_LINES_MAX = 8;
/** Maximum lines of one field; `:86:` has six in the standard. */
const FIELD_LINES_MAX = 64;
const LF = 0x0a;
const UNNUMBERED = '0';
/** Some systems end a file with a control character. */
const EMPTY = /^[\x00-\x1f\x7f]*$/;

const FIELD = /^:(\d{2}[A-Z]?):(.*)$/s;
const BALANCE = /^([CD])(\d{2})(\d{2})(\d{2})([A-Z]{3})(\d[\d,]*)$/;
/** Banks write spaces for an entry date that they omit, and after a type that is too short. */
const ENTRY =
  /^(?<yy>\d{2})(?<mm>\d{2})(?<dd>\d{2})(?:(?<entry>\d{4})| {4})?(?<mark>R?[CD])(?<funds>[A-Z])?(?<amount>\d[\d,]*) ?(?<type>[A-Z][0-9A-Z ]{3})(?<ours>[^/]*(?:\/(?!\/)[^/]*)*)(?:\/\/(?<theirs>.*))?$/;
/** Transaction types that are the bank's own charges. */
const CHARGES = new Set(['CHG', 'COM', 'BRF']);
/** Fields that are skipped: their content is not needed. */
const IGNORED = new Set(['21', '64', '65', '90C', '90D', '13D', '34F', 'NS']);

/** Tags before an opening balance that are also minutes of a time. */
const TIMES = new Set(['20', '21', '25', '28']);

interface Field {
  readonly at: number;
  readonly tag: string;
  readonly lines: string[];
}

interface OpenLine extends Omit<ParsedLine, 'personal' | 'references' | 'keyed' | 'former'> {
  /** The references of the payment and of the bank. */
  readonly given: readonly [ours: string, theirs: string];
  readonly texts: string[];
}

/** @param names of batches in the source's settings @throws StatementRefused `unreadable` */
export async function* parseMt940(chunks: AsyncIterable<Buffer>, names: BatchNames): AsyncGenerator<StatementItem[]> {
  const reader = new Mt940Reader(names);
  let at = 0;
  for await (const lines of linesOf(chunks)) {
    const items: StatementItem[] = [];
    for (const line of lines) items.push(...reader.line(decoded(line), (at += 1)));
    yield items;
  }
  yield reader.end(at);
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      lines.push(bytes.subarray(from, end));
      from = end + 1;
    }
    // The caller may reuse the memory of the chunk.
    rest = Buffer.from(bytes.subarray(from));
    if (rest.length > LINE_BYTES_MAX) lines.push(rest);
    yield lines;
  }
  if (rest.length > 0) yield [rest];
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The standard allows ASCII only; banks write UTF-8 or Latin-1 beyond it. */
function decoded(line: Buffer): string {
  const text = line.toString('latin1');

  if (/^[\x00-\x7f]*$/.test(text)) return text;
  try {
    return UTF_8.decode(line);
  } catch {
    return text;
  }
}

class Mt940Reader {
  private field: Field | undefined;
  /** The first line before the next statement that is not one of its fields, and the number of such lines. */
  private header: { readonly at: number; readonly text: string; lines: number } | undefined;
  private open: { readonly number: string; readonly page: number; readonly currency: string } | undefined;
  private account: string | undefined;
  private number: string | undefined;
  /** The previous statement, when its last page is still missing. */
  private paged: { readonly number: string; readonly page: number; readonly currency: string } | undefined;
  private entries = 0;
  private last: OpenLine | undefined;

  constructor(private readonly names: BatchNames) {}

  line(written: string, at: number): StatementItem[] {
    if (written.length > LINE_BYTES_MAX) unreadable(at, `a line of ${LINE_BYTES_MAX} bytes at most`, written);
    // Basic and application headers are before the text block, on its line or on an earlier one; the trailer follows `-`.
    const text = (at === 1 ? written.replace(/^\ufeff/, '') : written).trimEnd().replace(/^(?:\{[123]:[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*\{4:/, '');
    const match = FIELD.exec(text);
    if (match && this.begins(match[1]!)) {
      const items = this.complete();
      this.field = { at, tag: match[1]!, lines: [match[2]!] };
      return items;
    }
    if (this.field === undefined && EMPTY.test(text)) return [];
    // Within a statement, a line with a hyphen alone belongs to a text.
    if (text.startsWith('-}') || (text === '-' && !this.open)) return this.message(at);
    if (this.field === undefined) return /^\{[1-5]:/.test(text) ? [] : this.beforeFields(text, at);
    if (this.field.lines.length >= FIELD_LINES_MAX) unreadable(at, `at most ${FIELD_LINES_MAX} lines of a field`, text);
    this.field.lines.push(text);
    return [];
  }

  /** In a text a line may begin with a colon, also with a time such as `:20:44`, which is no tag before the closing balance. */
  private begins(tag: string): boolean {
    const { field, open } = this;
    if (open && (field?.tag === '86' || field?.tag === '61') && TIMES.has(tag)) return false;
    return KNOWN.has(tag) || field?.tag !== '86';
  }

  /** Skips the line, provided that a statement follows. */
  private beforeFields(text: string, at: number): StatementItem[] {
    this.header ??= { at, text, lines: 0 };
    this.header.lines += 1;
    if (this.header.lines > HEADER_LINES_MAX) unreadable(this.header.at, 'a field such as :20:', this.header.text);
    return [];
  }

  /** @throws StatementRefused when the file was cut in the middle */
  end(at: number): StatementItem[] {
    const items = this.complete();
    if (this.header) unreadable(this.header.at, 'another statement after it', this.header.text);
    if (this.open) unreadable(at, 'the closing balance :62F: or :62M:', 'the end of the file');
    return items;
  }

  /** Ends a message. */
  private message(at: number): StatementItem[] {
    const items = this.complete();
    if (this.open) unreadable(at, 'the closing balance :62F: or :62M:', 'the end of the message');
    this.account = undefined;
    this.number = undefined;
    return items;
  }

  private complete(): StatementItem[] {
    const { field } = this;
    this.field = undefined;
    if (!field) return [];
    switch (field.tag) {
      case '20':
        this.number = undefined;
        return this.flush();
      case '25':
      case '25P':
        this.account = field.lines[0]!.trim();
        return [];
      case '28':
      case '28C':
        this.number = field.lines[0]!.trim();
        return [];
      case '60F':
      case '60M':
        return [this.opening(field)];
      case '61':
        return [...this.flush(), ...this.entry(field)];
      case '86':
        this.last?.texts.push(field.lines.join('\n'));
        return this.flush();
      case '62F':
      case '62M':
        return [...this.flush(), this.closing(field)];
      default:
        return IGNORED.has(field.tag) ? this.flush() : unreadable(field.at, 'a field of MT940', `:${field.tag}:`);
    }
  }

  private opening({ at, tag, lines }: Field): StatementItem {
    if (this.open) unreadable(at, 'the closing balance :62F: or :62M: first', 'another opening balance');
    const { amount, currency, day } = balanceOf(lines[0]!, at);
    const account = this.account || unreadable(at, ':25: before the opening balance', 'none');
    const number = this.number || UNNUMBERED;
    const continues = tag === '60M' && this.paged?.number === number && this.paged.currency === currency;
    const page = continues ? this.paged!.page + 1 : 1;
    this.open = { number, page, currency };
    this.header = undefined;
    this.entries = 0;
    return { is: 'opens', at, number, page: page === 1 ? null : page, day, account, currency, opening: amount };
  }

  private entry({ at, lines }: Field): StatementItem[] {
    const { open } = this;
    if (!open) unreadable(at, 'an opening balance before the first :61:', 'none');
    const [first = '', ...supplement] = lines;
    const match = ENTRY.exec(first)?.groups;
    const valued = match && dayWithin(`20${match['yy']}`, match['mm']!, match['dd']!);
    if (!match || valued === undefined) unreadable(at, 'a statement line as :61: has it', first);
    const amount = plainAmount(match['amount']!, ',', at);
    const booking_date = match['entry'] === undefined ? valued : entryDay(valued, match['entry']);
    if (booking_date === undefined) unreadable(at, 'an entry date MMDD', match['entry']!);
    // Banks compute interest with months of 30 days: 30 February is a value date.
    const value_date = dayOf(`20${match['yy']}`, match['mm']!, match['dd']!) ?? booking_date;
    this.entries += 1;
    this.last = {
      is: 'line',
      at,
      entry: this.entries,
      booking_date,
      value_date,
      amount: isCredit(match['mark']!) ? amount : amount === 0 ? 0 : -amount,
      currency: open.currency,
      kind: kindOf(match['type']!),
      gross: null,
      fee: null,
      tax: null,
      batch: null,
      given: [match['ours'] ?? '', match['theirs'] ?? ''],
      texts: supplement.length > 0 ? [supplement.join('\n')] : [],
    };
    return [];
  }

  /** Returns the previous line, now that no text of it can follow. */
  private flush(): StatementItem[] {
    const { last } = this;
    this.last = undefined;
    if (!last) return [];
    const { is, at, entry, booking_date, value_date, amount, currency, kind, gross, fee, tax, batch, given, texts } = last;
    // Texts are broken into lines anywhere, also within a reference.
    const unbroken = texts.filter((text) => text.includes('\n')).map((text) => text.replaceAll('\n', ''));
    const written = { given, own: given.slice(1), texts: [...texts, ...unbroken] };
    const { hidden, references, keyed, former } = findReferences(written, this.names);
    const kept = [...texts, ...hidden];
    const personal = kept.length === 0 ? null : { names: [], accounts: [], texts: kept };
    return [{ is, at, entry, booking_date, value_date, amount, currency, kind, gross, fee, tax, batch, references, keyed, former, personal }];
  }

  private closing({ at, tag, lines }: Field): StatementItem {
    const { open } = this;
    if (!open) unreadable(at, 'an opening balance before the closing one', 'none');
    const { amount, currency, day } = balanceOf(lines[0]!, at);
    if (currency !== open.currency) unreadable(at, `a closing balance in ${open.currency}`, currency);
    this.open = undefined;
    this.paged = tag === '62M' ? open : undefined;
    return { is: 'closes', at, closing: amount, closes_on: day };
  }
}

const KNOWN = new Set([...IGNORED, '20', '25', '25P', '28', '28C', '60F', '60M', '61', '62F', '62M', '86']);

function balanceOf(text: string, at: number): { amount: number; currency: string; day: string } {
  const match = BALANCE.exec(text.trim());
  const day = match && dayWithin(`20${match[2]}`, match[3]!, match[4]!);
  if (!match || !day) unreadable(at, 'a balance such as C261101IDR1500,', text);
  const amount = plainAmount(match[6]!, ',', at);
  return { amount: match[1] === 'D' && amount !== 0 ? -amount : amount, currency: match[5]!, day: day };
}

/** RC reverses a credit, and RD a debit. */
const isCredit = (mark: string): boolean => mark === 'C' || mark === 'RD';

const kindOf = (type: string): LineKind => (CHARGES.has(type.slice(1)) ? 'CHARGE' : 'TRANSFER');

/** The entry date has no year: the year nearest to the value date applies. */
function entryDay(valueDate: string, monthAndDay: string): string | undefined {
  const year = Number(valueDate.slice(0, 4));
  const days = [year - 1, year, year + 1].flatMap((each) => dayWithin(String(each), monthAndDay.slice(0, 2), monthAndDay.slice(2)) ?? []);
  const distance = (day: string): number => Math.abs(Date.parse(day) - Date.parse(valueDate));
  return days.sort((a, b) => distance(a) - distance(b))[0];
}
