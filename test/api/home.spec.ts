import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { DAY_MS, HOUR_MS, timestamp } from '../../src/ledger/time.js';
import { ConsoleVisitor } from '../support/console.js';
import { newFinanceKey, writeHistory } from '../support/finance.js';
import { markupDefects } from '../support/markup.js';
import { startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

/** Accounts whose figures on the page are debits less credits: claims and expenses. */
const DEBITS: readonly (string | undefined)[] = ['processor', 'bank', 'costs', 'tax'];

describe('the first page of the console', () => {
  let service: TestService;
  let merchants: TestMerchant[];
  let finance: string;
  let visitor: ConsoleVisitor;
  let position: string;

  beforeAll(async () => {
    // Without a worker only the history's events happen.
    service = await startTestService({ ROLES: 'api,projector' });
    merchants = [await service.newMerchant(), await service.newMerchant()];
    finance = (await newFinanceKey(service)).key;
    const now = Date.now();
    // Its first days are before those of the charts.
    ({ position } = await writeHistory(service, merchants, 400, 7, 1_000_000, { from: now - 40 * DAY_MS, to: now - HOUR_MS }));
    visitor = await ConsoleVisitor.signIn(service, finance);
    // From then on all of it can be read.
    expect((await audit('/audit/journal/totals')).status).toBe(200);
  });
  afterAll(() => service.stop());

  const audit = (path: string, accept = 'application/json'): Promise<Answer> =>
    service.call('GET', path, { key: finance, headers: { accept, 'min-ledger-position': position } });

  interface Linked {
    readonly address: string;
    readonly figure: bigint;
  }

  /** The figures of a page that lead to lines of the journal or to charges. */
  const linked = ({ text }: Answer): Linked[] =>
    [...text.matchAll(/<a href="(\/console\/(?:journal|charges)\?[^"]*)"\s*><data class="money[^"]*" value="(-?\d+)"/g)].map(([, href, value]) => ({
      address: href!.replaceAll('&amp;', '&'),
      figure: BigInt(value!),
    }));

  /** The sum of the list that an address shows, by its file. */
  async function sumBehind(address: string): Promise<bigint> {
    const [path, query] = address.slice('/console/'.length).split('?');
    const { status, text } = await visitor.page(`${path}.csv?${query}`);
    expect([address, status]).toEqual([address, 200]);
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const sum = (name: string): bigint => rows.reduce((total, row) => total + BigInt(row[name]!), 0n);
    if (path === 'charges') return sum('amount');
    const isDebit = DEBITS.includes(new URLSearchParams(query).get('Account') ?? undefined);
    return isDebit ? sum('debit') - sum('credit') : sum('credit') - sum('debit');
  }

  it.each(['', '?Currency=MYR'])('each figure of the page%s equals the sum of the list behind its link', async (query) => {
    const page = await service.call('GET', `/console${query}`, { headers: { cookie: visitor.cookie } });
    expect(page.status).toBe(200);
    expect(markupDefects(page.text)).toEqual([]);
    const figures = linked(page);
    const kinds = new Set(figures.map(({ address }) => /\?.*?(Status|Account=\w+)/.exec(address)![1]));
    expect([...kinds].sort()).toEqual(
      ['Account=available', 'Account=bank', 'Account=costs', 'Account=fees', 'Account=processor', 'Account=suspense', 'Account=tax', 'Status'].sort(),
    );
    expect(figures.filter(({ figure }) => figure !== 0n).length).toBeGreaterThan(40);
    // A list of an empty day is the same for all days.
    for (const { address, figure } of figures.filter((each, at) => each.figure !== 0n || at % 9 === 0)) {
      expect([address, await sumBehind(address)]).toEqual([address, figure]);
    }
  });

  it('the page of a merchant has the charts of its charges', async () => {
    const { merchant_id } = merchants[1]!;
    const page = await visitor.page(`merchants/${merchant_id}?Currency=SGD`);
    const figures = linked(page).filter(({ address }) => address.includes('/charges?'));
    expect(figures.filter(({ figure }) => figure !== 0n).length).toBeGreaterThan(10);
    for (const { address, figure } of figures.filter((each) => each.figure !== 0n)) {
      expect(address).toContain(`MerchantId=${merchant_id}`);
      expect([address, await sumBehind(address)]).toEqual([address, figure]);
    }
  });

  it('the files of the charts are those that the API returns', async () => {
    const days = 'From=2026-01-01&To=2026-12-31';
    const today = timestamp(Date.now()).slice(0, 10);
    for (const period of ['', `&From=${today}&To=${today}`]) {
      const pairs = [
        [`journal-days.csv?Currency=IDR${period}`, `/audit/journal/days?Mode=test&Currency=IDR${period}`],
        [`charge-days.csv?Currency=IDR${period}`, `/audit/charges/days?Mode=test&Currency=IDR${period}`],
        [`charge-days.csv?MerchantId=${merchants[0]!.merchant_id}${period}`, `/audit/charges/days?MerchantId=${merchants[0]!.merchant_id}${period}`],
      ];
      for (const [file, path] of pairs) expect([file, (await visitor.page(file!)).text]).toEqual([file, (await audit(path!, 'text/csv')).text]);
    }
    expect((await visitor.page(`charge-days.csv?${days}`)).status).toBe(200);
  });

  it('days without a period are the last thirty, and a period has at most a year', async () => {
    const { items } = (await audit('/audit/journal/days?Mode=test&Currency=IDR&Account=available')).body;
    const today = timestamp(Date.now()).slice(0, 10);
    expect(items).toHaveLength(30);
    // The test may begin before midnight, and end after it.
    expect([today, timestamp(Date.now() - DAY_MS).slice(0, 10)]).toContain(items.at(-1).day);
    const lengths = async (query: string): Promise<number> =>
      (await audit(`/audit/journal/days?Mode=test&Currency=IDR&Account=fees&${query}`)).body.items.length;
    expect(await lengths('From=2026-01-01&To=2026-12-31')).toBe(365);
    expect(await lengths('From=2026-11-02&To=2026-11-01')).toBe(0);
    expect(await lengths('To=2026-11-01')).toBe(30);
    for (const path of ['/audit/journal/days', '/audit/charges/days', '/audit/recon/breaks/days', '/audit/recon/sources/days']) {
      const tooLong = await audit(`${path}?From=2025-01-01&To=2026-12-31`);
      expect([tooLong.status, tooLong.body.errors]).toEqual([
        400,
        [{ parameter: 'From', code: 'out-of-range', detail: 'Must be at most 366 days up to To.' }],
      ]);
      for (const day of ['2026-02-31', '2026-13-01', '0000-00-00']) {
        const { status, body } = await audit(`${path}?From=${day}`);
        expect([status, body.errors]).toEqual([400, [{ parameter: 'From', code: 'wrong-format', detail: 'There is no such day.' }]]);
      }
      for (const day of ['0001-01-01', '9999-12-31']) expect((await audit(`${path}?To=${day}`)).status).toBe(200);
    }
  });

  it('the page of a mode without money has no figures', async () => {
    const switched = await visitor.post('mode', { Mode: 'live', Section: 'overview' });
    const cookie = switched.headers.get('set-cookie')!.split(';')[0]!;
    const { text } = await service.call('GET', '/console', { headers: { cookie } });
    expect(text).toContain('Nothing is booked yet.');
    expect(text).toContain('no bank day waits for its close');
    expect(linked({ text } as Answer)).toEqual([]);
    // Nothing is in suspense either, and its page has no empty box for the sums.
    const suspense = await service.call('GET', '/console/suspense', { headers: { cookie } });
    expect(suspense.text.match(/<p class="empty">[^<]*<\/p>/g)).toEqual(['<p class="empty">Nothing is in suspense.</p>']);
  });
});
