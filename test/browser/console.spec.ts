import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { setDeskPolicy } from '../../src/merchants/desk-policy.handlers.js';
import { axeFaults } from '../support/axe.js';
import { CHROMIUM } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { newOperator, writeHistory, type RandomHistory } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 } };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };
/** A folder for pictures of the pages; none are taken without it. */
const PICTURES = process.env.CONSOLE_PICTURES;

(CHROMIUM === undefined ? describe.skip : describe)(
  `the console in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let service: TestService;
    let browser: Browser;
    let merchant: TestMerchant;
    let history: RandomHistory;
    let key: string;
    let paths: string[];

    beforeAll(async () => {
      service = await startTestService({ ROLES: 'api,projector' });
      merchant = await service.newMerchant({ name: 'Kopi Kita' });
      key = (await newOperator(service, 'Siti Rahma', ['preparer', 'approver'])).key;
      history = await writeHistory(service, [merchant], 400, 5);
      await service.call('POST', '/v1/merchants/me/web-hook', {
        key: merchant.key,
        body: { web_hook_uri: 'https://shop.example/hooks', signature_key: 'w'.repeat(32), events: [] },
      });
      const hostile = await service.call('POST', '/v1/charges', {
        key: merchant.key,
        body: { ...CHARGE_ORDER, reference_id: 'W'.repeat(255), description: `<b>${'ﷺ'.repeat(100)}</b>` },
        headers: newIdempotencyKey(),
      });
      const settlement = history.events.find(({ type }) => type === 'SettlementOpened')!.data as { settlement_id: string };
      const settled = history.events.find(({ type }) => type === 'ChargeSettlementClaimed')!;
      paths = [
        '/console',
        '/console/merchants',
        `/console/merchants/${merchant.merchant_id}?Days=1`,
        `/console/merchants/${merchant.merchant_id}/statement?Currency=MYR&Month=2026-01`,
        '/console/exceptions',
        '/console/charges',
        `/console/charges?MerchantId=${merchant.merchant_id}&Status=FAILED`,
        '/console/refunds',
        '/console/disputes',
        '/console/payouts',
        '/console/customers',
        '/console/payments',
        '/console/events',
        '/console/webhooks',
        `/console/deliveries?MerchantId=${merchant.merchant_id}`,
        '/console/journal',
        '/console/settlements',
        `/console/settlements/${settlement.settlement_id}`,
        `/console/history/${settled.stream}`,
        `/console/history/charge-${hostile.body.id}`,
        '/console/events/40',
        '/console/search?Text=order',
        '/console/chain',
        '/console/rails',
        '/console/people',
        ...(await whatWaits()).flatMap((path) => ['/console/desk', path]),
      ];
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    }, 60_000);
    afterAll(async () => {
      await browser.close();
      await service.stop();
    }, 30_000);

    /** A payout and a proposal that persons have to decide about: their pages. */
    async function whatWaits(): Promise<string[]> {
      const tiers = [{ currency: 'IDR', above: 0, approvals: 2 }] as const;
      const policy = { mode: 'test', payouts: tiers, payouts_day: [], merchants: {}, adjustments: [], settings: 0, expires_hours: 24 } as const;
      await setDeskPolicy(service.shell, policy, randomUUID(), 'key_1');
      const budi = await newOperator(service, 'Budi', ['preparer']);
      await eventually(async () => (await service.call('GET', '/audit/proposals', { key: budi.key })).status === 200);
      const own = await service.newMerchant({ name: 'Toko Melati' });
      const send = (path: string, body: object, by = own.key) => service.call('POST', path, { key: by, headers: newIdempotencyKey(), body });
      const charge = await send('/v1/charges', { ...CHARGE_ORDER, amount: 9_000_000 });
      for (const outcome of ['succeed', 'settle']) await service.call('POST', charge.body.action.simulation_url, { body: { outcome } });
      const account = { bank_account_name: 'W'.repeat(80), bank_account_number: '1234567890', bank_name: 'Bank Central Asia' };
      const payout = await send('/v1/payouts', { currency: 'IDR', amount: 2_000_000, ...account });
      const fee = { merchant_id: own.merchant_id, of: { kind: 'payout', currency: 'IDR' }, fee: { type: 'FIXED', value: 4_000 } };
      const evidence = [{ name: `${'minutes-'.repeat(20)}.pdf`, sha256: 'ab'.repeat(32) }];
      const proposal = await send('/audit/proposals', { kind: 'FEE', content: fee, reason: 'W'.repeat(300), evidence }, budi.key);
      return [`/console/desk/payouts/${payout.body.id}`, `/console/desk/proposals/${proposal.body.id}`];
    }

    /** Runs `visit` in a window of its own; a page that complains (a script error, a breach of its own policy) fails the test. */
    async function inWindow(options: BrowserContextOptions, visit: (page: Page) => Promise<void>): Promise<void> {
      const context = await browser.newContext(options);
      const complaints: string[] = [];
      try {
        const page = await context.newPage();
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
        });
        await visit(page);
      } finally {
        await context.close();
      }
      expect(complaints).toEqual([]);
    }

    async function signIn(page: Page): Promise<void> {
      await page.goto(`${service.url}/console/journal`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type(key);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/console`);
    }

    it('is entered, walked through and left by keyboard', async () => {
      await inWindow(DESKTOP, async (page) => {
        await signIn(page);
        for (const name of ['Merchants', 'Journal', 'Settlements', 'Chain']) {
          await tabTo(page, 'a', name);
          await page.keyboard.press('Enter');
          await page.waitForFunction((title) => document.querySelector('h1')?.textContent === title, name);
          expect(await page.textContent('nav [aria-current=page]')).toBe(name);
        }
        await page.goto(`${service.url}/console/journal`);
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
        await page.keyboard.press('Enter');
        expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
        await page.goto(`${service.url}/console`);
        await tabTo(page, 'button', 'Sign out');
        await page.keyboard.press('Enter');
        await page.waitForURL(`${service.url}/console/login`);
        await page.goto(`${service.url}/console/journal`);
        expect(page.url()).toBe(`${service.url}/console/login`);
      });
    }, 60_000);

    it.each([
      ['a phone', PHONE, 'light'],
      ['a phone', PHONE, 'dark'],
      ['a desktop', DESKTOP, 'light'],
      ['a desktop', DESKTOP, 'dark'],
    ] as const)(
      'fits %s (%#), and every page can be found one’s way through without seeing it',
      async (_, options, colorScheme) => {
        await inWindow({ ...options, colorScheme }, async (page) => {
          await signIn(page);
          for (const path of paths) {
            await page.goto(service.url + path);
            const found = await page.evaluate(inspect);
            expect({ path, ...found }).toEqual({ path, tooWide: 0, headings: 1, mains: 1, unnamed: [], faultyTables: [], lang: 'en', ids: [] });
            expect({ path, faults: await axeFaults(page) }).toEqual({ path, faults: [] });
            await picture(page, path, options, colorScheme);
          }
        });
      },
      180_000,
    );

    it('gives statements that are printed on A4 as they say, a sheet a page', async () => {
      await inWindow(DESKTOP, async (page) => {
        await signIn(page);
        await page.goto(`${service.url}/console/merchants/${merchant.merchant_id}/statement?Currency=MYR&Month=2026-01`);
        await page.click('a.primary');
        await page.waitForSelector('.sheet');
        expect(await axeFaults(page)).toEqual([]);
        const said = await page.locator('.page p:first-child').allTextContents();
        expect(said.length).toBeGreaterThan(1);
        expect(said.at(-1)).toBe(`Page ${said.length} of ${said.length}`);
        const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
        expect(file.match(/\/Type \/Page\b/g)).toHaveLength(said.length);
        expect(/\/MediaBox \[([^\]]+)\]/.exec(file)![1]!.trim().split(' ').map(Number).map(Math.round)).toEqual([0, 0, 842, 595]);
        if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/statement.png` });
      });
    }, 60_000);

    async function picture(page: Page, path: string, { viewport }: BrowserContextOptions, colorScheme: string): Promise<void> {
      if (PICTURES === undefined) return;
      await mkdir(PICTURES, { recursive: true });
      const name = path.replace(/\?.*|[0-9a-f-]{36}/g, '').replace(/\W+/g, '-');
      await page.screenshot({ path: `${PICTURES}/${name}-${paths.indexOf(path)}-${viewport!.width}-${colorScheme}.png` });
    }
  },
);

/** Goes on by Tab until what has the focus is that element with that text. */
async function tabTo(page: Page, element: string, text: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement } = document;
      return (
        activeElement && {
          name: activeElement.tagName.toLowerCase(),
          text: activeElement.textContent,
          ring: getComputedStyle(activeElement).outlineStyle,
        }
      );
    });
    if (focused?.name !== element || focused.text !== text) continue;
    expect(focused.ring).toBe('solid');
    return;
  }
  throw new Error(`the keyboard does not lead to ${text}`);
}

/** Runs in the page. */
function inspect() {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const nameOf = (element: HTMLElement): string =>
    (
      element.getAttribute('aria-label') ??
      ('labels' in element ? [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join('') : '') ??
      ''
    ).trim() || (element.textContent ?? '').trim();
  const ids = all('[id]').map(({ id }) => id);
  return {
    tooWide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    headings: all('h1').length,
    mains: all('main').length,
    unnamed: all('a, button, input:not([type=hidden]), select, nav, form[role], [role=region]')
      .filter((element) => nameOf(element) === '')
      .map(({ outerHTML }) => outerHTML),
    faultyTables: all('table')
      .filter(
        (table) =>
          table.querySelector('caption') === null ||
          table.querySelector('th:not([scope])') !== null ||
          table.querySelector('tbody tr > td:first-child') !== null,
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    lang: document.documentElement.lang,
    ids: ids.filter((id, at) => ids.indexOf(id) !== at),
  };
}
