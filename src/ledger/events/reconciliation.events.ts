import type { Fee } from '../money.js';
import type { DayCloseEvent } from './day-close.events.js';
import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events of reconciliation: sources of statements in `recon-<mode>-<name>`, whose stream also says which statements count, and what a file
 * says in `statement-<source>-<sha256>`. A BANK source claims each of its currencies in `recon-bank-<mode>-<currency>`.
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

/** Columns of a file by what they hold: the names in its first row. */
export interface ProfileColumns {
  readonly booking_date: string;
  readonly value_date?: string;
  readonly batch: string;
  readonly kind?: string;
  readonly reference: string;
  readonly gross: string;
  readonly fee?: string;
  readonly tax?: string;
  /** Net: what the batch has more. */
  readonly amount: string;
  readonly currency: string;
}

/** How a processor writes its remittance files: a part of the event that sets the source, so that an old file reads as it did. */
export interface CsvProfile {
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly columns: ProfileColumns;
  readonly decimal: '.' | ',';
  /** Between groups of three digits; empty: none. A space is U+00A0 and U+202F as well. */
  readonly grouping: '' | '.' | ',' | ' ' | '’' | "'";
  readonly unit: 'major' | 'minor';
  /** `YYYY`, `MM` and `DD` in any order with what stands between them; or `iso`: a date or a moment of ISO 8601. */
  readonly dates: string;
  /** `written`: amounts have their signs. `kinds`: all are above 0, and what is not a PAYMENT or TRANSFER is taken away. */
  readonly signs: 'written' | 'kinds';
  /** What stands in the column of kinds. Without that column every line is a PAYMENT. */
  readonly kinds: Readonly<Record<string, LineKind>>;
  /** The row that has `value` in `column` states the sums of the rows before it. */
  readonly totals?: { readonly column: string; readonly value: string };
  /** Columns that are there and not read. */
  readonly ignored: readonly string[];
}

/** How a source is read, and what is expected of it. */
export interface SourceSettings {
  readonly kind: SourceKind;
  readonly currencies: readonly string[];
  /** HMAC of the account that the statements are of, under a key of its own: account numbers can be guessed. null of a PROCESSOR. */
  readonly account_hmac: string | null;
  readonly format: StatementFormat;
  /** Of csv. */
  readonly profile: CsvProfile | null;
  /** IANA name: days of its lines are days there. */
  readonly time_zone: string;
  /** Whose remittances they are; null of a BANK. */
  readonly processor: string | null;
  /** Banking days until a payment is remitted, or a payout presented. */
  readonly due_days: number;
  /** By payment channel: what the processor charges. */
  readonly costs: Readonly<Record<string, Fee>>;
  /** On what the processor charges, in percent; absent: nothing is expected of it. */
  readonly tax?: number;
  /** A credit may be matched with a batch by its amount alone. */
  readonly by_amount: boolean;
}

/** A person with a key of the person's own. */
interface ByPerson {
  /** Of no merchant. */
  readonly merchant_id: null;
  readonly person_id: string;
  readonly key_id: string;
}

/** All settings of a source from now on. Files that were received before keep those that they were received with. */
export interface ReconSourceSet extends SourceSettings, ByPerson {
  /** `<mode>-<name>`. */
  readonly source: string;
  readonly mode: 'live' | 'test';
  readonly name: string;
  readonly reason: string;
  readonly set_on: string;
}

/** From now on, for ever, the one source of statements of a bank in the mode and currency. */
export interface ReconBankClaimed extends ByPerson {
  readonly source: string;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly claimed_on: string;
}

interface OfStatement {
  readonly merchant_id: null;
  /** Of source and bytes: the same file has the same id. */
  readonly statement_id: string;
  readonly source: string;
}

/** A file that was read to its end and found to be right in itself. Its lines follow. */
export interface StatementReceived extends OfStatement, ByPerson {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly lines: number;
  /** Which settings of the source it is read with: the first are 1. */
  readonly settings: number;
  readonly received_on: string;
}

export interface StatementLine {
  /** Line of the file, from 1. */
  readonly at: number;
  /** Of source, statement or batch, reference, kind, amount, dates, and how many equal ones stand before it. */
  readonly line_key: string;
  /** Of the bank's entry that the line is a detail of; null where a file has no entries. */
  readonly entry_key: string | null;
  /** What the line counts with: the place of its statement in the file, from 1; or its batch. */
  readonly group: string;
  /** YYYY-MM-DD in the source's time zone. */
  readonly booking_date: string;
  readonly value_date: string | null;
  /** Minor units: what the account, or the batch, has more. */
  readonly amount: number;
  readonly currency: string;
  readonly kind: LineKind;
  readonly gross: number | null;
  readonly fee: number | null;
  readonly tax: number | null;
  readonly batch: string | null;
  readonly references: readonly string[];
}

/** Names, texts and others' accounts are outside the log, under the file's own key. */
export interface StatementLines extends OfStatement {
  /** From 0. */
  readonly part: number;
  readonly lines: readonly StatementLine[];
  /** SHA-256 over the keys of all lines so far: who goes on with the file has read the same. */
  readonly digest: string;
}

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
  /** Booking dates of the first and the last line, by the calendar; null where there is no line. */
  readonly booked_from: string | null;
  readonly booked_to: string | null;
  readonly read_on: string;
}

/** A statement of an account, as it stands in a file. */
export interface AccountStatement {
  /** Its place in the file, from 1. */
  readonly group: string;
  /** The bank's number, behind the year that it closes in: banks begin anew each year. A page that shares it has its own behind it. */
  readonly number: string;
  readonly currency: string;
  readonly opening: number;
  readonly closing: number;
  readonly closes_on: string;
  readonly lines: number;
  /** SHA-256 over all that it says. */
  readonly digest: string;
}

/** What a processor sends together, and pays together. */
export interface RemittanceBatch extends LineSums {
  readonly batch: string;
  /** The latest booking date of its lines. */
  readonly booked_on: string;
  readonly digest: string;
}

/** What of a file counts from now on. What it has in common with files before is dropped. */
export interface StatementAccepted extends OfStatement, ByPerson {
  readonly statements: readonly AccountStatement[];
  readonly batches: readonly RemittanceBatch[];
  readonly dropped: { readonly groups: number; readonly lines: number };
  readonly accepted_on: string;
}

/** The same, in the place of another file, of which nothing counts from now on. */
export interface StatementReplaced extends StatementAccepted {
  readonly replaced_id: string;
  readonly reason: string;
}

/** A person has all of the source's open lines held against the books, on a day. It moves nothing. */
export interface ReconRan extends ByPerson {
  readonly source: string;
  /** YYYY-MM-DD in the source's time zone: what is overdue then is missed. */
  readonly day: string;
  readonly reason: string;
  readonly ran_on: string;
}

/** Whom the file names is known to nobody from now on. Proposed by one person and approved by others. */
export interface StatementForgotten extends OfStatement {
  readonly proposal_id: string;
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
