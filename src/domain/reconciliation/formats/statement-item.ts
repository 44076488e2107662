import type { LineKind } from '../../../ledger/events/reconciliation.events.js';

/** What statements say, in whatever format they come. Amounts are minor units; days are `YYYY-MM-DD` in the source's time zone. */
/** Data of people, as the file has it: whoever is named on the other side, and what was written. */
export interface PersonalData {
  readonly names: readonly string[];
  readonly accounts: readonly string[];
  readonly texts: readonly string[];
}

export interface ParsedLine {
  readonly is: 'line';
  /** Line of the file, from 1. */
  readonly at: number;
  /** Of the entry that the line is a detail of: its place in the statement, from 1. */
  readonly entry: number;
  readonly booking_date: string;
  readonly value_date: string | null;
  /** What the account, or the batch, has more: negative where it has less. */
  readonly amount: number;
  readonly currency: string;
  readonly kind: LineKind;
  /** What the customer paid or was given back, with the sign of `amount`; null where the format does not tell. */
  readonly gross: number | null;
  /** What the processor keeps of it; less than 0: gives back. */
  readonly fee: number | null;
  /** On the fee, as the fee. */
  readonly tax: number | null;
  readonly batch: string | null;
  readonly references: readonly string[];
  readonly personal: PersonalData | null;
}

/** Where a statement of an account begins: nothing but its lines stands between this and its end. */
export interface StatementOpens {
  readonly is: 'opens';
  readonly at: number;
  /** The bank's number of it; `0` where there is none. */
  readonly number: string;
  /** Of the pages of one statement that share their number, from the second on; null of every other statement. */
  readonly page: number | null;
  /** Of one of its balances: where banks number nothing, it tells one statement from another. */
  readonly day: string;
  readonly account: string;
  readonly currency: string;
  readonly opening: number;
}

export interface StatementCloses {
  readonly is: 'closes';
  readonly at: number;
  readonly closing: number;
  /** The day that the closing balance is of. */
  readonly closes_on: string;
}

/** A sum that the file states of lines before it. */
export interface StatedTotal {
  readonly is: 'total';
  readonly at: number;
  /** Of all lines of the file so far, or of those since the statement opened, or of an entry's details. */
  readonly of: 'file' | 'statement' | 'entry';
  readonly what: 'amount' | 'gross' | 'fee' | 'tax' | 'count';
  readonly value: number;
}

export type StatementItem = ParsedLine | StatementOpens | StatementCloses | StatedTotal;

/** Why a file is not taken. */
export const STATEMENT_REFUSALS = ['unreadable', 'wrong-account', 'sum', 'gap', 'reissued', 'batch-changed', 'scale', 'future', 'precision'] as const;
export type StatementRefusal = (typeof STATEMENT_REFUSALS)[number];

export interface RefusedStatement {
  readonly reason: StatementRefusal;
  /** Line of the file, from 1; null where it is not about one. */
  readonly line: number | null;
  /** What should stand there, for people. */
  readonly expected: string;
  readonly found: string;
}

/** The file is refused whole: nothing of it was recorded. */
export class StatementRefused extends Error implements RefusedStatement {
  override readonly name = 'StatementRefused';
  readonly reason: StatementRefusal;
  readonly line: number | null;
  readonly expected: string;
  readonly found: string;

  constructor({ reason, line, expected, found }: RefusedStatement) {
    super(`${line === null ? '' : `line ${line}: `}${reason}: expected ${expected}, found ${found}`);
    this.reason = reason;
    this.line = line;
    this.expected = expected;
    this.found = found;
  }
}

/** Longest text that is shown of a file. */
const SHOWN_MAX = 60;

/** Of text from a file, for a refusal: short, and without what a terminal would obey. */
export function shown(text: string): string {
  const plain = text.replaceAll(/\p{C}/gu, '\ufffd');
  return plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain;
}

/** @throws StatementRefused always */
export function unreadable(line: number, expected: string, found: string): never {
  throw new StatementRefused({ reason: 'unreadable', line, expected, found: shown(found) });
}
