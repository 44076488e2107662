import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProviderResult } from '../../ledger/provider-result.js';
import { DAY_MS, timestamp } from '../../ledger/time.js';
import type { BankLine, StatedEntries, StatedFigures, StatementPage } from '../../domain/payouts/transfer/remote-bank.js';
import { optionalText, readAs, rupiah, text, type SnapAnswer } from './answer.js';
import { jakartaMidnight, jakartaTime } from './jakarta.js';
import type { SnapProfile } from './profiles.js';

/** A piece of a statement that is asked for in one call; ms since the epoch, `to` exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
  /** Lines of the moment `from` that were on the page before, as hashes. */
  readonly seen: readonly string[];
}

const MARK = /^(\d{1,15}):((?:[0-9a-f]{16})(?:,[0-9a-f]{16})*)?$/;
const HASH_DIGITS = 16;

/** Where a page begins, as the next one is asked for. */
const markOf = ({ from, seen }: Pick<Period, 'from' | 'seen'>): string => `${from}:${seen.join(',')}`;

/**
 * The first call for a period, or that of the page that `page` names; undefined when there is nothing to be asked for.
 * @throws RangeError when the mark is not ours
 */
export function periodOf(profile: SnapProfile, from: number, to: number, page: string | undefined): Period | undefined {
  const match = page === undefined ? undefined : MARK.exec(page);
  if (match === null) throw new RangeError('not a page of this statement');
  const begin = match ? Number(match[1]) : from;
  if (begin >= to) return undefined;
  const start = profile.statement.whole_days ? jakartaMidnight(begin) : begin;
  // An answer that holds a limited number of lines and no further page holds a day at most, so that less is lost of it.
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
  remark: optionalText,
  transactionid: optionalText,
  partnerreferenceno: optionalText,
});

/** What cannot be read makes no line wrong: it is passed on as unreadable, for whoever relies on the figure. */
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

/** Ours are of 19 digits; a bank that repeats one does so in its own words. */
const REFERENCE_IN_TEXT = /(?<!\d)\d{19}(?!\d)/;

function bankLine({ amount, transactiondate, type, remark, transactionid, partnerreferenceno }: z.output<typeof line>): BankLine {
  return {
    reference: transactionid ?? null,
    partner_reference: partnerreferenceno ?? REFERENCE_IN_TEXT.exec(remark ?? '')?.[0] ?? null,
    booked_on: timestamp(transactiondate),
    amount: type.startsWith('C') ? amount : -amount,
    currency: 'IDR',
    text: remark ?? '',
  };
}

type Statement = z.output<typeof statement>;

/** Several balances, of which one is the account's, are as good as none. */
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

/** Lines that are not among `seen`, each of which stands for one. */
function unseen(lines: readonly BankLine[], seen: readonly string[]): BankLine[] {
  const left = [...seen];
  return lines.filter((each) => {
    const at = left.indexOf(hashOf(each));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** `to`: of the whole statement that is asked for. */
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
    // A further page that begins where this one did would never end.
    if (last === undefined || last < period.from || lines.length === 0) return { is: 'unknown', code: 'no-further-page' };
    const seen = all.filter(({ booked_on }) => Date.parse(booked_on) === last).map(hashOf);
    return { is: 'accepted', value: { lines, stated, next: markOf({ from: last, seen }) } };
  });
}
