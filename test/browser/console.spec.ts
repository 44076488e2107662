import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setHolidays } from '../../src/domain/calendar/calendar.commands.js';
import { addDays, daysIn } from '../../src/ledger/days.js';
import { readHolidaysFile } from '../../src/domain/calendar/holidays-file.js';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { periodStream } from '../../src/ledger/events/period.events.js';
import { sourceStream } from '../../src/ledger/events/reconciliation.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { axeFaults, CHROMIUM, DESKTOP, inEveryLook, PICTURES, tabTo, type Look } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { newOperator, writeHistory, type RandomHistory } from '../support/finance.js';
import { bankDay, bankFile, PROCESSOR, remittance } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

/** Widths of the desktops that the console supports. */
const WIDTHS = [1280, 1440, 1920];
const LISTS = [
  ...['merchants', 'exceptions', 'charges', 'refunds', 'disputes', 'payouts', 'customers', 'payments', 'events', 'webhooks'],
  ...['journal', 'settlements', 'suspense?Status=ALL', 'recon', 'months', 'desk'],
].map((name) => `/console/${name}`);

(CHROMIUM === undefined ? describe.skip : describe)(
  `the console in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let service: TestService;
    let browser: Browser;
    let merchant: TestMerchant;
    let history: RandomHistory;
    let key: string;
    let paths: string[];
    const now = timestamp(Date.now());

    beforeAll(async () => {
      service = await startTestService({ ROLES: 'api,projector' });
      merchant = await service.newMerchant({ name: 'Kopi Kita' });
      key = (await newOperator(service, 'Siti Rahma', ['preparer', 'approver'])).key;
      for (const each of await readHolidaysFile('docs/holidays.json')) await setHolidays(service.deps, each, 'ops');
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
        '/console/trial-balance',
        '/console/cash-forecast',
        '/console/journal',
        '/console/journal?Account=available&Currency=IDR',
        ...['', '?Bucket=PAYOUTS', '?Bucket=FEES'].map((bucket) => `/console/merchants/${merchant.merchant_id}/balances/IDR${bucket}`),
        `/console/merchants/${merchant.merchant_id}/balances/IDR/forecast?Detail=${addDays(daysIn('Asia/Jakarta')(Date.now()), 1)}`,
        '/console/settlements',
        `/console/settlements/${settlement.settlement_id}`,
        `/console/history/${settled.stream}`,
        `/console/history/charge-${hostile.body.id}`,
        '/console/events/40',
        '/console/search?Text=order',
        '/console/chain',
        '/console/suspense?Status=ALL',
        '/console/rails',
        '/console/calendar?Year=2027',
        '/console/people',
        '/console/moments',
        '/console/months',
        await closedMonth(),
        ...(await whatIsListed()),
        ...(await whatIsInSuspense()),
        ...(await whatGoesBack()),
        ...(await whatIsReconciled()),
        ...(await whatWaits()).flatMap((path) => ['/console/desk', path]),
        ...['', '/policy-live', '/roles', '/fee-charge', '/calendar', '/adjustment-unmatched-to-merchant', '/break-accept'].map(
          (form) => `/console/desk/propose${form}`,
        ),
      ];
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    /** Closes a month, whose books are those of the history. @returns its page */
    async function closedMonth(): Promise<string> {
      const [position, digest] = [40, 'ab'.repeat(32)];
      const head = { position, events: position, hash: digest, signature: `${'A'.repeat(86)}==`, sealed_on: '2026-02-01T01:00:00.000+00:00' };
      const of = { merchant_id: null, mode: 'test', month: '2026-01', time_zone: 'UTC', ends_on: '2026-02-01T00:00:00.000+00:00' } as const;
      const breaks = [{ kind: 'REMITTANCE_MISSING', currency: 'IDR', count: 12_345, amount: Number.MAX_SAFE_INTEGER }];
      const suspense = [{ age: 'over-30', currency: 'IDR', count: 3, amount: 5_000_000 }] as const;
      const data = { ...of, position, head, digest, breaks, suspense, proposal_id: randomUUID(), closed_on: head.sealed_on };
      const event = newEvent({ type: 'PeriodClosed', data }, { ...systemContext(), now: head.sealed_on });
      await service.stores.eventStore.append(periodStream('test'), 'no-stream', [event]);
      return '/console/months/2026-01';
    }

    /** Closes a bank's day with a residual. @returns the pages of the source and of the day */
    async function closedDay(controller: string): Promise<string[]> {
      const bank = { mode: 'test', name: 'bca', kind: 'BANK', currencies: ['IDR'], account: '123-456 7890', format: 'camt053', time_zone: 'UTC' };
      const reason = 'all of it is in';
      expect((await service.call('POST', '/audit/recon/sources', { key: controller, body: { ...bank, reason } })).status).toBe(200);
      const sent = { key, body: Buffer.from(bankFile(bankDay(1, 0, [9, -4]))), headers: { 'content-type': 'application/octet-stream' } };
      expect((await service.call('POST', '/audit/recon/sources/test-bca/statements', sent)).status).toBe(201);
      // Without a worker nothing is sealed, so the close stays open. The test appends the event that ends it.
      const opened = await service.call('POST', '/audit/recon/sources/test-bca/close', { key, body: { day: '2026-11-11', reason } });
      expect(opened.status).toBe(200);
      const { id, n, day, position, rows, parts } = opened.body;
      const sources = ['/console/recon/sources/test-bca', `/console/recon/days/${id}`];
      const head = { position, events: position, hash: 'ab'.repeat(32), signature: `${'A'.repeat(86)}==`, sealed_on: now };
      const none = { payouts: 100, returns: 7, under_way: 3, differences: 2 };
      const figures = [{ currency: 'IDR', closing: 500, book_cash: 400, ...none, residual: 10 }];
      const breaks = [{ kind: 'BANK_UNKNOWN', currency: 'IDR', count: 2, amount: 1_300 }];
      const data = {
        ...({ merchant_id: null, source: 'test-bca', mode: 'test', n, day, matcher: 1, position, head, parts, rows, digest: head.hash } as const),
        ...{ figures, breaks, closed_on: now },
      };
      const stream = sourceStream('test-bca');
      const [newest] = await service.stores.eventStore.read(stream, { direction: 'backwards', limit: 1 });
      await service.stores.eventStore.append(stream, newest!, [newEvent({ type: 'DayClosed', data }, { ...systemContext(), now })]);
      await eventually(async () => (await service.call('GET', `/audit/recon/days/${id}`, { key })).body.status === 'INCOMPLETE');
      return sources;
    }

    /** Creates a charge with a partial refund and a dispute with evidence. @returns the pages of all three */
    async function whatGoesBack(): Promise<string[]> {
      const own = await service.newMerchant({ name: 'Batik Laras' });
      const send = (path: string, body: object) => service.call('POST', path, { key: own.key, headers: newIdempotencyKey(), body });
      const { body: charge } = await send('/v1/charges', CHARGE_ORDER);
      const play = (outcome: object) => service.call('POST', charge.action.simulation_url, { body: outcome });
      await play({ outcome: 'succeed' });
      const refund = await send(`/v1/charges/${charge.id}/refunds`, { amount: 1_000, reference_id: 'W'.repeat(255) });
      const { body: opened } = await play({ outcome: 'dispute-open', reason: 'W'.repeat(200) });
      const query = new URLSearchParams({ Name: 'receipt.txt', Category: 'RECEIPT' }).toString();
      const file = { key: own.key, body: Buffer.from('delivered'), headers: { 'content-type': 'text/plain' } };
      expect((await service.call('POST', `/v1/disputes/${opened.dispute.id}/evidence?${query}`, file)).status).toBe(201);
      return [`/console/history/charge-${charge.id}`, `/console/disputes/${opened.dispute.id}`, `/console/refunds/${refund.body.id}`];
    }

    /** Creates records that histories lack (refunds, a dispute, a late payment, deliveries), with a long name and the highest amounts. */
    async function whatIsListed(): Promise<string[]> {
      const own = await service.newMerchant({ name: `Perusahaan Dagang ${'W'.repeat(60)}` });
      const send = (path: string, body: object) => service.call('POST', path, { key: own.key, headers: newIdempotencyKey(), body });
      const [first, second, third] = await Promise.all(
        [1, 2, 3].map((number) => send('/v1/charges', { ...CHARGE_ORDER, amount: 1_000_000_000, reference_id: `${number}-${'W'.repeat(250)}` })),
      );
      const play = (charge: Answer | undefined, outcome: string) => service.call('POST', charge!.body.action.simulation_url, { body: { outcome } });
      for (const outcome of ['succeed', 'settle', 'dispute-open']) expect((await play(first, outcome)).status).toBe(200);
      expect((await play(second, 'succeed')).status).toBe(200);
      expect((await send('/v1/customers', { name: 'Sari Dewi' })).status).toBe(201);
      const refund = { amount: 999_999_999, reason: 'requested_by_customer' };
      expect((await send(`/v1/charges/${second!.body.id}/refunds`, refund)).status).toBe(201);
      for (const outcome of ['expire', 'succeed']) expect((await play(third, outcome)).status).toBe(200);
      const hook = { web_hook_uri: `https://${'shop.'.repeat(20)}example/hooks`, signature_key: 'w'.repeat(32), events: [] };
      await service.call('POST', '/v1/merchants/me/web-hook', { key: own.key, body: hook });
      expect((await service.call('POST', '/v1/merchants/me/web-hook/test', { key: own.key })).status).toBe(200);
      return [
        `/console/merchants/${own.merchant_id}`,
        `/console/deliveries?MerchantId=${own.merchant_id}`,
        `/console/charges?MerchantId=${own.merchant_id}`,
      ];
    }

    /** Returns the page of open items in suspense, and that of the history's first item. */
    async function whatIsInSuspense(): Promise<string[]> {
      const found = async () => (await service.call('GET', '/audit/suspense?Status=OPEN', { key })).body.items;
      await eventually(async () => (await found()).length > 0);
      return ['/console/suspense', `/console/suspense/${(await found())[0].id}`];
    }

    /** Imports a file with an unknown line. @returns the pages about it */
    async function whatIsReconciled(): Promise<string[]> {
      const ani = await newOperator(service, 'Ani', ['controller']);
      await eventually(async () => (await service.call('GET', '/audit/recon/sources', { key: ani.key })).status === 200);
      const { currencies, format, profile, processor, time_zone, due_days } = PROCESSOR;
      const body = {
        mode: 'test',
        name: 'sim',
        kind: 'PROCESSOR',
        currencies,
        format,
        profile,
        processor,
        time_zone,
        due_days,
        reason: 'what it remits',
      };
      expect(await service.call('POST', '/audit/recon/sources', { key: ani.key, body })).toMatchObject({ status: 200 });
      const sent = await service.call('POST', '/audit/recon/sources/test-sim/statements', {
        ...{ key, body: Buffer.from(remittance([{ batch: `B-${'W'.repeat(60)}`, reference: 'W'.repeat(60), gross: 9_000_000 }])) },
        headers: { 'content-type': 'application/octet-stream' },
      });
      const [found] = (await service.call('GET', '/audit/recon/breaks?Kind=PROCESSOR_ONLY', { key })).body.items;
      await service.call('POST', `/audit/recon/breaks/${found.id}/note`, { key, body: { reason: 'W'.repeat(300) } });
      const days = await closedDay(ani.key);
      return [
        ...days,
        '/console/recon/receivable',
        '/console/recon',
        '/console/recon/sources/test-sim',
        `/console/recon/files/${sent.body.id}`,
        `/console/recon/breaks/${found.id}`,
      ];
    }

    /** Creates a payout and a proposal that wait for a decision. @returns their pages */
    async function whatWaits(): Promise<string[]> {
      const tiers = [{ currency: 'IDR', above: 0, approvals: 2 }] as const;
      const policy = { mode: 'test', payouts: tiers, payouts_day: [], merchants: {}, adjustments: [], settings: 0, expires_hours: 24 } as const;
      await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
      const budi = await newOperator(service, 'Budi', ['preparer']);
      await eventually(async () => (await service.call('GET', '/audit/proposals', { key: budi.key })).status === 200);
      const own = await service.newMerchant({ name: 'Toko Melati' });
      const send = (path: string, body: object, by = own.key) => service.call('POST', path, { key: by, headers: newIdempotencyKey(), body });
      const charge = await send('/v1/charges', { ...CHARGE_ORDER, amount: 9_000_000 });
      for (const outcome of ['succeed', 'settle']) await service.call('POST', charge.body.action.simulation_url, { body: { outcome } });
      const account = { bank_account_name: 'W'.repeat(80), bank_account_number: '1234567890', bank_name: 'Bank Central Asia' };
      const payout = await send('/v1/payouts', { currency: 'IDR', amount: 2_000_000, ...account });
      const fee = { merchant_id: own.merchant_id, of: { kind: 'payout', currency: 'IDR' }, fee: { type: 'FIXED', value: 4_000 } };
      const evidence = [{ name: `${'minutes-'.repeat(15)}.pdf`, sha256: 'ab'.repeat(32) }];
      const proposal = await send('/audit/proposals', { kind: 'FEE', content: fee, reason: 'W'.repeat(300), evidence }, budi.key);
      return [`/console/desk/payouts/${payout.body.id}`, `/console/history/payout-${payout.body.id}`, `/console/desk/proposals/${proposal.body.id}`];
    }

    /** Runs `visit` in a separate window. A script error, or a breach of the page's own policy, fails the test. */
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

    it('the keyboard alone enters the console, visits pages and signs out', async () => {
      await inWindow(DESKTOP, async (page) => {
        await signIn(page);
        for (const [group, name] of [
          ['Records', 'Merchants'],
          ['Money', 'Journal'],
          ['Controls', 'Exceptions'],
          ['System', 'Chain'],
        ] as const) {
          await tabTo(page, 'button', group);
          await page.keyboard.press('Enter');
          await page.keyboard.press('Escape');
          expect(await page.isVisible(`#menu-${group}`)).toBe(false);
          await page.keyboard.press('Enter');
          expect(await page.isVisible(`#menu-${group}`)).toBe(true);
          expect(await axeFaults(page)).toEqual([]);
          await tabTo(page, 'a', name);
          await page.keyboard.press('Enter');
          await page.waitForFunction((title) => document.querySelector('h1')?.textContent === title, name);
          expect(await page.textContent('nav [aria-current=page]')).toBe(name);
          expect((await page.textContent('.opens.here'))!.trim()).toBe(group);
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
    });

    it.each([1280, 390])('the menu opens below its button at %i pixels, inside the window, and closes with a click elsewhere', async (width) => {
      await inWindow({ viewport: { width, height: 800 } }, async (page) => {
        await signIn(page);
        for (const id of width < 1020 ? ['menu'] : ['menu-Money', 'menu-System']) {
          await page.click(`[popovertarget=${id}]`);
          const [button, menu] = [(await page.locator(`[popovertarget=${id}]`).boundingBox())!, (await page.locator(`#${id}`).boundingBox())!];
          expect(menu.y).toBeGreaterThanOrEqual(button.y + button.height);
          expect(menu.y).toBeLessThan(button.y + button.height + 20);
          expect([menu.x >= 0, menu.x + menu.width <= width]).toEqual([true, true]);
          await page.mouse.click(width - 5, 790);
          expect(await page.isVisible(`#${id}`)).toBe(false);
        }
      });
    });

    it('every page fits A4 on paper, without buttons, with the heads of tables on each sheet', async () => {
      // The width of an upright sheet without its margins, in pixels of CSS.
      await inWindow({ viewport: { width: Math.floor(((210 - 2 * 12) / 25.4) * 96), height: 1000 } }, async (page) => {
        await signIn(page);
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        const faults: Record<string, unknown> = {};
        for (const path of paths) {
          await page.goto(service.url + path);
          const found = await page.evaluate(() => {
            const isShown = (each: Element): boolean => each.getClientRects().length > 0;
            return {
              tooWide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
              controls: [...document.querySelectorAll('button, input:not([readonly]), select, textarea, .bar')].filter(isShown).length,
              hiddenHeads: [...document.querySelectorAll('main table:not(details table) thead')].filter((each) => !isShown(each)).length,
              hasOrigin: isShown(document.querySelector('.printed')!),
              isDark: getComputedStyle(document.body).color !== 'rgb(16, 20, 28)',
            };
          });
          if (Object.values({ ...found, hasOrigin: !found.hasOrigin }).some(Boolean)) faults[path] = found;
          if (PICTURES !== undefined) await writeFile(`${PICTURES}/print-${paths.indexOf(path)}.pdf`, await page.pdf({ preferCSSPageSize: true }));
        }
        expect(faults).toEqual({});
      });
    });

    it('every page fits a phone and a desktop, light and dark, and is accessible', async () => {
      await inWindow(DESKTOP, async (page) => {
        await signIn(page);
        const faults: Record<string, unknown> = {};
        for (const path of paths) {
          await page.goto(service.url + path);
          // Opens all details, so that their content is checked too.
          await page.evaluate(() => document.querySelectorAll('main details').forEach((each) => ((each as HTMLDetailsElement).open = true)));
          await inEveryLook(page, async (look) => {
            const found = { ...(await page.evaluate(inspect)), axe: await axeFaults(page) };
            if (!isDeepStrictEqual(found, FAULTLESS)) faults[`${path} at ${look.viewport.width}, ${look.colorScheme}`] = found;
            await picture(page, path, look);
          });
        }
        expect(faults).toEqual({});
      });
    }, 420_000);

    it.each(WIDTHS)('every table shows all columns, amounts whole and names on one line, at %i pixels', async (width) => {
      await inWindow({ viewport: { width, height: 900 } }, async (page) => {
        await signIn(page);
        const faults: Record<string, string[]> = {};
        for (const path of paths) {
          await page.goto(service.url + path);
          await page.evaluate(() => document.querySelectorAll('main details').forEach((each) => ((each as HTMLDetailsElement).open = true)));
          const found = await page.evaluate(inspectTables);
          const isEmpty = LISTS.includes(path) && found.tables === 0;
          if (isEmpty || found.faults.length > 0) faults[path] = isEmpty ? ['nothing is listed'] : found.faults;
        }
        expect(faults).toEqual({});
      });
    });

    it('lists that people work through are cards on a phone, with nothing cut off', async () => {
      await inWindow({ viewport: { width: 390, height: 844 } }, async (page) => {
        await signIn(page);
        for (const path of ['', '/desk', '/recon', '/charges', '/refunds', '/disputes', '/payouts', '/settlements'].map(
          (each) => `/console${each}`,
        )) {
          await page.goto(service.url + path);
          const found = await page.evaluate(() =>
            [...document.querySelectorAll('main .of-cards')].map((box) => ({
              tooWide: box.scrollWidth - box.clientWidth,
              hasHead: (box.querySelector('thead')?.getBoundingClientRect().height ?? 0) > 0,
              titles: [...box.querySelectorAll('td')].every(
                (cell) => getComputedStyle(cell, '::before').content === JSON.stringify(cell.dataset['title']),
              ),
            })),
          );
          expect(found.length).toBeGreaterThan(0);
          expect({ path, found }).toEqual({ path, found: found.map(() => ({ tooWide: 0, hasHead: false, titles: true })) });
        }
      });
    });

    it('a file and its replacement can be uploaded in the browser', async () => {
      await inWindow(DESKTOP, async (page) => {
        await signIn(page);
        const send = async (gross: number): Promise<string> => {
          const line = { batch: 'B-browser', reference: 'from a browser', gross };
          await page.setInputFiles('input[type=file]', { name: 'remittance.csv', mimeType: 'text/csv', buffer: Buffer.from(remittance([line])) });
          await page.locator('form:has(input[type=file]) button.primary').click();
          await page.waitForURL(/Imported=/);
          return page.url();
        };
        await page.goto(`${service.url}/console/recon/sources/test-sim`);
        const first = await send(7_000);
        expect(first).toMatch(/recon\/files\/[0-9a-f-]{36}\?Imported=new$/);
        await page.goto(first.replace(/\?.*/, ''));
        await page.getByText('The bank issued it again: replace it').click();
        await page.fill('#replace-reason', 'issued again');
        expect(await send(8_000)).toMatch(/Imported=new$/);
        await page.goto(first.replace(/\?.*/, ''));
        expect(await page.locator('main dl').first().textContent()).toContain('REPLACED');
      });
    });

    it('statements print on A4, one sheet per page, with the printed page count', async () => {
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
    });

    async function picture(page: Page, path: string, { viewport, colorScheme }: Look): Promise<void> {
      if (PICTURES === undefined) return;
      await mkdir(PICTURES, { recursive: true });
      const name = path.replace(/\?.*|[0-9a-f-]{36}/g, '').replace(/\W+/g, '-');
      await page.screenshot({ path: `${PICTURES}/${name}-${paths.indexOf(path)}-${viewport.width}-${colorScheme}.png` });
    }
  },
);

/** Runs in the page. Returns the parts of its tables that are cut off, or that wrap and must not. */
function inspectTables() {
  const boxes = [...document.querySelectorAll<HTMLElement>('main .scroll')];
  const faults = boxes.flatMap((box) => {
    const caption = box.querySelector('caption')!.textContent.trim();
    const { right, left } = box.getBoundingClientRect();
    const tooWide = box.scrollWidth - box.clientWidth;
    const cutOff = [...box.querySelectorAll('data')].filter((amount) => {
      const place = amount.getBoundingClientRect();
      return place.width === 0 || place.left < left || place.right > Math.min(right, window.innerWidth);
    });
    const wrapped = [...box.querySelectorAll<HTMLElement>('.name, code, time, data, .status')].filter(
      (each) => each.getBoundingClientRect().height > 1.9 * Number.parseFloat(getComputedStyle(each).fontSize),
    );
    return [
      ...(tooWide > 0 ? [`${caption}: ${tooWide} px too wide`] : []),
      ...(cutOff.length > 0 ? [`${caption}: ${cutOff.length} amounts cut off`] : []),
      ...(wrapped.length > 0 ? [`${caption}: ${wrapped[0]!.outerHTML} wraps`] : []),
    ];
  });
  const lines = [...document.querySelectorAll('main .tiles')].map(
    ({ children }) => new Set([...children].map((tile) => tile.getBoundingClientRect().top)).size,
  );
  if (lines.some((count) => count > 1)) faults.push('tiles stand in several lines');
  return { tables: boxes.length, faults };
}

const FAULTLESS = { tooWide: 0, headings: 1, mains: 1, unnamed: [], faultyTables: [], lang: 'en', ids: [], axe: [] };

/** Runs in the page. Returns its faults of layout and accessibility. */
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
