import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { later } from '../../src/ledger/time.js';
import { movesMoney } from '../../src/ledger/postings.js';
import { exactly, writeHistory, type RandomHistory } from '../support/finance.js';
import { PostedSums, type MovingEvent } from '../support/ledger-oracle.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const CURRENCIES = ['IDR', 'MYR', 'SGD'] as const;

let service: TestService;
let merchants: TestMerchant[];
let history: RandomHistory;

const read = (path: string, { key }: TestMerchant, accept = 'application/json'): Promise<Answer> =>
  service.call('GET', path, { key, headers: { 'min-ledger-position': history.position, accept } });

interface Booked {
  readonly event: MovingEvent;
  readonly booked_on: string;
  readonly merchant_id: string;
}
let bookings: Booked[];

/** Returns the balances as the sums of the postings. */
function standing(events: readonly Booked[], merchant_id: string, currency: string) {
  const posted = new PostedSums();
  for (const { event } of events) if (event.data.merchant_id === merchant_id && event.data.currency === currency) posted.add(event);
  const { pending, available, reserved, fees } = posted.sums();
  return { pending_amount: pending, available_amount: available, reserved_amount: reserved, total_amount: pending + available, fee_amount: fees };
}

const figures = (shown: Record<string, string | number>) =>
  Object.fromEntries(
    ['pending_amount', 'available_amount', 'reserved_amount', 'total_amount', 'fee_amount'].map((name) => [name, BigInt(shown[name]!)]),
  );

beforeAll(async () => {
  service = await startTestService({ ROLES: 'api,projector' });
  merchants = [await service.newMerchant(), await service.newMerchant()];
  history = await writeHistory(service, merchants, 350, 5, 9_007_199_254_740_000);
  let last = '';
  bookings = history.events
    .filter((event) => movesMoney(event))
    .map((event) => {
      const { occurred_on } = event.metadata;
      last = last === '' ? occurred_on : later(last, occurred_on);
      return { event, booked_on: last, merchant_id: event.metadata.merchant_id! };
    });
});
afterAll(() => service.stop());

describe('/v1/statements/{currency}', () => {
  it('runs from the opening to the closing balance movement by movement, for any period and page length', async () => {
    const cuts = [0, 0.2, 0.5, 0.8, 1].map((part) => bookings[Math.floor(part * (bookings.length - 1))]!.booked_on);
    for (const merchant of merchants) {
      for (const currency of CURRENCIES) {
        for (const [from, to] of [
          [undefined, undefined],
          [cuts[1], cuts[3]],
          [cuts[0], cuts[2]],
          [cuts[2], cuts[2]],
        ]) {
          const period = new URLSearchParams({ ...(from && { From: from }), ...(to && { to }) });
          const before = bookings.filter(({ booked_on }) => from !== undefined && booked_on < from);
          const until = bookings.filter(({ booked_on }) => to === undefined || booked_on <= to);
          const movements: any[] = [];
          for (let after = ''; ;) {
            const statement = exactly(await read(`/v1/statements/${currency.toLowerCase()}?${period}&Limit=40${after}`, merchant));
            expect(figures(statement.opening_balance)).toEqual(standing(before, merchant.merchant_id, currency));
            expect(figures(statement.closing_balance)).toEqual(standing(until, merchant.merchant_id, currency));
            movements.push(...statement.items);
            if (statement.next_after === null) break;
            after = `&After=${statement.next_after}`;
          }
          const running = standing(before, merchant.merchant_id, currency);
          for (const movement of movements) {
            running.pending_amount += BigInt(movement.pending_change);
            running.available_amount += BigInt(movement.available_change);
            running.reserved_amount += BigInt(movement.reserved_change);
            running.fee_amount += BigInt(movement.fee_change);
            running.total_amount = running.pending_amount + running.available_amount;
            expect(figures(movement)).toEqual(running);
            expect([movement.charge_id, movement.payout_id, movement.settlement_id].filter((id) => id !== null)).toHaveLength(1);
            if (movement.kind === 'CHARGE_PAID')
              expect(movement).toMatchObject({ code: expect.stringMatching(/^CHG_/), reference_id: expect.any(String) });
          }
          expect(running).toEqual(standing(until, merchant.merchant_id, currency));
        }
      }
    }
  });

  it('CSV and the printable page have the same movements', async () => {
    const [merchant] = merchants;
    const { items } = exactly(await read('/v1/statements/IDR?Limit=1000', merchant!));
    const csv = (await read('/v1/statements/IDR', merchant!, 'text/csv')).text.trimEnd().split('\r\n');
    expect(csv).toHaveLength(items.length + 3);
    expect([csv[0]!.split(',')[0], csv[1]!.includes('OPENING_BALANCE'), csv.at(-1)!.includes('CLOSING_BALANCE')]).toEqual(['position', true, true]);
    expect(csv.slice(2, -1).map((row) => Number(row.split(',')[0]))).toEqual(items.map(({ position }: any) => position));
    const page = await read('/v1/statements/IDR', merchant!, 'text/html,*/*;q=0.5');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
    expect(page.text.match(/<tr>\s*<td>/g)).toHaveLength(items.length);
    expect(page.text).toContain('Closing balance');
    expect(page.text).not.toMatch(/<script|<img|<link|style="/);
  });

  it('merchants’ texts are harmless in spreadsheets and on the page', async () => {
    const merchant = await service.newMerchant({ name: '<b>Kopi</b>' });
    const body = { ...CHARGE_ORDER, reference_id: '=1+1<script>' };
    const charge = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body });
    await service.call('POST', charge.body.action.simulation_url, { body: { outcome: 'succeed' } });
    const own = (accept: string) => service.call('GET', '/v1/statements/IDR', { key: merchant.key, headers: { accept } });
    expect((await own('text/csv')).text).toContain(",'=1+1<script>,9930,0,0,70,");
    // docs/finance.md promises no byte order mark; a decoded text would not show one.
    const file = await fetch(`${service.url}/v1/statements/IDR`, { headers: { authorization: `Bearer ${merchant.key}`, accept: 'text/csv' } });
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 9)
        .toString('latin1'),
    ).toBe('position,');
    const { text } = await own('text/html');
    expect(text).toContain('=1+1&lt;script&gt;');
    expect(text).toContain('99,30');
    expect(text).not.toMatch(/<script|<b>Kopi/);
  });

  it('the page uses the browser’s language, or English by default', async () => {
    const { key } = await service.newMerchant();
    const page = (language?: string) =>
      service.call('GET', '/v1/statements/IDR', { key, headers: { accept: 'text/html', ...(language && { 'accept-language': language }) } });
    for (const [language, title] of [
      ['id-ID,id;q=0.9,en;q=0.8', 'Laporan rekening, IDR'],
      ['ms', 'Penyata akaun, IDR'],
      ['fr', 'Statement of account, IDR'],
      [undefined, 'Statement of account, IDR'],
    ] as const) {
      const { text, headers } = await page(language);
      expect(text).toContain(title);
      expect([headers.get('content-language'), headers.get('vary')]).toEqual([/lang="(\w+)"/.exec(text)![1], 'Accept, Accept-Language']);
    }
  });

  it('only the merchant reads a statement, with the scope for balances, in its currencies, until now', async () => {
    const merchant = await service.newMerchant();
    expect((await read('/v1/statements/IDR', merchant)).body).toMatchObject({ items: [], next_after: null, merchant_id: merchant.merchant_id });
    expect((await read('/v1/statements/EUR', merchant)).status).toBe(404);
    const other = await service.newKey(merchant.merchant_id, ['payouts:read']);
    expect((await service.call('GET', '/v1/statements/IDR', { key: other })).status).toBe(403);
    for (const query of ['To=2099-01-01T00:00:00Z', 'From=2026-02-01T00:00:00Z&To=2026-01-01T00:00:00Z', 'From=yesterday', 'Limit=0', 'Page=1'])
      expect((await read(`/v1/statements/IDR?${query}`, merchant)).body).toMatchObject({ status: 400, code: 'validation-failed' });
  });
});
