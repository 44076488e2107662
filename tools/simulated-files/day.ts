import type { Deed } from '../../src/rails/simulator/deeds.js';

/** What the processor's file says of one deed. Minor units; with its sign. */
export interface RemittanceRow {
  readonly batch: string;
  readonly kind: 'PAYMENT' | 'REVERSAL' | 'REFUND' | 'DISPUTE';
  readonly reference: string;
  readonly gross: number;
  readonly fee: number;
  readonly tax: number;
  readonly currency: string;
  /** null of a row that tells of nothing that was done. */
  readonly deed: Deed | null;
}

export const netOf = ({ gross, fee, tax }: Pick<RemittanceRow, 'gross' | 'fee' | 'tax'>): number => gross - fee - tax;

/** What stands on the bank's statement. Minor units: what the account has more. */
export interface BankEntry {
  readonly kind: 'REMITTANCE' | 'PAYOUT' | 'RETURN' | 'CHARGE' | 'OTHER';
  readonly currency: string;
  readonly amount: number;
  /** Of the batch or the payout; null where the bank names nothing. */
  readonly reference: string | null;
  readonly text: string;
  readonly deed: Deed | null;
}

/** Of one currency and banking day. */
export interface BankStatement {
  readonly number: number;
  readonly currency: string;
  readonly day: string;
  readonly opening: number;
  readonly entries: readonly BankEntry[];
  readonly closing: number;
}

/** Names of breaks as reconciliation has them. */
export type PlantedKind =
  | 'LEDGER_ONLY'
  | 'PROCESSOR_ONLY'
  | 'AMOUNT'
  | 'FEE'
  | 'TAX'
  | 'CURRENCY'
  | 'DUPLICATE'
  | 'STATUS'
  | 'REMITTANCE_SHORT'
  | 'REMITTANCE_MISSING'
  | 'BANK_UNKNOWN'
  | 'PAYOUT_NOT_PRESENTED'
  | 'PAYOUT_TWICE'
  | 'PAYOUT_AMOUNT'
  | 'PAYOUT_UNORDERED'
  | 'PAYOUT_RETURNED';

export const DEFECTS_COUNT = 30;

/** A break that whoever reconciles must find: of a row or an entry, or else of what is missing. */
export interface Planted {
  readonly defect: number;
  readonly kind: PlantedKind;
  readonly at?: RemittanceRow | BankEntry;
  readonly deed?: Deed;
  readonly batch?: string;
  /** Breaks with the same number belong together. */
  readonly joined?: number;
}

/** What was planted in the files of a day. */
export interface DayPlan {
  readonly defects: readonly number[];
  readonly seed: number;
}

/** What processor and bank say of a day. */
export interface SimulatedDay {
  readonly day: string;
  readonly rows: readonly RemittanceRow[];
  /** None on a day on which banks rest. */
  readonly statements: readonly BankStatement[];
  readonly planted: readonly Planted[];
}
