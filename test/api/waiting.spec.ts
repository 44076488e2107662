import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import type { Waiting } from '../../src/web/finance-api/approvals/waiting.js';
import { ConsoleVisitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { bankDay, bankFile, remittance } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { PROFILE } from '../support/statement-files.js';

const OF_TEST = { mode: 'test', currencies: ['IDR'], time_zone: 'Asia/Jakarta', reason: 'as the contract says' } as const;
const BANK = { ...OF_TEST, name: 'bca', kind: 'BANK', account: '123-456 7890', format: 'camt053' } as const;
const PROCESSOR = { ...OF_TEST, name: 'sim', kind: 'PROCESSOR', format: 'csv', profile: PROFILE, processor: 'SIMULATOR', due_days: 3 } as const;

/** Sums by currency, as the summary has them. */
function sumsOf(amounts: readonly (readonly [currency: string, amount: number])[]): object[] {
  const sums = new Map<string, number>();
  for (const [currency, amount] of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].sort().map(([currency, amount]) => ({ currency, amount }));
}

const earliest = (moments: readonly string[]): string | null => moments.toSorted()[0] ?? null;

describe('the summary of the work that waits', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let siti: Awaited<ReturnType<typeof newOperator>>;
  let budi: Awaited<ReturnType<typeof newOperator>>;

  const get = (path: string, key = finance): Promise<Answer> => service.call('GET', path, { key });
  const post = (path: string, key: string, body: object): Promise<Answer> => service.call('POST', path, { key, body, headers: newIdempotencyKey() });
  const waiting = async (key = finance, mode = 'test'): Promise<Record<Waiting['kind'], any>> => {
    const { items } = (await get(`/audit/desk/waiting?Mode=${mode}`, key)).body;
    return Object.fromEntries(items.map((each: Waiting) => [each.kind, each])) as Record<Waiting['kind'], any>;
  };

  const home = async ({ cookie }: ConsoleVisitor): Promise<string> => (await service.call('GET', '/console', { headers: { cookie } })).text;

  async function pay(amount: number): Promise<{ id: string; simulation_url: string }> {
    const { id, action } = (await post('/v1/charges', merchant.key, { ...CHARGE_ORDER, amount })).body;
    await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
    return { id, simulation_url: action.simulation_url };
  }

  beforeAll(async () => {
    service = await startTestService();
    finance = (await newFinanceKey(service)).key;
    [siti, budi] = [await newOperator(service, 'Siti', ['preparer', 'approver']), await newOperator(service, 'Budi', ['approver', 'controller'])];
    merchant = await service.newMerchant();
    await eventually(async () => (await get('/audit/recon/sources')).status === 200);
  });
  afterAll(() => service.stop());

  it('the summary has nothing at first', async () => {
    const none = { count: 0, has_more: false, amounts: [], since: null, due_by: null, day: null };
    expect((await get('/audit/desk/waiting?Mode=test')).body.items).toEqual(
      ['APPROVALS', 'BREAKS', 'FILES', 'DAYS', 'DISPUTES'].map((kind) => ({ kind, ...none })),
    );
    expect((await get('/audit/desk/waiting')).status).toBe(400);
    expect(await home(await ConsoleVisitor.signIn(service, finance))).toContain('Nothing waits.');
  });

  it('each count and sum equals the list that it stands for, now for anybody and for each operator', async () => {
    const tiers = [{ currency: 'IDR', above: 0, approvals: 2 }] as const;
    const policy = { mode: 'test', payouts: tiers, payouts_day: [], merchants: {}, adjustments: [], settings: 0, expires_hours: 24 } as const;
    await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
    const charges = [await pay(90_000_000), await pay(30_000), await pay(50_000)];
    await service.call('POST', charges[0]!.simulation_url, { body: { outcome: 'settle' } });
    const bank = { bank_account_name: 'Toko', bank_account_number: '1234567890', bank_name: 'BCA', currency: 'IDR' };
    await eventually(async () => (await get('/v1/balances/IDR', merchant.key)).body.available_amount > 0);
    const payouts = [1_000_000, 2_500_000, 700_000].map((amount) => post('/v1/payouts', merchant.key, { ...bank, amount }));
    const [first, ...others] = (await Promise.all(payouts)).map(({ body }) => body);
    expect([first, ...others].map(({ approval, detail }) => approval?.required ?? detail)).toEqual([2, 2, 2]);
    const fee = { merchant_id: merchant.merchant_id, of: { kind: 'payout', currency: 'IDR' }, fee: { type: 'FIXED', value: 4_000 } };
    expect((await post('/audit/proposals', siti.key, { kind: 'FEE', content: fee, reason: 'agreed' })).status).toBe(201);
    const detail = (await get(`/audit/payouts/${first.id}`, budi.key)).body;
    expect((await post(`/audit/payouts/${first.id}/approve`, budi.key, { digest: detail.digest, reason: 'it is right' })).status).toBe(200);
    for (const { simulation_url } of charges.slice(1)) await service.call('POST', simulation_url, { body: { outcome: 'dispute-open' } });

    for (const body of [BANK, PROCESSOR]) expect((await post('/audit/recon/sources', budi.key, body)).status).toBe(200);
    const visitor = await ConsoleVisitor.signIn(service, siti.key);
    const send = async (source: string, file: string): Promise<void> => {
      const page = `recon/sources/${source}`;
      expect((await visitor.send(`${page}/import`, await visitor.hidden(page, `${page}/import`), file)).status).toBe(303);
    };
    await send('test-sim', remittance([8, 25].map((gross, n) => ({ batch: 'B1', reference: `unknown ${n}`, gross }))));
    await send('test-bca', bankFile(bankDay(1, 100, [10, -4])));

    const found = await waiting();
    const queue = (await get('/audit/desk/queue?Mode=test&Limit=1000')).body.items;
    expect(queue).toHaveLength(4);
    expect(found.APPROVALS).toEqual({
      ...{ kind: 'APPROVALS', count: 4, has_more: false, day: null, amounts: [{ currency: 'IDR', amount: 4_200_000 }] },
      ...{ since: earliest(queue.map(({ created_on }: any) => created_on)), due_by: earliest(queue.map(({ approve_by }: any) => approve_by)) },
    });
    // Siti made the proposal, and Budi has approved one payout: neither may decide those.
    expect([(await waiting(siti.key)).APPROVALS.count, (await waiting(budi.key)).APPROVALS.count]).toEqual([3, 3]);
    expect((await waiting(budi.key)).APPROVALS.amounts).toEqual([{ currency: 'IDR', amount: 3_200_000 }]);

    const breaks = (await get('/audit/recon/breaks?Mode=test&Status=OPEN&Limit=1000')).body.items;
    const files = breaks.filter(({ kind }: any) => kind === 'FILE_MISSING');
    for (const [kind, list] of [
      ['BREAKS', breaks],
      ['FILES', files],
    ] as const) {
      const sides = list.flatMap(({ line, item, remittance: of }: any) => line ?? item ?? of ?? []);
      expect(found[kind]).toMatchObject({
        ...{ count: list.length, amounts: sumsOf(sides.map(({ currency, amount }: any) => [currency, Math.abs(amount)])) },
        since: earliest(list.map(({ opened_on }: any) => opened_on)),
      });
    }
    expect(breaks.length).toBeGreaterThanOrEqual(4);

    const disputes = (await get('/audit/disputes?DueBefore=2099-01-01T00:00:00Z&Limit=1000')).body.items;
    expect(disputes).toHaveLength(2);
    expect(found.DISPUTES).toMatchObject({
      ...{ count: 2, amounts: sumsOf(disputes.map(({ currency, amount }: any) => [currency, amount])) },
      due_by: earliest(disputes.map(({ due_by }: any) => due_by)),
    });
    expect(found.DAYS).toMatchObject({ count: 1, day: '2026-11-11', since: null, amounts: [] });
    expect((await waiting(finance, 'live')).BREAKS.count).toBe(0);
  });

  it('the first page of the console shows the same figures, each with a link to its list', async () => {
    const visitor = await ConsoleVisitor.signIn(service, siti.key);
    const found = await waiting(siti.key);
    const section = /<section aria-labelledby="waiting">.*?<\/section>/s.exec(await home(visitor))![0];
    const rows = [...section.matchAll(/<tr[^>]*>(?=\s*<th scope="row"[^>]*>\s*<a ).*?<\/tr>/gs)].map(([row]) => {
      const [, address, count] = /<a href="\/console\/([^"#]*)[^"]*"><strong>(\d+)/.exec(row)!;
      return {
        address: address!.replaceAll('&amp;', '&'),
        count: Number(count),
        amounts: [...row.matchAll(/value="(\d+)"/g)].map(([, value]) => Number(value)),
      };
    });
    const shown = Object.values(found).filter(({ count }) => count > 0);
    const figures = ({ count, amounts }: { count: number; amounts: readonly number[] }) => `${count}: ${amounts.join()}`;
    expect(rows.map(figures).sort()).toEqual(
      shown.map(({ count, amounts }) => figures({ count, amounts: amounts.map(({ amount }: any) => amount) })).sort(),
    );
    const lists: Record<string, RegExp> = {
      desk: /href="\/console\/desk\/(payouts|proposals)\/[^"]*">(Payout|Proposal)/g,
      recon: /<th scope="row"[^>]*>\s*<a href="\/console\/recon\/breaks\//g,
      disputes: /<th scope="row"[^>]*>\s*<a href="\/console\/disputes\//g,
    };
    for (const { address, count } of rows.filter(({ amounts }) => amounts.length > 0)) {
      // The desk shows the operator’s own proposals below.
      const text = (await visitor.page(address)).text.split('Proposed by you')[0]!;
      expect([address, text.match(lists[address.split('?')[0]!]!)?.length]).toEqual([address, count]);
    }
    // Deadlines come first.
    expect(rows.slice(0, 2).map(({ address }) => address.split('?')[0])).toEqual(['desk', 'disputes']);
  });
});
