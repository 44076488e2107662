import type { Finding, ProviderResult } from '../../../ledger/provider-result.js';
import type { ReceivedHeaders, Verified } from '../../charges/remote/remote-processor.js';
import type { Timestamp } from '../../../ledger/time.js';

/** Where a payout goes. */
export interface Beneficiary {
  readonly currency: string;
  readonly bank_code: string;
  readonly bank_account_number: string;
  readonly bank_account_name: string;
}

/** One try to pay, as it was stored before the call. */
export interface TransferAttempt extends Beneficiary {
  readonly payout_id: string;
  /** From 1. */
  readonly attempt: number;
  /** Digits; the same for every attempt of a payout. */
  readonly partner_reference: string;
  /** Digits; unique for the rail and the day. */
  readonly external_id: string;
  /** Minor units: what the account is to receive. */
  readonly net_amount: number;
  readonly at: Timestamp;
}

/** What a status inquiry says. Anything that is not clearly one of these is an unknown outcome. */
export type TransferStatus = 'paid' | 'paying' | 'failed' | 'returned' | 'not-found';

/** What a rail may be relied on for. Sources: rails/profiles.json and a person's word (`rail allow`). */
export interface TransferTerms {
  /** After the last attempt, until "not found" counts: seconds, or a time of the next day in Asia/Jakarta. */
  readonly settle_after: number | { readonly next_day_at: string };
  /** Daily times without service, `HH:MM` in Asia/Jakarta; the second may be before the first. */
  readonly quiet_hours: readonly { readonly from: string; readonly to: string }[];
  /** Days for which the bank answers inquiries. */
  readonly inquiry_window_days: number;
  /** Days for which the bank surely recognises a reference; 0: not at all. */
  readonly reference_window_days: number;
  /** False until a person has the provider's written word. */
  readonly pay_again: boolean;
  /** What to do when the account's holder is another: wait for a person, or pay. */
  readonly on_name_difference: 'wait' | 'pay';
  /** It pays no part of the currency's unit. */
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

/** A figure of the bank's own; `unreadable`: no amount that may be reckoned with. */
export type StatedFigure = number | 'unreadable';

export interface StatedEntries {
  readonly count?: StatedFigure | undefined;
  /** Minor units, without a sign. */
  readonly amount?: StatedFigure | undefined;
}

/** What the bank itself says of the period that it was asked for; what it does not say is undefined. */
export interface StatedFigures {
  /** Minor units. */
  readonly opening?: StatedFigure | undefined;
  readonly closing?: StatedFigure | undefined;
  readonly credits?: StatedEntries | undefined;
  readonly debits?: StatedEntries | undefined;
}

export interface StatementPage {
  readonly lines: readonly BankLine[];
  /** Of the period from where this page begins. */
  readonly stated: StatedFigures;
  /** undefined: the last page. */
  readonly next?: string;
}

/** The port to a bank that pays over a network. */
export interface RemoteBank {
  /** Of the rail. */
  readonly name: string;
  readonly terms: TransferTerms;
  /** The code that the provider wants for a bank; undefined: not known, nothing is sent. */
  bankCode(bank: { readonly bank_code: string | null; readonly bank_name: string }): string | undefined;
  inquireName(beneficiary: Beneficiary, externalId: string): Promise<ProviderResult<{ readonly name: string; readonly reference?: string }>>;
  /** `done` means taken, never paid: only an inquiry says paid. */
  pay(attempt: TransferAttempt): Promise<ProviderResult<{ readonly reference: string | null }>>;
  /** `externalId`: of this inquiry, new for each call. */
  status(attempt: TransferAttempt, externalId: string): Promise<ProviderResult<TransferStatus>>;
  statement(from: Timestamp, to: Timestamp, page?: string): Promise<ProviderResult<StatementPage>>;
  /** Minor units. */
  balance(): Promise<ProviderResult<{ readonly amount: number; readonly currency: string }>>;
  /** Verifies, then reads; `path`: behind the notifications' address. @returns undefined when it is not authentic */
  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined;
  check(): Promise<readonly Finding[]>;
}

/** The bank that a payout is to be paid by. */
export interface BankRoute {
  readonly bank: RemoteBank;
  /** Paused by a person, or its circuit is open: no first attempt goes there. */
  readonly is_stopped: boolean;
  /** Its circuit was open and no call has closed it yet: it is tried with single payouts. */
  readonly is_on_trial: boolean;
}

/** Where payouts of live merchants, and of test merchants with a sandbox rail, go. */
export interface BankRoutes {
  route(merchantId: string, mode: 'test' | 'live', currency: string): BankRoute | undefined;
  /** For a payout that was begun with it, paused or not. */
  named(rail: string): RemoteBank | undefined;
  /** For a further attempt of such a payout, wherever new ones go by now. */
  begun(rail: string): BankRoute | undefined;
}

/** Injection token of the `BankRoutes` in force. */
export const BANK_ROUTES = Symbol('BankRoutes');
