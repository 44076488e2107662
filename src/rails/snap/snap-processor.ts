import { randomUUID } from 'node:crypto';
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
import { checkSnap } from './check.js';
import { SnapClient, type SnapOptions, type SnapRequest } from './client.js';
import { SnapInbound } from './inbound.js';
import { takesQris } from './profiles.js';
import { createBody, NOT_FOUND, queryBody, readCreated, readQueried, readRefunded, refundBody, unsendable, type Queried } from './qris.js';
import { qrisReference } from './qris-reference.js';

const CHANNEL = 'QR_QRIS';
/** Rp 1 to Rp 10 million. Source: Bank Indonesia's limit of a QRIS payment. */
const MIN_AMOUNT = 100;
const MAX_AMOUNT = 1_000_000_000;
/** Maximum instructions of a charge. Source: rails.md, "at most 5 attempts". */
const ATTEMPTS_MAX = 5;

/** QRIS, merchant-presented, from a provider of SNAP. Instructions are identified by our references only. */
export class SnapProcessor implements RemoteProcessor {
  readonly name: string;
  readonly remote = true;
  /** Verifies the provider's messages, and answers its requests for our access tokens. */
  readonly inbound: SnapInbound;
  readonly #client: SnapClient;
  readonly #options: SnapOptions;

  /** @throws RangeError when the profile is unknown or takes no QRIS, Error when a key cannot be read */
  constructor(options: SnapOptions) {
    this.name = options.name;
    this.#options = options;
    this.#client = new SnapClient(options);
    if (!takesQris(this.#client.profile)) throw new RangeError(`${options.profile} supports no QRIS over SNAP`);
    this.inbound = new SnapInbound(this.#client.profile, options);
  }

  describe(channel: string): RemoteChannel | undefined {
    if (channel !== CHANNEL) return undefined;
    const refund = this.#client.profile.paths['78'] !== undefined;
    return { min_amount: MIN_AMOUNT, max_amount: MAX_AMOUNT, life_ms: null, push: false, refund };
  }

  async create(order: RemoteOrder): Promise<ProviderResult<Instruction>> {
    const unsent = order.channel.code === CHANNEL ? unsendable(order.amount, order.channel.currency) : notOffered(order.channel.code);
    if (unsent) return unsent;
    const reference = qrisReference(order.charge_id, order.attempt);
    return this.#client.call(
      {
        ...this.#act('47', 'create', { charge_id: order.charge_id }),
        body: createBody(this.#options.credentials, order, reference),
      },
      (answer) => readCreated(answer, order, reference),
    );
  }

  /** When the provider has no cancellation, or rejects it, a query returns the state. */
  async cancel(processorReference: string): Promise<ProviderResult<PaymentState>> {
    if (this.#client.profile.paths['77'] === undefined) return this.query(processorReference);
    const cancelled = await this.#client.call<PaymentState>(
      {
        ...this.#act('77', 'cancel', { processor_reference: processorReference }),
        body: { originalPartnerReferenceNo: processorReference, ...this.#merchant(), reason: 'cancelled' },
      },
      (answer) =>
        answer.http === 200 && answer.caseCode === '00'
          ? { is: 'accepted', value: { status: 'CANCELLED' } }
          : { is: 'rejected', code: answer.code, detail: 'not cancelled' },
    );
    return cancelled.is === 'rejected' ? this.query(processorReference) : cancelled;
  }

  async query(processorReference: string): Promise<ProviderResult<PaymentState>> {
    const queried = await this.#query(processorReference);
    return queried.is === 'accepted' ? { is: 'accepted', value: queried.value.state } : queried;
  }

  async find(chargeId: string): Promise<ProviderResult<readonly Paid[]>> {
    const found: Paid[] = [];
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const queried = await this.query(qrisReference(chargeId, attempt));
      if (queried.is === 'accepted' && queried.value.status === 'PAID') found.push(queried.value.payment);
      else if (queried.is !== 'accepted' && queried.code !== NOT_FOUND) return queried;
    }
    return { is: 'accepted', value: found };
  }

  async refund(refund: RemoteRefund): Promise<ProviderResult<RefundState>> {
    const unsent = unsendable(refund.amount, refund.currency);
    if (unsent) return unsent;
    let payment: Queried | undefined;
    if (this.#client.profile.refund_names_payment) {
      const queried = await this.#query(refund.processor_reference);
      if (queried.is !== 'accepted') return { is: 'retryable', code: queried.code };
      payment = queried.value;
    }
    return this.#client.call(
      {
        ...this.#act('78', 'refund', { refund_id: refund.refund_id, charge_id: refund.charge_id }),
        body: refundBody(this.#options.credentials, refund, payment),
      },
      (answer) => readRefunded(answer, refund),
    );
  }

  /**
   * SNAP has no service that looks a refund up. Only the query of a fully refunded payment shows the refund; every other refund stays unknown until
   * an operator has seen the provider's statement.
   */
  async findRefund(refund: RemoteRefund): Promise<ProviderResult<RefundState | undefined>> {
    const queried = await this.#query(refund.processor_reference);
    if (queried.is !== 'accepted') return queried;
    const isWhole = queried.value.isRefunded && queried.value.amount === refund.amount;
    return isWhole ? { is: 'accepted', value: { status: 'REFUNDED' } } : { is: 'unknown', code: 'no-look-up' };
  }

  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined {
    return this.inbound.parse(raw, headers, path, now);
  }

  check(): Promise<readonly Finding[]> {
    const { base, mode } = this.#options;
    const lookUp = async (): Promise<string> => {
      const queried = await this.query(qrisReference(randomUUID(), 1));
      if (queried.is === 'accepted') return queried.value.status;
      return queried.code === NOT_FOUND ? 'not-found' : queried.code;
    };
    return checkSnap({ client: this.#client, base, mode, lookUp });
  }

  #query(reference: string): Promise<ProviderResult<Queried>> {
    return this.#client.call(
      {
        service: '51',
        endpoint: 'query',
        priority: 'confirm',
        body: queryBody(this.#options.credentials, reference),
        renews: true,
        isInquiry: true,
        ids: { processor_reference: reference },
      },
      (answer) => readQueried(answer, reference),
    );
  }

  #act(service: '47' | '77' | '78', endpoint: string, ids: Record<string, string>): Omit<SnapRequest, 'body'> {
    return { service, endpoint, priority: 'act', renews: service !== '78', ids };
  }

  #merchant(): { merchantId?: string } {
    const { merchant_id } = this.#options.credentials;
    return merchant_id === undefined ? {} : { merchantId: merchant_id };
  }
}

const notOffered = (code: string): ProviderResult<never> => ({ is: 'rejected', code: 'channel-not-offered', detail: code });
