import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM } from '../support/browser.js';
import { type EdgeApp, startEdge } from '../support/edge-app.js';

(CHROMIUM === undefined ? describe.skip : describe)(
  `/docs in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let edge: EdgeApp;
    let browser: Browser;
    beforeAll(async () => {
      edge = await startEdge();
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    }, 60_000);
    afterAll(async () => {
      await browser.close();
      await edge.app.close();
    });

    it('tries an operation, within its own policy and without anything from elsewhere', async () => {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // The browser itself reports the refusal that is asked for below.
        if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(edge.url) && !request.url().startsWith('data:')) complaints.push(request.url());
      });
      await page.goto(`${edge.url}/docs`);
      await page.click('#operations-Orders-get-v1-orders-sum .opblock-summary-control');
      await page.click('.try-out__btn');
      await page.click('.execute');
      await page.waitForSelector('.live-responses-table .response-col_status');
      expect(await page.textContent('.live-responses-table')).toContain('unauthenticated');
      expect(complaints).toEqual([]);
    }, 60_000);
  },
);
