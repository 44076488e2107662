import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HOLDER, type Shop } from './house.js';
import type { PatientClient } from './patient-client.js';

/** A requested payout. No other payout has its bank account. */
export interface WantedPayout {
  readonly merchant_id: string;
  readonly account: string;
  /** Minor units. */
  readonly amount: number;
  /** The bank has the account under another holder's name. */
  readonly isOthers: boolean;
  readonly hasBankCode: boolean;
}

/** The requests of a run. */
export class Wanted {
  readonly payouts = new Map<string, WantedPayout>();
  /** Ids of created charges. */
  readonly charges = new Set<string>();
  readonly refunds = new Set<string>();
  /** Undocumented responses. */
  readonly wrong: string[] = [];
  asked = { charges: 0, payouts: 0, refunds: 0, unanswered: 0 };
}

const ORDER = { currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload' };
const FUNDING = 900_000_000;
const PAYOUT_MAX = 2_000_000;
const PAYOUT_MIN = 600_000;
const SECOND_MS = 1_000;
const OTHER_HOLDER = 'Bambang Wijaya';
/** Ends of account numbers, with their shares. The simulated bank: does not know the account; pays and returns; never ends; pays. */
const ENDS: readonly (readonly [end: string, percent: number])[] = [
  ['0001', 5],
  ['0002', 8],
  ['0003', 5],
  ['7777', 82],
];
const BANK_CODES = ['014', '008', '002', '490'];

/** The customers and the merchant of one shop. Their requests are delayed and conflict with each other. */
export class Traffic {
  constructor(
    private readonly shop: Shop,
    private readonly client: PatientClient,
    private readonly wanted: Wanted,
    private readonly random: (below: number) => number,
  ) {}

  /** Funds the payouts through the built-in simulator, before the shop is routed to its providers. */
  async fund(payouts: number): Promise<void> {
    const { key } = this.shop;
    for (let left = payouts * PAYOUT_MAX * 1.1; left > 0; left -= FUNDING) {
      const order = { ...ORDER, amount: FUNDING, reference_id: 'funding' };
      const created = await this.client.send({ method: 'POST', path: '/v1/charges', key, body: order, idempotencyKey: randomUUID() });
      const { pathname } = new URL(created!.body.action.simulation_url as string);
      for (const outcome of ['succeed', 'settle']) await this.client.send({ method: 'POST', path: pathname, key, body: { outcome } });
    }
  }

  /** Creates a charge, and then pays, fails, cancels or abandons it at random. */
  async charge(): Promise<void> {
    const { key } = this.shop;
    this.wanted.asked.charges += 1;
    const order = { ...ORDER, amount: 100 * (1_000 + this.random(200_000)), reference_id: `order-${this.wanted.asked.charges}` };
    const created = await this.client.send({ method: 'POST', path: '/v1/charges', key, body: order, idempotencyKey: randomUUID() });
    if (!created || created.status !== 200) return this.#unanswered('charge', created);
    const { id, status } = created.body as { id: string; status: string };
    this.wanted.charges.add(id);
    if (status !== 'PENDING') return;
    await delay(this.random(60) * SECOND_MS);
    const fate = this.random(100);
    if (fate < 72) {
      this.#atProvider('pay', id);
      if (this.random(100) < 30) await this.#refund(id, order.amount);
    } else if (fate < 77) this.#atProvider('fail', id);
    else if (fate < 87) {
      const cancelled = this.client.send({ method: 'POST', path: `/v1/charges/${id}/cancel`, key });
      // The payment and the cancellation race.
      if (this.random(3) === 0) this.#atProvider('pay', id);
      const answer = await cancelled;
      if (answer && answer.status !== 200 && answer.status !== 409) this.#unanswered('cancel', answer);
    }
  }

  async payout(): Promise<void> {
    const { key, merchant_id, bank } = this.shop;
    const number = (this.wanted.asked.payouts += 1);
    const account = `${String(1_000_000 + number)}${this.#end()}`;
    const amount = PAYOUT_MIN + 100 * this.random((PAYOUT_MAX - PAYOUT_MIN) / 100);
    const isOthers = this.random(100) < 4;
    const hasBankCode = this.random(100) >= 2;
    if (isOthers) bank.control['holders']!({ [account]: OTHER_HOLDER });
    const body = {
      ...{ amount, currency: 'IDR', bank_account_name: HOLDER, bank_account_number: account },
      ...(hasBankCode ? { bank_name: 'Bank', bank_code: BANK_CODES[this.random(BANK_CODES.length)]! } : { bank_name: 'Bank Tanpa Nomor' }),
    };
    this.wanted.payouts.set(account, { merchant_id, account, amount, isOthers, hasBankCode });
    const requested = await this.client.send({ method: 'POST', path: '/v1/payouts', key, body, idempotencyKey: randomUUID() });
    if (!requested || requested.status !== 201) this.#unanswered('payout', requested);
  }

  /** Refunds a part or all of a charge, after the merchant has read it as SUCCEEDED or has read it eight times. */
  async #refund(id: string, amount: number): Promise<void> {
    const { key } = this.shop;
    for (let looks = 0; looks < 8; looks += 1) {
      const seen = await this.client.send({ path: `/v1/charges/${id}`, key });
      if (seen?.body?.status === 'SUCCEEDED') break;
      await delay(15 * SECOND_MS);
    }
    const body = this.random(2) === 0 ? {} : { amount: 100 * (1 + this.random(amount / 100)) };
    this.wanted.asked.refunds += 1;
    const answer = await this.client.send({ method: 'POST', path: `/v1/charges/${id}/refunds`, key, body, idempotencyKey: randomUUID() });
    if (answer?.status === 201) this.wanted.refunds.add(answer.body.id as string);
    else if (answer?.status !== 409 && answer?.status !== 422) this.#unanswered('refund', answer);
  }

  /** Acts as a customer at the provider, which may refuse: the code may have expired or been cancelled. */
  #atProvider(what: 'pay' | 'fail', reference_id: string): void {
    try {
      this.shop.xendit.control[what]!({ reference_id });
    } catch {
      // The provider refuses.
    }
  }

  #end(): string {
    let dice = this.random(100);
    for (const [end, percent] of ENDS) {
      if (dice < percent) return end;
      dice -= percent;
    }
    throw new Error('the percents of ends are 100 together');
  }

  /** Counts a request without an expected response. Without any response its result is open, and the books have it; any other response is wrong. */
  #unanswered(what: string, answer: { readonly status: number; readonly body: unknown } | undefined): void {
    this.wanted.asked.unanswered += 1;
    if (answer) this.wanted.wrong.push(`${what} was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
  }
}

/** Runs `work` `count` times, `atOnce` at a time. */
export async function repeat(count: number, atOnce: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, worker));
}
