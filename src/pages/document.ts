import { ICON, STYLE, STYLE_HASH, type Asset } from './assets.js';
import { html, plain, trusted, type Html } from './html.js';

/** Byte for byte what the hash is of. */
const STYLE_ELEMENT = trusted(`<style>${STYLE}</style>`);

/** A whole page and the headers that it must be sent with. */
export interface Page {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface DocumentOptions {
  readonly title: string;
  readonly content: Html;
  /** The one script of the page; none by default. */
  readonly script?: Asset;
  /** May other sites show this page in a frame? */
  readonly frameable: boolean;
}

/** Everything is forbidden but what the page needs; docs/decisions/0010 says why who may frame what. */
export function documentPage({ title, content, script, frameable }: DocumentOptions): Page {
  const policy = [
    `default-src 'none'`,
    `style-src '${STYLE_HASH}'`,
    script === undefined ? `script-src 'none'` : `script-src 'self'`,
    script === undefined ? `connect-src 'none'` : `connect-src 'self'`,
    `img-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors ${frameable ? '*' : `'none'`}`,
  ].join('; ');
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${plain(title)}</title>
        <link rel="icon" href="${addressOf(ICON)}" />
        ${STYLE_ELEMENT} ${script !== undefined && html`<script type="module" src="${addressOf(script)}"></script>`}
      </head>
      <body>
        ${content}
      </body>
    </html> `;
  return {
    body: body.toString(),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      ...(frameable
        ? { 'cross-origin-resource-policy': 'cross-origin', 'cross-origin-opener-policy': 'unsafe-none' }
        : { 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' }),
    },
  };
}

/** Every page is one level below the service's address, wherever a proxy puts that. */
function addressOf({ file }: Asset): string {
  return `../pages/${file}`;
}
