// npm run pictures: the pictures of the documentation, taken from a fresh demo in Chromium (CHROMIUM_PATH names one).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { CHROMIUM } from '../test/support/browser.js';
import { build } from '../test/support/build.mjs';
import { startServiceProcess } from '../test/support/service-process.js';
import { FOLDER, PICTURES, type Picture } from './picture-list.js';

if (CHROMIUM === undefined) throw new Error('No Chromium is installed; CHROMIUM_PATH names one.');
/** Reconciliation of the demo's month continues after its start. */
const CLOSED_WITHIN_MS = 180_000;
const STABLE_MS = 10_000;

interface Demo {
  readonly url: string;
  /** Key of a merchant. */
  readonly merchantKey: string;
  /** Key of an operator who prepares and approves. */
  readonly operatorKey: string;
  stop(): Promise<void>;
}

async function startDemo(): Promise<Demo> {
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'chargebook-pictures-'));
  const service = await startServiceProcess({ DATA_DIR: folder }, ['--demo']);
  const keyOf = (prefix: string): string => new RegExp(`\\b${prefix}_\\w+`).exec(service.lines.join('\n'))![0];
  return {
    ...{ url: service.url, merchantKey: keyOf('sk_test'), operatorKey: keyOf('ok') },
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function pageOf(browser: Browser, { width, height }: Picture): Promise<Page> {
  return (await browser.newContext({ viewport: { width, height }, colorScheme: 'light', locale: 'en-GB' })).newPage();
}

async function signIn(page: Page, { url, operatorKey }: Demo): Promise<void> {
  await page.goto(`${url}/console`);
  await page.fill('input[name=key]', operatorKey);
  await page.click('main button');
  await page.waitForURL(`${url}/console`);
}

/** Waits until banks' days are closed and the page of reconciliation changes no more: the demo closes one day after the other. */
async function untilClosed(page: Page, { url }: Demo): Promise<void> {
  const end = Date.now() + CLOSED_WITHIN_MS;
  for (let before = ''; ;) {
    await page.goto(`${url}/console/recon`);
    const shown = await page.locator('main table').first().innerText();
    const closed = await page.locator('main a[href*="/recon/days/"]').count();
    if (closed > 0 && shown === before) return;
    if (Date.now() > end) throw new Error('Reconciliation of the demo has not ended in time.');
    before = shown;
    await page.waitForTimeout(STABLE_MS);
  }
}

/** Makes a charge that waits for its customer. @returns the address of its payment page */
async function paymentPage({ url, merchantKey }: Demo): Promise<string> {
  const answer = await fetch(`${url}/v1/charges`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchantKey}`, 'content-type': 'application/json', 'idempotency-key': 'pictures' },
    body: JSON.stringify({ amount: 150_000_00, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'embedded', reference_id: 'order-1001' }),
  });
  const { action } = (await answer.json()) as { action: { embedded_url: string } };
  return action.embedded_url;
}

const demo = await startDemo();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  const payment = await paymentPage(demo);
  const first = await pageOf(browser, PICTURES[0]!);
  await signIn(first, demo);
  await untilClosed(first, demo);
  for (const picture of PICTURES) {
    const page = await pageOf(browser, picture);
    if (picture.at === 'payment') await page.goto(payment);
    else {
      await signIn(page, demo);
      await page.goto(`${demo.url}/console${picture.at}`);
      for (const link of picture.follow ?? []) {
        await page.locator(`main ${link}`).first().click();
        await page.waitForLoadState();
      }
    }
    await page.screenshot({ path: join(FOLDER, picture.file) });
    await page.context().close();
    process.stdout.write(`${picture.file}\n`);
  }
} finally {
  await browser.close();
  await demo.stop();
}
