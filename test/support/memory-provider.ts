import { randomUUID } from 'node:crypto';
import type { Finding, ProviderResult } from '../../src/ledger/ports/provider-result.js';
import type {
  Instruction,
  Paid,
  PaymentState,
  ProcessorRoutes,
  ReceivedHeaders,
  RefundState,
  RemoteChannel,
  RemoteOrder,
  RemoteProcessor,
  RemoteRefund,
  Verified,
} from '../../src/domain/charges/remote/remote-processor.js';

type Call = 'create' | 'cancel' | 'query' | 'find' | 'refund' | 'findRefund';
/** A fault of one call: `lost` and `hang` after its execution, the others instead of it. */
export type Fault = 'lost' | 'hang' | 'unknown' | 'retryable' | { readonly no: string };

/** The provider's own record of an instruction: the truth of the tests. */
export interface Known {
  readonly reference: string;
  readonly order: RemoteOrder;
  status: 'WAITING' | 'CANCELLED' | 'EXPIRED' | 'FAILED';
  readonly payments: Paid[];
}

export const CALLBACK_TOKEN = 'callback-token-of-the-tests';
const QR: RemoteChannel = { min_amount: 10_000, max_amount: 1_000_000_000, life_ms: 48 * 60 * 60_000, push: false, refund: true };
export const REMOTE_CHANNELS: Readonly<Record<string, RemoteChannel>> = {
  QR_QRIS: QR,
  WALLET_DANA: { ...QR, life_ms: 60 * 60_000 },
  WALLET_OVO: { ...QR, life_ms: null, input: 'phone', push: true },
  BANK_REDIRECT_FPX: { ...QR, min_amount: 100, input: 'bank', refund: false },
};

/** A provider of payments in the memory of the test: a simulator of the outside world, with faults that the test asks for. */
export class MemoryProvider implements RemoteProcessor {
  readonly remote = true;
  readonly known = new Map<string, Known>();
  readonly refunds = new Map<string, RefundState>();
  /** Calls that have come, in order. */
  readonly calls: Call[] = [];
  readonly inputs: string[] = [];
  /** Next faults of a call, the first one first; each once. */
  readonly faults: Partial<Record<Call, (Fault | undefined)[]>> = {};
  /** Set while creates are to wait. */
  gate: Promise<void> | undefined;

  constructor(readonly name = 'memory-live') {}

  count(call: Call): number {
    return this.calls.filter((came) => came === call).length;
  }

  describe(channel: string): RemoteChannel | undefined {
    return Object.hasOwn(REMOTE_CHANNELS, channel) ? REMOTE_CHANNELS[channel] : undefined;
  }

  async create(order: RemoteOrder): Promise<ProviderResult<Instruction>> {
    if (order.input !== undefined) this.inputs.push(order.input);
    return this.#answer('create', async () => {
      await this.gate;
      const reference = `pr-${randomUUID()}`;
      this.known.set(reference, { reference, order, status: 'WAITING', payments: [] });
      const action = order.channel.qr
        ? { qr_string: `00020101021226${reference}` }
        : order.channel.code === 'WALLET_OVO'
          ? {}
          : { redirect_url: `https://provider.test/${reference}` };
      return { is: 'accepted', value: { processor_reference: reference, action, valid_until: null } };
    });
  }

  cancel(reference: string): Promise<ProviderResult<PaymentState>> {
    return this.#answer('cancel', async () => {
      const known = this.known.get(reference);
      if (known?.status === 'WAITING') known.status = 'CANCELLED';
      return this.#stateOf(reference);
    });
  }

  query(reference: string): Promise<ProviderResult<PaymentState>> {
    return this.#answer('query', async () => this.#stateOf(reference));
  }

  find(chargeId: string): Promise<ProviderResult<readonly Paid[]>> {
    return this.#answer('find', async () => {
      const ofCharge = [...this.known.values()].filter(({ order }) => order.charge_id === chargeId);
      return { is: 'accepted', value: ofCharge.flatMap(({ payments }) => payments) };
    });
  }

  refund({ refund_id }: RemoteRefund): Promise<ProviderResult<RefundState>> {
    return this.#answer('refund', async () => {
      const value = this.refunds.get(refund_id) ?? { status: 'PROCESSING' };
      this.refunds.set(refund_id, value);
      return { is: 'accepted', value };
    });
  }

  findRefund({ refund_id }: RemoteRefund): Promise<ProviderResult<RefundState | undefined>> {
    return this.#answer('findRefund', async () => ({ is: 'accepted', value: this.refunds.get(refund_id) }));
  }

  parse(raw: Buffer, headers: ReceivedHeaders): Verified | undefined {
    return headers['x-callback-token'] === CALLBACK_TOKEN ? (JSON.parse(raw.toString()) as Verified) : undefined;
  }

  async check(): Promise<readonly Finding[]> {
    return [];
  }

  /** Instructions of a charge, in the order of their creation. */
  of(chargeId: string): Known[] {
    return [...this.known.values()].filter(({ order }) => order.charge_id === chargeId);
  }

  /** A customer pays, whatever has become of the instruction. */
  pay(known: Known, change: Partial<Paid> = {}): Paid {
    const { amount, channel } = known.order;
    const paid = { payment_reference: `py-${randomUUID()}`, amount, currency: channel.currency, ...change };
    known.payments.push(paid);
    return paid;
  }

  #stateOf(reference: string): ProviderResult<PaymentState> {
    const known = this.known.get(reference);
    if (!known) return { is: 'rejected', code: 'DATA_NOT_FOUND', detail: 'there is none' };
    const [payment] = known.payments;
    if (payment) return { is: 'accepted', value: { status: 'PAID', payment } };
    return { is: 'accepted', value: known.status === 'FAILED' ? { status: 'FAILED', code: 'DECLINED' } : { status: known.status } };
  }

  async #answer<T>(call: Call, work: () => Promise<ProviderResult<T>>): Promise<ProviderResult<T>> {
    this.calls.push(call);
    const fault = this.faults[call]?.shift();
    if (fault === 'unknown') return { is: 'unknown', code: 'timeout' };
    if (fault === 'retryable') return { is: 'retryable', code: '429', after_ms: 2_000 };
    if (typeof fault === 'object') return { is: 'rejected', code: fault.no, detail: 'the provider says no' };
    const outcome = await work();
    if (fault === 'hang') return new Promise(() => undefined);
    return fault === 'lost' ? { is: 'unknown', code: 'lost' } : outcome;
  }
}

/** Routes of the tests: every live merchant's channels by one provider, and sandbox merchants by another one. */
export class MemoryRoutes implements ProcessorRoutes {
  isStopped = false;
  isUsable = true;
  readonly sandboxMerchants = new Set<string>();

  constructor(
    readonly live: MemoryProvider,
    readonly sandbox = new MemoryProvider('memory-sandbox'),
  ) {}

  route(merchantId: string, mode: 'test' | 'live', channelCode: string): ReturnType<ProcessorRoutes['route']> {
    if (!this.isUsable) return 'unusable';
    const processor = mode === 'live' ? this.live : this.sandboxMerchants.has(merchantId) ? this.sandbox : undefined;
    return processor?.describe(channelCode) && { processor, merchant_name_id: null, is_stopped: this.isStopped };
  }

  named(rail: string): RemoteProcessor | undefined {
    return [this.live, this.sandbox].find(({ name }) => name === rail);
  }
}
