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

const read = (file: URL): string => readFileSync(file, 'utf8');

/** Comments and indentation are left out. */
export function style(css: string): Style {
  const text = css.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
  return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` };
}

const BASE = read(new URL('./assets/base.css', import.meta.url));

/** What every page begins with, and the style sheet in `file`. */
export const styleOnBase = (file: URL): Style => style(BASE + read(file));

export const PLAIN_STYLE = style(read(new URL('./assets/plain.css', import.meta.url)));

export function asset(file: URL, type: string): Asset {
  const text = read(file);
  const [, name, extension] = /([^/]*)\.([^./]*)$/.exec(file.pathname)!;
  return { file: `${name}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`, type, text };
}

export const ICON = asset(new URL('./assets/icon.svg', import.meta.url), 'image/svg+xml');
