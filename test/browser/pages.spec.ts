import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import jsqr from 'jsqr';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { axeFaults, CHROMIUM, DESKTOP, inEveryLook, PHONE, PICTURES } from '../support/browser.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

/** Ends no wait before the test's own limit. */
const SOON = { timeout: 0 };

(CHROMIUM === undefined ? describe.skip : describe)(
  `pages in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let service: TestService;
    let merchant: TestMerchant;
    let browser: Browser;

    beforeAll(async () => {
      service = await startTestService();
      merchant = await service.newMerchant();
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    const create = (overrides: object = {}): Promise<Answer> =>
      service.call('POST', '/v1/charges', { key: merchant.key, body: { ...CHARGE_ORDER, ...overrides }, headers: newIdempotencyKey() });
    const play = (charge: Answer, outcome: string): Promise<Answer> => service.call('POST', charge.body.action.simulation_url, { body: { outcome } });

    /** Runs `visit` in a separate window. A script error, or a breach of the page's own policy, fails the test. */
    async function inWindow(options: BrowserContextOptions, visit: (page: Page) => Promise<void>): Promise<void> {
      const context = await browser.newContext(options);
      const complaints: string[] = [];
      try {
        const page = await context.newPage();
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error' && !/favicon/.test(message.location().url)) complaints.push(message.text());
        });
        await visit(page);
      } finally {
        await context.close();
      }
      expect(complaints).toEqual([]);
    }

    it('counts down, and shows the payment without a reload', async () => {
      const charge = await create();
      await inWindow(DESKTOP, async (page) => {
        await page.goto(charge.body.action.embedded_url as string);
        await page.waitForFunction(() => /^(30:00|29:\d\d)$/.test(document.querySelector('.timer strong')?.textContent ?? ''), undefined, SOON);
        await page.evaluate(() => Object.assign(window, { stillHere: true }));
        await play(charge, 'succeed');
        await page.waitForSelector('main[data-state=SUCCEEDED]', SOON);
        expect(await page.textContent('.result h2')).toBe('Payment received');
        expect(await page.textContent('[role=status]')).toBe('Payment received. Thank you.');
        expect(await page.title()).toContain('Payment received');
        expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
      });
    });

    it('shows a late payment without a reload after the expiry', async () => {
      const charge = await create();
      await play(charge, 'expire');
      await inWindow(PHONE, async (page) => {
        await page.clock.install();
        await page.goto(charge.body.action.embedded_url as string);
        expect(await page.textContent('.result h2')).toBe('This payment has expired');
        await play(charge, 'succeed');
        await page.clock.runFor(20_000);
        await page.waitForSelector('main[data-state=SUCCEEDED]', SOON);
      });
    });

    it('shows that time is up, before and after the charge expires', async () => {
      const charge = await create();
      await inWindow(PHONE, async (page) => {
        // The server's clock decides, so the first response shows three seconds before the end, and later ones the expired charge. An answer without
        // a date corrects nothing.
        const url = charge.body.action.embedded_url as string;
        await page.route('**/status', (route) => route.fulfill({ json: { state: 'PENDING' } }));
        await page.route(url, async (route) => {
          const answer = await route.fetch();
          const body = await answer.text();
          const isFirst = route.request().isNavigationRequest();
          return route.fulfill({
            response: answer,
            body: isFirst
              ? body.replace(/data-ends="(\d+)"\s+data-now="\d+"/, (_, ends) => `data-ends="${ends}" data-now="${Number(ends) - 3_000}"`)
              : body.replace(/<section class="pay".*?<\/section>/s, '<section class="result"><h2>Time is up</h2></section>'),
          });
        });
        await page.goto(url);
        expect(await page.getAttribute('.timer', 'class')).toBe('timer short');
        await page.waitForSelector('text=Time is up', SOON);
      });
    });

    it('after a sleep of the phone, in which its monotonic clock stood still, it shows the time that is left', async () => {
      const charge = await create();
      await inWindow(PHONE, async (page) => {
        const left = async (): Promise<number> => {
          const [minutes, seconds] = (await page.textContent('.timer strong'))!.split(':').map(Number);
          return minutes! * 60 + seconds!;
        };
        let isDown = false;
        await page.route('**/status', (route) => (isDown ? route.fulfill({ status: 200, contentType: 'text/plain', body: '' }) : route.continue()));
        await page.goto(charge.body.action.embedded_url as string);
        await page.waitForFunction(() => /^(30:00|29:\d\d)$/.test(document.querySelector('.timer strong')?.textContent ?? ''), undefined, SOON);
        // Without a connection the clock of the phone alone shows the time that has passed.
        isDown = true;
        await page.evaluate(() => {
          const now = Date.now.bind(Date);
          Object.assign(window, { slept: 0 });
          Date.now = () => now() + (window as unknown as { slept: number }).slept;
        });
        await page.evaluate(() => {
          Object.assign(window, { slept: 20 * 60_000 });
          dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
        });
        expect(await left()).toBeLessThanOrEqual(600);
        expect(await left()).toBeGreaterThan(500);
        // A clock that was set forward is corrected by the service, whether the page was hidden or kept.
        isDown = false;
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await page.waitForFunction(() => /^29:\d\d$|^30:00$/.test(document.querySelector('.timer strong')?.textContent ?? ''), undefined, SOON);
        await page.evaluate(() => {
          const timer = document.querySelector<HTMLElement>('.timer')!;
          timer.dataset['now'] = String(Number(timer.dataset['now']) - 3_600_000);
          document.dispatchEvent(new Event('visibilitychange'));
        });
        await page.waitForFunction(() => /^29:\d\d$|^30:00$/.test(document.querySelector('.timer strong')?.textContent ?? ''), undefined, SOON);
      });
    });

    it('recovers from an outage of the service, and polls less meanwhile', async () => {
      const charge = await create();
      await inWindow(PHONE, async (page) => {
        let isDown = true;
        let asked = 0;
        await page.route('**/status', (route) => {
          asked += 1;
          return isDown ? route.fulfill({ status: 200, contentType: 'text/plain', body: 'not what was expected' }) : route.continue();
        });
        await page.clock.install();
        await page.goto(charge.body.action.embedded_url as string);
        for (let step = 0; step < 60; step += 1) await page.clock.runFor(2_000);
        expect(asked).toBeLessThan(10);
        isDown = false;
        await play(charge, 'succeed');
        await page.clock.runFor(70_000);
        await page.waitForSelector('main[data-state=SUCCEEDED]', SOON);
      });
    });

    it('fits a phone and a desktop, light and dark, with any texts of the merchant', async () => {
      const charge = await create({
        reference_id: 'W'.repeat(255),
        description: `<b>${'ﷺ'.repeat(100)}</b> ${'long '.repeat(60)}`,
        amount: 1_000_000_000,
      });
      const plain = await create({ amount: 15_000_00, description: 'Two coffees' });
      const redirect = await create({ channel_code: 'bank_redirect_fpx', currency: 'MYR', action_flow: 'redirection' });
      await inWindow(DESKTOP, async (page) => {
        const paid = await create({ return_url: 'https://shop.example.com/' });
        await play(paid, 'succeed');
        const disputed = await create({ amount: 1_000_000_000 });
        for (const outcome of ['succeed', 'dispute-open', 'dispute-win', 'dispute-reopen']) await play(disputed, outcome);
        const refund = { amount: 1_000, metadata: { simulate: 'stick' } };
        await service.call('POST', `/v1/charges/${paid.body.id}/refunds`, { key: merchant.key, headers: newIdempotencyKey(), body: refund });
        const addresses = [charge, redirect, plain, paid, disputed].flatMap(({ body: { action } }) => [
          ...['id', 'ms', 'en'].map((language) => `${action.embedded_url}?Lang=${language}`),
          action.simulation_url as string,
        ]);
        for (const [number, url] of addresses.entries()) {
          await page.goto(url);
          await inEveryLook(page, async ({ viewport, colorScheme }) => {
            expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
            expect({ url, viewport, colorScheme, faults: await axeFaults(page) }).toEqual({ url, viewport, colorScheme, faults: [] });
            if (PICTURES !== undefined)
              await page.screenshot({ path: `${PICTURES}/pay-${number}-${viewport.width}-${colorScheme}.png`, fullPage: true });
          });
        }
      });
    });

    it('shows a code that a camera reads, and offers the same code as a file', async () => {
      const charge = await create();
      await inWindow(PHONE, async (page) => {
        await page.goto(charge.body.action.embedded_url as string);
        const seen = await page.locator('.qr').screenshot();
        const picture = await fetch(`${charge.body.action.embedded_url}/qr.png`);
        expect(picture.status).toBe(200);
        const saved = Buffer.from(await picture.arrayBuffer());
        // The page's own policy forbids images of other origins.
        await page.goto('about:blank');
        for (const png of [seen, saved]) {
          const { dark, width, height } = await page.evaluate(readPixels, `data:image/png;base64,${png.toString('base64')}`);
          const pixels = Uint8ClampedArray.from({ length: dark.length * 4 }, (_, at) => (at % 4 === 3 || dark[at >> 2] === '0' ? 255 : 0));
          expect(jsqr.default(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data).toBe(charge.body.action.qr_string);
        }
      });
    });

    it('a merchant’s page can frame the payment page and receives the payment; the simulator cannot be framed', async () => {
      const charge = await create();
      const { embedded_url, simulation_url } = charge.body.action;
      const shop = await serve(
        `<!doctype html><script>heard = []; onmessage = ({ data }) => heard.push(data.state)</script><iframe src="${embedded_url}"></iframe>`,
      );
      try {
        await inWindow(DESKTOP, async (page) => {
          await page.goto(shop.url);
          await page.frameLocator('iframe').locator('main[data-state=PENDING]').waitFor(SOON);
          await play(charge, 'succeed');
          await page.waitForFunction(() => (globalThis as unknown as { heard: string[] }).heard.includes('SUCCEEDED'), undefined, SOON);
        });
      } finally {
        await shop.close();
      }
      const thief = await serve(`<!doctype html><iframe src="${simulation_url}"></iframe>`);
      try {
        const page = await browser.newPage();
        const refusal = page.waitForEvent('console', { predicate: (message) => /frame/i.test(message.text()), ...SOON });
        await page.goto(thief.url);
        await refusal;
        expect(await page.frameLocator('iframe').locator('main').count()).toBe(0);
        await page.close();
      } finally {
        await thief.close();
      }
    });

    it('payment page and simulator work without JavaScript', async () => {
      const charge = await create();
      await inWindow({ ...PHONE, javaScriptEnabled: false }, async (page) => {
        await page.goto(charge.body.action.embedded_url as string);
        expect(await page.textContent('.timer')).toMatch(/Pay before .*WIB/);
        expect(await page.getAttribute('a.button', 'href')).toMatch(/qr\.png$/);
        await page.goto(charge.body.action.simulation_url as string);
        await page.fill('input[name=reason]', 'Saldo tidak cukup <b>');
        await page.click('button[value=fail]');
        expect(page.url()).toBe(charge.body.action.simulation_url);
        expect(await page.textContent('.history')).toContain('Failed: Saldo tidak cukup <b>');
        await page.click('button[value=succeed]');
        await page.click('button[value=reverse]');
        expect(await page.locator('button').count()).toBe(0);
      });
    });

    it('the keyboard alone leads from the test payment to the simulator and back', async () => {
      const charge = await create({ channel_code: 'wallet_ovo', amount: 20_000, action_flow: 'redirection' });
      await inWindow(DESKTOP, async (page) => {
        await page.goto(charge.body.action.embedded_url as string);
        await page.keyboard.press('Tab');
        const opened = page.context().waitForEvent('page');
        await page.keyboard.press('Enter');
        const simulator = await opened;
        await simulator.waitForLoadState();
        await simulator.focus('button[value=succeed]');
        await simulator.keyboard.press('Enter');
        await simulator.waitForSelector('text=SUCCEEDED');
        await page.bringToFront();
        await page.waitForSelector('main[data-state=SUCCEEDED]', SOON);
      });
    });
  },
);

async function serve(html: string): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

/** Runs in the browser. Reads an image as a camera sees it, one character per pixel. */
async function readPixels(url: string): Promise<{ dark: string; width: number; height: number }> {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  let dark = '';
  for (let at = 0; at < data.length; at += 4) dark += data[at]! < 128 ? '1' : '0';
  return { dark, width, height };
}
