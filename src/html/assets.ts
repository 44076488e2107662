import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages ask for. Its name changes with its text, so it may be kept for ever. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  readonly text: string;
}

/** Sent inside a page, and allowed by its hash alone: no second request before the first paint. */
export interface Style {
  /** Without comments and indentation. */
  readonly text: string;
  /** For the page's policy. */
  readonly hash: string;
}

export const STYLE = style(read('page.css'));

export const SCRIPT = asset('payment-page', 'js', 'text/javascript; charset=utf-8');
export const ICON = asset('icon', 'svg', 'image/svg+xml');

function asset(name: string, extension: string, type: string): Asset {
  const text = read(`${name}.${extension}`);
  return { file: `${name}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`, type, text };
}

/** Comments and indentation are for us. */
export function style(css: string): Style {
  const text = css.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
  return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` };
}

function read(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
}
