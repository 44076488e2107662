import type { AtProcessor } from './at-processor.js';

/**
 * Adjustments: decisions of operators about money, by an approved proposal. Those that change a merchant's available money are in the stream of its
 * account, all others in `house-<mode>-<currency>`. The kind determines the accounts; no proposal names accounts.
 */
export const houseStream = (mode: 'live' | 'test', currency: string): string => `house-${mode}-${currency}`;

/** `suspense-<item>`: the one proposal that resolves an item in suspense, as its first event and its last. */
export const suspenseStream = (itemId: string): string => `suspense-${itemId}`;

/** Owners of house accounts. They are no merchants, but their lines and those of merchants add up to the trial balance. */
export const HOUSE_OWNERS = {
  live: '00000000-0000-0000-0000-00000000000a',
  test: '00000000-0000-0000-0000-00000000000b',
} as const;

/** Kinds that change a merchant's account. */
export const ACCOUNT_ADJUSTMENTS = ['UNMATCHED_TO_MERCHANT', 'TOP_UP', 'FEE_CORRECTION', 'CLAWBACK', 'COVER'] as const;
export type AccountAdjustmentKind = (typeof ACCOUNT_ADJUSTMENTS)[number];
export const isAccountKind = (kind: AdjustmentKind): kind is AccountAdjustmentKind => (ACCOUNT_ADJUSTMENTS as readonly string[]).includes(kind);

/** Kinds that change house accounts only. */
export const HOUSE_ADJUSTMENTS = ['UNMATCHED_SENT_BACK', 'COST', 'LOSS', 'GAIN', 'WRITE_OFF', 'OPENING'] as const;
export type HouseAdjustmentKind = (typeof HOUSE_ADJUSTMENTS)[number];
export type AdjustmentKind = AccountAdjustmentKind | HouseAdjustmentKind;
export const ADJUSTMENT_KINDS: readonly AdjustmentKind[] = [...ACCOUNT_ADJUSTMENTS, ...HOUSE_ADJUSTMENTS];

/** Kinds that resolve an item in suspense, whole and once. */
export const SUSPENSE_ADJUSTMENTS = ['UNMATCHED_TO_MERCHANT', 'UNMATCHED_SENT_BACK', 'TOP_UP', 'COST', 'LOSS', 'GAIN'] as const;
export type SuspenseAdjustmentKind = (typeof SUSPENSE_ADJUSTMENTS)[number];
export const isSuspenseKind = (kind: AdjustmentKind): kind is SuspenseAdjustmentKind => (SUSPENSE_ADJUSTMENTS as readonly string[]).includes(kind);

/** Fields of an event without a merchant. */
interface OfHouse {
  readonly merchant_id: null;
  readonly mode: 'live' | 'test';
  readonly currency: string;
}

interface Adjustment {
  /** The proposal that caused it: a proposal has one effect. */
  readonly proposal_id: string;
  /** Minor units, above zero; for an item in suspense, all of it. */
  readonly amount: number;
  /** The item that this is about: an item in suspense by its id, or one at the processor by the id of its event; null when it is about none. */
  readonly item_id: string | null;
  /** `2026-01`: the month of the books that it belongs to, in the time zone that they had when it was booked. */
  readonly relates_to: string;
  readonly adjusted_on: string;
}

export interface AccountAdjusted extends Adjustment {
  readonly merchant_id: string;
  readonly currency: string;
  readonly kind: AccountAdjustmentKind;
  /** `back`: the correction of a fee to the merchant's disadvantage, from available to fees. Null otherwise. */
  readonly direction: 'back' | null;
  /** Fee of UNMATCHED_TO_MERCHANT by the charge's terms; 0 when it was waived, and for all other kinds. */
  readonly fee_amount: number;
  /** `amount` less the fee. */
  readonly net_amount: number;
  /** The charge that the item was paid for; null when there is none. */
  readonly charge_id: string | null;
}

export interface HouseAdjusted extends Adjustment, OfHouse, Pick<AccountAdjusted, 'charge_id'> {
  readonly kind: HouseAdjustmentKind;
  /** The processor whose money it moves; null when it moves none at a processor. */
  readonly processor: AtProcessor['processor'] | null;
  /** The source of statements that an OPENING opens; null otherwise. */
  readonly source: string | null;
  /** The ordinal up to which an OPENING of a processor's source closes the processor's items; null otherwise. */
  readonly position: number | null;
  /** Number of the items that it closes, whose sum is `amount`; null otherwise, and for an opening whose event has schema version 1. */
  readonly items: number | null;
}

/** Recorded instead of the effect: the target's rules reject it. It moves nothing. */
export interface AdjustmentRefused {
  /** null: house accounts. */
  readonly merchant_id: string | null;
  readonly currency: string;
  readonly proposal_id: string;
  readonly refusal: string;
  readonly detail: string;
  readonly refused_on: string;
}

/** From here on the item belongs to this proposal, and to no other one. */
export interface SuspenseItemClaimed {
  readonly merchant_id: null;
  readonly item_id: string;
  readonly proposal_id: string;
  readonly claimed_on: string;
}

/** Money whose owner is not known yet, as recorded by the event that brought it. */
export interface SuspenseItem {
  /** Id of that event; a line of a bank has its own id. */
  readonly item_id: string;
  readonly mode: 'live' | 'test';
  /** The merchant whose charge it was paid for; null: unknown. */
  readonly merchant_id: string | null;
  readonly charge_id: string | null;
  /** The processor that holds the payment; null: it is no payment, but a line. */
  readonly processor: string | null;
  readonly currency: string;
  /** Minor units; below zero when money is missing. */
  readonly amount: number;
  readonly since: string;
  /** True for a line whose match has been found since; the next close of the bank's day takes it out of suspense. */
  readonly is_matched: boolean;
}

export type AccountAdjustmentEvent =
  | { readonly type: 'AccountAdjusted'; readonly data: AccountAdjusted }
  | { readonly type: 'AdjustmentRefused'; readonly data: AdjustmentRefused & { readonly merchant_id: string } };

export type HouseEvent =
  { readonly type: 'HouseAdjusted'; readonly data: HouseAdjusted } | { readonly type: 'AdjustmentRefused'; readonly data: AdjustmentRefused };

export type SuspenseEvent = { readonly type: 'SuspenseItemClaimed'; readonly data: SuspenseItemClaimed };

/** Returns the amount that an adjustment adds to available, minor units; below zero when it takes from available. */
export function adjustedAvailable({ kind, direction, net_amount }: Pick<AccountAdjusted, 'kind' | 'direction' | 'net_amount'>): bigint {
  return BigInt(kind === 'CLAWBACK' || direction === 'back' ? -net_amount : net_amount);
}
