import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A browser of this machine; undefined when none is installed. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

export const PHONE = { viewport: { width: 360, height: 740 } } as const satisfies BrowserContextOptions;
export const DESKTOP = { viewport: { width: 1280, height: 860 } } as const satisfies BrowserContextOptions;

export interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
}

const ALL_LOOKS: readonly Look[] = [PHONE, DESKTOP].flatMap(({ viewport }) =>
  (['light', 'dark'] as const).map((colorScheme): Look => ({ viewport, colorScheme })),
);
const BETWEEN: readonly Look[] = [
  { viewport: { width: 768, height: 1024 }, colorScheme: 'dark' },
  { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
];
/** A folder for pictures of the pages; none are taken without it. */
export const PICTURES = process.env.CONSOLE_PICTURES;
/** Widths and colours do not depend on each other: each is looked at once, and only for pictures in every combination. */
const LOOKS = PICTURES === undefined ? [...ALL_LOOKS.slice(0, 1), ...BETWEEN, ...ALL_LOOKS.slice(3)] : ALL_LOOKS;

/** Shows the page that is loaded on a phone, a tablet and desktops, light and dark: pages follow by their styles alone. */
export async function inEveryLook(page: Page, visit: (look: Look) => Promise<void>): Promise<void> {
  for (const look of LOOKS) {
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await visit(look);
  }
}

const require = createRequire(import.meta.url);

/** Read, not loaded: it wants a window. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}
type WithAxe = typeof globalThis & { readonly axe: { run(page: Document, options: object): Promise<{ readonly violations: readonly Violation[] }> } };

/** Returns the faults that axe-core finds in the page as shown, one text per element. The debugger's code is exempt from the page's policy. */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as WithAxe).axe.run(document, {
      resultTypes: ['violations'],
      // A rule of WCAG 2.2, which axe does not run unless asked.
      rules: { 'target-size': { enabled: true } },
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`));
  });
}

/** Presses Tab until an element of that name with that text has the focus. */
export async function tabTo(page: Page, element: string, text: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement } = document;
      return (
        activeElement && {
          name: activeElement.tagName.toLowerCase(),
          text: activeElement.textContent,
          ring: getComputedStyle(activeElement).outlineStyle,
        }
      );
    });
    if (focused?.name !== element || focused.text.trim() !== text) continue;
    if (focused.ring !== 'solid') throw new Error(`${element} "${text}" has no visible focus`);
    return;
  }
  throw new Error(`the keyboard does not lead to ${text}`);
}
