import { CHANNELS, QR_AMOUNT_MAX, channelByCode, PAYOUT_FEES, railUseOf } from '../../ledger/channels.js';
import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import { isFee, type Fee } from '../../ledger/money.js';
import type { Timestamp } from '../../ledger/time.js';
import {
  decideOnKeys,
  withIssued,
  withRevoked,
  type KeyChange,
  type KeyCommand,
  type KeyRefusal,
  type KeyRing,
  type NewKey,
} from '../operators/key-ring.js';
import type { MerchantChannelSet, MerchantEvent, MerchantFeeSet, MerchantRailSet, MerchantRegistered } from '../../ledger/events/merchant.events.js';
import { unreachable } from '../../ledger/unreachable.js';
import { formatAmount } from '../../platform/text/format.js';

/** Changes of a shipped channel for one merchant; fields that are left out stay. */
export interface ChannelChange {
  readonly enabled?: boolean;
  /** Minor units, inclusive. */
  readonly min_amount?: number;
  readonly max_amount?: number;
  /** `T+n`. */
  readonly settlement_cycle?: string;
}

export type MerchantCommand =
  /** Registers the merchant with its first key: a merchant can do nothing without one, so both are one decision. */
  | { readonly kind: 'register'; readonly merchant: Omit<MerchantRegistered, 'created_on'>; readonly first_key: NewKey; readonly now: Timestamp }
  | KeyCommand
  | (Setting & { readonly kind: 'set-channel'; readonly channel_code: string; readonly change: ChannelChange })
  | (Setting & { readonly kind: 'set-fee'; readonly of: MerchantFeeSet['of']; readonly fee: Fee })
  | (Setting & { readonly kind: 'set-rail' } & RouteChange);

interface Setting {
  readonly set_by: string;
  /** Set for an approved proposal. Then an unchanged value is an event too, because the proposal has taken effect. */
  readonly proposal_id?: string;
  readonly now: Timestamp;
}

/** The route of a merchant's charges by a channel, or of its payouts in a currency. */
export interface RouteChange {
  readonly use: string;
  /** An existing rail, and the mode that it serves; null: the merchant has no route for this use. */
  readonly rail: { readonly name: string; readonly serves: 'test' | 'live' } | null;
  readonly merchant_name_id: string | null;
}

export type MerchantRefusal =
  | KeyRefusal
  | 'merchant-exists'
  | 'merchant-not-found'
  | 'channel-unknown'
  | 'bounds-invalid'
  | 'settlement-cycle-invalid'
  | 'currency-without-payouts'
  | 'currency-without-disputes'
  | 'fee-invalid'
  | 'use-unknown'
  | 'rail-of-other-mode';

export interface RegisteredMerchant {
  readonly merchant_id: string;
  readonly mode: 'test' | 'live';
  readonly keys: KeyRing;
  /** The newest event of each channel that was ever changed. */
  readonly channels: ReadonlyMap<string, MerchantChannelSet>;
  /** Fees by `feeSubject`. */
  readonly fees: ReadonlyMap<string, Fee>;
  /** The newest event of each use for which the merchant ever had a route. */
  readonly rails: ReadonlyMap<string, MerchantRailSet>;
}

export type MerchantState = RegisteredMerchant | null;

export const merchant: Decider<MerchantState, MerchantCommand, MerchantEvent, MerchantRefusal> = {
  initial: null,

  evolve(state, event): MerchantState {
    if (event.type === 'MerchantRegistered') {
      const { merchant_id, mode } = event.data;
      return { merchant_id, mode, keys: new Map(), channels: new Map(), fees: new Map(), rails: new Map() };
    }
    if (state === null) throw new Error(`${event.type} without MerchantRegistered`);
    switch (event.type) {
      case 'ApiKeyIssued':
        return { ...state, keys: withIssued(state.keys, event.data) };
      case 'ApiKeyRevoked':
        return { ...state, keys: withRevoked(state.keys, event.data) };
      case 'MerchantChannelSet':
        return { ...state, channels: new Map(state.channels).set(event.data.channel_code, event.data) };
      case 'MerchantFeeSet':
        return { ...state, fees: new Map(state.fees).set(feeSubject(event.data.of), event.data.fee) };
      case 'MerchantRailSet':
        return { ...state, rails: new Map(state.rails).set(event.data.use, event.data) };
      case 'WebHookSet':
      case 'WebHookDeleted':
      case 'WebHookDisabled':
        // Decided separately, in webhooks/webhook.decider.ts; nothing here depends on it.
        return state;
      case 'ProposalRefused':
        return state;
      default:
        return unreachable(event);
    }
  },

  decide(state, command): Decision<MerchantEvent, MerchantRefusal> {
    if (command.kind === 'register') {
      return state === null ? decideRegister(command) : refuse('merchant-exists', 'The merchant exists already.');
    }
    if (state === null) return refuse('merchant-not-found', 'There is no such merchant.');
    switch (command.kind) {
      case 'issue-key':
      case 'revoke-key':
      case 'rotate-key':
        return changeKeys(state.keys, state.merchant_id, command);
      case 'set-channel':
        return decideSetChannel(state, command);
      case 'set-fee':
        return decideSetFee(state, command);
      case 'set-rail':
        return decideSetRail(state, command);
      default:
        return unreachable(command);
    }
  },
};

/** Returns the subject of a fee as one string: `charge QR_QRIS`, `payout IDR`, `dispute IDR`. */
export function feeSubject(of: MerchantFeeSet['of']): string {
  return of.kind === 'charge' ? `charge ${of.channel_code}` : `${of.kind} ${of.currency}`;
}

function decideRegister(command: Extract<MerchantCommand, { kind: 'register' }>): Decision<MerchantEvent, MerchantRefusal> {
  const { merchant: registered, first_key, now } = command;
  const firstKey = changeKeys(new Map(), registered.merchant_id, { kind: 'issue-key', now, ...first_key });
  if ('refusal' in firstKey) return firstKey;
  return { events: [{ type: 'MerchantRegistered', data: { ...registered, created_on: now } }, ...firstKey.events] };
}

function changeKeys(keys: KeyRing, merchant_id: string, command: KeyCommand): Decision<MerchantEvent, MerchantRefusal> {
  const decision = decideOnKeys(keys, command);
  return 'refusal' in decision ? decision : { events: decision.changes.map((change) => keyEvent(merchant_id, change)) };
}

function keyEvent(merchant_id: string, change: KeyChange): MerchantEvent {
  if (change.kind === 'revoked') {
    const { key_id, revoked_on, at_once } = change;
    return { type: 'ApiKeyRevoked', data: { merchant_id, key_id, revoked_on, at_once } };
  }
  const { key_id, key_hash, name, scopes, expires_on, issued_on } = change;
  return { type: 'ApiKeyIssued', data: { merchant_id, key_id, key_hash, name, scopes, expires_on, issued_on } };
}

function decideSetChannel(
  state: RegisteredMerchant,
  command: Extract<MerchantCommand, { kind: 'set-channel' }>,
): Decision<MerchantEvent, MerchantRefusal> {
  const { channel_code, change } = command;
  const shipped = channelByCode(channel_code);
  if (!shipped) return refuse('channel-unknown', `There is no payment channel ${channel_code}.`);
  const current = state.channels.get(channel_code) ?? { ...shipped, enabled: true };
  const {
    enabled = current.enabled,
    min_amount = current.min_amount,
    max_amount = current.max_amount,
    settlement_cycle = current.settlement_cycle,
  } = change;
  if (![min_amount, max_amount].every((bound) => Number.isSafeInteger(bound) && bound >= 1) || min_amount > max_amount) {
    return refuse('bounds-invalid', 'The lower bound must be above 0 and not above the upper one.');
  }
  if (shipped.qr && max_amount > QR_AMOUNT_MAX) {
    return refuse('bounds-invalid', `A QR code holds at most ${formatAmount(QR_AMOUNT_MAX, shipped.currency)}.`);
  }
  if (!/^T\+([0-9]|[12][0-9]|30)$/.test(settlement_cycle)) {
    return refuse('settlement-cycle-invalid', 'The settlement cycle must be T+n, n from 0 to 30.');
  }
  const isSame =
    enabled === current.enabled &&
    min_amount === current.min_amount &&
    max_amount === current.max_amount &&
    settlement_cycle === current.settlement_cycle;
  if (isSame && command.proposal_id === undefined) return NOTHING_TO_DO;
  const data = { merchant_id: state.merchant_id, channel_code, enabled, min_amount, max_amount, settlement_cycle, ...setBy(command) };
  return { events: [{ type: 'MerchantChannelSet', data }] };
}

function decideSetFee(state: RegisteredMerchant, command: Extract<MerchantCommand, { kind: 'set-fee' }>): Decision<MerchantEvent, MerchantRefusal> {
  const { of, fee } = command;
  if (of.kind === 'charge' && !channelByCode(of.channel_code)) return refuse('channel-unknown', `There is no payment channel ${of.channel_code}.`);
  if (of.kind === 'payout' && !Object.hasOwn(PAYOUT_FEES, of.currency)) {
    return refuse('currency-without-payouts', `There are no payouts in ${of.currency}.`);
  }
  if (of.kind === 'dispute' && !CHANNELS.some(({ currency }) => currency === of.currency)) {
    return refuse('currency-without-disputes', `No payment channel takes ${of.currency}.`);
  }
  if (of.kind === 'dispute' && fee.type !== 'FIXED') return refuse('fee-invalid', 'The fee of a dispute is a fixed amount.');
  if (!isFee(fee)) return refuse('fee-invalid', 'The fee must be a percentage from 0 to 100 of at most 8 decimals, or a fixed amount.');
  const current = state.fees.get(feeSubject(of)) ?? shippedFee(of);
  if (current?.type === fee.type && current.value === fee.value && command.proposal_id === undefined) return NOTHING_TO_DO;
  return { events: [{ type: 'MerchantFeeSet', data: { merchant_id: state.merchant_id, of, fee, ...setBy(command) } }] };
}

function decideSetRail(state: RegisteredMerchant, command: Extract<MerchantCommand, { kind: 'set-rail' }>): Decision<MerchantEvent, MerchantRefusal> {
  const { rail } = command;
  const use = railUseOf(command.use);
  if (use === undefined) return refuse('use-unknown', `There is no payment channel ${command.use}, and no payouts of that name.`);
  if (rail !== null && rail.serves !== state.mode) {
    return refuse('rail-of-other-mode', `Rail ${rail.name} serves ${rail.serves} merchants, and this one is a ${state.mode} merchant.`);
  }
  const name = rail?.name ?? null;
  const merchant_name_id = name === null ? null : command.merchant_name_id;
  const current = state.rails.get(use) ?? { rail: null, merchant_name_id: null };
  if (current.rail === name && current.merchant_name_id === merchant_name_id && command.proposal_id === undefined) return NOTHING_TO_DO;
  return { events: [{ type: 'MerchantRailSet', data: { merchant_id: state.merchant_id, use, rail: name, merchant_name_id, ...setBy(command) } }] };
}

const setBy = ({ set_by, proposal_id, now }: Setting) => ({ set_by, set_on: now, ...(proposal_id !== undefined && { proposal_id }) });

/** Returns the fee that applies when nothing else is agreed. */
function shippedFee(of: MerchantFeeSet['of']): Fee | undefined {
  if (of.kind === 'charge') return channelByCode(of.channel_code)?.fee;
  return of.kind === 'payout' ? PAYOUT_FEES[of.currency] : NO_DISPUTE_FEE;
}

const NO_DISPUTE_FEE: Fee = { type: 'FIXED', value: 0 };
