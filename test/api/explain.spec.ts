import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleVisitor } from '../support/console.js';
import { exactly, newFinanceKey, writeHistory, type RandomHistory } from '../support/finance.js';
import { PostedSums, Records, type MovingEvent } from '../support/ledger-oracle.js';
import { startTestService, type TestMerchant, type TestService } from '../support/service.js';

const CURRENCIES = ['IDR', 'MYR', 'SGD'] as const;
const BUCKETS = ['PENDING', 'AVAILABLE', 'RESERVED', 'FEES', 'PAYOUTS', 'REFUNDS', 'ADJUSTMENTS'] as const;

let service: TestService;
let merchants: TestMerchant[];
let history: RandomHistory;
let finance: string;

const read = (path: string, key: string) => service.call('GET', path, { key, headers: { 'min-ledger-position': history.position } });
const eventsOf = (merchant_id: string, currency: string): MovingEvent[] =>
  (history.events as unknown as MovingEvent[]).filter(({ data }) => data.merchant_id === merchant_id && data.currency === currency);
const sum = (parts: readonly { amount: string | number }[]): bigint => parts.reduce((total, { amount }) => total + BigInt(amount), 0n);

/** Sort keys of payouts (by id) and settlements (by number) in the queue: first the final ones in the order of their events, then the open ones. */
function placesOf(merchantId: string, currency: string): Map<string, string> {
  const places = new Map<string, string>();
  eventsOf(merchantId, currency).forEach(({ type, data }, index) => {
    const place = String(index).padStart(6, '0');
    if (type === 'PayoutRequested') places.set(data.payout_id, `open ${data.created_on} ${data.payout_id}`);
    if (type === 'PayoutSucceeded') places.set(data.payout_id, `done ${place}`);
    if (type === 'FundsSettled') places.set(String(data.settlement_number), `done ${place}`);
  });
  return places;
}

/** Returns every item of the bucket, page by page. */
async function itemsOf(bucket: string, { key }: TestMerchant, currency: string): Promise<any[]> {
  const all: any[] = [];
  for (let after = ''; ;) {
    const answer = await read(`/v1/balances/${currency}/explain?Bucket=${bucket.toLowerCase()}&Limit=7${after}`, key);
    expect(answer.status).toBe(200);
    const [{ items, next_after }] = exactly(answer).buckets;
    all.push(...items);
    if (next_after === null) return all;
    expect(items).toHaveLength(7);
    after = `&After=${next_after}`;
  }
}

beforeAll(async () => {
  service = await startTestService({ ROLES: 'api,projector' });
  merchants = [await service.newMerchant(), await service.newMerchant()];
  finance = (await newFinanceKey(service)).key;
  history = await writeHistory(service, merchants, 600, 99, 9_007_199_254_740_000);
});
afterAll(() => service.stop());

describe('the explanation of a balance', () => {
  it('groups and items of every bucket add up to the ledger’s amount, to the cent', async () => {
    for (const merchant of merchants) {
      for (const currency of CURRENCIES) {
        const posted = new PostedSums();
        for (const event of eventsOf(merchant.merchant_id, currency)) posted.add(event);
        const { pending, available, reserved, fees } = posted.sums();
        const expected: Record<string, bigint> = { PENDING: pending, AVAILABLE: available, RESERVED: reserved, FEES: fees };
        const answer = exactly(await read(`/v1/balances/${currency.toLowerCase()}/explain?Limit=1000`, merchant.key));
        expect(answer.buckets.map(({ bucket }: any) => bucket)).toEqual(BUCKETS);
        for (const { bucket, amount, groups, items } of answer.buckets) {
          if (bucket in expected) expect(BigInt(amount)).toBe(expected[bucket]);
          expect(sum(groups)).toBe(BigInt(amount));
          expect(sum(items)).toBe(BigInt(amount));
          expect(await itemsOf(bucket, merchant, currency)).toEqual(items);
          if (bucket !== 'AVAILABLE') expect(groups.reduce((n: number, { count }: any) => n + count, 0)).toBe(items.length);
        }
      }
    }
  });

  it('lists exactly the records of each bucket', async () => {
    const [merchant] = merchants;
    const records = new Records();
    for (const event of eventsOf(merchant!.merchant_id, 'IDR')) records.add(event);
    const ids = (items: readonly any[]): string[] => items.map(({ id }) => id as string).sort();
    const charges = [...records.charges].filter(([, { status }]) => status === 'PENDING' || status === 'PROCESSING');
    expect(ids(await itemsOf('PENDING', merchant!, 'IDR'))).toEqual(charges.map(([id]) => id).sort());
    const open = [...records.payouts].filter(([, { status }]) => status === 'PENDING' || status === 'PROCESSING');
    expect(ids(await itemsOf('RESERVED', merchant!, 'IDR'))).toEqual(open.map(([id]) => id).sort());
    const bearing = [
      ...[...records.charges].filter(([, { status }]) => status !== 'REVERSED'),
      ...[...records.payouts].filter(([, { status }]) => status === 'SUCCEEDED'),
    ];
    expect(ids(await itemsOf('FEES', merchant!, 'IDR'))).toEqual(bearing.map(([id]) => id).sort());
  });

  it('funds each payout from the oldest remaining settlements, successful payouts first, in the order of their success', async () => {
    let funded = 0;
    for (const merchant of merchants) {
      for (const currency of CURRENCIES) {
        const settlements = exactly(
          await read(`/audit/settlements?MerchantId=${merchant.merchant_id}&Currency=${currency}&Limit=1000`, finance),
        ).items;
        const places = placesOf(merchant.merchant_id, currency);
        const queue: { number: number; left: bigint }[] = [];
        const leaving: { place: string; id: string; amount: bigint; isPayout: boolean }[] = [];
        for (const { id, number, totals } of settlements) {
          const net = BigInt(totals.net_amount);
          if (net > 0n) queue.push({ number, left: net });
          if (net < 0n) leaving.push({ place: places.get(String(number))!, id, amount: -net, isPayout: false });
        }
        const payouts = await itemsOf('PAYOUTS', merchant, currency);
        for (const { id, amount } of payouts) leaving.push({ place: places.get(id)!, id, amount: -BigInt(amount), isPayout: true });
        leaving.sort((x, y) => (x.place < y.place ? -1 : 1));
        const expected = new Map<string, [number, bigint][]>();
        for (const { id, amount, isPayout } of leaving) {
          const from: [number, bigint][] = [];
          for (let wanted = amount; wanted > 0n && queue.length > 0;) {
            const [oldest] = queue;
            const taken = oldest!.left < wanted ? oldest!.left : wanted;
            from.push([oldest!.number, taken]);
            wanted -= taken;
            if ((oldest!.left -= taken) === 0n) queue.shift();
          }
          if (isPayout) expected.set(id, from);
        }
        for (const { id, funded_from, funded_from_count } of payouts) {
          const shown = funded_from.map(({ settlement_number, amount }: any) => [settlement_number, BigInt(amount)]);
          expect(shown).toEqual(expected.get(id));
          expect(funded_from_count).toBe(shown.length);
          funded += shown.length;
        }
      }
    }
    expect(funded).toBeGreaterThan(10);
  });

  it('the CSV remittance advice of each payout equals its explanation', async () => {
    let advised = 0;
    for (const merchant of merchants) {
      for (const currency of CURRENCIES) {
        for (const { id, status, amount, funded_from } of await itemsOf('PAYOUTS', merchant, currency)) {
          const answer = await service.call('GET', `/v1/payouts/${id}/remittance-advice`, { key: merchant.key, headers: { accept: 'text/csv' } });
          expect(answer.status).toBe(status === 'SUCCEEDED' || status === 'REVERSED' ? 200 : 409);
          if (answer.status !== 200) continue;
          const [names, ...rows]: string[][] = parse(answer.text);
          const column = (name: string) => names!.indexOf(name);
          const settlements = new Map(rows.map((row) => [Number(row[column('settlement_number')]), row]));
          const used = [...settlements].map(([number, row]) => [number, BigInt(row[column('used_here')]!)]);
          const shown = funded_from.map((each: any) => [each.settlement_number, BigInt(each.amount)]);
          // The advice leaves out the part that later settlements made up for.
          expect(shown.slice(0, Math.max(0, used.length - 1))).toEqual(used.slice(0, -1));
          for (const [number, row] of settlements) {
            const figure = (name: string) => BigInt(row[column(name)]!);
            expect(figure('used_before') + figure('used_here') + figure('left')).toBe(figure('settlement_net_amount'));
            const lines = rows.filter((each) => each[column('settlement_number')] === String(number));
            expect(lines.reduce((total, each) => total + BigInt(each[column('net_amount')]!), 0n)).toBe(figure('settlement_net_amount'));
            for (const each of lines)
              expect(BigInt(each[column('gross_amount')]!) - BigInt(each[column('fee_amount')]!)).toBe(BigInt(each[column('net_amount')]!));
          }
          const sumUsed = used.reduce((total, [, each]) => total + BigInt(each!), 0n);
          expect(sumUsed).toBeLessThanOrEqual(-BigInt(amount));
          if (sumUsed === -BigInt(amount)) advised += 1;
        }
      }
    }
    expect(advised).toBeGreaterThan(5);
  });

  it('the console shows the figures of the explanation, and each list behind them adds up to its figure', async () => {
    const visitor = await ConsoleVisitor.signIn(service, finance);
    const total = (text: string, column: string): bigint => {
      const [names, ...rows]: string[][] = parse(text);
      return rows.reduce((all, row) => all + BigInt(row[names!.indexOf(column)]!), 0n);
    };
    let settled = 0;
    for (const { merchant_id } of merchants) {
      for (const currency of CURRENCIES) {
        const address = `/audit/balances/${merchant_id}/${currency}/explain`;
        const explained = exactly(await read(`${address}?Limit=10`, finance)).buckets;
        const bucketOf = (name: string) => explained.find(({ bucket }: any) => bucket === name);
        const shown = ['AVAILABLE', 'PENDING', 'RESERVED', 'FEES'].map(bucketOf);
        const path = `merchants/${merchant_id}/balances/${currency}`;
        const { status, text } = await visitor.page(path.replace(currency, currency.toLowerCase()));
        expect(status).toBe(200);
        const figures = (markup: string): string[] => [...markup.matchAll(/<data class="money[^"]*" value="(-?\d+)"/g)].map(([, value]) => value!);
        const inTable = ({ amount, groups }: any): string[] =>
          [...groups.filter(({ count }: any) => count > 0), { amount }].map((each) => `${each.amount}`);
        const items = (bucket: any): string[] => bucket.items.map(({ amount }: any) => `${amount}`);
        expect(figures(text)).toEqual([
          ...shown.map(({ amount }) => `${amount}`),
          ...shown.flatMap((bucket) => [`${bucket.amount}`, ...inTable(bucket), ...items(bucket)]),
        ]);
        for (const bucket of BUCKETS) {
          const { amount, groups } = bucketOf(bucket);
          const page = await visitor.page(`${path}?Bucket=${bucket}`);
          const [whole] = exactly(await read(`${address}?Bucket=${bucket}&Limit=100`, finance)).buckets;
          expect(figures(page.text)).toEqual([...inTable(whole), ...items(whole)]);
          const csv = await service.call('GET', `${address}?Bucket=${bucket}`, { key: finance, headers: { accept: 'text/csv' } });
          expect((await visitor.page(`${path}/records.csv?Bucket=${bucket}`)).text).toBe(csv.text);
          expect([bucket, total(csv.text, 'amount')]).toEqual([bucket, BigInt(amount)]);
          for (const group of groups.filter(({ kind, count }: any) => kind === 'SETTLEMENTS' && count > 0)) {
            const [link] = /settlements\?[^"]*/.exec(page.text)!;
            const file = await visitor.page(link.replaceAll('&amp;', '&').replace('?', '.csv?'));
            expect(total(file.text, 'net_amount')).toBe(BigInt(group.amount));
            settled += group.count;
          }
          if (bucket !== 'AVAILABLE') continue;
          // The records that change available have a list each.
          for (const each of groups.filter(({ kind }: any) => kind !== 'SETTLEMENTS')) {
            const list = await visitor.page(`${path}/records.csv?Bucket=${each.kind}`);
            expect([each.kind, total(list.text, 'amount')]).toEqual([each.kind, BigInt(each.amount)]);
          }
        }
        const { accounts } = exactly(await read(`/audit/journal/totals?MerchantId=${merchant_id}&Currency=${currency}`, finance));
        const closing = (names: readonly string[]): bigint =>
          accounts.filter(({ account }: any) => names.includes(account)).reduce((all: bigint, each: any) => all + BigInt(each.closing_balance), 0n);
        expect(shown.map(({ amount }) => BigInt(amount))).toEqual(
          [['available'], ['pending'], ['reserved', 'refunding', 'disputed'], ['fees']].map(closing),
        );
      }
    }
    expect(settled).toBeGreaterThan(10);
  });

  it('CSV needs a bucket, and the console refuses unknown balances as it does other records', async () => {
    const [merchant] = merchants;
    const address = `/audit/balances/${merchant!.merchant_id}/IDR/explain`;
    const without = await service.call('GET', address, { key: finance, headers: { accept: 'text/csv' } });
    expect(without.body).toMatchObject({ status: 400, errors: [{ parameter: 'Bucket', code: 'required' }] });
    const visitor = await ConsoleVisitor.signIn(service, finance);
    const path = `merchants/${merchant!.merchant_id}/balances`;
    for (const [place, expected] of [
      [`${path}/EUR`, 404],
      [`merchants/${randomUUID()}/balances/IDR`, 404],
      [`${path}/IDR?Bucket=all`, 400],
      [`${path}/IDR?Bucket=FEES&After=x`, 400],
      [`${path}/IDR?After=${randomUUID()}`, 400],
      [`${path}/IDR/records.csv?Bucket=PENDING&After=x`, 400],
    ] as const)
      expect([place, (await visitor.page(place)).status]).toEqual([place, expected]);
  });

  it('finance reads the same explanation, and other merchants cannot', async () => {
    const [merchant, stranger] = merchants;
    const own = await read('/v1/balances/IDR/explain', merchant!.key);
    expect((await read(`/audit/balances/${merchant!.merchant_id}/idr/explain`, finance)).text).toBe(own.text);
    expect((await read('/v1/balances/IDR/explain', stranger!.key)).text).not.toBe(own.text);
    expect((await read(`/audit/balances/${merchant!.merchant_id}/IDR/explain`, merchant!.key)).status).toBe(403);
    for (const path of [`${randomUUID()}/IDR`, 'nobody/IDR', `${merchant!.merchant_id}/EUR`])
      expect((await read(`/audit/balances/${path}/explain`, finance)).status).toBe(404);
    expect((await read('/v1/balances/EUR/explain', merchant!.key)).status).toBe(404);
    for (const query of ['Bucket=all', `After=${randomUUID()}`, 'Bucket=FEES&After=x', 'Bucket=PENDING&After=x', 'Limit=0', 'Limit=1001'])
      expect((await read(`/v1/balances/IDR/explain?${query}`, merchant!.key)).body).toMatchObject({ status: 400, code: 'validation-failed' });
  });
});
