import { decideLineRefusal, type ListedLine, type RefuseLine } from '../accounts/listed-line.js';
import { channelByCode } from '../../ledger/channels.js';
import { NOTHING_TO_DO, refuse, type Decider, type Decision, type Refused } from '../../ledger/decider.js';
import { feeOnRoundedHalfUp, MINOR_UNITS } from '../../ledger/money.js';
import type { ChannelTerms } from '../../ledger/ports/merchant-terms.js';
import { milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import type { ChargeAction, ChargeCreated, ChargeEvent, ChargeStatus } from '../../ledger/events/charge.events.js';
import { decideLine, waitsFor, type ClaimRefusal } from './charge-lines.js';
import { decideDispute, type DisputeCommand, type DisputeRefusal } from './disputes/charge-disputes.js';
import { decideInstruction, type InstructionCommand, type InstructionRefusal } from './remote/charge-instructions.js';
import { decideRefund, type RefundCommand, type RefundRefusal } from './refunds/charge-refunds.js';
import { atProcessor, evolveCharge, NO_CHARGE, ofCharge, restOf, type ChargeState, type ExistingCharge } from './charge-state.js';
import type { PaymentInstructions } from './processor.js';
import type { Holidays } from '../calendar/holidays.js';
import { settlementDate } from '../calendar/due-dates.js';
import { formatAmount } from '../../platform/text/format.js';

/**
 * A client's order for a charge: validated and normalised, with explicit values for absent fields, except `return_url`: every member of an order is in
 * its fingerprint, and a body without it keeps the fingerprint of earlier versions.
 */
export interface ChargeOrder extends Pick<
  ChargeCreated,
  'amount' | 'currency' | 'channel_code' | 'action_flow' | 'reference_id' | 'description' | 'return_url'
> {
  readonly metadata: ChargeCreated['meta_data'];
}

/** An order with all other inputs of the decision. */
export interface CreateCommand {
  readonly kind: 'create';
  readonly order: ChargeOrder;
  /** Terms of the order's channel, as agreed with the merchant. */
  readonly terms: ChannelTerms;
  readonly ids: Pick<ChargeCreated, 'charge_id' | 'merchant_id' | 'code' | 'charge_statement_id'>;
  readonly pages: Pick<ChargeAction, 'embedded_url' | 'simulation_url'>;
  /** Name of the payment processor. */
  readonly processor: string;
  /** Returns the processor's payment instructions, a function of the order alone. Called only for an order that the terms allow. */
  readonly instructions: (expires_on: Timestamp) => PaymentInstructions;
  /** Set when the processor responds over a network: its instructions are requested after the charge is stored. */
  readonly remote?: RemoteTerms;
  readonly created_by: string;
  readonly now: Timestamp;
}

/** Limits of a remote processor's channel, in addition to the merchant's terms. */
export interface RemoteTerms {
  /** Minor units, inclusive. */
  readonly min_amount: number;
  readonly max_amount: number;
  /** Maximum lifetime of an instruction; null: unlimited. */
  readonly life_ms: number | null;
  /** True for live rupiah, which cannot be paid in parts of one rupiah. */
  readonly wholeUnitsOnly: boolean;
}

export type ChargeCommand =
  | CreateCommand
  | { readonly kind: 'pay'; readonly amount: number; readonly payment_reference: string; readonly now: Timestamp; readonly holidays: Holidays }
  /** `failure_code`: the code of a remote processor. */
  | { readonly kind: 'fail'; readonly reason: string; readonly failure_code?: string; readonly now: Timestamp }
  | { readonly kind: 'expire'; readonly now: Timestamp }
  | { readonly kind: 'cancel'; readonly cancelled_by: string; readonly now: Timestamp }
  /** Claims a line for a settlement: the charge, its reversal, or a returned part of it. */
  | { readonly kind: 'claim'; readonly listed: ListedLine; readonly now: Timestamp }
  | { readonly kind: 'reverse'; readonly reason: string; readonly now: Timestamp }
  | InstructionCommand
  | RefundCommand
  | DisputeCommand
  | RefuseLine;

/** Refusals by the terms agreed with the merchant. */
type TermsRefusal = 'channel-not-available' | 'currency-mismatch' | 'action-flow-not-supported' | 'amount-out-of-range';

export type ChargeRefusal =
  | TermsRefusal
  | ClaimRefusal
  | InstructionRefusal
  | RefundRefusal
  | DisputeRefusal
  | 'charge-exists'
  | 'charge-not-pending'
  | 'charge-has-too-many-payments';

/** Maximum unmatched payments that a charge remembers. Further ones are refused. */
const UNMATCHED_MAX = 100;

export const charge: Decider<ChargeState, ChargeCommand, ChargeEvent, ChargeRefusal> = {
  initial: NO_CHARGE,
  evolve: evolveCharge,

  decide(state, command): Decision<ChargeEvent, ChargeRefusal> {
    if (command.kind === 'create') return decideCreate(state, command);
    if (command.kind === 'refuse-line') return decideLineRefusal(state.refused, command, waitsFor(state, command));
    if (command.kind === 'claim') return decideLine(state, command);
    if (state.status === 'NONE') return refuse('charge-not-found', 'There is no such charge.');
    switch (command.kind) {
      case 'pay':
        return decidePay(state, command);
      case 'fail':
        return decideFail(state, command);
      case 'expire':
        return end(state, 'EXPIRED', { type: 'ChargeExpired', data: { ...ofCharge(state), expired_on: command.now } });
      case 'cancel':
        return end(state, 'CANCELLED', {
          type: 'ChargeCancelled',
          data: { ...ofCharge(state), cancelled_on: command.now, cancelled_by: command.cancelled_by },
        });
      case 'reverse':
        return decideReverse(state, command.reason, command.now);
      case 'begin-instruction':
      case 'instruct':
      case 'close-instruction':
        return decideInstruction(state, command);
      case 'refund':
      case 'claim-refund':
      case 'submit-refund':
      case 'succeed-refund':
      case 'fail-refund':
      case 'bounce-refund':
      case 'cancel-refund':
        return decideRefund(state, command);
      default:
        return decideDispute(state, command);
    }
  },
};

function decideCreate(state: ChargeState, command: CreateCommand): Decision<ChargeEvent, ChargeRefusal> {
  if (state.status !== 'NONE') return refuse('charge-exists', 'The charge exists already.');
  const { order, terms, now } = command;
  const { charge_id, merchant_id, code, charge_statement_id } = command.ids;
  const { amount, currency, channel_code, action_flow, reference_id, description, metadata: meta_data, return_url } = order;
  const refusal = refusalByTerms(order, terms) ?? (command.remote && refusalByRail(order, command.remote));
  if (refusal) return refusal;
  const expires_on = timestamp(milliseconds(now) + Math.min(terms.ttl_seconds * 1000, command.remote?.life_ms ?? Infinity));
  const fee_amount = feeOnRoundedHalfUp(amount, terms.fee);
  // The order of the fields is the order in which they are stored.
  const data: ChargeCreated = {
    charge_id,
    merchant_id,
    code,
    amount,
    currency,
    channel_code,
    action_flow,
    reference_id,
    description,
    meta_data,
    action: {
      type: action_flow === 'REDIRECTION' ? 'REDIRECT_CUSTOMER' : 'PRESENT_TO_CUSTOMER',
      embedded_url: command.pages.embedded_url,
      simulation_url: command.pages.simulation_url,
      ...command.instructions(expires_on),
    },
    fee: terms.fee,
    fee_amount,
    net_amount: amount - fee_amount,
    charge_statement_id,
    processor: command.processor,
    settlement_cycle: terms.settlement_cycle,
    expires_on,
    created_by: command.created_by,
    created_on: now,
    ...(return_url === undefined ? {} : { return_url }),
    ...(command.remote === undefined ? {} : { remote: true }),
  };
  return { events: [{ type: 'ChargeCreated', data }] };
}

const FLOWS = { qr: ['PAYLOAD', 'EMBEDDED'], other: ['REDIRECTION', 'EMBEDDED'] } as const;

function refusalByTerms(order: ChargeOrder, terms: ChannelTerms): Refused<TermsRefusal> | undefined {
  const { code, currency, min_amount, max_amount } = terms;
  if (!terms.enabled) return refuse('channel-not-available', 'The payment channel is not enabled for this merchant.');
  if (order.currency !== currency) return refuse('currency-mismatch', `${code} accepts ${currency}, not ${order.currency}.`);
  const flows: readonly string[] = terms.qr ? FLOWS.qr : FLOWS.other;
  if (!flows.includes(order.action_flow)) {
    return refuse('action-flow-not-supported', `${code} accepts ${flows.join(' and ')}, not ${order.action_flow}.`);
  }
  if (order.amount < min_amount || order.amount > max_amount) {
    return refuse('amount-out-of-range', acceptedAmounts(code, terms));
  }
  return undefined;
}

interface AmountBounds extends Pick<ChannelTerms, 'min_amount' | 'max_amount'> {
  readonly currency: string;
}

const acceptedAmounts = (who: string, { min_amount, max_amount, currency }: AmountBounds): string =>
  `${who} accepts ${formatAmount(min_amount, currency)} to ${formatAmount(max_amount, currency)}.`;

function refusalByRail({ amount, currency }: ChargeOrder, rail: RemoteTerms): Refused<TermsRefusal> | undefined {
  const { min_amount, max_amount, wholeUnitsOnly } = rail;
  if (amount < min_amount || amount > max_amount) {
    return refuse('amount-out-of-range', acceptedAmounts('The payment provider', { min_amount, max_amount, currency }));
  }
  if (wholeUnitsOnly && amount % MINOR_UNITS !== 0)
    return refuse(
      'amount-out-of-range',
      `The payment provider accepts whole units of ${currency}: multiples of ${formatAmount(MINOR_UNITS, currency)}.`,
    );
  return undefined;
}

function decidePay(state: ExistingCharge, command: Extract<ChargeCommand, { kind: 'pay' }>): Decision<ChargeEvent, ChargeRefusal> {
  const { amount, payment_reference, now } = command;
  if (payment_reference === state.paid?.reference || state.unmatched.includes(payment_reference)) return NOTHING_TO_DO;
  const isOtherAmount = amount !== state.created.amount;
  if (isOtherAmount || state.status === 'SUCCEEDED') {
    if (state.unmatched.length >= UNMATCHED_MAX)
      return refuse('charge-has-too-many-payments', `The charge has ${UNMATCHED_MAX} payments that it cannot take.`);
    const reason = isOtherAmount ? 'other-amount' : 'second-payment';
    return {
      events: [
        { type: 'ChargePaymentUnmatched', data: { ...ofCharge(state), ...atProcessor(state), amount, payment_reference, reason, received_on: now } },
      ],
    };
  }
  const { fee_amount, net_amount, settlement_cycle, channel_code } = state.created;
  const country = channelByCode(channel_code)?.country;
  if (country === undefined) throw new Error(`channel ${channel_code} of charge ${state.created.charge_id} is no longer offered`);
  return {
    events: [
      {
        type: 'ChargePaid',
        data: {
          ...ofCharge(state),
          ...atProcessor(state),
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

function decideFail(
  state: ExistingCharge,
  { reason, failure_code, now }: Extract<ChargeCommand, { kind: 'fail' }>,
): Decision<ChargeEvent, ChargeRefusal> {
  const data = { ...ofCharge(state), reason, failed_on: now, ...(failure_code === undefined ? {} : { failure_code }) };
  return end(state, 'FAILED', { type: 'ChargeFailed', data });
}

/** A PENDING charge ends once. The same end again is a no-op; in any other state it is refused. */
function end(state: ExistingCharge, status: ChargeStatus, event: ChargeEvent): Decision<ChargeEvent, ChargeRefusal> {
  if (state.status === status) return NOTHING_TO_DO;
  if (state.status === 'PENDING') return { events: [event] };
  return refuse('charge-not-pending', `The charge is ${state.status}.`);
}

function decideReverse(state: ExistingCharge, reason: string, now: Timestamp): Decision<ChargeEvent, ChargeRefusal> {
  if (state.reversed) return NOTHING_TO_DO;
  if (state.status !== 'SUCCEEDED') return refuse('charge-not-paid', `The charge is ${state.status}.`);
  const { amount, fee_amount, net_amount } = restOf(state);
  const claimed_in = state.claim?.settlement_number ?? null;
  const data = { ...ofCharge(state), ...atProcessor(state), amount, fee_amount, net_amount, reason, claimed_in, reversed_on: now };
  return { events: [{ type: 'ChargeReversed', data }] };
}
