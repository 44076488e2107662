import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HOLDER, type Shop } from './house.js';
import type { PatientClient } from './patient-client.js';

/** A payout that was asked for; its account is no other payout's. */
export interface WantedPayout {
  readonly merchant_id: string;
  readonly account: string;
  /** Minor units. */
  readonly amount: number;
  /** The bank knows the account under another name. */
  readonly isOthers: boolean;
  readonly hasBankCode: boolean;
}

/** What the run has asked for. */
export class Wanted {
  readonly payouts = new Map<string, WantedPayout>();
  /** Answered with an id. */
  readonly charges = new Set<string>();
  readonly refunds = new Set<string>();
  /** Answers that nobody promises. */
  readonly wrong: string[] = [];
  asked = { charges: 0, payouts: 0, refunds: 0, unanswered: 0 };
}

const ORDER = { currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload' };
const FUNDING = 900_000_000;
const PAYOUT_MAX = 2_000_000;
const PAYOUT_MIN = 600_000;
const SECOND_MS = 1_000;
const OTHER_HOLDER = 'Bambang Wijaya';
/** Ends of account numbers: the double of a bank knows none, gives back, is never done, pays. */
const ENDS: readonly (readonly [end: string, percent: number])[] = [
  ['0001', 5],
  ['0002', 8],
  ['0003', 5],
  ['7777', 82],
];
const BANK_CODES = ['014', '008', '002', '490'];

/** Customers and a merchant of one shop, each a little late and none of them careful. */
export class Traffic {
  constructor(
    private readonly shop: Shop,
    private readonly client: PatientClient,
    private readonly wanted: Wanted,
    private readonly random: (below: number) => number,
  ) {}

  /** So that the payouts can be paid: by the simulator, before there are providers. */
  async fund(payouts: number): Promise<void> {
    const { key } = this.shop;
    for (let left = payouts * PAYOUT_MAX * 1.1; left > 0; left -= FUNDING) {
      const order = { ...ORDER, amount: FUNDING, reference_id: 'funding' };
      const created = await this.client.send({ method: 'POST', path: '/v1/charges', key, body: order, idempotencyKey: randomUUID() });
      const { pathname } = new URL(created!.body.action.simulation_url as string);
      for (const outcome of ['succeed', 'settle']) await this.client.send({ method: 'POST', path: pathname, key, body: { outcome } });
    }
  }

  /** One charge, and whatever becomes of it. */
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
      // Both at once: whoever is first.
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

  /** Once the charge is paid, as its merchant sees it; a part of it, or all. */
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

  /** A customer at the provider's counter, which may say no: the code has run out, or was cancelled. */
  #atProvider(what: 'pay' | 'fail', reference_id: string): void {
    try {
      this.shop.xendit.control[what]!({ reference_id });
    } catch {
      // As at any counter.
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

  /** Nobody answered: then there may be something, and the books say what. Anything else is wrong. */
  #unanswered(what: string, answer: { readonly status: number; readonly body: unknown } | undefined): void {
    this.wanted.asked.unanswered += 1;
    if (answer) this.wanted.wrong.push(`${what} was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
  }
}

/** `count` times `work`, `atOnce` at a time. */
export async function repeat(count: number, atOnce: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, worker));
}
