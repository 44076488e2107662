import type { PayoutRequested, SettlementLine } from '../../ledger/events/account.events.js';
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
import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import { later, type Timestamp } from '../../ledger/time.js';
import type { BankWord, PayoutEvent, PayoutOutcomeContradicted } from '../../ledger/events/payout.events.js';
import { unreachable } from '../../ledger/unreachable.js';

export type PayoutCommand =
  /** `request` is the stored PayoutRequested, never the current request. */
  | { readonly kind: 'register'; readonly request: PayoutRequested }
  /** `succeeded_on` comes from the recorded PayoutSucceeded: without that event there is nothing to return. */
  | { readonly kind: 'return'; readonly reason: string; readonly succeeded_on: Timestamp; readonly now: Timestamp }
  /** `recorded` comes from the account's events, or from the read model built from them. */
  | {
      readonly kind: 'contradict';
      readonly recorded: PayoutOutcomeContradicted['recorded'];
      readonly said: BankWord;
      readonly reason: string | null;
      readonly now: Timestamp;
    }
  | { readonly kind: 'claim-return'; readonly listed: ListedLine; readonly now: Timestamp }
  | RefuseLine;

export type PayoutRefusal =
  | 'payout-not-found'
  /** The stream has no return: the reader is behind. Never a reason to drop a line. */
  | 'payout-not-returned'
  | 'return-claimed-elsewhere'
  | LineRefusal;

export type PayoutState =
  | { readonly status: 'NONE'; readonly refused: RefusedLines }
  | {
      readonly status: 'REGISTERED';
      readonly request: PayoutRequested;
      /** Lines of the payout that operators have refused. */
      readonly refused: RefusedLines;
      /** Results that the bank reported and that contradict the recorded end, each one once. */
      readonly contradicted: readonly BankWord[];
    }
  | {
      readonly status: 'RETURNED';
      readonly request: PayoutRequested;
      readonly refused: RefusedLines;
      readonly contradicted: readonly BankWord[];
      /** Number of the settlement that claimed the return; null while none has. */
      readonly claimed_in: number | null;
    };

/** Decides once that a payout exists, and records its return by the bank. The account decides everything in between. */
export const payout: Decider<PayoutState, PayoutCommand, PayoutEvent, PayoutRefusal> = {
  initial: { status: 'NONE', refused: [] },

  evolve(state, event): PayoutState {
    if (event.type === 'PayoutRegistered') return { status: 'REGISTERED', request: event.data, refused: state.refused, contradicted: [] };
    if (event.type === 'SettlementLineRefused') return { ...state, refused: withRefused(state.refused, event.data) };
    if (state.status === 'NONE') throw new Error(`${event.type} without PayoutRegistered`);
    switch (event.type) {
      case 'PayoutReturned':
        return { ...state, status: 'RETURNED', claimed_in: null };
      case 'PayoutOutcomeContradicted':
        return { ...state, contradicted: [...state.contradicted, event.data.said] };
      case 'PayoutReturnClaimed':
        return { ...state, status: 'RETURNED', claimed_in: event.data.settlement_number };
      default:
        return unreachable(event);
    }
  },

  decide(state, command): Decision<PayoutEvent, PayoutRefusal> {
    if (command.kind === 'register') {
      return state.status === 'NONE' ? { events: [{ type: 'PayoutRegistered', data: command.request }] } : NOTHING_TO_DO;
    }
    if (command.kind === 'refuse-line') return decideLineRefusal(state.refused, command, waitsFor(state, command));
    if (command.kind === 'claim-return') return decideClaim(state, command.listed, command.now);
    if (state.status === 'NONE') return refuse('payout-not-found', 'There is no such payout.');
    const { payout_id, merchant_id, currency, amount, fee_amount, net_amount } = state.request;
    switch (command.kind) {
      case 'return': {
        if (state.status === 'RETURNED') return NOTHING_TO_DO;
        const returned_on = later(command.now, command.succeeded_on);
        const data = { payout_id, merchant_id, currency, amount, fee_amount, net_amount, reason: command.reason, returned_on };
        return { events: [{ type: 'PayoutReturned', data }] };
      }
      case 'contradict': {
        if (state.contradicted.includes(command.said)) return NOTHING_TO_DO;
        const { recorded, said, reason, now: contradicted_on } = command;
        const data = { payout_id, merchant_id, currency, amount, fee_amount, net_amount, recorded, said, reason, contradicted_on };
        return { events: [{ type: 'PayoutOutcomeContradicted', data }] };
      }
      default:
        return unreachable(command);
    }
  },
};

/** Returns a claimed return as a settlement line, with the amounts of the payout. */
export function claimedReturn(state: PayoutState, { kind, record_id }: SettlementLine): SettlementLine {
  if (state.status !== 'RETURNED') throw new Error(`${kind} ${record_id} is not claimed`);
  const { net_amount, fee_amount } = state.request;
  return { kind, record_id, net_amount, fee_amount };
}

/** Refusals by which a settlement drops the line. For any other refusal it waits. */
export const DROPS_RETURN: ReadonlySet<string> = new Set<PayoutRefusal>(['return-claimed-elsewhere', 'line-refused']);

function decideClaim(state: PayoutState, listed: ListedLine, now: Timestamp): Decision<PayoutEvent, PayoutRefusal> {
  const refusal = refusalOfListed(state.refused, listed, state.status === 'NONE' ? undefined : state.request);
  if (refusal) return refusal;
  if (state.status === 'NONE') return refuse('payout-not-found', 'There is no such payout.');
  if (state.status !== 'RETURNED') return refuse('payout-not-returned', 'The payout has not been returned.');
  const { settlement_number } = listed;
  if (state.claimed_in === settlement_number) return NOTHING_TO_DO;
  if (state.claimed_in !== null) return refuse('return-claimed-elsewhere', `The return is in settlement ${state.claimed_in}.`);
  const { payout_id, merchant_id, currency } = state.request;
  return { events: [{ type: 'PayoutReturnClaimed', data: { payout_id, merchant_id, currency, settlement_number, claimed_on: now } }] };
}

/** Returns the reason for which the settlement waits; undefined when it does not wait for this return. */
function waitsFor(state: PayoutState, { listed, now }: RefuseLine): string | undefined {
  const claim = decideClaim(state, listed, now);
  if (!('refusal' in claim) || DROPS_RETURN.has(claim.refusal)) return undefined;
  const isClaimed = state.status === 'RETURNED' && state.claimed_in === listed.settlement_number && isOfAccount(listed, state.request);
  return isClaimed ? undefined : whyItWaits(claim);
}
