import { refuse, type Decision } from '../../ledger/decider.js';
import type { AccountEvent } from '../../ledger/events/account.events.js';
import {
  adjustedAvailable,
  isSuspenseKind,
  type AccountAdjusted,
  type AccountAdjustmentKind,
  type SuspenseItem,
} from '../../ledger/events/adjustment.events.js';
import { feeOnRoundedHalfUp, type Fee } from '../../ledger/money.js';
import type { Timestamp } from '../../ledger/time.js';
import { monthOf, refuseItem, refuseMonth, type AdjustmentOrder, type AdjustmentRefusal } from './suspense-item.js';
import { formatAmount } from '../../platform/text/format.js';

/** An approved adjustment of an account. Source of the rules: finance-desk.md, "Suspense, adjustments". */
export interface AccountAdjustmentOrder extends AdjustmentOrder {
  readonly kind: AccountAdjustmentKind;
  readonly merchant_id: string;
  /** Mode of the merchant. */
  readonly mode: 'live' | 'test';
  readonly direction: 'back' | null;
  /** The suspense item that it resolves; null for kinds that resolve none. */
  readonly item: SuspenseItem | null;
  /** Fee terms of the item's charge; null: no fee is charged. */
  readonly fee: Fee | null;
}

type AdjustmentDecision = Decision<AccountEvent, AdjustmentRefusal | 'insufficient-balance'>;

/** @param available the account's available amount, minor units */
export function decideAdjustment(available: bigint, order: AccountAdjustmentOrder, now: Timestamp): AdjustmentDecision {
  const refused = refuseMonth(order, now) ?? refuseItemOf(order, now);
  if (refused) return refused;
  const { proposal_id, kind, merchant_id, currency, amount, direction, item, fee } = order;
  const fee_amount = fee === null ? 0 : feeOnRoundedHalfUp(amount, fee);
  const data: AccountAdjusted = {
    merchant_id,
    currency,
    proposal_id,
    kind,
    direction,
    amount,
    fee_amount,
    net_amount: amount - fee_amount,
    item_id: item?.item_id ?? null,
    charge_id: item?.charge_id ?? null,
    relates_to: monthOf(order, now),
    adjusted_on: now,
  };
  // A clawback may take more than is available: that is its purpose.
  if (kind === 'FEE_CORRECTION' && available + adjustedAvailable(data) < 0n)
    return refuse('insufficient-balance', `It needs ${formatAmount(amount, currency)}; ${formatAmount(available, currency)} are available.`);
  return { events: [{ type: 'AccountAdjusted', data }] };
}

function refuseItemOf(order: AccountAdjustmentOrder, now: Timestamp) {
  const { kind, item, merchant_id, mode } = order;
  if (!isSuspenseKind(kind)) return undefined;
  if (item === null) return refuse('item-not-found', 'There is no such item in suspense.');
  const isOwn = item.merchant_id === null ? item.mode === mode : item.merchant_id === merchant_id;
  return refuseItem({ ...order, kind }, item, isOwn, now);
}
