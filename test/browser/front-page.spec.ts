import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { axeFaults, CHROMIUM, inEveryLook } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { startTestService, type TestService } from '../support/service.js';

(CHROMIUM === undefined ? describe.skip : describe)(
  `the page at / in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await startTestService();
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 360],
      ['dark', 360],
    ] as const)('the front page has no axe fault and no policy breach, %s at %i pixels', async (colorScheme, width) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 740 } });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${service.url}/`);
      expect(await axeFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await page.click('text=Console');
      expect(new URL(page.url()).pathname).toMatch(/^\/console/);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('the page that verifies files does so from the service, and saved, without a network', async () => {
      const { key } = await newFinanceKey(service);
      const get = async (path: string) => (await service.call('GET', path, { key })).body;
      await service.newMerchant();
      await eventually(async () => (await get('/audit/chain/head')).events > 0);
      const { id } = (await get('/audit/events?Limit=1')).items[0];
      const proof = await get(`/audit/chain/proof?EventId=${id}`);
      const folder = await mkdtemp(join(tmpdir(), 'chargebook-verify-'));
      const [good, bad, saved] = ['good.json', 'bad.json', 'saved.html'].map((name) => join(folder, name)) as [string, string, string];
      // In UTF-16, as Windows shells write it.
      await writeFile(good, Buffer.from(`\ufeff${JSON.stringify(proof)}`, 'utf16le'));
      await writeFile(bad, JSON.stringify({ ...proof, event: { ...proof.event, actor: '<img src=x onerror=alert(1)>' } }));
      await writeFile(saved, await (await fetch(`${service.url}/verify`)).text());
      const visit = async (address: string, looks: (page: Page) => Promise<void>): Promise<void> => {
        const context = await browser.newContext();
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
        await page.goto(address);
        await context.setOffline(true);
        const verdict = async (file: string, head: string) => {
          await page.fill('#heads', head);
          await page.setInputFiles('#file', []);
          await page.setInputFiles('#file', file);
          await page.waitForSelector('.verdict');
          return page.textContent('.verdict');
        };
        expect(await verdict(good, proof.head.hash)).toBe('The event is in the log as it was sealed.');
        expect(await page.textContent('#result pre')).toContain('"merchant_id"');
        await looks(page);
        expect(await verdict(good, '')).toMatch(/^The event agrees with the head in the file\. This proves nothing yet/);
        expect(await verdict(good, 'ab'.repeat(32))).toMatch(/^The proof is for the head /);
        expect(await verdict(bad, '')).toBe('Event 1: “actor” differs from the stored value.');
        expect(complaints).toEqual([]);
        await context.close();
      };
      await visit(`${service.url}/verify`, (page) =>
        inEveryLook(page, async (look) => {
          expect(await axeFaults(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.viewport.width);
        }),
      );
      await visit(pathToFileURL(saved).href, async () => undefined);
      await rm(folder, { recursive: true });
    });
  },
);
