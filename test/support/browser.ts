import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A browser of this machine; undefined when none is installed. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

const require = createRequire(import.meta.url);

/** Read, not loaded: it wants a window. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it stands, a line each. */
export async function violationsOn(page: Page): Promise<string[]> {
  // In the page's own world the policy of the page would refuse it.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' });
  const expression = `${AXE}; axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ' ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`;
  const { result } = await session.send('Runtime.evaluate', { contextId, expression, awaitPromise: true, returnByValue: true });
  await session.detach();
  return result.value as string[];
}
