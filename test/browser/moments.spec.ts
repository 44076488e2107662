import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { axeFaults, CHROMIUM, DESKTOP, inEveryLook, PICTURES, tabTo } from '../support/browser.js';
import { newOperator, writeHistory } from '../support/finance.js';
import { runCli } from '../support/run-cli.js';
import { startTestService, type TestMerchant, type TestService } from '../support/service.js';

(CHROMIUM === undefined ? describe.skip : describe)(
  `past moments in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let service: TestService;
    let browser: Browser;
    let page: Page;
    let merchantId: string;
    /** Id of a moment at other fees. */
    let moment: string;

    /** Pays a charge and opens the moment at other fees for it: the history before has no terms. */
    async function atOtherFees({ key }: TestMerchant): Promise<string> {
      const from = new Date().toISOString();
      const body = { amount: 12_345_600, currency: 'IDR', channel_code: 'QR_QRIS', action_flow: 'PAYLOAD', reference_id: 'order' };
      const created = await service.call('POST', '/v1/charges', { key, body, headers: { 'idempotency-key': 'order' } });
      for (const outcome of ['succeed', 'settle']) await service.call('POST', created.body.action.simulation_url, { body: { outcome } });
      const folder = await mkdtemp(join(tmpdir(), 'chargebook-what-if-'));
      const file = join(folder, 'scenario.json');
      await writeFile(file, JSON.stringify({ name: 'Everything at 2.9 %', charge_fees: [{ fee: { type: 'PERCENTAGE', value: 2.9 } }] }));
      const opened = await runCli(['what-if', file, '--from', from, '--open', '--json'], { DATABASE_URL: service.stores.databaseUrl });
      await rm(folder, { recursive: true });
      const { position, name } = JSON.parse(opened.stdout).moment;
      return `${position}~${name}`;
    }

    beforeAll(async () => {
      service = await startTestService({ BOOKS_TIMEZONE: 'Asia/Jakarta' });
      const merchant = await service.newMerchant({ name: 'Kopi Kita' });
      const { key } = await newOperator(service, 'Siti Rahma', ['preparer', 'approver']);
      await writeHistory(service, [merchant], 150, 5);
      merchantId = merchant.merchant_id;
      moment = await atOtherFees(merchant);
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
      page = await (await browser.newContext({ ...DESKTOP, locale: 'en-GB', timezoneId: 'Asia/Jakarta' })).newPage();
      await page.goto(`${service.url}/console`);
      await page.fill('#key', key);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/console`);
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    /** The page fits every window, and axe finds nothing. */
    async function check(name: string): Promise<void> {
      await inEveryLook(page, async ({ viewport, colorScheme }) => {
        expect({ viewport, name, faults: await axeFaults(page) }).toEqual({ viewport, name, faults: [] });
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect({ viewport, name, tooWide: Math.max(0, tooWide) }).toEqual({ viewport, name, tooWide: 0 });
        if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}-${viewport.width}-${colorScheme}.png` });
      });
      await page.setViewportSize(DESKTOP.viewport);
    }

    it('the keyboard alone opens a moment from any page, follows its links and comes back to now', async () => {
      await page.goto(`${service.url}/console/charges?Status=FAILED`);
      await tabTo(page, 'button', 'As of …');
      await page.keyboard.press('Enter');
      await check('as-of');
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta', dateStyle: 'short' }).format(Date.now());
      // The order of its parts is that of the browser's language.
      await page.fill('#as-of-day', day);
      await tabTo(page, 'button', 'Show');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/at\/\d+\/console\/charges\?Status=FAILED$/);
      const moment = /\/at\/\d+/.exec(page.url())![0];
      expect(await page.getByRole('region', { name: 'Past moment' }).textContent()).toMatch(
        /As of\s+\d+ \w{3} \d{4} \d\d:\d\d WIB.*read\s+only\s*Now/s,
      );
      await check('moment');
      await tabTo(page, 'button', 'Money');
      await page.keyboard.press('Enter');
      await tabTo(page, 'a', 'Payouts');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}${moment}/console/payouts`);
      await tabTo(page, 'a', 'Now');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/console/payouts`);
    });

    it('the form opens below its button, inside the window', async () => {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${service.url}/console/events/5`);
        await page.getByRole('button', { name: 'As of …' }).click();
        const [button, form] = [(await page.locator('[popovertarget=as-of]').boundingBox())!, (await page.locator('#as-of').boundingBox())!];
        expect(form.y).toBeGreaterThanOrEqual(button.y + button.height);
        expect((await page.locator('#as-of-day').boundingBox())!.width).toBeGreaterThan(140);
        expect([form.x >= 0, form.x + form.width <= width, form.width > 240]).toEqual([true, true, true]);
      }
    });

    it('the answer of a scenario and the pages at its fees fit every window', async () => {
      await page.goto(`${service.url}/at/${moment}/console/what-if`);
      expect(await page.locator('h1').textContent()).toBe('Everything at 2.9 %');
      await check('what-if');
      await page.goto(`${service.url}/at/${moment}/console/charges`);
      await check('charges-at-other-fees');
      await tabTo(page, 'a', 'Everything at 2.9 %');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/at/${moment}/console/what-if`);
    });

    it('the keyboard alone leads from the form of a fee to last month at that fee', async () => {
      await page.goto(`${service.url}/console/desk/propose/fee-charge?Of=${merchantId}`);
      await page.selectOption('#field-of-channel_code', 'QR_QRIS');
      await page.selectOption('#field-fee-type', 'PERCENTAGE');
      await page.fill('#field-fee-value', '0.6');
      await check('fee-form');
      await tabTo(page, 'button', 'See what last month would have been');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/console\/(?:what-if|moments\/\d+~)/);
    });

    it('the list of moments and a moment that is not open fit every window', async () => {
      await page.goto(`${service.url}/console/moments`);
      expect(await page.locator('main tbody tr').count()).toBe(3);
      await check('moments');
      await page.goto(`${service.url}/at/7/console/charges`);
      await check('not-open');
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.waitForURL(`${service.url}/at/7/console/charges`);
    });
  },
);
