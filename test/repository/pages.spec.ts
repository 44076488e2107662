import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { unitsOfMarkdown } from '../../scripts/prose.mjs';

const FOLDER = 'docs';
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${FOLDER}/${name}`),
];
const PARAGRAPH_WORDS_MAX = 120;
const CELL_CHARACTERS_MAX = 200;
/** All pages below docs together, without decisions and code. */
const WORDS_MAX = 38_000;

const read = (page: string): string => readFileSync(page, 'utf8');
const wordsOf = (text: string): number => (text.match(/\S+/g) ?? []).length;

describe('the length of the documentation', () => {
  it.each(PAGES)('%s: a paragraph has at most 120 words, a cell of a table 200 characters', (page) => {
    const lines = read(page).split('\n');
    const isCell = ({ line }: { line: number }): boolean => /^[\s>]*\|/.test(lines[line - 1]!);
    const tooLong = unitsOfMarkdown(page, read(page)).filter((unit) =>
      isCell(unit) ? unit.text.length > CELL_CHARACTERS_MAX : wordsOf(unit.text) > PARAGRAPH_WORDS_MAX,
    );
    expect(tooLong.map(({ line, text }) => `${line}: ${text}`)).toEqual([]);
  });

  it('the pages below docs have at most 38,000 words', () => {
    const words = PAGES.filter((page) => page.startsWith(FOLDER)).map((page) =>
      wordsOf(
        read(page)
          .replace(/^```.*?^```/gms, '')
          .replaceAll('|', ' '),
      ),
    );
    expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(WORDS_MAX);
  });
});
