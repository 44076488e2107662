import type { SourceKind } from '../../../src/ledger/events/reconciliation.events.js';
import type { Fee } from '../../../src/ledger/money.js';

export interface Costs {
  readonly by_channel: Readonly<Record<string, Fee>>;
  readonly tax: number | null;
}

/** A run that compares a source's lines with the books: its time and settings. */
export interface Tick {
  /** Ordinal of its event. Later events have no effect on the tick. */
  readonly ordinal: number;
  /** Number of the matcher whose passes it runs. */
  readonly matcher: number;
  readonly on: string;
  readonly source: string;
  readonly kind: SourceKind;
  readonly mode: string;
  /** null for a BANK. */
  readonly processor: string | null;
  readonly currencies: readonly string[];
  readonly costs: Costs;
  readonly by_amount: boolean;
  readonly time_zone: string;
  /** In the source's time zone. */
  readonly day: string;
  /** The last day whose events are overdue on `day`, and the end of that day. */
  readonly last_due: string;
  readonly overdue_before: string;
  /** The last day whose file is missing on `day` if there is none. */
  readonly last_filed: string;
}

export const BREAK_KINDS = [
  ...(['LEDGER_ONLY', 'PROCESSOR_ONLY', 'AMOUNT', 'CURRENCY', 'DUPLICATE', 'STATUS', 'FEE', 'TAX'] as const),
  ...(['REMITTANCE_SHORT', 'REMITTANCE_MISSING', 'BANK_UNKNOWN'] as const),
  ...(['PAYOUT_NOT_PRESENTED', 'PAYOUT_TWICE', 'PAYOUT_AMOUNT', 'PAYOUT_UNORDERED', 'PAYOUT_RETURNED', 'FILE_MISSING'] as const),
] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

export interface FoundBreak {
  readonly kind: BreakKind;
  readonly subject: string;
  readonly line_id: number | bigint | null;
  readonly item: number | bigint | null;
  readonly batch_source: string | null;
  readonly batch: string | null;
  readonly of_mode: string | null;
}

/**
 * SQL that finds the remaining differences. `$1`: the source, `$3`: mode, `$4`: ordinal of the tick, `$5`: currencies, `$6`: earlier events are
 * overdue.
 */
export interface FoundSql {
  /** Common table expressions. */
  readonly with: string;
  /** Rows of a FoundBreak, with its members in their order. */
  readonly found: string;
  /** Values of `$2` and of the parameters from `$9` on. */
  readonly values: { readonly second: string | null; readonly more: readonly unknown[] };
}
