import {
  decideLineRefusal,
  isOfAccount,
  refusalOfListed,
  whyItWaits,
  withRefused,
  type LineRefusal,
  type ListedLine,
  type RefusedLines,
  type RefuseLine,
} from '../accounts/listed-line.js';
import { channelByCode } from '../ledger/channels.js';
import { NOTHING_TO_DO, type Decider, type Decision } from '../ledger/decider.js';
import type { Timestamp } from '../ledger/time.js';
import type { ChargeCreated, ChargeEvent, ChargeStatus } from '../ledger/events/charge.events.js';
import { settlementDate, type Holidays } from './settlement-date.js';

export type ChargeCommand =
  /** The facts are worked out by the handler from the merchant's channel; here it is only decided that a charge is created once. */
  | { readonly kind: 'create'; readonly charge: ChargeCreated }
  | { readonly kind: 'pay'; readonly amount: number; readonly payment_reference: string; readonly now: Timestamp; readonly holidays: Holidays }
  | { readonly kind: 'fail'; readonly reason: string; readonly now: Timestamp }
  | { readonly kind: 'expire'; readonly now: Timestamp }
  | { readonly kind: 'cancel'; readonly cancelled_by: string; readonly now: Timestamp }
  | { readonly kind: 'claim-for-settlement'; readonly listed: ListedLine; readonly now: Timestamp }
  | { readonly kind: 'reverse'; readonly reason: string; readonly now: Timestamp }
  | { readonly kind: 'claim-reversal'; readonly listed: ListedLine; readonly now: Timestamp }
  | RefuseLine;

export type ChargeRefusal =
  | 'charge-exists'
  | 'charge-not-found'
  | 'charge-not-pending'
  | 'charge-has-too-many-payments'
  /** Not found in the stream: a reader that is behind, never a reason to drop a line. */
  | 'charge-not-paid'
  | 'charge-claimed-elsewhere'
  | 'charge-reversed-before-claim'
  | 'charge-not-reversed-after-claim'
  | LineRefusal;

export type ChargeState =
  | { readonly status: 'NONE'; readonly refused: RefusedLines }
  | {
      readonly status: ChargeStatus;
      readonly created: ChargeCreated;
      /** Lines of it that people have refused. */
      readonly refused: RefusedLines;
      /** Reference of the payment that made it SUCCEEDED. */
      readonly paid_reference: string | null;
      /** References of payments it could not take, kept so that a repeated notification adds nothing. */
      readonly unmatched: readonly string[];
      /** Number of the settlement that holds it. */
      readonly claimed_in: number | null;
      /** Where it stood when it was reversed. */
      readonly reversed: { readonly claimed_in: number | null; readonly reversal_claimed_in: number | null } | null;
    };

type Existing = Exclude<ChargeState, { status: 'NONE' }>;

/** Notifications of payments that a charge cannot take are remembered up to here; a processor that sends more is refused. */
const UNMATCHED_MAX = 100;

export const charge: Decider<ChargeState, ChargeCommand, ChargeEvent, ChargeRefusal> = {
  initial: { status: 'NONE', refused: [] },

  evolve(state, event): ChargeState {
    if (event.type === 'ChargeCreated') {
      const { refused } = state;
      return { status: 'PENDING', created: event.data, refused, paid_reference: null, unmatched: [], claimed_in: null, reversed: null };
    }
    if (event.type === 'SettlementLineRefused') return { ...state, refused: withRefused(state.refused, event.data) };
    const existing = mustExist(state, event.type);
    switch (event.type) {
      case 'ChargePaid':
        return { ...existing, status: 'SUCCEEDED', paid_reference: event.data.payment_reference };
      case 'ChargePaymentUnmatched':
        return { ...existing, unmatched: [...existing.unmatched, event.data.payment_reference] };
      case 'ChargeFailed':
        return { ...existing, status: 'FAILED' };
      case 'ChargeExpired':
        return { ...existing, status: 'EXPIRED' };
      case 'ChargeCancelled':
        return { ...existing, status: 'CANCELLED' };
      case 'ChargeSettlementClaimed':
        return { ...existing, claimed_in: event.data.settlement_number };
      case 'ChargeReversed':
        return { ...existing, reversed: { claimed_in: event.data.claimed_in, reversal_claimed_in: null } };
      case 'ChargeReversalClaimed':
        return { ...existing, reversed: { claimed_in: existing.claimed_in, reversal_claimed_in: event.data.settlement_number } };
      default:
        throw new Error(`a charge knows no ${(event satisfies never as ChargeEvent).type}`);
    }
  },

  decide(state, command): Decision<ChargeEvent, ChargeRefusal> {
    if (command.kind === 'create') {
      return state.status === 'NONE'
        ? { events: [{ type: 'ChargeCreated', data: command.charge }] }
        : refuse('charge-exists', 'The charge exists already.');
    }
    if (command.kind === 'refuse-line') return decideLineRefusal(state.refused, command, waitsFor(state, command));
    if (command.kind === 'claim-for-settlement' || command.kind === 'claim-reversal') return decideLine(state, command);
    if (state.status === 'NONE') return refuse('charge-not-found', 'There is no such charge.');
    switch (command.kind) {
      case 'pay':
        return decidePay(state, command);
      case 'fail':
        return end(state, 'FAILED', { type: 'ChargeFailed', data: { ...of(state), reason: command.reason, failed_on: command.now } });
      case 'expire':
        return end(state, 'EXPIRED', { type: 'ChargeExpired', data: { ...of(state), expired_on: command.now } });
      case 'cancel':
        return end(state, 'CANCELLED', {
          type: 'ChargeCancelled',
          data: { ...of(state), cancelled_on: command.now, cancelled_by: command.cancelled_by },
        });
      case 'reverse':
        return decideReverse(state, command.reason, command.now);
      default:
        throw new Error(`a charge takes no command ${(command satisfies never as ChargeCommand).kind}`);
    }
  },
};

function decidePay(state: Existing, command: Extract<ChargeCommand, { kind: 'pay' }>): Decision<ChargeEvent, ChargeRefusal> {
  const { amount, payment_reference, now } = command;
  if (payment_reference === state.paid_reference || state.unmatched.includes(payment_reference)) return NOTHING_TO_DO;
  const isOtherAmount = amount !== state.created.amount;
  if (isOtherAmount || state.status === 'SUCCEEDED') {
    if (state.unmatched.length >= UNMATCHED_MAX)
      return refuse('charge-has-too-many-payments', `The charge has ${UNMATCHED_MAX} payments that it cannot take.`);
    const reason = isOtherAmount ? 'other-amount' : 'second-payment';
    return { events: [{ type: 'ChargePaymentUnmatched', data: { ...of(state), amount, payment_reference, reason, received_on: now } }] };
  }
  const { fee_amount, net_amount, settlement_cycle, channel_code } = state.created;
  const country = channelByCode(channel_code)?.country;
  if (country === undefined) throw new Error(`channel ${channel_code} of charge ${state.created.charge_id} is not shipped any more`);
  return {
    events: [
      {
        type: 'ChargePaid',
        data: {
          ...of(state),
          amount,
          fee_amount,
          net_amount,
          paid_on: now,
          settlement_date: settlementDate(now, settlement_cycle, country, command.holidays),
          payment_reference,
          late_after: state.status === 'PENDING' ? null : state.status,
        },
      },
    ],
  };
}

/** PENDING ends once; the same end again is done already; any other state refuses. */
function end(state: Existing, status: ChargeStatus, event: ChargeEvent): Decision<ChargeEvent, ChargeRefusal> {
  if (state.status === status) return NOTHING_TO_DO;
  if (state.status === 'PENDING') return { events: [event] };
  return refuse('charge-not-pending', `The charge is ${state.status}.`);
}

/** Facts found in a charge's stream for which a settlement goes on without the line; for any other refusal it waits. */
export const DROPS_CHARGE: ReadonlySet<string> = new Set<ChargeRefusal>(['charge-claimed-elsewhere', 'charge-reversed-before-claim', 'line-refused']);

type Claim = Extract<ChargeCommand, { kind: 'claim-for-settlement' | 'claim-reversal' }>;

function decideLine(state: ChargeState, { kind, listed, now }: Claim): Decision<ChargeEvent, ChargeRefusal> {
  const { settlement_number } = listed;
  const refusal = refusalOfListed(state.refused, listed, state.status === 'NONE' ? undefined : state.created);
  if (refusal) return refusal;
  if (state.status === 'NONE') return refuse('charge-not-found', 'There is no such charge.');
  return kind === 'claim-reversal' ? decideClaimReversal(state, settlement_number, now) : decideClaim(state, settlement_number, now);
}

/** undefined where the settlement does not wait for this charge. */
function waitsFor(state: ChargeState, { listed, now }: RefuseLine): string | undefined {
  const kind = listed.line.kind === 'reversal' ? 'claim-reversal' : 'claim-for-settlement';
  const claim = decideLine(state, { kind, listed, now });
  if (!('refusal' in claim) || DROPS_CHARGE.has(claim.refusal)) return undefined;
  return isClaimedFor(state, listed) ? undefined : whyItWaits(claim);
}

/** Whatever its amounts: what is claimed for a number is settled with it, or with none. */
function isClaimedFor(state: ChargeState, listed: ListedLine): boolean {
  if (state.status === 'NONE' || !isOfAccount(listed, state.created)) return false;
  const claimed_in = listed.line.kind === 'reversal' ? state.reversed?.reversal_claimed_in : state.claimed_in;
  return claimed_in === listed.settlement_number;
}

function decideClaim(state: Existing, settlement_number: number, now: Timestamp): Decision<ChargeEvent, ChargeRefusal> {
  if (state.claimed_in === settlement_number) return NOTHING_TO_DO;
  if (state.claimed_in !== null) return refuse('charge-claimed-elsewhere', `The charge is in settlement ${state.claimed_in}.`);
  if (state.reversed) return refuse('charge-reversed-before-claim', 'The charge was reversed before any settlement.');
  if (state.status !== 'SUCCEEDED') return refuse('charge-not-paid', `The charge is ${state.status}.`);
  return { events: [{ type: 'ChargeSettlementClaimed', data: { ...of(state), settlement_number, claimed_on: now } }] };
}

function decideReverse(state: Existing, reason: string, now: Timestamp): Decision<ChargeEvent, ChargeRefusal> {
  if (state.reversed) return NOTHING_TO_DO;
  if (state.status !== 'SUCCEEDED') return refuse('charge-not-paid', `The charge is ${state.status}.`);
  const { amount, fee_amount, net_amount } = state.created;
  const data = { ...of(state), amount, fee_amount, net_amount, reason, claimed_in: state.claimed_in, reversed_on: now };
  return { events: [{ type: 'ChargeReversed', data }] };
}

function decideClaimReversal(state: Existing, settlement_number: number, now: Timestamp): Decision<ChargeEvent, ChargeRefusal> {
  if (!state.reversed) return refuse('charge-not-reversed-after-claim', 'The charge is not reversed.');
  if (state.reversed.reversal_claimed_in === settlement_number) return NOTHING_TO_DO;
  if (state.reversed.reversal_claimed_in !== null) {
    return refuse('charge-claimed-elsewhere', `The reversal is in settlement ${state.reversed.reversal_claimed_in}.`);
  }
  if (state.reversed.claimed_in === null) return refuse('charge-reversed-before-claim', 'The charge was reversed before any settlement.');
  return { events: [{ type: 'ChargeReversalClaimed', data: { ...of(state), settlement_number, claimed_on: now } }] };
}

function of(state: Existing): { charge_id: string; merchant_id: string; currency: string } {
  const { charge_id, merchant_id, currency } = state.created;
  return { charge_id, merchant_id, currency };
}

function mustExist(state: ChargeState, event: string): Existing {
  if (state.status === 'NONE') throw new Error(`${event} without ChargeCreated`);
  return state;
}

function refuse(refusal: ChargeRefusal, detail: string): { refusal: ChargeRefusal; detail: string } {
  return { refusal, detail };
}
