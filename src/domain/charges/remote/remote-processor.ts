import type { Finding, ProviderResult } from '../../../ledger/ports/provider-result.js';
import type { PaymentOrder, RefundInstruction } from '../processor.js';
import type { Timestamp } from '../../../ledger/time.js';

/** A remote processor's support for a channel. */
export interface RemoteChannel {
  /** Minor units, inclusive. The channel's and the merchant's limits apply as well. */
  readonly min_amount: number;
  readonly max_amount: number;
  /** Maximum lifetime of an instruction at the provider, ms; null: the lifetime of the charge. */
  readonly life_ms: number | null;
  /** Value that the payer has to give before there is an instruction. */
  readonly input?: 'phone' | 'bank';
  /** The provider sends the instruction to the payer's phone. After an unknown outcome there must be no second one. */
  readonly push: boolean;
  readonly refund: boolean;
}

/** A charge as a remote processor receives it. */
export interface RemoteOrder extends Pick<PaymentOrder, 'merchant_id' | 'merchant_name' | 'channel' | 'amount' | 'expires_on'> {
  /** The provider's `reference_id`, by which payments are assigned to the charge. */
  readonly charge_id: string;
  /** The merchant's own id at the provider, from MerchantRailSet. */
  readonly merchant_name_id: string | null;
  readonly description: string | null;
  readonly return_url: string | null;
  /** From 1. */
  readonly attempt: number;
  /** The payer's value for `RemoteChannel.input`; never stored. */
  readonly input?: string;
}

/** An instruction for the payer. */
export interface Instruction {
  readonly processor_reference: string;
  readonly action: { readonly qr_string?: string; readonly redirect_url?: string };
  readonly valid_until: Timestamp | null;
}

/** A payment as the processor reports it. */
export interface Paid {
  /** Unique per processor; distinguishes payments. */
  readonly payment_reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** State of an instruction. CANCELLED and EXPIRED are not final: the money may still arrive. */
export type PaymentState =
  | { readonly status: 'PAID'; readonly payment: Paid }
  | { readonly status: 'FAILED'; readonly code: string }
  | { readonly status: 'WAITING' | 'CANCELLED' | 'EXPIRED' };

/** `refund_id`: the provider's `reference_id`. */
export interface RemoteRefund extends Omit<RefundInstruction, 'simulate' | 'claimed_on'> {
  /** Reference of the paid instruction. */
  readonly processor_reference: string;
}

export type RefundState = { readonly status: 'PROCESSING' } | { readonly status: 'REFUNDED' } | { readonly status: 'FAILED'; readonly code: string };

/** Subject of an authentic notification. Nothing else in it is trusted: a query returns the result. */
export type Verified =
  | { readonly about: 'charge'; readonly charge_id: string | null; readonly processor_reference: string | null }
  | { readonly about: 'refund'; readonly refund_id: string }
  | { readonly about: 'payout'; readonly partner_reference: string }
  /** Authentic, but irrelevant. */
  | { readonly about: 'nothing' };

export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The port to a provider that collects payments and responds over a network. */
export interface RemoteProcessor {
  /** Name of the rail. */
  readonly name: string;
  readonly remote: true;
  /** Returns undefined when the processor does not offer the channel. */
  describe(channel: string): RemoteChannel | undefined;
  create(order: RemoteOrder): Promise<ProviderResult<Instruction>>;
  cancel(processorReference: string): Promise<ProviderResult<PaymentState>>;
  query(processorReference: string): Promise<ProviderResult<PaymentState>>;
  /** Finds payments by our reference, for charges whose instruction is not known. */
  find(chargeId: string): Promise<ProviderResult<readonly Paid[]>>;
  /** Called once per refund. After an unknown outcome, `findRefund` is called instead. */
  refund(refund: RemoteRefund): Promise<ProviderResult<RefundState>>;
  /** An undefined value: the provider has no refund with this reference. */
  findRefund(refund: RemoteRefund): Promise<ProviderResult<RefundState | undefined>>;
  /**
   * Verifies the signature, then parses. `path`: the part after the notifications' address, '' for its root. `now`: ms since the
   * epoch.
   * @returns undefined when it is not authentic
   */
  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined;
  check(): Promise<readonly Finding[]>;
}

/** The processor of a new charge, and its data for the charge. */
export interface ProcessorRoute {
  readonly processor: RemoteProcessor;
  readonly merchant_name_id: string | null;
  /** An operator has paused the rail, or its circuit for creates is open: it accepts no new charges. */
  readonly is_stopped: boolean;
}

/** Selects the processor of a charge. */
export interface ProcessorRoutes {
  /** Returns the route of a new charge. undefined: no route; unusable: the route's rail cannot be called at present. */
  route(merchantId: string, mode: 'test' | 'live', channelCode: string): ProcessorRoute | 'unusable' | undefined;
  /** Returns the processor of an existing charge by its rail, paused or not. undefined: this process does not know the rail (yet). */
  named(rail: string): RemoteProcessor | undefined;
}

/** Used where there are no rails. */
export const NO_ROUTES: ProcessorRoutes = { route: () => undefined, named: () => undefined };

/** Injection token of the `ProcessorRoutes` in force. */
export const PROCESSOR_ROUTES = Symbol('ProcessorRoutes');
