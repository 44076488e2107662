import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Unexpected, type SoakClient } from './client.js';

/** Far below the 10,000 updates that the service keeps of a customer. */
const UPDATES_MAX = 2_000;
const CUSTOMERS_MAX = 40;
const PAGE = 100;
const MIN_PAYOUT_IDR = 300_000;
/** The simulated bank pays the first three, refuses the fourth, and pays and returns the fifth. */
const BANK_ACCOUNTS = ['1234567890', '1234567890', '1234567890', '1234560001', '1234560002'];

interface KnownCustomer {
  readonly id: string;
  updates: number;
  description: string;
}

type Currency = 'IDR' | 'SGD';

/** An honest merchant. It records the responses to its requests; at the end the service must have exactly these records. */
export class SoakMerchant {
  readonly #charges = new Set<string>();
  /** Net amounts of paid charges, by charge. */
  readonly #paid = new Map<string, { readonly currency: Currency; readonly net: number }>();
  readonly #customers: KnownCustomer[] = [];
  readonly #deleted: string[] = [];
  readonly #payouts = new Set<string>();
  #sequence = 0;
  #recent: string | undefined;

  constructor(
    private readonly client: SoakClient,
    private readonly key: string,
    private readonly random: (below: number) => number,
  ) {}

  /** Sequence of the newest event that was read. */
  get events(): number {
    return this.#sequence;
  }

  get did(): { readonly charges: number; readonly paid: number; readonly updates: number; readonly payouts: number } {
    const updates = this.#customers.reduce((sum, each) => sum + each.updates, 0);
    return { charges: this.#charges.size, paid: this.#paid.size, updates, payouts: this.#payouts.size };
  }

  async setWebhook(web_hook_uri: string): Promise<void> {
    const body = { web_hook_uri, signature_key: 'a key to soak with', events: [] };
    await this.#send({ kind: 'web-hook set', method: 'POST', path: '/v1/merchants/me/web-hook', body });
  }

  /** Runs about `perSecond` actions per second until `signal`; an action is up to four requests. */
  async run(perSecond: number, signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#each(perSecond * 0.4, signal, () => this.#sell()),
      this.#each(perSecond * 0.25, signal, () => this.#look()),
      this.#each(perSecond * 0.15, signal, () => this.#keepCustomers()),
      this.#each(perSecond * 0.05, signal, () => this.#payOut()),
      this.#each(perSecond * 0.15, signal, () => this.readEvents()),
    ]);
  }

  async #each(perSecond: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      // Random pauses of at most twice the mean keep the rate steady and the merchants out of step.
      const pause = delay((this.random(2_000) + 1) / perSecond, undefined, { signal }).catch(() => undefined);
      await work().catch((error: unknown) => {
        if (!(error instanceof Unexpected)) throw error;
      });
      await pause;
    }
  }

  #send(request: Omit<Parameters<SoakClient['send']>[0], 'key'>): ReturnType<SoakClient['send']> {
    return this.client.send({ ...request, key: this.key });
  }

  async #sell(): Promise<void> {
    const [currency, channel_code, amount]: [Currency, string, number] =
      this.random(5) === 0 ? ['SGD', 'qr_paynow', 100 + this.random(90_000)] : ['IDR', 'qr_qris', 100_000 + this.random(9_000_000)];
    const order = { amount, currency, channel_code, action_flow: 'payload', reference_id: `order-${randomUUID()}`, metadata: { table: '7' } };
    const created = await this.#send({ kind: 'charge create', method: 'POST', path: '/v1/charges', body: order });
    const { id, action } = created.body as { id: string; action: { simulation_url: string } };
    this.#charges.add(id);
    this.#recent = id;
    if (this.random(10) < 3) return;
    const simulate = (outcome: string) =>
      this.client.send({ kind: `charge ${outcome}`, method: 'POST', path: action.simulation_url, body: { outcome }, expected: [409] });
    await simulate('succeed');
    const read = await this.#send({ kind: 'charge read', path: `/v1/charges/${id}` });
    if (read.body.status !== 'SUCCEEDED') this.client.wrong.push(`charge ${id} was paid and is read as ${read.body.status as string}`);
    this.#paid.set(id, { currency, net: read.body.net_amount });
    if (this.random(4) === 0) await simulate('settle');
  }

  async #look(): Promise<void> {
    const pages = [
      { kind: 'charge list', path: `/v1/charges?PageSize=50&IsDescending=true` },
      { kind: 'charge list', path: `/v1/charges?Status=succeeded&OrderBy=amount&PageNumber=${1 + this.random(5)}` },
      { kind: 'charge search', path: `/v1/charges?SearchText=order-${(16 + this.random(240)).toString(16)}` },
      { kind: 'balances', path: '/v1/balances' },
      { kind: 'balances', path: '/v1/balances/IDR' },
      { kind: 'customer list', path: '/v1/customers?PageSize=10&IsDescending=true' },
      { kind: 'payout list', path: '/v1/payouts?PageSize=20' },
      { kind: 'settlement list', path: '/v1/settlements?PageSize=20&IsDescending=true' },
      { kind: 'statement', path: '/v1/statements/SGD' },
      ...(this.#recent === undefined ? [] : [{ kind: 'charge history', path: `/v1/charges/${this.#recent}/events` }]),
    ];
    await this.#send(pages[this.random(pages.length)]!);
  }

  async #keepCustomers(): Promise<void> {
    const dice = this.random(100);
    const known = this.#customers[this.random(this.#customers.length || 1)];
    if (!known || (dice < 10 && this.#customers.length < CUSTOMERS_MAX)) return this.#addCustomer();
    if (dice < 13) return this.#deleteCustomer(known);
    if (dice < 30) {
      await this.#send({ kind: 'customer history', path: `/v1/customers/${known.id}/events?PageSize=5` });
      return;
    }
    if (known.updates >= UPDATES_MAX) return;
    const description = `update ${known.updates + 1}`;
    const body = { id: known.id, description, metadata: this.#thirtyKilobytes() };
    await this.#send({ kind: 'customer update', method: 'PUT', path: '/v1/customers', body });
    known.updates += 1;
    known.description = description;
  }

  async #addCustomer(): Promise<void> {
    const body = { name: 'Sari Dewi', description: 'new', email: 'sari@example.com', metadata: this.#thirtyKilobytes() };
    const created = await this.#send({ kind: 'customer create', method: 'POST', path: '/v1/customers', body });
    this.#customers.push({ id: created.body.id, updates: 0, description: 'new' });
  }

  async #deleteCustomer(known: KnownCustomer): Promise<void> {
    this.#customers.splice(this.#customers.indexOf(known), 1);
    // 404: an earlier attempt without a response has deleted it.
    await this.#send({ kind: 'customer delete', method: 'DELETE', path: `/v1/customers/${known.id}`, expected: [404] });
    this.#deleted.push(known.id);
  }

  /** Returns the maximum of 50 pairs of metadata, each of nearly the maximum length. */
  #thirtyKilobytes(): Record<string, string> {
    return Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [
        `${String(n).padStart(2, '0')}-${'k'.repeat(37)}`,
        Array.from({ length: 49 }, () =>
          this.random(2 ** 31)
            .toString(36)
            .padStart(10, '0'),
        )
          .join('')
          .slice(0, 490),
      ]),
    );
  }

  async #payOut(): Promise<void> {
    const body = {
      amount: MIN_PAYOUT_IDR + this.random(2_000_000),
      currency: 'IDR',
      bank_name: 'BCA',
      bank_account_name: 'Soak',
      bank_account_number: BANK_ACCOUNTS[this.random(BANK_ACCOUNTS.length)],
    };
    const requested = await this.#send({ kind: 'payout create', method: 'POST', path: '/v1/payouts', body, expected: [422] });
    if (requested.status === 201) this.#payouts.add(requested.body.id);
    else if (requested.body.code !== 'insufficient-balance') this.client.wrong.push(`payout refused: ${requested.text.slice(0, 300)}`);
  }

  /** Reads the next page of the events that the web-hook receives. @returns their number */
  async readEvents(): Promise<number> {
    const page = await this.#send({ kind: 'event page', path: `/v1/events?After=${this.#sequence}&PageSize=${PAGE}` });
    for (const { sequence } of page.body as { sequence: number }[]) {
      if (sequence !== this.#sequence + 1) this.client.wrong.push(`event ${sequence} came after ${this.#sequence}`);
      this.#sequence = sequence;
    }
    return (page.body as unknown[]).length;
  }

  /** Returns the first difference between the service's records and the recorded responses; null without a difference. */
  async compare(): Promise<string | null> {
    while ((await this.readEvents()) > 0);
    const charges = await this.#all<{ id: string; status: string }>('/v1/charges', (body) => body.items);
    const payouts = await this.#all<{ id: string; payout_status: string; amount: number; currency: string }>('/v1/payouts', (body) => body);
    const difference =
      differenceOf(
        'charges',
        this.#charges,
        charges.map(({ id }) => id),
      ) ??
      differenceOf(
        'paid charges',
        this.#paid,
        charges.filter(({ status }) => status === 'SUCCEEDED').map(({ id }) => id),
      ) ??
      differenceOf(
        'payouts',
        this.#payouts,
        payouts.map(({ id }) => id),
      );
    if (difference !== null) return difference;
    for (const currency of ['IDR', 'SGD'] as const) {
      const earned = [...this.#paid.values()].filter((each) => each.currency === currency);
      const left = payouts.filter((each) => each.currency === currency && each.payout_status === 'SUCCEEDED');
      const expected = earned.reduce((sum, { net }) => sum + net, 0) - left.reduce((sum, { amount }) => sum + amount, 0);
      const { body } = await this.#send({ kind: 'balances', path: `/v1/balances/${currency}` });
      const found = body.total_amount + body.reserved_amount;
      if (found !== expected) return `${currency}: ${found} is there, ${expected} by what was answered`;
      if (body.pending_count + body.available_count !== earned.length) return `${currency}: not ${earned.length} charges in the balance`;
    }
    for (const { id, description, updates } of this.#customers) {
      const read = await this.#send({ kind: 'customer read', path: `/v1/customers/${id}` });
      if (read.body.description !== description) return `customer ${id} has "${read.body.description as string}", answered was "${description}"`;
      const history = await this.#send({ kind: 'customer history', path: `/v1/customers/${id}/events?PageSize=1` });
      // A retried update may be in the history twice.
      if (Number(history.headers['x-total-count']) < updates + 1) return `customer ${id} has lost one of ${updates} updates`;
    }
    for (const id of this.#deleted) {
      const read = await this.#send({ kind: 'customer read', path: `/v1/customers/${id}`, expected: [404] });
      if (read.status !== 404) return `customer ${id} was deleted and answers ${read.status}`;
    }
    return null;
  }

  async #all<Item>(path: string, itemsOf: (body: any) => Item[]): Promise<Item[]> {
    const all: Item[] = [];
    for (let page = 1; ; page += 1) {
      const items = itemsOf((await this.#send({ kind: 'list, whole', path: `${path}?PageSize=${PAGE}&PageNumber=${page}` })).body);
      all.push(...items);
      if (items.length < PAGE) return all;
    }
  }
}

function differenceOf(what: string, answered: { has(id: string): boolean; readonly size: number }, found: readonly string[]): string | null {
  const different = new Set(found);
  if (different.size !== found.length) return `${what}: one is listed twice`;
  const strange = found.find((id) => !answered.has(id));
  if (strange !== undefined) return `${what}: ${strange} is there and was not answered`;
  return found.length === answered.size ? null : `${what}: ${answered.size} were answered, ${found.length} are there`;
}
