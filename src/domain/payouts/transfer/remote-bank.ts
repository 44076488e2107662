import type { Finding, ProviderResult } from '../../../ledger/ports/provider-result.js';
import type { ReceivedHeaders, Verified } from '../../charges/remote/remote-processor.js';
import type { Timestamp } from '../../../ledger/time.js';

/** The account that receives a payout. */
export interface Beneficiary {
  readonly currency: string;
  readonly bank_code: string;
  readonly bank_account_number: string;
  readonly bank_account_name: string;
}

/** One attempt to pay, as stored before the call. */
export interface TransferAttempt extends Beneficiary {
  readonly payout_id: string;
  /** From 1. */
  readonly attempt: number;
  /** Digits; the same for every attempt of a payout. */
  readonly partner_reference: string;
  /** Digits; unique per rail and day. */
  readonly external_id: string;
  /** Minor units: the amount that the account receives. */
  readonly net_amount: number;
  readonly at: Timestamp;
}

/** Result of a status inquiry. Any answer that is not clearly one of these is an unknown outcome. */
export type TransferStatus = 'paid' | 'paying' | 'failed' | 'returned' | 'not-found';

/** Guarantees of a rail. Sources: rails/profiles.json and an operator's confirmation (`rail allow`). */
export interface TransferTerms {
  /** Time from the last attempt until "not found" counts: seconds, or a time of the next day in Asia/Jakarta. */
  readonly settle_after: number | { readonly next_day_at: string };
  /** Daily times without service, `HH:MM` in Asia/Jakarta; the second may be before the first. */
  readonly quiet_hours: readonly { readonly from: string; readonly to: string }[];
  /** Days for which the bank answers inquiries. */
  readonly inquiry_window_days: number;
  /** Days for which the bank certainly recognises a reference; 0: not at all. */
  readonly reference_window_days: number;
  /** False until an operator has the provider's written confirmation. */
  readonly pay_again: boolean;
  /** Action when the account's holder has another name: wait for an operator, or pay. */
  readonly on_name_difference: 'wait' | 'pay';
  /** True when the rail pays no fractions of the currency's unit. */
  readonly whole_units_only: boolean;
}

export interface BankLine {
  readonly reference: string | null;
  readonly partner_reference: string | null;
  readonly booked_on: Timestamp;
  /** Minor units; negative: money that left. */
  readonly amount: number;
  readonly currency: string;
  readonly text: string;
}

/** A figure from the bank's statement; `unreadable`: not a usable amount. */
export type StatedFigure = number | 'unreadable';

export interface StatedEntries {
  readonly count?: StatedFigure | undefined;
  /** Minor units, without a sign. */
  readonly amount?: StatedFigure | undefined;
}

/** Figures that the bank itself states for the requested period; undefined when it does not state them. */
export interface StatedFigures {
  /** Minor units. */
  readonly opening?: StatedFigure | undefined;
  readonly closing?: StatedFigure | undefined;
  readonly credits?: StatedEntries | undefined;
  readonly debits?: StatedEntries | undefined;
}

export interface StatementPage {
  readonly lines: readonly BankLine[];
  /** Figures for the period from the beginning of this page. */
  readonly stated: StatedFigures;
  /** undefined: the last page. */
  readonly next?: string;
}

/** The port to a bank that pays over a network. */
export interface RemoteBank {
  /** Name of the rail. */
  readonly name: string;
  readonly terms: TransferTerms;
  /** Returns the provider's code for a bank; undefined: not known, and nothing is sent. */
  bankCode(bank: { readonly bank_code: string | null; readonly bank_name: string }): string | undefined;
  inquireName(beneficiary: Beneficiary, externalId: string): Promise<ProviderResult<{ readonly name: string; readonly reference?: string }>>;
  /** `accepted` means accepted, never paid: only an inquiry reports a payment. */
  pay(attempt: TransferAttempt): Promise<ProviderResult<{ readonly reference: string | null }>>;
  /** `externalId` identifies this inquiry, and is new for each call. */
  status(attempt: TransferAttempt, externalId: string): Promise<ProviderResult<TransferStatus>>;
  statement(from: Timestamp, to: Timestamp, page?: string): Promise<ProviderResult<StatementPage>>;
  /** Minor units. */
  balance(): Promise<ProviderResult<{ readonly amount: number; readonly currency: string }>>;
  /** Verifies the signature, then parses. `path`: the part after the notifications' address. @returns undefined when it is not authentic */
  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined;
  check(): Promise<readonly Finding[]>;
}

/** The bank that pays a payout. */
export interface BankRoute {
  readonly bank: RemoteBank;
  /** An operator has paused the rail, or its circuit is open: it gets no first attempt. */
  readonly is_stopped: boolean;
  /** Its circuit was open and no call has closed it yet: it is tried with single payouts. */
  readonly is_on_trial: boolean;
}

/** Returns whether a payout on this route must have a whole net amount. */
export const paysWholeUnitsOnly = (route: BankRoute | undefined): boolean => route?.bank.terms.whole_units_only ?? false;

/** Routes for payouts of live merchants, and of test merchants with a sandbox rail. */
export interface BankRoutes {
  route(merchantId: string, mode: 'test' | 'live', currency: string): BankRoute | undefined;
  /** Returns the bank of a payout whose attempts began with it, paused or not. */
  named(rail: string): RemoteBank | undefined;
  /** Returns the route for a further attempt of such a payout, regardless of the current route of new ones. */
  begun(rail: string): BankRoute | undefined;
}

/** Injection token of the `BankRoutes` in force. */
export const BANK_ROUTES = Symbol('BankRoutes');
