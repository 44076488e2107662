import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../../src/ledger/time.js';

export type RequestStatus = 'REQUIRES_ACTION' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'EXPIRED';

export interface Order {
  readonly reference_id: string;
  readonly country: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  readonly channel_code: string;
  readonly channel_properties: Readonly<Record<string, unknown>>;
  readonly description: string | null;
}

export interface PaymentRequest extends Order {
  readonly payment_request_id: string;
  readonly created: number;
  readonly expires: number;
  status: RequestStatus;
  failure_code: string | null;
  latest_payment_id: string | null;
  /** Minor units. */
  paid_amount: number | null;
  updated: number;
}

/** Money that was actually received. */
export interface Payment {
  readonly payment_id: string;
  readonly payment_request_id: string;
  readonly reference_id: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly channel_code: string;
  readonly created: number;
}

export interface Refund {
  readonly id: string;
  readonly reference_id: string;
  readonly payment_request_id: string;
  readonly payment_id: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly channel_code: string;
  readonly reason: string;
  readonly created: number;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  failure_code: string | null;
  updated: number;
}

/** A refusal with the provider's code. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Time for which a request can be paid. Others: 24 hours. */
const LIFE_MS: Readonly<Record<string, number>> = {
  QRIS: 48 * HOUR_MS,
  DANA: 24 * HOUR_MS,
  SHOPEEPAY: 30 * MINUTE_MS,
  OVO: 55_000,
  TOUCHNGO: HOUR_MS,
  GRABPAY: 35 * MINUTE_MS,
};

/** The provider's records: requests, payments, refunds. A second request with the same reference is another request. */
export class XenditBook {
  readonly requests = new Map<string, PaymentRequest>();
  readonly payments: Payment[] = [];
  readonly refunds: Refund[] = [];
  /** Requests by reference, oldest first. */
  readonly #byReference = new Map<string, PaymentRequest[]>();
  /** No request expires before this time. */
  #nextExpiry = Infinity;

  constructor(private readonly now: () => number) {}

  create(order: Order): PaymentRequest {
    const created = this.now();
    const { expires_at } = order.channel_properties;
    const expires = typeof expires_at === 'string' ? Date.parse(expires_at) : created + (LIFE_MS[order.channel_code] ?? 24 * HOUR_MS);
    const request: PaymentRequest = {
      ...order,
      payment_request_id: `pr-${randomUUID()}`,
      created,
      expires,
      status: 'REQUIRES_ACTION',
      failure_code: null,
      latest_payment_id: null,
      paid_amount: null,
      updated: created,
    };
    this.requests.set(request.payment_request_id, request);
    this.#nextExpiry = Math.min(this.#nextExpiry, expires);
    this.#byReference.set(order.reference_id, [...(this.#byReference.get(order.reference_id) ?? []), request]);
    return request;
  }

  /** Returns the current state. @throws Refused */
  request(id: string): PaymentRequest {
    const request = this.requests.get(id);
    if (!request) throw new Refused(404, 'DATA_NOT_FOUND', 'ID specified in request cannot be found.');
    return request;
  }

  /** Returns the newest request with our reference that can be paid, else the newest. */
  newest(referenceId: string): PaymentRequest | undefined {
    const all = this.#byReference.get(referenceId) ?? [];
    return all.findLast(({ status }) => status === 'REQUIRES_ACTION') ?? all.at(-1);
  }

  /** @throws Refused */
  cancel(id: string): PaymentRequest {
    const request = this.request(id);
    if (request.status === 'SUCCEEDED') throw new Refused(400, 'INELIGIBLE_TRANSACTION_STATUS', 'Feature is not allowed for the payment request.');
    if (request.status !== 'REQUIRES_ACTION') throw new Refused(400, 'INACTIVE_PAYMENT_REQUEST', 'Payment request is already inactive.');
    return this.#turn(request, 'CANCELED');
  }

  /** Records a payment. The caller has to know whether the request could still be paid. */
  pay(request: PaymentRequest, amount: number): Payment {
    const { payment_request_id, reference_id, currency, channel_code } = request;
    const payment: Payment = {
      payment_id: `py-${randomUUID()}`,
      payment_request_id,
      reference_id,
      amount,
      currency,
      channel_code,
      created: this.now(),
    };
    this.payments.push(payment);
    request.latest_payment_id = payment.payment_id;
    request.paid_amount = amount;
    this.#turn(request, 'SUCCEEDED');
    return payment;
  }

  /** Records a failed payment, without money. */
  fail(request: PaymentRequest, code: string): PaymentRequest {
    request.latest_payment_id = `py-${randomUUID()}`;
    request.failure_code = code;
    return this.#turn(request, 'FAILED');
  }

  /** Expires the requests that are due, each once, and returns them. */
  expire(): PaymentRequest[] {
    const now = this.now();
    if (now < this.#nextExpiry) return [];
    const payable = [...this.requests.values()].filter(({ status }) => status === 'REQUIRES_ACTION');
    this.#nextExpiry = payable.reduce((next, { expires }) => (expires > now ? Math.min(next, expires) : next), Infinity);
    return payable.filter(({ expires }) => expires <= now).map((request) => this.#turn(request, 'EXPIRED'));
  }

  /** @throws Refused */
  refund(of: Pick<Refund, 'reference_id' | 'payment_request_id' | 'amount' | 'currency' | 'reason'>): Refund {
    const request = this.request(of.payment_request_id);
    const payment = this.payments.findLast(({ payment_request_id }) => payment_request_id === request.payment_request_id);
    if (!payment) throw new Refused(400, 'INELIGIBLE_TRANSACTION_STATUS', 'Feature is not allowed because of its current status.');
    if (request.channel_code.endsWith('_FPX')) throw new Refused(403, 'REFUND_NOT_SUPPORTED', 'Refund is not supported by the payment channel.');
    const others = this.refunds.filter(({ payment_id }) => payment_id === payment.payment_id);
    if (others.some(({ status }) => status === 'PENDING')) throw new Refused(400, 'REFUND_IN_PROGRESS', 'Please wait for the pending refund.');
    const gone = others.filter(({ status }) => status === 'SUCCEEDED').reduce((sum, { amount }) => sum + amount, 0);
    if (of.currency !== payment.currency) throw new Refused(400, 'API_VALIDATION_ERROR', 'The currency is not that of the payment.');
    if (gone + of.amount > payment.amount) throw new Refused(400, 'REFUND_AMOUNT_EXCEEDED', 'Refund amount must not exceed the unrefunded amount.');
    const { payment_id, channel_code } = payment;
    const created = this.now();
    const refund: Refund = {
      ...of,
      id: `rfd-${randomUUID()}`,
      payment_id,
      channel_code,
      created,
      status: 'PENDING',
      failure_code: null,
      updated: created,
    };
    this.refunds.push(refund);
    return refund;
  }

  settle(refund: Refund, status: 'SUCCEEDED' | 'FAILED', code: string | null): Refund {
    return Object.assign(refund, { status, failure_code: code, updated: this.now() });
  }

  #turn(request: PaymentRequest, status: RequestStatus): PaymentRequest {
    return Object.assign(request, { status, updated: this.now() });
  }
}
