import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { axeFaults, CHROMIUM } from '../support/browser.js';
import { startTestService, type TestService } from '../support/service.js';

(CHROMIUM === undefined ? describe.skip : describe)(
  `the page at / in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await startTestService({ ROLES: 'api,projector' });
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
  },
);
