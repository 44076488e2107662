import { ICON, STYLE, type Asset, type Style } from './assets.js';
import { html, plain, trusted, type Html } from './html.js';

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
  /** That of the payment pages by default. */
  readonly style?: Style;
  /** Path of the service's address, seen from the page: every payment page is one level below it, wherever a proxy puts that. */
  readonly root?: string;
  /** To whom a request from this page says where it comes from. A form that is posted from under `no-referrer` names no origin. */
  readonly referrerPolicy?: 'no-referrer' | 'same-origin';
}

/** Everything is forbidden but what the page needs; docs/decisions/0010 says why who may frame what. */
export function documentPage(options: DocumentOptions): Page {
  const { title, content, script, frameable, style = STYLE, root = '..', referrerPolicy = 'no-referrer' } = options;
  const addressOf = ({ file }: Asset): string => `${root}/pages/${file}`;
  const policy = [
    `default-src 'none'`,
    `style-src '${style.hash}'`,
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
        ${trusted(`<style>${style.text}</style>`)} ${script !== undefined && html`<script type="module" src="${addressOf(script)}"></script>`}
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
      'referrer-policy': referrerPolicy,
      'x-content-type-options': 'nosniff',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      ...(frameable
        ? { 'cross-origin-resource-policy': 'cross-origin', 'cross-origin-opener-policy': 'unsafe-none' }
        : { 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' }),
    },
  };
}
