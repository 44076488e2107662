import type { StatementLine } from '../../../ledger/events/reconciliation.events.js';
import type { FoundReferences } from './references.js';

/** Content of statements, in any format. Amounts are minor units; days are `YYYY-MM-DD` in the source's time zone. */
/** Personal data as in the file: the names and accounts of the other party, and written texts. */
export interface PersonalData {
  readonly names: readonly string[];
  readonly accounts: readonly string[];
  readonly texts: readonly string[];
}

export interface ParsedLine extends Omit<StatementLine, 'line_key' | 'entry_key' | 'group'>, Pick<FoundReferences, 'keyed' | 'former'> {
  readonly is: 'line';
  /** The place in the statement of the entry that the line is a detail of, from 1. */
  readonly entry: number;
  readonly personal: PersonalData | null;
}

/** Begins a statement of an account: only its lines follow, up to its end. */
export interface StatementOpens {
  readonly is: 'opens';
  readonly at: number;
  /** The bank's number of the statement; `0` when there is none. */
  readonly number: string;
  /** Page number from the second on, when the pages of one statement share their number; null for every other statement. */
  readonly page: number | null;
  /** The day of one of its balances. It distinguishes statements of banks that number nothing. */
  readonly day: string;
  readonly account: string;
  readonly currency: string;
  readonly opening: number;
}

export interface StatementCloses {
  readonly is: 'closes';
  readonly at: number;
  readonly closing: number;
  /** The day of the closing balance. */
  readonly closes_on: string;
}

/** A sum that the file states for lines before it. */
export interface StatedTotal {
  readonly is: 'total';
  readonly at: number;
  /** The sum of all lines of the file so far, of the lines since the statement opened, or of the details of an entry. */
  readonly of: 'file' | 'statement' | 'entry';
  readonly what: 'amount' | 'gross' | 'fee' | 'tax' | 'count';
  readonly value: number;
}

export type StatementItem = ParsedLine | StatementOpens | StatementCloses | StatedTotal;

/** Reasons to refuse a file. */
export const STATEMENT_REFUSALS = ['unreadable', 'wrong-account', 'sum', 'gap', 'reissued', 'batch-changed', 'scale', 'future', 'precision'] as const;
export type StatementRefusal = (typeof STATEMENT_REFUSALS)[number];

export interface RefusedStatement {
  readonly reason: StatementRefusal;
  /** Line of the file, from 1; null when it concerns no single line. */
  readonly line: number | null;
  /** The expected content, for people. */
  readonly expected: string;
  readonly found: string;
}

/** The whole file is refused: nothing of it was recorded. */
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

/** Maximum length of a text from a file in a refusal. */
const SHOWN_MAX = 60;

/** Returns a text from a file for a refusal: short, and without characters that a terminal would obey. */
export function shown(text: string): string {
  const plain = text.replaceAll(/\p{C}/gu, '\ufffd');
  return plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain;
}

/** @throws StatementRefused always */
export function unreadable(line: number, expected: string, found: string): never {
  throw new StatementRefused({ reason: 'unreadable', line, expected, found: shown(found) });
}
