import { randomUUID } from 'node:crypto';
import { parsedByDigits } from '../../src/rails/calls/exact-json.js';
import { Courier } from './courier.js';
import {
  SimulatorClock,
  SimulatorServer,
  type SimulatedAnswer,
  type SimulatedProvider,
  type SimulatedRequest,
  type SimulatorServerOptions,
} from './simulator-server.js';
import { Draws } from './faults.js';
import { Refused, XenditBook, type PaymentRequest, type Refund } from './xendit-book.js';
import { listedPayment, listedRefund, paymentCallback, readOrder, readRefund, refundCallback, shownRefund, shownRequest } from './xendit-words.js';
import { MINUTE_MS } from '../../src/ledger/time.js';

export interface XenditSimulatorOptions extends SimulatorServerOptions {
  readonly secretKey: string;
  readonly callbackToken: string;
  /** Address for callbacks; null: none are sent. */
  readonly callbackUrl: string | null;
  /** Documented: 60 with a development key, 600 with a production key. */
  readonly perMinute: number;
  /** Delay of late callbacks, and of late payments in the list of transactions; ms. */
  readonly lateMs: number;
  /** Time after which a refund succeeds by itself, ms; null: /control/settle decides. */
  readonly refundsAfterMs: number | null;
}

const EXPIRY_EVERY_MS = 1_000;
/** Deviation of a wrong amount: in the answer to a creation, or in a payment; minor units. */
const WRONG_BY = 10_000;
const EARLY_MS = 2_000;
const RETRY_MS = 1_000;

type Given = Readonly<Record<string, unknown>>;

/** A simulated Xendit: stateful, on this machine, with the selected faults. */
export class XenditSimulator implements SimulatedProvider {
  readonly control: SimulatedProvider['control'];
  readonly #clock = new SimulatorClock();
  readonly #book = new XenditBook(this.#clock.now);
  readonly #courier: Courier | undefined;
  /** Payments that the list does not show yet. */
  readonly #hiddenUntil = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #server: SimulatorServer;
  #minute = { from: 0, calls: 0 };

  private constructor(
    private readonly options: XenditSimulatorOptions,
    private readonly draws: Draws,
  ) {
    const { callbackUrl, lateMs } = options;
    if (callbackUrl !== null) this.#courier = new Courier({ url: callbackUrl, lateMs, retryMs: RETRY_MS }, draws);
    this.control = {
      pay: (given) => this.#pay(given),
      fail: (given) => this.#fail(given),
      settle: (given) => this.#settle(given),
      clock: (given) => this.#clock.control(given, () => this.#expire()),
      truth: () => this.#truth(),
    };
    this.#timers.add(setInterval(() => this.#expire(), EXPIRY_EVERY_MS));
  }

  static async listen(options: XenditSimulatorOptions): Promise<XenditSimulator> {
    const draws = new Draws(options.seed, options.faults);
    const simulator = new XenditSimulator(options, draws);
    simulator.#server = await SimulatorServer.listen(simulator, draws, options);
    return simulator;
  }

  get url(): string {
    return this.#server.url;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#courier?.close();
    await this.#server.close();
  }

  handle(request: SimulatedRequest): SimulatedAnswer {
    const refusal = this.#refusal(request);
    if (refusal) return refusal;
    this.#expire();
    try {
      return this.#route(request);
    } catch (error) {
      if (error instanceof Refused) return answer(error.status, { error_code: error.code, message: error.message });
      throw error;
    }
  }

  tooMany(): SimulatedAnswer {
    const resetMs = this.#minute.from + MINUTE_MS - Date.now();
    const headers = {
      'Rate-Limit-Limit': String(this.options.perMinute),
      'Rate-Limit-Remaining': '0',
      'Rate-Limit-Reset': (Math.max(0, Math.min(resetMs, 1_000)) / 1000).toFixed(1),
    };
    return { ...answer(429, { error_code: 'RATE_LIMIT_EXCEEDED', message: 'Rate limit exceeded' }), headers };
  }

  failed(): SimulatedAnswer {
    return answer(500, { error_code: 'SERVER_ERROR', message: 'An unexpected error occured, our team has been notified.' });
  }

  /** Checks that precede every action: the rate, the key, the version. */
  #refusal({ headers, path }: SimulatedRequest): SimulatedAnswer | undefined {
    const now = Date.now();
    if (now - this.#minute.from >= MINUTE_MS) this.#minute = { from: now, calls: 0 };
    this.#minute.calls += 1;
    if (this.#minute.calls > this.options.perMinute) return this.tooMany();
    const key = `Basic ${Buffer.from(`${this.options.secretKey}:`).toString('base64')}`;
    if (headers.authorization !== key || this.draws.happens('token-dies')) {
      return answer(401, { error_code: 'INVALID_API_KEY', message: 'API key is not authorized for this API service' });
    }
    const isV3 = path.startsWith('/v3/');
    return isV3 && headers['api-version'] !== '2024-11-11' ? invalid('Unsupported api-version.') : undefined;
  }

  #route({ method, path, query, body }: SimulatedRequest): SimulatedAnswer {
    const [, id = '', verb = ''] = /^\/v3\/payment_requests\/([^/]+)(?:\/(cancel|simulate))?$/.exec(path) ?? [];
    const what = `${method} ${id === '' ? path : `request ${verb}`.trim()}`;
    switch (what) {
      case 'POST /v3/payment_requests':
        return this.#create(body);
      case 'GET request':
        return this.#get(decodeURIComponent(id));
      case 'POST request cancel':
        return this.#cancel(decodeURIComponent(id));
      case 'POST request simulate':
        return this.#simulate(decodeURIComponent(id));
      case 'POST /refunds':
        return this.#refund(body);
      case 'GET /transactions':
        return this.#transactions(query);
      case 'GET /balance':
        return answer(200, { balance: 100_000 });
      default:
        return answer(404, { error_code: 'NOT_FOUND', message: 'There is no such endpoint.' });
    }
  }

  #create(body: Buffer): SimulatedAnswer {
    const order = readOrder(read(body));
    if (!order) return invalid('Fields or values in the payment request does not comply with our API specification.');
    return answer(201, shownRequest(this.#book.create(order), this.#wrongBy()));
  }

  #get(id: string): SimulatedAnswer {
    const request = this.#book.request(id);
    const isEarly = this.#clock.now() - request.created < EARLY_MS;
    if (isEarly && this.draws.happens('not-found-early')) throw new Refused(404, 'DATA_NOT_FOUND', 'ID specified in request cannot be found.');
    return answer(200, shownRequest(request));
  }

  #cancel(id: string): SimulatedAnswer {
    const request = this.#book.cancel(id);
    const shown = shownRequest(request);
    this.#maybePaidAfterwards(request);
    return answer(200, shown);
  }

  #simulate(id: string): SimulatedAnswer {
    const request = this.#book.request(id);
    if (request.status !== 'REQUIRES_ACTION') throw new Refused(400, 'INELIGIBLE_TRANSACTION_STATUS', 'The payment request cannot be paid.');
    this.#payFor(request);
    return answer(200, { status: 'PENDING', message: 'Payment simulation is in progress' });
  }

  #refund(body: Buffer): SimulatedAnswer {
    const wanted = readRefund(read(body));
    if (!wanted) return invalid('Fields or values in the refund request does not comply with our API specification.');
    if (this.draws.happens('short-house')) throw new Refused(400, 'INSUFFICIENT_BALANCE', 'There is insufficient balance in your account.');
    const refund = this.#book.refund(wanted);
    const { refundsAfterMs } = this.options;
    if (refundsAfterMs !== null) this.#after(refundsAfterMs, () => this.#settled(refund, 'SUCCEEDED', null));
    return answer(200, shownRefund(refund));
  }

  #transactions(query: URLSearchParams): SimulatedAnswer {
    const [reference, types] = [query.get('reference_id'), query.getAll('types')];
    const now = this.#clock.now();
    const isOurs = (entry: { readonly reference_id: string }): boolean => reference === null || entry.reference_id === reference;
    const payments = this.#book.payments.filter((payment) => isOurs(payment) && (this.#hiddenUntil.get(payment.payment_id) ?? 0) <= now);
    const all = [
      ...(types.length === 0 || types.includes('PAYMENT') ? payments.map(listedPayment) : []),
      ...(types.length === 0 || types.includes('REFUND') ? this.#book.refunds.filter(isOurs).map(listedRefund) : []),
    ];
    const from = all.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const limit = Math.min(50, Number(query.get('limit') ?? 10));
    return answer(200, { has_more: from + limit < all.length, data: all.slice(from, from + limit), links: [] });
  }

  /** Pays the request of `payment_request_id`, or the newest of `reference_id`; `amount` in minor units, by default the ordered one. */
  #pay(given: Given): unknown {
    const request = this.#payable(given);
    const { amount } = given;
    return typeof amount === 'number' ? this.#payFor(request, amount) : this.#payFor(request);
  }

  #payFor(request: PaymentRequest, amount = request.amount + this.#wrongBy()): unknown {
    const payment = this.#book.pay(request, amount);
    if (this.draws.happens('late')) this.#hiddenUntil.set(payment.payment_id, this.#clock.now() + this.options.lateMs);
    this.#tell(paymentCallback('payment.capture', request, this.#clock.now()));
    return payment;
  }

  #fail(given: Given): unknown {
    const { failure_code } = given;
    const request = this.#book.fail(this.#payable(given), typeof failure_code === 'string' ? failure_code : 'INSUFFICIENT_BALANCE');
    this.#tell(paymentCallback('payment.failure', request, this.#clock.now()));
    return shownRequest(request);
  }

  /** Settles pending refunds: all, or that of `reference_id`; `status` is SUCCEEDED or FAILED. */
  #settle({ reference_id, status = 'SUCCEEDED' }: Given): unknown {
    if (status !== 'SUCCEEDED' && status !== 'FAILED') throw new Error('status is SUCCEEDED or FAILED');
    const pending = this.#book.refunds.filter(
      (refund) => refund.status === 'PENDING' && (reference_id === undefined || refund.reference_id === reference_id),
    );
    for (const refund of pending) this.#settled(refund, status, status === 'FAILED' ? 'DUPLICATE_ERROR' : null);
    return pending.map(shownRefund);
  }

  #settled(refund: Refund, status: 'SUCCEEDED' | 'FAILED', code: string | null): void {
    if (refund.status !== 'PENDING') return;
    this.#book.settle(refund, status, code);
    this.#tell(refundCallback(refund, this.#clock.now()));
  }

  /** Returns the true state for tests, in minor units. */
  #truth(): unknown {
    const { requests, payments, refunds } = this.#book;
    return { requests: [...requests.values()], payments, refunds };
  }

  #payable({ payment_request_id, reference_id }: Given): PaymentRequest {
    const byReference = typeof reference_id === 'string' ? this.#book.newest(reference_id) : undefined;
    const request = typeof payment_request_id === 'string' ? this.#book.request(payment_request_id) : byReference;
    if (!request) throw new Error('there is no such request: give payment_request_id or reference_id');
    if (request.status !== 'REQUIRES_ACTION') throw new Error(`the request is ${request.status}`);
    return request;
  }

  #expire(): void {
    for (const request of this.#book.expire()) {
      this.#tell(paymentCallback('payment_request.expiry', request, this.#clock.now()));
      this.#maybePaidAfterwards(request);
    }
  }

  /** The provider's page warns: "Race conditions can happen". */
  #maybePaidAfterwards(request: PaymentRequest): void {
    if (this.draws.happens('paid-after-expired')) this.#after(this.options.lateMs, () => void this.#payFor(request));
  }

  #tell(body: Record<string, unknown>): void {
    const send = (what: unknown, token = this.options.callbackToken): void =>
      this.#courier?.send({ path: '', headers: { 'x-callback-token': token }, body: JSON.stringify(what) });
    if (this.draws.happens('bad-signature')) send(body, randomUUID());
    send(body);
    if (this.draws.happens('forge')) send(this.#forged());
  }

  /** Has the right token, but reports an unpaid request as paid. */
  #forged(): unknown {
    const unpaid = [...this.#book.requests.values()].filter(({ status }) => status !== 'SUCCEEDED');
    const request = unpaid[this.draws.below(Math.max(1, unpaid.length))];
    const forged = { ...request, status: 'SUCCEEDED', latest_payment_id: `py-${randomUUID()}` } as PaymentRequest;
    return request
      ? paymentCallback('payment.capture', forged, this.#clock.now())
      : { event: 'payment.capture', data: { reference_id: randomUUID() } };
  }

  #wrongBy(): number {
    return this.draws.happens('wrong-amount') ? WRONG_BY : 0;
  }

  #after(ms: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
  }
}

const answer = (status: number, body: unknown): SimulatedAnswer => ({ status, body });
const invalid = (message: string): SimulatedAnswer => answer(400, { error_code: 'API_VALIDATION_ERROR', message });

/** undefined: not JSON. */
function read(body: Buffer): unknown {
  try {
    return parsedByDigits(body);
  } catch {
    return undefined;
  }
}
