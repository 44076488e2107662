import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type {
  Instruction,
  Paid,
  PaymentState,
  ReceivedHeaders,
  RefundState,
  RemoteChannel,
  RemoteOrder,
  RemoteProcessor,
  RemoteRefund,
  Verified,
} from '../../domain/charges/remote/remote-processor.js';
import type { Finding, ProviderResult } from '../../ledger/ports/provider-result.js';
import { timestamp, type Clock } from '../../ledger/time.js';
import { jsonNumber } from '../../platform/text/amounts.js';
import type { RailAnswer, RailCall, RailCalls } from '../calls/rail-calls.js';
import type { RailReport } from '../calls/rail-report.js';
import { errorCode, moneyOf, PAYMENT_REQUEST, readAnswer, REFUND, TRANSACTIONS, type PaymentRequest, type Transaction } from './answers.js';
import { readCallback } from './callbacks.js';
import { XENDIT_CHANNELS, type XenditChannel } from './channels.js';
import { checkXendit } from './check.js';
import {
  CANCEL_VERDICTS,
  CREATE_VERDICTS,
  LISTED_PAYMENTS,
  LISTED_REFUNDS,
  PAYMENT_STATUSES,
  QUERY_VERDICTS,
  REFUND_STATUSES,
  REFUND_VERDICTS,
  type Verdicts,
} from './outcomes.js';
import { orderBody, refundBody } from './requests.js';

export interface XenditCredentials {
  readonly secret_key: string;
  readonly callback_token: string;
}

export interface XenditOptions {
  /** Name of the rail. */
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
  /** `skewMs` is how far the provider's clock is ahead of ours, when known. */
  readonly calls: RailCalls & { readonly skewMs: number | null };
  /** The credentials in force: calls use the current ones, callbacks may have either. */
  readonly credentials: () => { readonly current: XenditCredentials; readonly previous?: XenditCredentials | undefined };
  /** Codes of channels that are off by default and that an operator has allowed with the provider's confirmation. */
  readonly allowedChannels: () => ReadonlySet<string>;
  /** Return address of a payer whose charge names none: the charge's hosted page. */
  readonly returnUrl: (chargeId: string) => string;
  readonly clock: Clock;
  readonly report: (report: RailReport) => void;
}

/** Maximum calls per second of one endpoint. Documented: 600 and 60 per minute for an account. */
export const XENDIT_PER_SECOND: Readonly<Record<XenditOptions['mode'], number>> = { live: 8, sandbox: 0.8 };

const API_VERSION = '2024-11-11';
const REQUESTS = '/v3/payment_requests';
const PAGE_SIZE = 50;
const PAGES_MAX = 4;

/** Xendit's Payments API v3; only the part that receives money. */
export class XenditProcessor implements RemoteProcessor {
  readonly remote = true;

  constructor(private readonly options: XenditOptions) {}

  get name(): string {
    return this.options.name;
  }

  describe(channel: string): RemoteChannel | undefined {
    const offered = this.#channel(channel);
    if (!offered) return undefined;
    const { min_amount, max_amount, life_ms, input, push, refund } = offered;
    return { min_amount, max_amount, life_ms, push, refund, ...(input === undefined ? {} : { input }) };
  }

  async create(order: RemoteOrder): Promise<ProviderResult<Instruction>> {
    const channel = this.#channel(order.channel.code);
    if (!channel) return no('channel-not-offered', 'the rail does not offer the channel');
    const body = orderBody(channel, order, order.return_url ?? this.options.returnUrl(order.charge_id));
    if (typeof body !== 'string') return body;
    const sentMs = this.options.clock();
    return this.#call({
      endpoint: 'create',
      priority: 'act',
      method: 'POST',
      path: REQUESTS,
      // Unique per call: two calls with the same key may receive one instruction, and the later caller would cancel that of the other.
      headers: { 'idempotency-key': randomUUID() },
      body,
      ids: { charge_id: order.charge_id },
      verdicts: CREATE_VERDICTS,
      done: (answer) => this.#instruction(channel, order, sentMs, readAnswer(PAYMENT_REQUEST, answer.body)),
    });
  }

  async cancel(processorReference: string): Promise<ProviderResult<PaymentState>> {
    const outcome = await this.#call<PaymentState | 'query'>({
      endpoint: 'cancel',
      priority: 'confirm',
      method: 'POST',
      path: `${REQUESTS}/${encodeURIComponent(processorReference)}/cancel`,
      headers: {},
      ids: { processor_reference: processorReference },
      verdicts: CANCEL_VERDICTS,
      query: 'query',
      done: (answer) => this.#state(processorReference, readAnswer(PAYMENT_REQUEST, answer.body)),
    });
    if (outcome.is !== 'accepted') return outcome;
    return outcome.value === 'query' ? this.query(processorReference) : { is: 'accepted', value: outcome.value };
  }

  async query(processorReference: string): Promise<ProviderResult<PaymentState>> {
    return this.#call({
      endpoint: 'query',
      priority: 'confirm',
      method: 'GET',
      path: `${REQUESTS}/${encodeURIComponent(processorReference)}`,
      headers: {},
      isInquiry: true,
      ids: { processor_reference: processorReference },
      verdicts: QUERY_VERDICTS,
      done: (answer) => this.#state(processorReference, readAnswer(PAYMENT_REQUEST, answer.body)),
    });
  }

  async find(chargeId: string): Promise<ProviderResult<readonly Paid[]>> {
    const listed = await this.#transactions('find', 'PAYMENT', chargeId);
    if (listed.is !== 'accepted') return listed;
    const payments: Paid[] = [];
    for (const { product_id, status, currency, amount } of listed.value) {
      const isThere = LISTED_PAYMENTS[status];
      if (isThere === undefined) return this.#unknown('find', 'unknown-status');
      if (!isThere) continue;
      const money = moneyOf({ amount, currency });
      if (money === undefined) return this.#unknown('find', 'amount-unreadable');
      payments.push({ payment_reference: product_id, amount: money, currency: currency! });
    }
    return { is: 'accepted', value: payments };
  }

  async refund(refund: RemoteRefund): Promise<ProviderResult<RefundState>> {
    const body = refundBody(refund);
    if (typeof body !== 'string') return body;
    return this.#call({
      endpoint: 'refund',
      priority: 'act',
      method: 'POST',
      path: '/refunds',
      headers: { 'idempotency-key': refund.refund_id },
      body,
      ids: { refund_id: refund.refund_id, charge_id: refund.charge_id },
      verdicts: REFUND_VERDICTS,
      done: ({ body }) => {
        const { reference_id, status, currency, amount, failure_code } = readAnswer(REFUND, body);
        if (reference_id !== refund.refund_id) return this.#unknown('refund', 'other-reference');
        if (currency !== refund.currency || moneyOf({ amount, currency }) !== refund.amount) return this.#unknown('refund', 'other-amount');
        return this.#refundState('refund', REFUND_STATUSES[status], failure_code ?? status);
      },
    });
  }

  async findRefund(refund: RemoteRefund): Promise<ProviderResult<RefundState | undefined>> {
    const listed = await this.#transactions('find-refund', 'REFUND', refund.refund_id);
    if (listed.is !== 'accepted') return listed;
    const [found, another] = listed.value;
    if (!found) return { is: 'accepted', value: undefined };
    if (another) return this.#unknown('find-refund', 'several-refunds');
    if (found.currency !== refund.currency || moneyOf(found) !== refund.amount) return this.#unknown('find-refund', 'other-amount');
    return this.#refundState('find-refund', LISTED_REFUNDS[found.status], found.status);
  }

  /** Requests that the sandbox pays an instruction. */
  async simulate(processorReference: string, amount: number): Promise<ProviderResult<'asked'>> {
    return this.#call({
      endpoint: 'simulate',
      priority: 'poll',
      method: 'POST',
      path: `${REQUESTS}/${encodeURIComponent(processorReference)}/simulate`,
      headers: {},
      body: `{"amount":${jsonNumber(amount)}}`,
      verdicts: {},
      done: () => ({ is: 'accepted', value: 'asked' }),
    });
  }

  parse(raw: Buffer, headers: ReceivedHeaders, _path: string, _now: number): Verified | undefined {
    const { current, previous } = this.options.credentials();
    return readCallback(raw, headers, [current.callback_token, ...(previous ? [previous.callback_token] : [])]);
  }

  async check(): Promise<readonly Finding[]> {
    const { name, mode, calls } = this.options;
    const { secret_key } = this.options.credentials().current;
    return checkXendit({ name, mode, secret_key, skewMs: () => calls.skewMs }, (read) =>
      calls.call(
        {
          endpoint: 'balance',
          priority: 'confirm',
          method: 'GET',
          path: '/balance?account_type=CASH&currency=IDR',
          headers: this.#headers(),
          isInquiry: true,
        },
        read,
      ),
    );
  }

  /** undefined: not offered, or not yet allowed. */
  #channel(code: string): XenditChannel | undefined {
    if (!Object.hasOwn(XENDIT_CHANNELS, code)) return undefined;
    const channel = XENDIT_CHANNELS[code]!;
    return channel.isUnconfirmed && !this.options.allowedChannels().has(code) ? undefined : channel;
  }

  #instruction(channel: XenditChannel, order: RemoteOrder, sentMs: number, request: PaymentRequest): ProviderResult<Instruction> {
    const { currency, request_amount } = request;
    if (request.reference_id !== order.charge_id) return this.#unknown('create', 'other-reference');
    if (currency !== order.channel.currency || moneyOf({ amount: request_amount, currency }) !== order.amount) {
      return this.#unknown('create', 'other-amount');
    }
    const status = PAYMENT_STATUSES[request.status];
    if (status !== 'WAITING' && status !== 'PAID') return this.#unknown('create', `status-${request.status}`);
    const action = actionOf(channel, request);
    if (!action) return this.#unknown('create', 'no-usable-action');
    const ends = channel.life_ms === null ? order.expires_on : timestamp(sentMs + channel.life_ms);
    return { is: 'accepted', value: { processor_reference: request.payment_request_id, action, valid_until: ends } };
  }

  #state(processorReference: string, request: PaymentRequest): ProviderResult<PaymentState> {
    if (request.payment_request_id !== processorReference) return this.#unknown('query', 'other-reference');
    const status = PAYMENT_STATUSES[request.status];
    if (status === undefined) return this.#unknown('query', 'unknown-status');
    if (status === 'FAILED') return { is: 'accepted', value: { status, code: request.failure_code ?? 'FAILED' } };
    if (status !== 'PAID') return { is: 'accepted', value: { status } };
    const { latest_payment_id, currency, request_amount } = request;
    const amount = moneyOf({ amount: request_amount, currency });
    if (!latest_payment_id) return this.#unknown('query', 'no-payment-id');
    if (amount === undefined) return this.#unknown('query', 'amount-unreadable');
    return { is: 'accepted', value: { status, payment: { payment_reference: latest_payment_id, amount, currency: currency! } } };
  }

  #refundState(endpoint: string, status: RefundState['status'] | undefined, code: string): ProviderResult<RefundState> {
    if (status === undefined) return this.#unknown(endpoint, 'unknown-status');
    return { is: 'accepted', value: status === 'FAILED' ? { status, code } : { status } };
  }

  /** Returns all transactions that the provider has under our reference. */
  async #transactions(endpoint: string, type: 'PAYMENT' | 'REFUND', reference: string): Promise<ProviderResult<readonly Transaction[]>> {
    const found: Transaction[] = [];
    let after = '';
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const listed = await this.#call<z.infer<typeof TRANSACTIONS>>({
        endpoint,
        priority: 'poll',
        method: 'GET',
        path: `/transactions?types=${type}&reference_id=${encodeURIComponent(reference)}&limit=${PAGE_SIZE}${after}`,
        headers: {},
        isInquiry: true,
        ids: { reference },
        verdicts: QUERY_VERDICTS,
        done: (answer) => ({ is: 'accepted', value: readAnswer(TRANSACTIONS, answer.body) }),
      });
      if (listed.is !== 'accepted') return listed;
      const { data, has_more } = listed.value;
      found.push(...data.filter((entry) => entry.reference_id === reference && entry.type === type));
      if (!has_more) return { is: 'accepted', value: found };
      const last = data.at(-1);
      if (!last) break;
      after = `&after_id=${encodeURIComponent(last.id)}`;
    }
    return this.#unknown(endpoint, 'too-many-transactions');
  }

  #call<T>(call: RailCall & { verdicts: Verdicts; query?: T; done: (answer: RailAnswer) => ProviderResult<T> }): Promise<ProviderResult<T>> {
    const { verdicts, query, done, ...sent } = call;
    return this.options.calls.call<T>({ ...sent, headers: { ...this.#headers(), ...sent.headers } }, (answer) => {
      if (answer.status === 200 || answer.status === 201) return done(answer);
      const code = errorCode(answer.body) ?? `http-${answer.status}`;
      const verdict = verdicts[`${answer.status} ${code}`] ?? verdicts[String(answer.status)];
      if (verdict?.report) this.#report(call.endpoint, code, verdict.report);
      if (verdict === undefined) return { is: 'unknown', code };
      if (verdict.is === 'rejected') return no(code, verdict.means);
      // Only calls that provide `query` have verdicts of this kind.
      return verdict.is === 'query' ? { is: 'accepted', value: query! } : { is: verdict.is, code };
    });
  }

  #headers(): Record<string, string> {
    const { secret_key } = this.options.credentials().current;
    return {
      authorization: `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`,
      'api-version': API_VERSION,
      'content-type': 'application/json',
    };
  }

  /** An answer with an unexpected form: an operator has to look at it. */
  #unknown(endpoint: string, code: string): ProviderResult<never> {
    this.#report(endpoint, code, 'amber');
    return { is: 'unknown', code };
  }

  #report(endpoint: string, code: string, level: RailReport['level']): void {
    this.options.report({ rail: this.options.name, level, endpoint, code });
  }
}

const no = (code: string, detail: string): ProviderResult<never> => ({ is: 'rejected', code, detail });

/** undefined: no instruction that a payer could use. Any URL without https:// makes the answer unusable, even beside a valid one. */
function actionOf({ gives }: XenditChannel, { actions }: PaymentRequest): Instruction['action'] | undefined {
  if (gives === null) return {};
  const values = (...descriptors: string[]) => descriptors.flatMap((name) => (actions ?? []).filter(({ descriptor }) => descriptor === name));
  if (gives === 'qr_string') {
    const value = values('QR_STRING')[0]?.value ?? '';
    return /^[ -~]{1,1000}$/.test(value) ? { qr_string: value } : undefined;
  }
  const urls = values('WEB_URL', 'DEEPLINK_URL').map(({ value }) => value);
  return urls.length > 0 && urls.every(isSecureUrl) ? { redirect_url: urls[0]! } : undefined;
}

function isSecureUrl(text: string): boolean {
  return /^https:\/\/[!-~]{1,2000}$/.test(text) && URL.canParse(text) && new URL(text).username === '';
}
