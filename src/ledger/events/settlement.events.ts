import type { SettlementLine, SettlementTotals } from './account.events.js';

/** Events in `settlement-<merchant>-<currency>-<n>`: the contents of settlement n. */
export const settlementStream = (merchantId: string, currency: string, number: number): string => `settlement-${merchantId}-${currency}-${number}`;

interface OfSettlement {
  readonly settlement_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly settlement_number: number;
}

export interface SettlementOpened extends OfSettlement {
  /** Candidates, at most 1,000, each once. */
  readonly lines: readonly SettlementLine[];
  readonly opened_on: string;
}

export interface SettlementClosed extends OfSettlement {
  /** The lines that were claimed for this number. */
  readonly lines: readonly SettlementLine[];
  readonly totals: SettlementTotals;
  readonly closed_on: string;
}

export type SettlementEvent =
  { readonly type: 'SettlementOpened'; readonly data: SettlementOpened } | { readonly type: 'SettlementClosed'; readonly data: SettlementClosed };
