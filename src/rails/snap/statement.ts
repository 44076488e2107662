import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { DAY_MS, timestamp } from '../../ledger/time.js';
import type { BankLine, StatedEntries, StatedFigures, StatementPage } from '../../domain/payouts/transfer/remote-bank.js';
import { optionalText, readAs, rupiah, text, type SnapAnswer } from './answer.js';
import { jakartaMidnight, jakartaTime } from './jakarta.js';
import type { SnapProfile } from './profiles.js';

/** Part of a statement that one call requests; ms since the epoch, `to` exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
  /** Hashes of the lines at `from` that were on the previous page. */
  readonly seen: readonly string[];
}

const MARK = /^(\d{1,15}):((?:[0-9a-f]{16})(?:,[0-9a-f]{16})*)?$/;
const HASH_DIGITS = 16;

/** Mark of a page's start, with which it is requested. */
const markOf = ({ from, seen }: Pick<Period, 'from' | 'seen'>): string => `${from}:${seen.join(',')}`;

/**
 * Returns the first call for a period, or the call for the page with the mark `page`; undefined when there is nothing to request.
 * @throws RangeError when the mark is not ours
 */
export function periodOf(profile: SnapProfile, from: number, to: number, page: string | undefined): Period | undefined {
  const match = page === undefined ? undefined : MARK.exec(page);
  if (match === null) throw new RangeError('not a page of this statement');
  const begin = match ? Number(match[1]) : from;
  if (begin >= to) return undefined;
  const start = profile.statement.whole_days ? jakartaMidnight(begin) : begin;
  // Without pages, an answer has a limited number of lines. It covers a day at most, so that fewer lines are lost.
  const longest = profile.statement.rows === null ? profile.statement.days * DAY_MS : DAY_MS;
  return { from: start, to: Math.min(to, start + longest), seen: match?.[2]?.split(',') ?? [] };
}

export function statementBody(profile: SnapProfile, account: string, { from, to }: Period, reference: string): object {
  const last = to - 1;
  return {
    partnerReferenceNo: reference,
    accountNo: account,
    fromDateTime: jakartaTime(from),
    toDateTime: jakartaTime(profile.statement.whole_days ? jakartaMidnight(last) : last),
  };
}

const moment = text.transform((at) => Date.parse(at)).refine((at) => !Number.isNaN(at), 'not a moment');

const line = z.object({
  amount: rupiah,
  transactiondate: moment,
  type: text.transform((type) => type.toUpperCase()).pipe(z.enum(['CREDIT', 'C', 'CR', 'DEBIT', 'D', 'DB'])),
  // The writer of the file replaces characters that its format lacks.
  remark: z.string().nullish(),
  transactionid: optionalText,
  partnerreferenceno: optionalText,
});

/** An unreadable figure invalidates no line: it is passed on as unreadable, for callers that rely on it. */
const orUnreadable = <Read extends z.ZodType>(figure: Read) =>
  z.union([z.null().transform(() => undefined), figure, z.unknown().transform((): 'unreadable' => 'unreadable')]).optional();

const statedAmount = orUnreadable(rupiah);
const statedCount = orUnreadable(text.regex(/^\d{1,9}$/).transform(Number));
const balance = z.object({ startingbalance: statedAmount, endingbalance: statedAmount });
const entries = orUnreadable(z.object({ numberofentries: statedCount, amount: statedAmount }));

const statement = z.object({
  balance: orUnreadable(z.union([balance.transform((one) => [one]), z.array(balance)])),
  totalcreditentries: entries,
  totaldebitentries: entries,
  detaildata: z.array(line).nullish(),
  hasmore: optionalText,
  lastrecorddatetime: moment.nullish(),
});

/** Our references have 19 digits; a bank that repeats one puts it in its own text. */
const REFERENCE_IN_TEXT = /(?<!\d)\d{19}(?!\d)/;

function bankLine({ amount, transactiondate, type, remark, transactionid, partnerreferenceno }: z.output<typeof line>): BankLine {
  return {
    reference: transactionid ?? null,
    partner_reference: partnerreferenceno ?? REFERENCE_IN_TEXT.exec(remark ?? '')?.[0] ?? null,
    booked_on: timestamp(transactiondate),
    amount: type.startsWith('C') ? amount : -amount,
    currency: 'IDR',
    text: remark?.trim() ?? '',
  };
}

type Statement = z.output<typeof statement>;

/** Several balances count as unreadable, because nothing shows which is the account's. */
function statedFigures({ balance: balances, totalcreditentries, totaldebitentries }: Statement): StatedFigures {
  const one: StatedFigures =
    balances === undefined || balances.length === 0
      ? {}
      : balances === 'unreadable' || balances.length > 1
        ? { opening: 'unreadable', closing: 'unreadable' }
        : { opening: balances[0]!.startingbalance, closing: balances[0]!.endingbalance };
  return { ...one, credits: statedEntries(totalcreditentries), debits: statedEntries(totaldebitentries) };
}

function statedEntries(total: Statement['totalcreditentries']): StatedEntries | undefined {
  if (total === 'unreadable') return { count: total, amount: total };
  return total && { count: total.numberofentries, amount: total.amount };
}

const hashOf = (each: BankLine): string => createHash('sha256').update(JSON.stringify(each)).digest('hex').slice(0, HASH_DIGITS);

/** Returns the lines that are not in `seen`; each hash excludes one line. */
function unseen(lines: readonly BankLine[], seen: readonly string[]): BankLine[] {
  const left = [...seen];
  return lines.filter((each) => {
    const at = left.indexOf(hashOf(each));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** `to` is the end of the whole requested statement. */
export function readStatement(profile: SnapProfile, answer: SnapAnswer, period: Period, to: number): ProviderResult<StatementPage> {
  if (answer.http !== 200 || answer.caseCode !== '00') return { is: 'unknown', code: answer.code };
  return readAs(statement, answer, (read) => {
    const { detaildata, hasmore, lastrecorddatetime } = read;
    const stated = statedFigures(read);
    const all = (detaildata ?? []).map(bankLine);
    if (profile.statement.rows !== null && all.length >= profile.statement.rows) return { is: 'unknown', code: 'too-many-lines' };
    const lines = unseen(all, period.seen);
    if (hasmore?.toUpperCase().startsWith('Y') !== true) {
      return { is: 'accepted', value: { lines, stated, ...(period.to < to && { next: markOf({ from: period.to, seen: [] }) }) } };
    }
    const last = lastrecorddatetime ?? undefined;
    // A next page that begins at the start of this one would never end.
    if (last === undefined || last < period.from || lines.length === 0) return { is: 'unknown', code: 'no-further-page' };
    const seen = all.filter(({ booked_on }) => Date.parse(booked_on) === last).map(hashOf);
    return { is: 'accepted', value: { lines, stated, next: markOf({ from: last, seen }) } };
  });
}
