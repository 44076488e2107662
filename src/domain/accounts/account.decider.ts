import { NOTHING_TO_DO, refuse, type Decider, type Decision, type Refused } from '../../ledger/decider.js';
import { feeOnRoundedHalfUp, MINOR_UNITS } from '../../ledger/money.js';
import type { SettlementClosed } from '../../ledger/events/settlement.events.js';
import { later, type Timestamp } from '../../ledger/time.js';
import { effectOnAvailable, type AccountEvent, type PayoutRequested } from '../../ledger/events/account.events.js';
import type { PayoutRules } from '../../ledger/events/approval-policy.events.js';
import { adjustedAvailable } from '../../ledger/events/adjustment.events.js';
import type { AccountState, OpenPayout } from './account-state.js';
import { decideAdjustment, type AccountAdjustmentOrder } from './adjustments.js';
import { endingOf, NO_FINISHED_PAYOUTS, withFinished, type Ending } from './finished-payouts.js';
import {
  approvalsFor,
  cancelled,
  decideApproval,
  decideBeforeSubmission,
  withApproval,
  withRequested,
  type ApprovalCommand,
  type PendingPayout,
} from './payout-approvals.js';
import { PersistentMap } from './persistent-map.js';
import { decideReserve, endReservation, withoutReservation, type ReserveRefund } from './reservations.js';
import { unreachable } from '../../ledger/unreachable.js';
import { formatAmount } from '../../platform/text/format.js';

/** The merchant's request. The decider computes all derived values. */
export type PayoutOrder = Omit<PayoutRequested, 'fee_amount' | 'net_amount' | 'approvals_required' | 'approve_by' | 'created_on'>;

export type AccountCommand =
  /** `wholeUnitsOnly`: the bank that would pay it now accepts only whole units of the currency. `rules`: absent or null, it requires no approval. */
  | {
      readonly kind: 'request-payout';
      readonly order: PayoutOrder;
      readonly wholeUnitsOnly?: boolean;
      readonly rules?: PayoutRules | null;
      readonly now: Timestamp;
    }
  /** `approvers`: operators who may approve payouts, read before; required when the payout requires approvals. */
  | { readonly kind: 'submit-payout'; readonly payout_id: string; readonly approvers?: ReadonlySet<string>; readonly now: Timestamp }
  | ApprovalCommand
  | { readonly kind: 'succeed-payout'; readonly payout_id: string; readonly now: Timestamp }
  | { readonly kind: 'fail-payout'; readonly payout_id: string; readonly reason: string; readonly now: Timestamp }
  | { readonly kind: 'cancel-payout'; readonly payout_id: string; readonly cancelled_by: string; readonly now: Timestamp }
  | ReserveRefund
  /** Only after the charge has declined, or claimed, this reservation. Until then the account must keep it. */
  | { readonly kind: 'release-refund' | 'confirm-refund'; readonly refund_id: string; readonly reservation_id: string; readonly now: Timestamp }
  | { readonly kind: 'adjust'; readonly order: AccountAdjustmentOrder; readonly now: Timestamp }
  /** `closed` is the stored SettlementClosed, never a process's own list of claims. */
  | { readonly kind: 'settle-funds'; readonly closed: SettlementClosed; readonly now: Timestamp };

/** Refusals of a command that is possible only before the submission to the bank. */
type PendingRefusal = NotOpen | 'payout-processing';
/** The payout never was open on this account, or no longer is. */
type NotOpen = 'payout-not-open';

/** `payout-ended`: the stream `payout-<id>` exists, and the request read it too early. */
type RequestRefusal = 'payout-ended' | 'amount-not-above-fee' | 'net-amount-not-whole' | 'insufficient-balance';

/** The decision of each kind of command. Its type states the refusals of that kind. */
const DECISIONS = {
  'request-payout': decideRequest,
  'submit-payout': decideSubmit,
  'approve-payout': decideOnApproval,
  'decline-payout': decideOnApproval,
  'expire-payout': decideOnApproval,
  'succeed-payout': (state, { payout_id, now }) =>
    decideBankAnswer(state, payout_id, 'SUCCEEDED', (of) => ({ type: 'PayoutSucceeded', data: { ...of, succeeded_on: now } })),
  'fail-payout': (state, { payout_id, reason, now }) =>
    decideBankAnswer(state, payout_id, 'FAILED', (of) => ({ type: 'PayoutFailed', data: { ...of, reason, failed_on: now } })),
  'cancel-payout': decideCancel,
  'reserve-refund': decideReserve,
  'release-refund': (state, command) =>
    endReservation(state, command, (of) => ({ type: 'RefundReleased', data: { ...of, released_on: command.now } })),
  'confirm-refund': (state, command) =>
    endReservation(state, command, (of) => ({ type: 'RefundConfirmed', data: { ...of, confirmed_on: command.now } })),
  adjust: ({ available }, { order, now }) => decideAdjustment(available, order, now),
  'settle-funds': decideSettle,
} satisfies { readonly [Command in AccountCommand as Command['kind']]: (state: AccountState, command: Command) => Decision<AccountEvent, string> };

type CommandKind = AccountCommand['kind'];
/** Refusals of the commands of these kinds. */
export type AccountRefusal<Kind extends CommandKind = CommandKind> = Extract<ReturnType<(typeof DECISIONS)[Kind]>, Refused>['refusal'];

/** Decides every change of available and reserved. Payouts, refunds and fee corrections never take available below zero. */
export const account: Decider<AccountState, AccountCommand, AccountEvent, AccountRefusal> = {
  initial: {
    revision: -1,
    owner: null,
    available: 0n,
    reserved: 0n,
    settlement_number: 0,
    open: PersistentMap.empty(),
    finished: NO_FINISHED_PAYOUTS,
    requested: null,
    reservations: PersistentMap.empty(),
  },

  evolve(state, event): AccountState {
    const { merchant_id, currency } = event.data;
    const owner = state.owner ?? { merchant_id, currency };
    if (owner.merchant_id !== merchant_id || owner.currency !== currency) {
      throw new Error(`${event.type} of ${merchant_id} ${currency} on the account of ${owner.merchant_id} ${owner.currency}`);
    }
    return { ...state, ...change(state, event), owner, revision: state.revision + 1 };
  },

  decide(state, command) {
    // The compiler does not know that a command's kind selects the decision that takes the command.
    const decision = DECISIONS[command.kind] as (state: AccountState, command: AccountCommand) => Decision<AccountEvent, AccountRefusal>;
    return decision(state, command);
  },
};

// --- state change of each event -------------------------------------------------------------------------------------

function change(state: AccountState, event: AccountEvent): Partial<AccountState> {
  switch (event.type) {
    case 'FundsSettled': {
      const { settlement_number, lines } = event.data;
      if (settlement_number !== state.settlement_number + 1) {
        throw new Error(`FundsSettled ${settlement_number} after settlement ${state.settlement_number}`);
      }
      return { settlement_number, available: lines.reduce((sum, line) => sum + effectOnAvailable(line), state.available) };
    }
    case 'PayoutRequested': {
      const { payout_id, amount, fee_amount, net_amount, approvals_required: required, approve_by, created_on } = event.data;
      if (state.open.has(payout_id)) throw new Error(`payout ${payout_id} requested twice`);
      const approval = required === 0 ? null : { required, approve_by: approve_by!, given: [] };
      const payout: OpenPayout = { status: 'PENDING', amount, fee_amount, net_amount, requested_at: state.revision + 1, approval };
      return {
        available: state.available - BigInt(amount),
        reserved: state.reserved + BigInt(amount),
        requested: withRequested(state.requested, created_on, amount),
        open: state.open.set(payout_id, payout),
      };
    }
    case 'PayoutApproved':
      return changed(state, event.data, (payout) => withApproval(payout, (given) => [...given, event.data.person_id]));
    case 'PayoutApprovalVoided':
      return changed(state, event.data, (payout) => withApproval(payout, (given) => given.filter((operator) => operator !== event.data.person_id)));
    case 'PayoutSubmitted':
      return changed(state, event.data, (payout) => ({ ...payout, status: 'PROCESSING' }));
    case 'PayoutSucceeded':
      return finish(state, event.data.payout_id, { status: 'SUCCEEDED', finished_on: event.data.succeeded_on });
    case 'PayoutFailed':
      return finish(state, event.data.payout_id, { status: 'FAILED', finished_on: event.data.failed_on });
    case 'PayoutCancelled':
      return finish(state, event.data.payout_id, { status: 'CANCELLED', finished_on: event.data.cancelled_on });
    case 'RefundReserved': {
      const { refund_id, reservation_id, charge_id, amount, fee_amount, net_amount } = event.data;
      if (state.reservations.has(refund_id)) throw new Error(`refund ${refund_id} reserved twice`);
      const reservation = { reservation_id, charge_id, amount, fee_amount, net_amount, reserved_at: state.revision + 1 };
      return { available: state.available - BigInt(net_amount), reservations: state.reservations.set(refund_id, reservation) };
    }
    case 'RefundReleased':
      return { available: state.available + BigInt(event.data.net_amount), reservations: withoutReservation(state, event.data) };
    case 'RefundConfirmed':
      return { reservations: withoutReservation(state, event.data) };
    case 'AccountAdjusted':
      return { available: state.available + adjustedAvailable(event.data) };
    case 'AdjustmentRefused':
      return {};
    default:
      return unreachable(event);
  }
}

function finish(state: AccountState, payoutId: string, ending: Ending): Partial<AccountState> {
  const { amount } = mustBeOpen(state, payoutId);
  return {
    available: ending.status === 'SUCCEEDED' ? state.available : state.available + BigInt(amount),
    reserved: state.reserved - BigInt(amount),
    open: state.open.delete(payoutId),
    finished: withFinished(state.finished, payoutId, ending),
  };
}

function changed(state: AccountState, { payout_id }: { readonly payout_id: string }, to: (payout: OpenPayout) => OpenPayout): Partial<AccountState> {
  return { open: state.open.set(payout_id, to(mustBeOpen(state, payout_id))) };
}

function mustBeOpen(state: AccountState, payoutId: string): OpenPayout {
  const payout = state.open.get(payoutId);
  if (!payout) throw new Error(`an event advances payout ${payoutId}, which is not open`);
  return payout;
}

// --- decision of each command ---------------------------------------------------------------------------------------

function decideRequest(
  state: AccountState,
  { order, wholeUnitsOnly, rules = null, now }: AccountCommand & { kind: 'request-payout' },
): Decision<AccountEvent, RequestRefusal> {
  const { payout_id, amount } = order;
  if (state.open.has(payout_id)) return NOTHING_TO_DO;
  if (endingOf(state.finished, payout_id)) return refuse('payout-ended', 'The payout has ended.');
  const fee_amount = feeOnRoundedHalfUp(amount, order.fee);
  if (fee_amount >= amount) return refuse('amount-not-above-fee', `The amount must exceed the fee of ${formatAmount(fee_amount, order.currency)}.`);
  if (wholeUnitsOnly === true && (amount - fee_amount) % MINOR_UNITS !== 0) {
    const detail = `The bank accepts whole units of ${order.currency}: the amount less the fee of ${formatAmount(fee_amount, order.currency)} must be a multiple of ${formatAmount(MINOR_UNITS, order.currency)}.`;
    return refuse('net-amount-not-whole', detail);
  }
  if (BigInt(amount) > state.available) {
    return refuse(
      'insufficient-balance',
      `The payout needs ${formatAmount(amount, order.currency)}; ${formatAmount(state.available, order.currency)} are available.`,
    );
  }
  const { merchant_id, currency, fee, bank_account_name, bank_account_number, bank_name, bank_code } = order;
  const { reference_id, description, meta_data, fingerprint, created_by } = order;
  const data: PayoutRequested = {
    payout_id,
    merchant_id,
    currency,
    amount,
    fee,
    fee_amount,
    net_amount: amount - fee_amount,
    bank_account_name,
    bank_account_number,
    bank_name,
    ...(bank_code === undefined ? {} : { bank_code }),
    reference_id,
    description,
    meta_data,
    fingerprint,
    ...approvalsFor(rules, { currency, amount, now }, state.requested),
    created_by,
    created_on: now,
  };
  return { events: [{ type: 'PayoutRequested', data }] };
}

function decideSubmit(
  state: AccountState,
  { payout_id, approvers, now }: AccountCommand & { kind: 'submit-payout' },
): Decision<AccountEvent, PendingRefusal | 'approval-missing'> {
  if (state.open.get(payout_id)?.status === 'PROCESSING') return NOTHING_TO_DO;
  return onPending(
    state,
    payout_id,
    (pending) =>
      decideBeforeSubmission(pending, approvers, now) ?? { events: [{ type: 'PayoutSubmitted', data: { ...pending.of, submitted_on: now } }] },
  );
}

function decideOnApproval(state: AccountState, command: ApprovalCommand) {
  return onPending(state, command.payout_id, (pending) => decideApproval(pending, command));
}

/** A repeated result changes nothing; a different one is refused, because the payout is closed. */
function decideBankAnswer(
  state: AccountState,
  payoutId: string,
  status: Ending['status'],
  event: (of: PendingPayout['of']) => AccountEvent,
): Decision<AccountEvent, NotOpen | 'payout-not-submitted'> {
  if (endingOf(state.finished, payoutId)?.status === status) return NOTHING_TO_DO;
  const payout = state.open.get(payoutId);
  if (!payout) return refuseNotOpen(state, payoutId);
  if (payout.status === 'PENDING') return refuse('payout-not-submitted', 'The payout has not been handed to the bank.');
  return { events: [event(of(state, payoutId, payout))] };
}

function decideCancel(
  state: AccountState,
  { payout_id, cancelled_by, now }: AccountCommand & { kind: 'cancel-payout' },
): Decision<AccountEvent, PendingRefusal> {
  if (endingOf(state.finished, payout_id)?.status === 'CANCELLED') return NOTHING_TO_DO;
  return onPending(state, payout_id, ({ of }) => cancelled(of, { cause: 'merchant', person_id: null, reason: null, cancelled_by, now }));
}

/** Decides a command that is possible only before the submission to the bank. */
function onPending<Refusal extends string>(
  state: AccountState,
  payoutId: string,
  decide: (pending: PendingPayout) => Decision<AccountEvent, Refusal>,
): Decision<AccountEvent, Refusal | PendingRefusal> {
  const payout = state.open.get(payoutId);
  if (!payout) return refuseNotOpen(state, payoutId);
  if (payout.status === 'PROCESSING') return refuse('payout-processing', 'The payout has been handed to the bank.');
  return decide({ payout, of: of(state, payoutId, payout) });
}

/** Settlement numbers only rise. The next one is applied; a lower one was applied before. */
function decideSettle(
  state: AccountState,
  { closed, now }: AccountCommand & { kind: 'settle-funds' },
): Decision<AccountEvent, 'settlement-not-next'> {
  const { merchant_id, currency, settlement_number, lines, totals } = closed;
  if (settlement_number <= state.settlement_number) return NOTHING_TO_DO;
  if (settlement_number > state.settlement_number + 1) {
    return refuse('settlement-not-next', `Settlement ${settlement_number} does not follow ${state.settlement_number}.`);
  }
  const settled_on = later(now, closed.closed_on);
  return { events: [{ type: 'FundsSettled', data: { merchant_id, currency, settlement_number, lines, totals, settled_on } }] };
}

function of(state: AccountState, payout_id: string, { amount, fee_amount, net_amount }: OpenPayout): PendingPayout['of'] {
  if (!state.owner) throw new Error(`payout ${payout_id} is open on an account without events`);
  return { payout_id, ...state.owner, amount, fee_amount, net_amount };
}

function refuseNotOpen(state: AccountState, payoutId: string): Refused<NotOpen> {
  const ending = endingOf(state.finished, payoutId);
  return refuse('payout-not-open', ending ? `The payout is ${ending.status}.` : 'The payout is not open.');
}
