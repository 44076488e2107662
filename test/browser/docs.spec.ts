import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { axeFaults, CHROMIUM } from '../support/browser.js';
import { type EdgeApp, startEdge } from '../support/edge-app.js';

(CHROMIUM === undefined ? describe.skip : describe)(
  `/docs in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let edge: EdgeApp;
    let browser: Browser;
    beforeAll(async () => {
      edge = await startEdge();
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser.close();
      await edge.app.close();
    });

    it.each(['light', 'dark'] as const)('an operation can be tried within the page’s policy, without an axe fault: %s', async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      // The page loads megabytes of scripts; the limit of the test is the limit of each wait.
      page.setDefaultTimeout(0);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // The browser itself logs the 401 of the request below.
        if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(edge.url)) complaints.push(request.url());
      });
      await page.goto(`${edge.url}/docs`);
      const tried = page.getByRole('button', { name: 'Test Request (post /v1/orders)' });
      await tried.waitFor();
      expect(await axeFaults(page)).toEqual([]);
      // The kind of key is preselected; only the key itself is missing.
      await page.getByText('A merchant’s key:').first().waitFor();
      await tried.click();
      await page.getByRole('button', { name: /^Send/ }).first().click();
      await page.getByText('unauthenticated').first().waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    });
  },
);
