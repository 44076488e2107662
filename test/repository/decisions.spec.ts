import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDER = 'docs/decisions';
const INDEX = 'README.md';
const PAGES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md') && file !== INDEX)
  .sort();
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

interface Row {
  readonly number: string;
  readonly title: string;
  readonly file: string;
  readonly decided: string;
  /** `in force`, or `superseded by …` or `amended by …` with links to the later pages. */
  readonly status: string;
}

/** The rows of the index: `| 4 | [title](page) | the decision in one line | status |`. */
const ROWS: readonly Row[] = [...read(INDEX).matchAll(/^\| (\d+) \| \[(.+?)\]\(([^)]+)\) \| (.+) \| (.+) \|$/gm)].map(
  ([, number, title, file, decided, status]) => ({ number: number!, title: title!, file: file!, decided: decided!, status: status! }),
);
const rowOf = (file: string): Row => ROWS.find((row) => row.file === file)!;

const linksIn = (markdown: string): readonly string[] => [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);

/** The text of a page before its first section. */
const topOf = (file: string): string => read(file).split('\n## ')[0]!;

/** The line below the title of a page that a later one changes, in the words of the index: `Amended by …`, without its explanation. */
function markOf(file: string): string {
  const mark = /^# .*\n\n(Superseded|Amended) by (.*)$/m.exec(topOf(file));
  return mark === null ? 'in force' : [`${mark[1]!.toLowerCase()} by`, ...linksIn(mark[2]!)].join(' ');
}

/** The earlier pages that a page names at its top as replaced or changed. */
function changedBy(file: string): readonly string[] {
  return topOf(file)
    .split(';')
    .filter((part) => /^ (?:replaces|changes|closes) /.test(part))
    .flatMap(linksIn);
}

function statusOf(file: string): string {
  const { status } = rowOf(file);
  return status === 'in force' ? status : [status.split(' ').slice(0, 2).join(' '), ...linksIn(status)].join(' ');
}

describe('the index of decisions', () => {
  it('lists each page once, and nothing else', () => {
    expect(ROWS.map(({ file }) => file).sort()).toEqual(PAGES);
  });

  it.each(PAGES)('%s: number and title are those of the page, and its name follows the title', (file) => {
    const { number, title } = rowOf(file);
    expect(read(file).split('\n', 1)).toEqual([`# ${number}. ${title}`]);
    const words = title
      .toLowerCase()
      .replace(/[’'`]/g, '')
      .match(/[a-z0-9]+/g)!;
    expect(file).toBe(`${number.padStart(4, '0')}-${words.join('-')}.md`);
  });

  it.each(PAGES)('%s: the index states the decision in one line', (file) => {
    expect(rowOf(file).decided).toMatch(/^[A-Z`].{20,230}\.$/);
  });

  it.each(PAGES)('%s: page and index agree on whether a later page changes it, and on which', (file) => {
    expect(statusOf(file)).toBe(markOf(file));
    expect(rowOf(file).status).toMatch(/^(?:in force|(?:superseded|amended) by \[\d+\]\([^)]+\)(?:, \[\d+\]\([^)]+\))*)$/);
  });

  it.each(PAGES.filter((file) => markOf(file) !== 'in force'))('%s: only later pages change it, each under its own number', (file) => {
    const links = [...rowOf(file).status.matchAll(/\[(\d+)\]\(([^)]+)\)/g)];
    for (const [, number, later] of links) {
      expect(later! > file).toBe(true);
      expect(rowOf(later!).number).toBe(number);
      expect(linksIn(topOf(later!))).toContain(file);
    }
  });

  it.each(PAGES.flatMap((file) => changedBy(file).map((earlier) => [file, earlier])))(
    '%s changes %s, which names it below its title',
    (file, earlier) => {
      expect(markOf(earlier).split(' ')).toContain(file);
    },
  );

  it.each(PAGES)('%s: nothing else at its top mentions a change', (file) => {
    expect(topOf(file).replace(/^(?:Superseded|Amended) by .*$/m, '')).not.toMatch(/superseded|amended|(?:replaced|changed) by|\bsince \[?decision/i);
  });

  it('index has no dead link', () => {
    expect(linksIn(read(INDEX)).filter((link) => !existsSync(join(FOLDER, link.split('#')[0]!)))).toEqual([]);
  });
});
