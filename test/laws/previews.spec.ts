import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { eventually } from '../support/eventually.js';
import { DAY_MS, HOUR_MS } from '../../src/ledger/time.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { exactly, writeHistory, type RandomHistory } from '../support/finance.js';
import { randomNumbers } from '../support/random-numbers.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const REQUESTS = 1_000;
const CURRENCIES = ['IDR', 'MYR', 'SGD', 'USD'] as const;
const CHANNELS = [
  ['qr_qris', 'IDR', 'payload'],
  ['bank_redirect_fpx', 'MYR', 'redirection'],
  ['qr_paynow', 'SGD', 'payload'],
  ['wallet_grabpay_sg', 'SGD', 'redirection'],
] as const;
const BANK = { bank_account_name: 'Siti Rahayu', bank_account_number: '1234567890', bank_name: 'Bank Central Asia' };

/** Members that only the request decides. */
const UNKNOWN: ReadonlySet<string> = new Set(['id', 'created_on', 'updated_on', 'code']);

interface Request {
  readonly kind: 'payout' | 'charge' | 'refund';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Every kind of outcome that 1,000 requests have. */
const OUTCOMES = [
  'charge',
  'charge action-flow-not-supported',
  'charge amount-out-of-range',
  'charge currency-mismatch',
  'payout amount-out-of-range',
  'payout currency-mismatch',
  'payout funded',
  'payout funded held',
  'payout insufficient-balance',
  'refund',
  'refund 404',
  'refund funded',
  'refund insufficient-balance',
  'refund refund-exceeds-charge',
  'refund refund-not-available',
  'refund state-conflict',
];

/** Returns the position of each projection. */
async function checkpointsOf(pool: Pool): Promise<string[]> {
  const { rows: schemas } = await pool.query<{ name: string }>(`select schemaname as name from pg_tables where tablename = 'checkpoint'`);
  const { rows } = await pool.query<{ position: string }>(
    schemas.map(({ name }) => `select position::text from ${name}.checkpoint`).join(' union all '),
  );
  return rows.map(({ position }) => position);
}

/** Returns a digest of each table. */
async function digestsOf(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ digest: string }>(
      `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${name} t`,
    );
    digests[name] = rows[0]!.digest;
  }
  return digests;
}

/** Nothing runs between a preview and its request: the worker is not started. */
describe('a request sent right after its preview', () => {
  let service: TestService;
  let merchants: TestMerchant[];
  let history: RandomHistory;
  let position: string;
  const random = randomNumbers(45);
  const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  /** Charges that the requests created, with the addresses that pay them. */
  const created: { readonly id: string; readonly pay: string }[] = [];

  const send = async (merchant: TestMerchant, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await service.call(body ? 'POST' : 'GET', path, { key: merchant.key, headers, ...(body && { body }) });
    position = answer.headers.get('ledger-position') ?? position;
    return answer;
  };
  const read = async (merchant: TestMerchant, path: string): Promise<any> =>
    exactly(await send(merchant, path, undefined, { 'min-ledger-position': position }));

  const DRAWN: Record<Request['kind'], (merchant: TestMerchant) => Promise<Request>> = {
    async payout(merchant) {
      const currency = oneOf(CURRENCIES);
      const { available_amount = '0' } = await read(merchant, `/v1/balances/${currency}`);
      // Up to a tenth of the balance mostly, so that it lasts; else around all of it.
      const share = random(4) === 0 ? 900 + random(200) : random(100);
      const amount = Math.max(1 + random(3), Math.round((Number(available_amount) * share) / 1_000));
      return { kind: 'payout', path: '/v1/payouts', body: { ...BANK, amount, currency, description: null } };
    },
    async charge() {
      const [channel_code, currency, action_flow] = oneOf(CHANNELS);
      const other = oneOf([{}, {}, {}, {}, {}, {}, { currency: oneOf(CURRENCIES) }, { action_flow: 'payload' }]);
      const amount = oneOf([1, 50, 10_000, 2_500_000, 900_000_000_000]) + random(50);
      return { kind: 'charge', path: '/v1/charges', body: { ...CHARGE_ORDER, channel_code, currency, amount, action_flow, ...other } };
    },
    async refund(merchant) {
      const own = history.world.charges.filter(({ merchant_id }) => merchant_id === merchant.merchant_id);
      // Now and then the charge is one of another merchant, or none.
      const from: readonly { readonly id: string }[] =
        random(12) === 0 ? [...history.world.charges, { id: randomUUID() }] : random(3) === 0 && created.length > 0 ? created : own;
      const amount = random(3) === 0 ? {} : { amount: 1 + random(oneOf([100, 1_000_000_000])) };
      return { kind: 'refund', path: `/v1/charges/${oneOf(from).id}/refunds`, body: { ...amount, reason: 'requested_by_customer' } };
    },
  };

  beforeAll(async () => {
    service = await startTestService({ ROLES: 'api,projector' });
    merchants = [await service.newMerchant(), await service.newMerchant()];
    const now = Date.now();
    // Young enough for refunds, and old enough for the first settlements.
    history = await writeHistory(service, merchants, 800, 7, 1_000_000_000, { from: now - 8 * DAY_MS, to: now - HOUR_MS });
    ({ position } = history);
    const [payouts, payouts_day] = [
      [{ currency: 'IDR', above: 10_000_000, approvals: 1 }],
      [{ currency: 'SGD', above: 10_000_000, approvals: 2 }],
    ] as const;
    const policy = { payouts, payouts_day, merchants: {}, adjustments: [], settings: 0, expires_hours: 24 } as const;
    await setApprovalPolicy(service.deps, { mode: 'test', ...policy }, randomUUID(), 'key_1');
    const body = { ...BANK, amount: 10_000_001, currency: 'IDR' };
    await eventually(async () => (await send(merchants[0]!, '/v1/payouts/preview', body)).body.approvals_required === 1);
  });
  afterAll(() => service.stop());

  it('a request has the outcome, the code and the figures of its preview, which records nothing', async () => {
    const seen = new Map<string, number>();
    for (let requests = 0; requests < REQUESTS; requests += 1) {
      const merchant = oneOf(merchants);
      const { kind, path, body } = await DRAWN[oneOf(['payout', 'payout', 'charge', 'refund', 'refund'] as const)](merchant);
      const end = await service.stores.eventStore.head();
      const preview = await send(merchant, `${path}/preview`, body);
      expect(await service.stores.eventStore.head()).toBe(end);
      const made = await send(merchant, path, body, newIdempotencyKey());
      const outcome = await expectSame(kind, merchant, preview, made);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      if (kind === 'charge' && made.status === 200) created.push({ id: made.body.id, pay: made.body.action.simulation_url });
      if (created.length > 0 && random(3) === 0) await pay(oneOf(created).pay);
    }
    expect([...seen.keys()].toSorted()).toEqual(OUTCOMES);
  });

  it('a preview changes no row of the database', async () => {
    const [merchant] = merchants as [TestMerchant];
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', maxConnections: 1 });
    await eventually(async () => new Set(await checkpointsOf(pool)).size === 1);
    const before = await digestsOf(pool);
    for (const kind of ['payout', 'charge', 'refund'] as const) {
      for (let n = 0; n < 20; n += 1) {
        const { path, body } = await DRAWN[kind](merchant);
        await send(merchant, `${path}/preview`, body, newIdempotencyKey());
      }
    }
    expect(await digestsOf(pool)).toEqual(before);
    await pool.end();
  });

  async function pay(address: string): Promise<void> {
    const { headers } = await service.call('POST', address, { body: { outcome: 'SUCCEED' } });
    position = headers.get('ledger-position') ?? position;
  }

  /** Returns the kind with the outcome. */
  async function expectSame(kind: Request['kind'], merchant: TestMerchant, preview: Answer, made: Answer): Promise<string> {
    const { status, body } = preview;
    if (status !== 200) {
      expect([made.status, made.body.code, made.body.detail]).toEqual([status, body.code, body.detail]);
      return `${kind} ${status}`;
    }
    const { refusal, balance_after, earliest_on, funded_from } = exactly(preview);
    if (refusal) {
      const { code, title, detail } = made.body;
      expect(refusal).toEqual({ code, title, detail });
      expect(body).toMatchObject({ would_succeed: false, balance_after: null, funded_from: [], approvals_required: 0, [kind]: null });
      if (code !== 'insufficient-balance') expect(earliest_on).toBeNull();
      return `${kind} ${code}`;
    }
    expect([made.status, body.would_succeed, earliest_on]).toEqual([kind === 'charge' ? 200 : 201, true, null]);
    const { currency } = body[kind];
    const { pending_amount, available_amount, reserved_amount, total_amount, fee_amount } = await read(merchant, `/v1/balances/${currency}`);
    expect(balance_after).toEqual({ pending_amount, available_amount, reserved_amount, total_amount, fee_amount });
    const shown = kind === 'charge' ? await read(merchant, `/v1/charges/${made.body.id}`) : exactly(made);
    const { approval, ...expected } = exactly(preview)[kind];
    const figures = Object.entries(expected).filter(([name]) => !UNKNOWN.has(name));
    expect(shown).toMatchObject(Object.fromEntries(figures));
    expect(body.approvals_required).toBe(approval?.required ?? 0);
    if (kind === 'payout') expect(body.pending_reason).toBe((await read(merchant, `/v1/payouts/${made.body.id}`)).pending_reason);
    if (kind === 'charge') expect(funded_from).toEqual([]);
    else {
      const taken = await read(merchant, `/v1/balances/${currency}/explain?Bucket=reserved&Limit=1000`);
      const { funded_from: took } = taken.buckets[0].items.find(({ id }: { id: string }) => id === made.body.id);
      expect(took ?? []).toEqual(funded_from);
    }
    return [kind, ...(funded_from.length > 0 ? ['funded'] : []), ...(approval ? ['held'] : [])].join(' ');
  }
});
