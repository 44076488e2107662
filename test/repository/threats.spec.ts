import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const PAGE = readFileSync('docs/threats.md', 'utf8');
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/** Cells of every row that names a threat, and not of heads. */
const ROWS = PAGE.split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(-|\s*Threat)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

/** The tests of a cell: a file, and the titles quoted after it up to the next file. */
function testsOf(cell: string): { readonly path: string; readonly titles: readonly string[] }[] {
  return [...cell.matchAll(/\[[^\]]+\]\(\.\.\/(test\/[^)]+)\)([^[]*)/g)].map(([, path, words]) => ({
    path: path!,
    titles: [...words!.matchAll(/“([^”]+)”/g)].map(([, title]) => title!),
  }));
}

describe('docs/threats.md', () => {
  it('links only to existing files, under their names', () => {
    for (const [, words, address] of PAGE.matchAll(LINK)) {
      const path = join('docs', address!.replace(/#.*/, ''));
      expect([path, existsSync(path)]).toEqual([path, true]);
      if (/\.\w+$/.test(words!)) expect(basename(path)).toBe(words);
    }
    for (const [, path] of PAGE.matchAll(/`((?:test|src|projections|docs)\/[^`]+)`/g)) expect([path, existsSync(path!)]).toEqual([path, true]);
  });

  it('names for every threat a defence, its place, and a test that exists', () => {
    expect(ROWS.length).toBeGreaterThan(40);
    for (const [threat, defence, where, tests, ...more] of ROWS) {
      expect([threat, defence, more]).toEqual([expect.any(String), expect.any(String), []]);
      expect([threat, where]).toEqual([threat, expect.stringMatching(LINK)]);
      const named = testsOf(tests!);
      expect([threat, named.length]).not.toEqual([threat, 0]);
      for (const { path, titles } of named) {
        expect([threat, path, titles.length]).not.toEqual([threat, path, 0]);
        const text = readFileSync(path, 'utf8');
        for (const title of titles) expect([path, title, text.includes(title)]).toEqual([path, title, true]);
      }
    }
  });
});
