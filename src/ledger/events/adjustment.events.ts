import type { AtProcessor } from './at-processor.js';

/**
 * What persons of the house have decided about money, by an approved proposal. What a merchant's available money takes part in stands in
 * its account's stream, all else in `house-<mode>-<currency>`. A kind says what moves: nobody names accounts.
 */
export const houseStream = (mode: 'live' | 'test', currency: string): string => `house-${mode}-${currency}`;

/** `suspense-<item>`: the one proposal that resolves an item in suspense, as its first event and its last. */
export const suspenseStream = (itemId: string): string => `suspense-${itemId}`;

/** The owners of what the house books itself: no merchants, but lines of theirs add up with those of merchants to the trial balance. */
export const HOUSE_OWNERS = {
  live: '00000000-0000-0000-0000-00000000000a',
  test: '00000000-0000-0000-0000-00000000000b',
} as const;

/** Of a merchant's account. */
export const ACCOUNT_ADJUSTMENTS = ['UNMATCHED_TO_MERCHANT', 'TOP_UP', 'FEE_CORRECTION', 'CLAWBACK', 'COVER'] as const;
export type AccountAdjustmentKind = (typeof ACCOUNT_ADJUSTMENTS)[number];
export const isAccountKind = (kind: AdjustmentKind): kind is AccountAdjustmentKind => (ACCOUNT_ADJUSTMENTS as readonly string[]).includes(kind);

/** Of the house alone. */
export const HOUSE_ADJUSTMENTS = ['UNMATCHED_SENT_BACK', 'COST', 'LOSS', 'GAIN', 'WRITE_OFF', 'OPENING'] as const;
export type HouseAdjustmentKind = (typeof HOUSE_ADJUSTMENTS)[number];
export type AdjustmentKind = AccountAdjustmentKind | HouseAdjustmentKind;
export const ADJUSTMENT_KINDS: readonly AdjustmentKind[] = [...ACCOUNT_ADJUSTMENTS, ...HOUSE_ADJUSTMENTS];

/** Those that resolve an item in suspense, whole and once. */
export const SUSPENSE_ADJUSTMENTS = ['UNMATCHED_TO_MERCHANT', 'UNMATCHED_SENT_BACK', 'TOP_UP', 'COST', 'LOSS', 'GAIN'] as const;
export type SuspenseAdjustmentKind = (typeof SUSPENSE_ADJUSTMENTS)[number];
export const isSuspenseKind = (kind: AdjustmentKind): kind is SuspenseAdjustmentKind => (SUSPENSE_ADJUSTMENTS as readonly string[]).includes(kind);

/** Of no merchant. */
interface OfHouse {
  readonly merchant_id: null;
  readonly mode: 'live' | 'test';
  readonly currency: string;
}

interface Adjustment {
  /** The proposal that it is the effect of: one has one. */
  readonly proposal_id: string;
  /** Minor units, above zero; of an item in suspense all of it. */
  readonly amount: number;
  /** The item in suspense, by its id, or at the processor, by that of its event, that this is about; null where it is about none. */
  readonly item_id: string | null;
  /** `2026-01`: the month that it belongs to, in UTC. */
  readonly relates_to: string;
  readonly adjusted_on: string;
}

export interface AccountAdjusted extends Adjustment {
  readonly merchant_id: string;
  readonly currency: string;
  readonly kind: AccountAdjustmentKind;
  /** `back`: a fee is corrected to the merchant's disadvantage, from available to fees. Null otherwise. */
  readonly direction: 'back' | null;
  /** Of UNMATCHED_TO_MERCHANT, by the charge's terms; 0 where it was waived, and for all other kinds. */
  readonly fee_amount: number;
  /** `amount` less the fee. */
  readonly net_amount: number;
  /** Of the charge that the item came for; null where there is none. */
  readonly charge_id: string | null;
}

export interface HouseAdjusted extends Adjustment, OfHouse, Pick<AccountAdjusted, 'charge_id'> {
  readonly kind: HouseAdjustmentKind;
  /** Whose money it moves; null where it moves none at a processor. */
  readonly processor: AtProcessor['processor'] | null;
  /** Of OPENING: the source of statements that it opens; null otherwise. */
  readonly source: string | null;
  /** Of OPENING of a processor's source: the ordinal up to which the processor's items are closed with it; null otherwise. */
  readonly position: number | null;
}

/** In the place of the effect: the target's rules say no. It moves nothing. */
export interface AdjustmentRefused {
  /** null: of the house. */
  readonly merchant_id: string | null;
  readonly currency: string;
  readonly proposal_id: string;
  readonly refusal: string;
  readonly detail: string;
  readonly refused_on: string;
}

/** From here on the item is this proposal's, and no other one's. */
export interface SuspenseItemClaimed {
  readonly merchant_id: null;
  readonly item_id: string;
  readonly proposal_id: string;
  readonly claimed_on: string;
}

/** Money of which nobody has said yet whose it is, as the event that brought it says. */
export interface SuspenseItem {
  /** Of that event; of a line of a bank its own. */
  readonly item_id: string;
  readonly mode: 'live' | 'test';
  /** For whose charge it came; null: nobody knows. */
  readonly merchant_id: string | null;
  readonly charge_id: string | null;
  /** That holds the payment; null: it is no payment, but a line. */
  readonly processor: string | null;
  readonly currency: string;
  /** Minor units; below zero where money is missing. */
  readonly amount: number;
  readonly since: string;
  /** Of a line: it has been found since of what it is, and the next close of the bank's day takes it out of suspense. */
  readonly is_matched: boolean;
}

export type AccountAdjustmentEvent =
  | { readonly type: 'AccountAdjusted'; readonly data: AccountAdjusted }
  | { readonly type: 'AdjustmentRefused'; readonly data: AdjustmentRefused & { readonly merchant_id: string } };

export type HouseEvent =
  { readonly type: 'HouseAdjusted'; readonly data: HouseAdjusted } | { readonly type: 'AdjustmentRefused'; readonly data: AdjustmentRefused };

export type SuspenseEvent = { readonly type: 'SuspenseItemClaimed'; readonly data: SuspenseItemClaimed };

/** What an adjustment adds to available, minor units; below zero for what it takes. */
export function adjustedAvailable({ kind, direction, net_amount }: Pick<AccountAdjusted, 'kind' | 'direction' | 'net_amount'>): bigint {
  return BigInt(kind === 'CLAWBACK' || direction === 'back' ? -net_amount : net_amount);
}
