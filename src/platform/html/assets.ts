import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load. Its name changes with its content, so it may be cached for ever. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  readonly text: string;
}

/** Part of a page, and allowed by its hash alone: no second request before the first paint. */
export interface Embedded {
  readonly text: string;
  /** Hash for the page's policy. */
  readonly hash: string;
}

/** A style sheet without comments and indentation. */
export type Style = Embedded;

const read = (file: URL): string => readFileSync(file, 'utf8');

/** Removes comments and indentation. */
export const style = (css: string): Style => embedded(css.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' '));

const embedded = (text: string): Embedded => ({ text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` });

/** Joins modules in the order of their imports into one, which imports nothing. */
export const inlineScript = (files: readonly URL[]): Embedded =>
  embedded(
    files
      .map(read)
      .join('\n')
      .replace(/^import .*\n/gm, ''),
  );

const BASE = read(new URL('./assets/base.css', import.meta.url));

/** Returns the common styles of every page, followed by the style sheets in `files`. */
export const styleOnBase = (...files: readonly URL[]): Style => style(BASE + files.map(read).join(''));

export const PLAIN_STYLE = style(read(new URL('./assets/plain.css', import.meta.url)));

export function asset(file: URL, type: string): Asset {
  const text = read(file);
  const [, name, extension] = /([^/]*)\.([^./]*)$/.exec(file.pathname)!;
  return { file: `${name}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`, type, text };
}

export const ICON = asset(new URL('./assets/icon.svg', import.meta.url), 'image/svg+xml');
