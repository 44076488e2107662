import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { axeFaults, CHROMIUM } from '../support/browser.js';
import { randomNumbers } from '../support/random-numbers.js';
import { movement, statement, writtenPage } from '../support/statement-page.js';

(CHROMIUM === undefined ? describe.skip : describe)(
  `the page of a statement in a browser${CHROMIUM === undefined ? ' (skipped: no Chromium is installed; CHROMIUM_PATH names one)' : ''}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    });
    afterAll(() => browser.close());

    const random = randomNumbers(8);
    const lengths = [6, 12, 19, 25, 60, 255];
    const references = Array.from({ length: 150 }, () => 'ORDER-2026/0000000000'.repeat(13).slice(0, lengths[random(lengths.length)]));

    it.each(['en', 'id', 'ms'] as const)('shows codes and references whole, and prints one sheet per page: %s', async (language) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
      await page.setContent(await writtenPage(statement(references.map((reference) => movement(reference))), language, true));
      const cut = await page.$$eval(
        '.sheet td, .sheet .code',
        (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth > 0).length,
      );
      expect(cut).toBe(0);
      expect(await axeFaults(page)).toEqual([]);
      const sheets = await page.locator('.sheet').count();
      expect(sheets).toBeGreaterThan(5);
      const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(file.match(/\/Type \/Page\b/g)).toHaveLength(sheets);
      await page.close();
    });
  },
);
