import type { InterfaceDocument } from './interface-description.js';
import { StaticText } from '../static-text.js';

/** Scalar's greys, greens and blues, each with a contrast of 4.5:1 or more on its backgrounds. */
const STYLE = `
.light-mode { --scalar-color-2: #4a4a4a; --scalar-color-3: #5c5c5c; --scalar-color-green: #05693f; --scalar-color-blue: #0a5c96; --scalar-color-red: #b3152c;
  --scalar-color-orange: #8a4b00; --scalar-color-yellow: #6b5600; --scalar-color-purple: #5c3bb0; --scalar-color-accent: #0a5c96; }
.dark-mode { --scalar-color-2: #c4c4c4; --scalar-color-3: #a8a8a8; --scalar-color-green: #4ade80; --scalar-color-blue: #6cb6ff; --scalar-color-red: #ff8f8f;
  --scalar-color-orange: #ffb066; --scalar-color-yellow: #ffd866; --scalar-color-purple: #c6b2ff; --scalar-color-accent: #6cb6ff; }
`;

export function docsPage(documents: readonly InterfaceDocument[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${documents[0]?.title ?? 'Interface'}</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<script src="docs/scalar.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Corrections of Scalar 1.46 for screen readers: a selector of elements, and the correction of one. */
const MENDED = `
  ['button[class*="copy-button"]:not([aria-label])', (button) => { button.ariaLabel = 'Copy'; }],
  ['button[role=search]', (button) => { button.removeAttribute('role'); }],
  ['button[aria-label^="Show all"]', (button) => { button.removeAttribute('aria-label'); }],
  ['aside[role=navigation]', (aside) => { aside.removeAttribute('role'); }],
  ['[aria-selected]:not([role=tab], [role=option])', (entry) => { entry.removeAttribute('aria-selected'); }],
  ['[role=tablist] button:not([role])', (button) => { button.role = 'tab'; }],
  ['[role=region].response-card', (card) => { card.removeAttribute('role'); card.removeAttribute('aria-label'); card.removeAttribute('aria-labelledby'); }],
  ['section[id*="/tag/"][aria-labelledby]', (section) => { section.removeAttribute('aria-labelledby'); section.ariaLabel = section.id.split('/tag/')[1]; }],
`;

/** Starts Scalar on the documents. It sends no other requests: no fonts, no telemetry, no assistant. */
export function docsStart(documents: readonly InterfaceDocument[]): StaticText {
  const configurations = documents.map(({ file, title, key }, index) => ({
    url: file,
    title,
    slug: file.split('/').at(-1)!.replace('.json', ''),
    default: index === 0,
    ...(key && { authentication: { preferredSecurityScheme: key } }),
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    persistAuth: false,
    documentDownloadType: 'json',
    customCss: STYLE,
  }));
  const text = `Scalar.createApiReference('#docs', ${JSON.stringify(configurations)});
const MENDED = [${MENDED}];
new MutationObserver(() => {
  for (const [selector, mend] of MENDED) document.querySelectorAll(selector).forEach(mend);
}).observe(document.body, { childList: true, subtree: true });
`;
  return new StaticText(text, SCRIPT_TYPE);
}

let script: Promise<StaticText> | undefined;

/** The browser part of Scalar, from its plugin for Fastify; loaded when the page is first opened, because it has 3 MB. */
export function docsScript(): Promise<StaticText> {
  script ??= extract().catch((error: unknown) => {
    script = undefined;
    throw error;
  });
  return script;
}

async function extract(): Promise<StaticText> {
  const [{ fastify }, { default: scalar }] = await Promise.all([import('fastify'), import('@scalar/fastify-api-reference')]);
  const carrier = fastify();
  // The plugin requires a document's address, and serves its script at js/scalar.js.
  await carrier.register(scalar, { routePrefix: '/docs', configuration: { url: 'openapi.json' } });
  const { statusCode, rawPayload } = await carrier.inject('/docs/js/scalar.js');
  if (statusCode !== 200) throw new Error(`Scalar no longer serves its script: ${statusCode}`);
  return new StaticText(rawPayload, SCRIPT_TYPE, 'public, max-age=86400');
}
