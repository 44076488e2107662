import type { Finding, ProviderResult } from '../../../ledger/provider-result.js';
import type { Channel } from '../../../ledger/channels.js';
import type { Timestamp } from '../../../ledger/time.js';

/** What a remote processor offers for a channel. */
export interface RemoteChannel {
  /** Minor units, inclusive; the channel's and the merchant's bounds hold besides. */
  readonly min_amount: number;
  readonly max_amount: number;
  /** How long an instruction lives at the provider at most, ms; null: for as long as the charge. */
  readonly life_ms: number | null;
  /** What the payer has to give before there is an instruction. */
  readonly input?: 'phone' | 'bank';
  /** The instruction goes to the payer's phone by itself: after an unknown outcome there must be no second one. */
  readonly push: boolean;
  readonly refund: boolean;
}

/** A charge as it is sent to a remote processor. */
export interface RemoteOrder {
  /** The provider's `reference_id`: money finds the charge by it. */
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  /** The merchant's own id at the provider, by MerchantRailSet. */
  readonly merchant_name_id: string | null;
  readonly channel: Channel;
  /** Minor units. */
  readonly amount: number;
  readonly description: string | null;
  readonly return_url: string | null;
  readonly expires_on: Timestamp;
  /** From 1. */
  readonly attempt: number;
  /** By `RemoteChannel.input`; never stored. */
  readonly input?: string;
}

/** What the payer is given. */
export interface Instruction {
  readonly processor_reference: string;
  readonly action: { readonly qr_string?: string; readonly redirect_url?: string };
  readonly valid_until: Timestamp | null;
}

/** A payment as the processor has it. */
export interface Paid {
  /** Unique for the processor: payments are told apart by it. */
  readonly payment_reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** What has become of an instruction. CANCELLED and EXPIRED end nothing: the money may come later. */
export type PaymentState =
  | { readonly status: 'PAID'; readonly payment: Paid }
  | { readonly status: 'FAILED'; readonly code: string }
  | { readonly status: 'WAITING' | 'CANCELLED' | 'EXPIRED' };

export interface RemoteRefund {
  /** The provider's `reference_id`. */
  readonly refund_id: string;
  readonly charge_id: string;
  /** Of the instruction that was paid. */
  readonly processor_reference: string;
  readonly payment_reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

export type RefundState = { readonly status: 'PROCESSING' } | { readonly status: 'REFUNDED' } | { readonly status: 'FAILED'; readonly code: string };

/** What an authentic notification is about. It is believed for nothing more: a query says what happened. */
export type Verified =
  | { readonly about: 'charge'; readonly charge_id: string | null; readonly processor_reference: string | null }
  | { readonly about: 'refund'; readonly refund_id: string }
  | { readonly about: 'payout'; readonly partner_reference: string }
  /** Authentic, and of no interest. */
  | { readonly about: 'nothing' };

export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The port to a provider that takes customers' money and that answers over a network. */
export interface RemoteProcessor {
  /** Of the rail. */
  readonly name: string;
  readonly remote: true;
  /** undefined: the channel is not offered by it. */
  describe(channel: string): RemoteChannel | undefined;
  create(order: RemoteOrder): Promise<ProviderResult<Instruction>>;
  cancel(processorReference: string): Promise<ProviderResult<PaymentState>>;
  query(processorReference: string): Promise<ProviderResult<PaymentState>>;
  /** Payments by our reference, for whose instruction nobody knows. */
  find(chargeId: string): Promise<ProviderResult<readonly Paid[]>>;
  /** Once per refund: what follows an unknown outcome is `findRefund`. */
  refund(refund: RemoteRefund): Promise<ProviderResult<RefundState>>;
  /** undefined value: the provider knows of none by this reference. */
  findRefund(refund: RemoteRefund): Promise<ProviderResult<RefundState | undefined>>;
  /**
   * Verifies, then reads. `path`: behind the notifications' address, '' for its root. `now`: ms since the epoch.
   * @returns undefined when it is not authentic
   */
  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined;
  check(): Promise<readonly Finding[]>;
}

/** The processor that a charge is to be born with, and what the charge has to know of it. */
export interface ProcessorRoute {
  readonly processor: RemoteProcessor;
  readonly merchant_name_id: string | null;
  /** Paused by a person, or its circuit for creates is open: nothing new goes there. */
  readonly is_stopped: boolean;
}

/** Where charges go. */
export interface ProcessorRoutes {
  /** For a new charge. undefined: no route; unusable: there is one, to a rail that cannot be called just now. */
  route(merchantId: string, mode: 'test' | 'live', channelCode: string): ProcessorRoute | 'unusable' | undefined;
  /** For a charge that was born with it, paused or not. undefined: this process does not know it (yet). */
  named(rail: string): RemoteProcessor | undefined;
}

/** Where there are no rails. */
export const NO_ROUTES: ProcessorRoutes = { route: () => undefined, named: () => undefined };

/** Injection token of the `ProcessorRoutes` in force. */
export const PROCESSOR_ROUTES = Symbol('ProcessorRoutes');
