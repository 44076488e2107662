import type { AccountAdjustmentEvent } from './adjustment.events.js';
import type { AccountRefundEvent } from './refund.events.js';
import type { Fee } from '../money.js';
import { unreachable } from '../unreachable.js';

/** Events in `account-<merchant>-<currency>`: every change of available or reserved. */
export const accountStream = (merchantId: string, currency: string): string => `account-${merchantId}-${currency}`;

interface OfAccount {
  readonly merchant_id: string;
  readonly currency: string;
}

/**
 * One line of a settlement. Amounts are minor units, never negative; `kind` gives the direction:
 * a charge moves net_amount from pending to available; a reversal takes net_amount from available and fee_amount from fees;
 * a return (of a payout, by the bank) adds net_amount and fee_amount to available; a refund that failed, and a dispute's hold that is released, add
 * net_amount to available; a dispute's hold and its fee take net_amount from available.
 */
export interface SettlementLine {
  readonly kind: 'charge' | 'reversal' | 'return' | ChargeLineKind;
  /** The charge's id for charge and reversal, the payout's for return; for a refund or dispute, the id of the refund, hold, release or dispute. */
  readonly record_id: string;
  readonly net_amount: number;
  /** 0 for lines of refunds and disputes. */
  readonly fee_amount: number;
  /** The charge of a refund or dispute; the line is claimed in its stream. Absent for other lines. */
  readonly charge_id?: string;
}

/** Kinds of lines that concern a part of a charge: its refunds and disputes. */
export type ChargeLineKind = 'refund-return' | 'dispute-hold' | 'dispute-release' | 'dispute-fee';

/**
 * An operator decides that a settlement continues without a line that it waits for. The event is in the line's own stream, `charge-<id>` or
 * `payout-<id>`, and is the first event there when the record does not exist: a claim of the line finds it. It moves no money, and does not affect
 * other settlements.
 */
export interface SettlementLineRefused extends OfAccount, SettlementLine {
  readonly settlement_id: string;
  readonly settlement_number: number;
  /** Reason why the settlement could not claim it. */
  readonly waited_for: string;
  readonly reason: string;
  /** The operating system's user who gave the command. */
  readonly refused_by: string;
  readonly refused_on: string;
}

/** One event type for charges and payouts. */
export interface SettlementLineRefusedEvent {
  readonly type: 'SettlementLineRefused';
  readonly data: SettlementLineRefused;
}

/** Names of the kinds on the wire. */
export const LINE_KINDS = {
  charge: 'CHARGE',
  reversal: 'REVERSAL',
  return: 'RETURN',
  'refund-return': 'REFUND_RETURN',
  'dispute-hold': 'DISPUTE_HOLD',
  'dispute-release': 'DISPUTE_RELEASE',
  'dispute-fee': 'DISPUTE_FEE',
} as const satisfies Record<SettlementLine['kind'], string>;
export type LineKind = (typeof LINE_KINDS)[SettlementLine['kind']];

/** Amounts of a line, or of several lines of one kind, minor units. */
interface LineAmounts extends Pick<SettlementLine, 'kind'> {
  readonly net_amount: number | bigint;
  readonly fee_amount: number | bigint;
}

/** Returns the amount that a line adds to available, minor units; negative for a reversal, a hold and a dispute's fee. */
export function effectOnAvailable(line: LineAmounts): bigint {
  switch (line.kind) {
    case 'charge':
    case 'refund-return':
    case 'dispute-release':
      return BigInt(line.net_amount);
    case 'reversal':
    case 'dispute-hold':
    case 'dispute-fee':
      return -BigInt(line.net_amount);
    case 'return':
      return BigInt(line.net_amount) + BigInt(line.fee_amount);
    default:
      return unreachable(line.kind);
  }
}

export interface SettlementTotals {
  /** Effect on available in minor units, exact digits; may be negative. */
  readonly net_amount: string;
  /** Number of lines of each kind; `disputes` counts holds, releases and fees. */
  readonly charges: number;
  readonly reversals: number;
  readonly returns: number;
  readonly refunds: number;
  readonly disputes: number;
}

const COUNTED_AS = {
  charge: 'charges',
  reversal: 'reversals',
  return: 'returns',
  'refund-return': 'refunds',
  'dispute-hold': 'disputes',
  'dispute-release': 'disputes',
  'dispute-fee': 'disputes',
} as const satisfies Record<SettlementLine['kind'], keyof SettlementTotals>;

export function settlementTotals(lines: readonly SettlementLine[]): SettlementTotals {
  const counts = { charges: 0, reversals: 0, returns: 0, refunds: 0, disputes: 0 };
  for (const { kind } of lines) counts[COUNTED_AS[kind]] += 1;
  return { net_amount: lines.reduce((sum, line) => sum + effectOnAvailable(line), 0n).toString(), ...counts };
}

export interface FundsSettled extends OfAccount {
  readonly settlement_number: number;
  readonly lines: readonly SettlementLine[];
  readonly totals: SettlementTotals;
  readonly settled_on: string;
}

export interface PayoutRequested extends OfAccount {
  readonly payout_id: string;
  readonly amount: number;
  readonly fee: Fee;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly bank_account_name: string;
  readonly bank_account_number: string;
  readonly bank_name: string;
  /** As the merchant gave it; absent when it gave none. */
  readonly bank_code?: string;
  readonly reference_id: string | null;
  readonly description: string | null;
  readonly meta_data: Readonly<Record<string, string>>;
  /** Fingerprint of the accepted request; the event's metadata hold the same value. */
  readonly fingerprint: string;
  /** How many operators must approve it before it is sent to a bank, by the policy at the time of the request. Later policies do not apply. */
  readonly approvals_required: 0 | 1 | 2;
  /** Deadline of the approval; null when no approval is required. */
  readonly approve_by: string | null;
  readonly created_by: string;
  readonly created_on: string;
}

interface OfPayout extends OfAccount {
  readonly payout_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
}

export interface PayoutSubmitted extends OfPayout {
  readonly submitted_on: string;
}

export interface PayoutSucceeded extends OfPayout {
  readonly succeeded_on: string;
}

export interface PayoutFailed extends OfPayout {
  readonly reason: string;
  readonly failed_on: string;
}

/** One of the required operators has approved. Each operator counts once, whichever of their keys they use. */
export interface PayoutApproved extends OfPayout {
  readonly person_id: string;
  readonly key_id: string;
  /** HMAC of the data that were shown, which are those in the stream. */
  readonly digest: string;
  readonly reason: string;
  readonly approved_on: string;
}

/** An operator who had approved may not approve any more; this is found before the payout is sent to a bank. */
export interface PayoutApprovalVoided extends OfPayout {
  readonly person_id: string;
  readonly voided_on: string;
}

export const CANCEL_CAUSES = ['merchant', 'declined', 'approval-expired'] as const;
export type CancelCause = (typeof CANCEL_CAUSES)[number];

export interface PayoutCancelled extends OfPayout {
  readonly cause: CancelCause;
  /** The operator who declined it, and the reason; null for other causes. */
  readonly person_id: string | null;
  readonly reason: string | null;
  readonly cancelled_by: string;
  readonly cancelled_on: string;
}

export type AccountEvent =
  | { readonly type: 'FundsSettled'; readonly data: FundsSettled }
  | { readonly type: 'PayoutRequested'; readonly data: PayoutRequested }
  | { readonly type: 'PayoutApproved'; readonly data: PayoutApproved }
  | { readonly type: 'PayoutApprovalVoided'; readonly data: PayoutApprovalVoided }
  | { readonly type: 'PayoutSubmitted'; readonly data: PayoutSubmitted }
  | { readonly type: 'PayoutSucceeded'; readonly data: PayoutSucceeded }
  | { readonly type: 'PayoutFailed'; readonly data: PayoutFailed }
  | { readonly type: 'PayoutCancelled'; readonly data: PayoutCancelled }
  | AccountRefundEvent
  | AccountAdjustmentEvent;
