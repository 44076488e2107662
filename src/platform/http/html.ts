import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 42rem; padding: 3rem 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
p.kind { color: GrayText; margin: 0 0 .25rem; }
code { font: .95em ui-monospace, monospace; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: 0; }
a { color: LinkText; }
`;

/** For a page without scripts, forms, images or anything from elsewhere, with this text in its one style element. */
export const plainPagePolicy = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const PLAIN_PAGE_POLICY = plainPagePolicy(STYLE);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** `title` is text, `body` is HTML. */
export function plainPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>\n`
  );
}
