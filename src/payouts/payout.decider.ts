import type { PayoutRequested } from '../accounts/account.events.js';
import { NOTHING_TO_DO, type Decider, type Decision } from '../decider.js';
import { later, type Timestamp } from '../time.js';
import type { BankWord, PayoutEvent, PayoutOutcomeContradicted } from './payout.events.js';

export type PayoutCommand =
  /** `request` is the stored PayoutRequested, never the request at hand. */
  | { readonly kind: 'register'; readonly request: PayoutRequested }
  /** `succeeded_on` is taken from the PayoutSucceeded that was found: without that fact there is nothing to return. */
  | { readonly kind: 'return'; readonly reason: string; readonly succeeded_on: Timestamp; readonly now: Timestamp }
  /** `recorded` is what was found in the account's facts, or in the read model made of them. */
  | {
      readonly kind: 'contradict';
      readonly recorded: PayoutOutcomeContradicted['recorded'];
      readonly said: BankWord;
      readonly reason: string | null;
      readonly now: Timestamp;
    }
  | { readonly kind: 'claim-return'; readonly settlement_number: number; readonly now: Timestamp };

export type PayoutRefusal =
  | 'payout-not-found'
  /** Not found in the stream: a reader that is behind, never a reason to drop a line. */
  | 'payout-not-returned'
  | 'return-claimed-elsewhere';

export type PayoutState =
  | { readonly status: 'NONE' }
  | {
      readonly status: 'REGISTERED';
      readonly request: PayoutRequested;
      /** What the bank has said against how it ended, each word once. */
      readonly contradicted: readonly BankWord[];
    }
  | {
      readonly status: 'RETURNED';
      readonly request: PayoutRequested;
      readonly contradicted: readonly BankWord[];
      /** Number of the settlement that holds the return. */
      readonly claimed_in: number | null;
    };

/** Decides that a payout exists once, and what becomes of its return by the bank. Its life in between is its account's. */
export const payout: Decider<PayoutState, PayoutCommand, PayoutEvent, PayoutRefusal> = {
  initial: { status: 'NONE' },

  evolve(state, event): PayoutState {
    if (event.type === 'PayoutRegistered') return { status: 'REGISTERED', request: event.data, contradicted: [] };
    if (state.status === 'NONE') throw new Error(`${event.type} without PayoutRegistered`);
    switch (event.type) {
      case 'PayoutReturned':
        return { ...state, status: 'RETURNED', claimed_in: null };
      case 'PayoutOutcomeContradicted':
        return { ...state, contradicted: [...state.contradicted, event.data.said] };
      case 'PayoutReturnClaimed':
        return { ...state, status: 'RETURNED', claimed_in: event.data.settlement_number };
      default:
        throw new Error(`a payout knows no ${(event satisfies never as PayoutEvent).type}`);
    }
  },

  decide(state, command): Decision<PayoutEvent, PayoutRefusal> {
    if (command.kind === 'register') {
      return state.status === 'NONE' ? { events: [{ type: 'PayoutRegistered', data: command.request }] } : NOTHING_TO_DO;
    }
    if (state.status === 'NONE') return { refusal: 'payout-not-found', detail: 'There is no such payout.' };
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
      case 'claim-return': {
        const { settlement_number, now } = command;
        if (state.status !== 'RETURNED') return { refusal: 'payout-not-returned', detail: 'The payout has not been returned.' };
        if (state.claimed_in === settlement_number) return NOTHING_TO_DO;
        if (state.claimed_in !== null) return { refusal: 'return-claimed-elsewhere', detail: `The return is in settlement ${state.claimed_in}.` };
        return { events: [{ type: 'PayoutReturnClaimed', data: { payout_id, merchant_id, currency, settlement_number, claimed_on: now } }] };
      }
      default:
        throw new Error(`a payout takes no command ${(command satisfies never as PayoutCommand).kind}`);
    }
  },
};
