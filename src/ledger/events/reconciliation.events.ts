import type { Fee } from '../money.js';
import type { DayCloseEvent } from './day-close.events.js';
import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events of reconciliation: sources of statements in `recon-<mode>-<name>`, whose stream also records which statements count, and the content of a
 * file in `statement-<source>-<sha256>`. A BANK source claims each of its currencies in `recon-bank-<mode>-<currency>`.
 */
export const sourceStream = (source: string): string => `recon-${source}`;
export const bankStream = (mode: 'live' | 'test', currency: string): string => `recon-bank-${mode}-${currency.toLowerCase()}`;
export const statementStream = (source: string, sha256: string): string => `statement-${source}-${sha256}`;

export const LINE_KINDS = ['PAYMENT', 'REVERSAL', 'REFUND', 'DISPUTE', 'CHARGE', 'TRANSFER'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export const SOURCE_KINDS = ['BANK', 'PROCESSOR'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const STATEMENT_FORMATS = ['camt053', 'mt940', 'csv'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/**
 * Words for the rows of a CSV file: the kind of its line; FEE and TAX for rows that belong to the line of another row, REVERSED_FEE and REVERSED_TAX
 * for those that belong to a REVERSAL; SKIPPED for rows that are no line.
 */
export const PART_KINDS = ['FEE', 'TAX', 'REVERSED_FEE', 'REVERSED_TAX'] as const;
export type PartKind = (typeof PART_KINDS)[number];
export const ROW_KINDS = [...LINE_KINDS, ...PART_KINDS, 'SKIPPED'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** The name of a column; several, whose sum it is; or a column of debits and one of credits, both without signs. */
export type FigureColumns = string | readonly string[] | { readonly debit: string; readonly credit: string };

/** Columns of a file by their content: the names in the row of names. */
export interface ProfileColumns {
  readonly booking_date: string;
  readonly value_date?: string;
  readonly batch?: string;
  /** Several: their texts are joined by a slash. */
  readonly kind?: string | readonly string[];
  /** Column whose text is the sign of the row's amounts. */
  readonly sign?: string;
  /** Several: each is a reference, empty ones excepted. */
  readonly reference: string | readonly string[];
  /** Column that has the same text in a row and in the rows of its fee and tax. It may have another meaning as well. */
  readonly joined_by?: string;
  readonly gross?: FigureColumns;
  readonly fee?: FigureColumns;
  readonly tax?: FigureColumns;
  /** Net: the increase of the batch. */
  readonly amount?: FigureColumns;
  /** Several: those that are filled have the same text. */
  readonly currency?: string | readonly string[];
}

/** Format of a processor's remittance files. Part of the event that sets the source, so that an old file is read as before. */
export interface CsvProfile {
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly columns: ProfileColumns;
  /** Batch of rows without a column of it: the booking date with the currency, or a value given with the file. */
  readonly batch?: 'day' | 'given';
  /** Currency of all rows of a file without a column of it; ISO 4217. */
  readonly currency?: string;
  readonly decimal: '.' | ',';
  /** Separator between groups of three digits; empty: none. A space is U+00A0 and U+202F as well. */
  readonly grouping: '' | '.' | ',' | ' ' | '’' | "'";
  readonly unit: 'major' | 'minor';
  /** `YYYY`, `MM` or `MMM`, and `DD`, with or without `HH`, `mm`, `ss` and `Z`, and separators; or `iso`: a date or a moment of ISO 8601. */
  readonly dates: string;
  /**
   * `written`: amounts have their signs. `kinds`: all are above 0, and those that are no PAYMENT or TRANSFER are subtracted. `column`: all are above 0,
   * and those of rows with a MINUS in the column of signs are subtracted.
   */
  readonly signs: 'written' | 'kinds' | 'column';
  /** Signs by their text in the column of signs. */
  readonly sign_texts?: Readonly<Record<string, 'PLUS' | 'MINUS'>>;
  /** Kinds by their value in the column of kinds. Without that column every line is a PAYMENT. */
  readonly kinds: Readonly<Record<string, RowKind>>;
  /** The row that has `value` in `column` contains the sums of the rows before it. */
  readonly totals?: { readonly column: string; readonly value: string };
  /** Rows before the row of names are skipped. */
  readonly title_rows?: boolean;
  /** Columns that are present but not read. */
  readonly ignored: readonly string[];
}

/** How a source is read, and which due dates, fees and tax are expected of it. */
export interface SourceSettings {
  readonly kind: SourceKind;
  readonly currencies: readonly string[];
  /** HMAC, with a separate key, of the account of the statements: account numbers can be guessed. null for a PROCESSOR. */
  readonly account_hmac: string | null;
  readonly format: StatementFormat;
  /** Set for csv only. */
  readonly profile: CsvProfile | null;
  /** IANA name of the time zone of its days. */
  readonly time_zone: string;
  /** The processor whose remittances they are; null for a BANK. */
  readonly processor: string | null;
  /** Banking days until a payment is remitted, or a payout presented. */
  readonly due_days: number;
  /** Fees of the processor by payment channel. */
  readonly costs: Readonly<Record<string, Fee>>;
  /** Tax on the processor's fees, in percent; absent: no tax is expected. */
  readonly tax?: number;
  /** A credit may be matched with a batch by its amount alone. */
  readonly by_amount: boolean;
  /** BANK only: further names of batches to find in its texts. `#` is a digit, `*` letters and digits. Absent: none. */
  readonly batch_names?: readonly string[];
}

/** An operator with one of the operator's own keys. */
interface ByOperator {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly person_id: string;
  readonly key_id: string;
}

/** All settings of a source from now on. Files that were received before keep the settings that they were received with. */
export interface ReconSourceSet extends SourceSettings, ByOperator {
  /** `<mode>-<name>`. */
  readonly source: string;
  readonly mode: 'live' | 'test';
  readonly name: string;
  readonly reason: string;
  readonly set_on: string;
}

/** The source is the only source of bank statements in the mode and currency from now on, for ever. */
export interface ReconBankClaimed extends ByOperator {
  readonly source: string;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly claimed_on: string;
}

interface OfStatement {
  readonly merchant_id: null;
  /** Derived from source and bytes: the same file has the same id. */
  readonly statement_id: string;
  readonly source: string;
}

/** A file that was read to its end and is consistent in itself. Its lines follow. */
export interface StatementReceived extends OfStatement, ByOperator {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly lines: number;
  /** Number of the source's settings that it is read with, from 1. */
  readonly settings: number;
  /** Batch of all of its lines, as given with the file; absent: its rows determine their batches. */
  readonly batch?: string;
  readonly received_on: string;
}

export interface StatementLine {
  /** Line of the file, from 1. */
  readonly at: number;
  /** Derived from source, statement or batch, reference, kind, amount, dates, and the number of equal lines before it. */
  readonly line_key: string;
  /** Key of the bank's entry that the line is a detail of; null when a file has no entries. */
  readonly entry_key: string | null;
  /** Group that the line counts in: the place of its statement in the file, from 1; or its batch. */
  readonly group: string;
  /** YYYY-MM-DD in the source's time zone. */
  readonly booking_date: string;
  readonly value_date: string | null;
  /** Minor units: the increase of the account, or of the batch. */
  readonly amount: number;
  readonly currency: string;
  readonly kind: LineKind;
  /** The payment or refund of the customer, with the sign of `amount`; null when the format does not state it. */
  readonly gross: number | null;
  /** The part of it that the processor keeps; below 0: that it returns. */
  readonly fee: number | null;
  /** Tax on the fee, with its sign. */
  readonly tax: number | null;
  readonly batch: string | null;
  readonly references: readonly string[];
}

/** Names, texts and accounts of others are stored outside the log, under the file's own key. */
export interface StatementLines extends OfStatement {
  /** From 0. */
  readonly part: number;
  readonly lines: readonly StatementLine[];
  /** SHA-256 over the keys of all lines so far: a process that continues the file has read the same lines. */
  readonly digest: string;
}

/** Number of the matcher that new files, runs and closes name. */
export const MATCHER = 2;

/** Sums of lines, minor units. */
export interface LineSums {
  readonly currency: string;
  readonly lines: number;
  readonly amount: number;
  readonly gross: number;
  readonly fee: number;
  readonly tax: number;
}

export interface StatementRead extends OfStatement {
  readonly lines: number;
  readonly parts: number;
  readonly digest: string;
  readonly sums: readonly LineSums[];
  /** Booking dates of the first and the last line, by the calendar; null when there is no line. */
  readonly booked_from: string | null;
  readonly booked_to: string | null;
  readonly read_on: string;
}

/** A statement of an account in a file. */
export interface AccountStatement {
  /** Its place in the file, from 1. */
  readonly group: string;
  /**
   * The bank's number, after the year that it closes in: banks restart their numbers each year. A page that shares it has its own number appended.
   */
  readonly number: string;
  readonly currency: string;
  readonly opening: number;
  readonly closing: number;
  readonly closes_on: string;
  readonly lines: number;
  /** SHA-256 over its whole content. */
  readonly digest: string;
}

/** Lines that a processor sends together, and pays together. */
export interface RemittanceBatch extends LineSums {
  readonly batch: string;
  /** The latest booking date of its lines. */
  readonly booked_on: string;
  readonly digest: string;
}

/** The parts of a file that count from now on. Parts that earlier files have as well are dropped. */
export interface StatementAccepted extends OfStatement, ByOperator {
  readonly statements: readonly AccountStatement[];
  readonly batches: readonly RemittanceBatch[];
  readonly dropped: { readonly groups: number; readonly lines: number };
  /** Number of the matcher by which lines are matched from now on, until the next event that names one. */
  readonly matcher: number;
  readonly accepted_on: string;
}

/** Like StatementAccepted, but replaces another file, of which nothing counts from now on. */
export interface StatementReplaced extends StatementAccepted {
  readonly replaced_id: string;
  readonly reason: string;
}

/** An operator has all open lines of the source compared with the books, on a day. It moves nothing. */
export interface ReconRan extends ByOperator {
  readonly source: string;
  /** YYYY-MM-DD in the source's time zone: items that are overdue on it count as missing. */
  readonly day: string;
  readonly reason: string;
  /** Number of the matcher. */
  readonly matcher: number;
  readonly ran_on: string;
}

/** From now on, the names in the file can never be read again. */
export interface StatementForgotten extends OfStatement {
  /** Proposed by one operator and approved by others; null: the file was received and not accepted in time. */
  readonly proposal_id: string | null;
  readonly reason: string;
  readonly forgotten_on: string;
}

export type SourceEvent =
  | { readonly type: 'ReconSourceSet'; readonly data: ReconSourceSet }
  | { readonly type: 'StatementAccepted'; readonly data: StatementAccepted }
  | { readonly type: 'StatementReplaced'; readonly data: StatementReplaced }
  | { readonly type: 'ReconRan'; readonly data: ReconRan }
  | DayCloseEvent;

export type ReconciliationEvent =
  | SourceEvent
  | { readonly type: 'ReconBankClaimed'; readonly data: ReconBankClaimed }
  | { readonly type: 'StatementReceived'; readonly data: StatementReceived }
  | { readonly type: 'StatementLines'; readonly data: StatementLines }
  | { readonly type: 'StatementRead'; readonly data: StatementRead }
  | { readonly type: 'StatementForgotten'; readonly data: StatementForgotten };

/** In the stream of a file. */
export type StatementFileEvent = Exclude<Extract<ReconciliationEvent, { readonly type: `Statement${string}` }>, SourceEvent> | ProposalRefusedEvent;
