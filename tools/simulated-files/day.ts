import type { Deed } from '../../src/rails/simulator/deeds.js';

/** The row of one deed in the processor's file. Minor units, with sign. */
export interface RemittanceRow {
  readonly batch: string;
  readonly kind: 'PAYMENT' | 'REVERSAL' | 'REFUND' | 'DISPUTE';
  readonly reference: string;
  readonly gross: number;
  readonly fee: number;
  readonly tax: number;
  readonly currency: string;
  /** YYYY-MM-DD; absent: the day of its batch. */
  readonly booked?: string;
  /** null for a row without an actual deed. */
  readonly deed: Deed | null;
}

export const netOf = ({ gross, fee, tax }: Pick<RemittanceRow, 'gross' | 'fee' | 'tax'>): number => gross - fee - tax;

/** An entry of the bank's statement. Minor units: increase of the account's balance. */
export interface BankEntry {
  readonly kind: 'REMITTANCE' | 'PAYOUT' | 'RETURN' | 'CHARGE' | 'OTHER';
  readonly currency: string;
  readonly amount: number;
  /** Reference of the batch or the payout; null when the bank states none. */
  readonly reference: string | null;
  readonly text: string;
  /** YYYY-MM-DD; absent: the day of its statement. */
  readonly booked?: string;
  readonly deed: Deed | null;
}

/** Statement of one currency and banking day. */
export interface BankStatement {
  readonly number: string;
  readonly currency: string;
  readonly day: string;
  readonly opening: number;
  readonly entries: readonly BankEntry[];
  readonly closing: number;
}

/** Names of breaks in reconciliation. */
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
  | 'PAYOUT_RETURNED'
  | 'FILE_MISSING';

export const DEFECTS_COUNT = 44;

/** A break that reconciliation must find: at a row or an entry, or else about a missing one. */
export interface Planted {
  readonly defect: number;
  readonly kind: PlantedKind;
  readonly at?: RemittanceRow | BankEntry;
  readonly deed?: Deed;
  readonly batch?: string;
  /** YYYY-MM-DD of a missing file. */
  readonly day?: string;
  /** Breaks with the same number belong together. */
  readonly joined?: number;
}

/** The number of a person in a free text. */
export interface PersonalNumber {
  readonly defect: number;
  readonly text: string;
}

/** The planted defects in the files of a day. */
export interface DayPlan {
  readonly defects: readonly number[];
  readonly seed: number;
}

/** The reports of processor and bank for a day. */
export interface SimulatedDay {
  readonly day: string;
  readonly rows: readonly RemittanceRow[];
  /** Empty on a day on which banks rest. */
  readonly statements: readonly BankStatement[];
  readonly planted: readonly Planted[];
  readonly personal: readonly PersonalNumber[];
}
