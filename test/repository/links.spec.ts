import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDERS = ['.github', 'bench', 'deploy', 'docs', 'examples', 'packages', 'projections', 'scripts', 'src', 'test', 'tools'];
const FILES = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))),
];
const PAGES = FILES.filter((file) => file.endsWith('.md') && !file.includes('node_modules'));
const SOURCES = FILES.filter((file) => /\.(?:[cm]?[jt]s|md|ya?ml)$/.test(file) && !/(?:node_modules|dist)\//.test(file));

const withoutCode = (markdown: string): string => markdown.replace(/^```.*?^```/gms, '');

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );

describe('documentation', () => {
  it.each(PAGES)('%s: every relative link leads to a file, and to a heading of it', (page) => {
    const text = withoutCode(readFileSync(page, 'utf8'));
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(([, link, source]) => link ?? source!);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#') as [string, string?];
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('every decision that a file names by its number exists', () => {
    const numbers = new Set(PAGES.flatMap((page) => /^docs\/decisions\/(\d{4})-/.exec(page)?.[1] ?? []));
    const missing = SOURCES.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bdecisions? (\d{1,2})\b/gi)]
        .filter(([, number]) => !numbers.has(number!.padStart(4, '0')))
        .map(([named]) => `${file}: ${named}`),
    );
    expect(missing).toEqual([]);
  });
});
