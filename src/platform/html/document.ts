import { ICON, PLAIN_STYLE, type Asset, type Embedded, type Style } from './assets.js';
import { html, plain, trusted, type Html } from './html.js';

/** A whole page, and the headers that it must be sent with. */
export interface Page {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface DocumentOptions {
  readonly title: string;
  /** Language of the page; English by default. */
  readonly language?: string;
  readonly content: Html;
  readonly style: Style;
  /** The only script of the page; none by default. */
  readonly script?: Asset;
  /** True when other sites may show this page in a frame. */
  readonly frameable: boolean;
  /** Seconds after which a browser loads the page again; default: never. */
  readonly reloadsAfter?: number;
  /** Path of the service's address, relative to the page: every payment page is one level below it, at any path of a proxy. */
  readonly root?: string;
  /** Recipients of the Referer header of requests from this page. A form that is posted under `no-referrer` names no origin. */
  readonly referrerPolicy?: 'no-referrer' | 'same-origin';
}

/** Forbids everything that the page does not need; docs/decisions/0010 has the reasons for the rules on frames. */
export function documentPage(options: DocumentOptions): Page {
  const { title, language = 'en', content, style, script, frameable, reloadsAfter, root = '..', referrerPolicy = 'no-referrer' } = options;
  const addressOf = ({ file }: Asset): string => `${root}/pages/${file}`;
  const source = script === undefined ? `'none'` : `'self'`;
  const head = html`<meta name="robots" content="noindex, nofollow" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="${addressOf(ICON)}" />
    ${reloadsAfter !== undefined && html`<meta http-equiv="refresh" content="${reloadsAfter}" />`}
    ${script !== undefined && html`<script type="module" src="${addressOf(script)}"></script>`}`;
  return {
    body: documentOf(title, style, content, head, language).toString(),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': policyOf(style, [
        `script-src ${source}`,
        `connect-src ${source}`,
        `img-src 'self'`,
        `form-action 'self'`,
        `base-uri 'none'`,
        `frame-ancestors ${frameable ? '*' : `'none'`}`,
      ]),
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

/** A page without scripts, forms, images or external content. */
export function plainPage(title: string, content: Html): Page {
  return {
    body: documentOf(title, PLAIN_STYLE, content).toString(),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': plainPagePolicy(PLAIN_STYLE) },
  };
}

export interface StandaloneOptions extends Pick<DocumentOptions, 'title' | 'content' | 'style'> {
  readonly script: Embedded;
}

/** A page that also works as a saved file. It contains its policy, which the file keeps: no access to a network. */
export function standalonePage({ title, content, style, script }: StandaloneOptions): Page {
  const policy = policyOf(style, [`script-src '${script.hash}'`, `base-uri 'none'`, `form-action 'none'`]);
  const head = html`<meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="color-scheme" content="light dark" />
    ${trusted(`<script type="module">${script.text}</script>`)}`;
  return {
    body: documentOf(title, style, content, head).toString(),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': `${policy}; frame-ancestors 'none'` },
  };
}

export const plainPagePolicy = (style: Style): string => policyOf(style, [`base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`]);

const policyOf = (style: Style, directives: readonly string[]): string =>
  [`default-src 'none'`, `style-src '${style.hash}'`, ...directives].join('; ');

/** Returns the markup of a page, without the headers that it must be sent with. */
export function documentOf(title: string, style: Style, content: Html, head?: Html, language = 'en'): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${plain(title)}</title>
        ${trusted(`<style>${style.text}</style>`)} ${head}
      </head>
      <body>
        ${content}
      </body>
    </html> `;
}
