import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { DAY_MS, timestamp } from '../../ledger/time.js';
import { addDays } from '../../ledger/days.js';
import type { BankLine, RemoteBank, StatedEntries, StatedFigure, StatedFigures, StatementPage } from '../../domain/payouts/transfer/remote-bank.js';
import { inUnits } from '../../platform/text/amounts.js';
import type { SnapProfile } from './profiles.js';

/** A day of the house account whose completeness the bank's own figures prove. */
export interface DayStatement {
  /** YYYY-MM-DD in Asia/Jakarta. */
  readonly day: string;
  /** Minor units. */
  readonly opening: number;
  readonly closing: number;
  /** Ordered by time, and the same for every order in which the bank lists them. */
  readonly lines: readonly BankLine[];
}

/** The bank has returned no statement that could be relied on. The message is for people. */
export class NoStatement extends Error {
  override readonly name = 'NoStatement';
}

/** More pages mean that the bank repeats itself. */
const PAGES_MAX = 1_000;

export interface AskedDays {
  readonly from: string;
  /** The last day, included. */
  readonly to: string;
  readonly now: number;
}

/** Fetches one day after the other, and proves each before it asks for the next. @throws NoStatement */
export async function dayStatements(
  bank: Pick<RemoteBank, 'statement'>,
  limits: SnapProfile['statement'],
  asked: AskedDays,
): Promise<DayStatement[]> {
  const statements: DayStatement[] = [];
  for (const day of daysAsked(limits, asked)) {
    const statement = provenDay(day, await pagesOf(bank, day));
    const before = statements.at(-1);
    if (before && before.closing !== statement.opening)
      throw new NoStatement(`${day} opens with ${inUnits(statement.opening)}, and ${before.day} closes with ${inUnits(before.closing)}`);
    statements.push(statement);
  }
  return statements;
}

/** @throws NoStatement when a day is not over, the bank's delay for booking included, or when there are more days than the bank states at once */
function daysAsked({ days, delay }: SnapProfile['statement'], { from, to, now }: AskedDays): string[] {
  if (to < from) throw new NoStatement(`${to} is before ${from}`);
  const all: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (all.length >= days) throw new NoStatement(`the bank states ${days} days at once, and ${from} to ${to} are more`);
    const end = startOf(day) + DAY_MS;
    if (now < end) throw new NoStatement(`${day} is not over yet in Jakarta`);
    if (now < end + delay * 1_000)
      throw new NoStatement(`${day} is over, but the bank states it from ${timestamp(end + delay * 1_000)} on: it books up to ${delay} s later`);
    all.push(day);
  }
  return all;
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00+07:00`);

async function pagesOf(bank: Pick<RemoteBank, 'statement'>, day: string): Promise<StatementPage[]> {
  const [from, to] = [timestamp(startOf(day)), timestamp(startOf(day) + DAY_MS)];
  const pages: StatementPage[] = [];
  let next: string | undefined;
  do {
    if (pages.length >= PAGES_MAX) throw new NoStatement(`${day}: the bank has more than ${PAGES_MAX} pages`);
    const outcome = await bank.statement(from, to, next);
    if (outcome.is !== 'accepted') throw new NoStatement(`${day}: ${wordsOf(outcome)}`);
    pages.push(outcome.value);
    next = outcome.value.next;
  } while (next !== undefined);
  return pages;
}

function wordsOf(outcome: Exclude<ProviderResult<never>, { readonly is: 'accepted' }>): string {
  switch (outcome.is) {
    case 'rejected':
      return `the bank refuses it: ${outcome.code} ${outcome.detail}`;
    case 'retryable':
      return `the bank could not be asked: ${outcome.code}${outcome.after_ms === undefined ? '' : `; ask again in ${Math.ceil(outcome.after_ms / 1_000)} s`}`;
    case 'unknown':
      return `the bank’s response is not reliable: ${outcome.code}`;
  }
}

/**
 * A page covers the time from its start to the end of the day. The opening balance and totals of the first page are therefore the day's, and every
 * page must have the day's closing balance: otherwise something was booked during the reads.
 * @throws NoStatement, which names the figures that disagree or are missing
 */
export function provenDay(day: string, pages: readonly StatementPage[]): DayStatement {
  const lines = pages.flatMap((page) => page.lines).sort(inOrder);
  const stated: StatedFigures = pages[0]?.stated ?? {};
  const closings = pages.map((page) => page.stated.closing);
  const figures = [stated.opening, ...closings, ...[stated.credits, stated.debits].flatMap((total) => [total?.count, total?.amount])];
  if (figures.includes('unreadable')) throw new NoStatement(`${day}: the bank states balances or totals that are no amounts of whole rupiah`);
  const [opening, closing] = [stated.opening, closings.findLast((each) => each !== undefined)];
  if (typeof opening !== 'number' || typeof closing !== 'number')
    throw new NoStatement(
      `${day}: the bank reports no opening and closing balance, so a missing line cannot be excluded: use the statement that it offers for download`,
    );
  const outside = lines.find(({ booked_on }) => Date.parse(booked_on) < startOf(day) || Date.parse(booked_on) >= startOf(day) + DAY_MS);
  const sum = sumOf(lines);
  const faults = [
    ...(outside ? [`it has a line of ${outside.booked_on}`] : []),
    ...closings.flatMap((each) =>
      typeof each === 'number' && each !== closing ? [`it closes with ${inUnits(each)} and with ${inUnits(closing)}`] : [],
    ),
    ...(BigInt(opening) + sum === BigInt(closing)
      ? []
      : [`it opens with ${inUnits(opening)}, its lines add up to ${inUnits(sum)}, and it closes with ${inUnits(closing)}`]),
    ...totalFaults(
      'credits',
      stated.credits,
      lines.filter(({ amount }) => amount > 0),
    ),
    ...totalFaults(
      'debits',
      stated.debits,
      lines.filter(({ amount }) => amount < 0),
    ),
  ];
  if (faults.length > 0) throw new NoStatement(`${day}: the bank’s statement disagrees with itself: ${faults.join('; ')}`);
  return { day, opening, closing, lines };
}

function totalFaults(what: string, total: StatedEntries | undefined, lines: readonly BankLine[]): string[] {
  const sum = sumOf(lines);
  const amount = sum < 0n ? -sum : sum;
  return [
    ...disagreement(`it states %s ${what}`, total?.count, BigInt(lines.length), String),
    ...disagreement(`it states ${what} of %s`, total?.amount, amount, inUnits),
  ];
}

function disagreement(words: string, stated: StatedFigure | undefined, found: bigint, written: (figure: number | bigint) => string): string[] {
  if (typeof stated !== 'number' || BigInt(stated) === found) return [];
  return [`${words.replace('%s', written(stated))}, and has ${written(found)}`];
}

/** Amounts of a statement are safe integers; their sum may exceed them. */
const sumOf = (lines: readonly BankLine[]): bigint => lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** The same lines in another order are the same statement. */
function inOrder(a: BankLine, b: BankLine): number {
  const [one, other] = [a, b].map(({ booked_on, ...rest }) => `${booked_on} ${JSON.stringify(rest)}`);
  return one! < other! ? -1 : one! > other! ? 1 : 0;
}
