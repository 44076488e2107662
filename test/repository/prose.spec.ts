import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PATTERNS, patternsOf, run, unitsOfCode, unitsOfMarkdown, unitsOfYaml, type Unit } from '../../scripts/prose.mjs';

const textsOf = (units: readonly Unit[], kind: Unit['kind']) => units.filter((unit) => unit.kind === kind).map(({ text }) => text);

describe('patterns of private English', () => {
  it.each<[Unit['kind'], string, string[], string]>([
    [
      'comments',
      'True when the fact was there already: a repeat of the request that made it.',
      ['fact'],
      'True for a replay: an earlier request with this key created the charge.',
    ],
    [
      'comments',
      'Creates a record once, without reading first: `decision` was made on no events, and the store takes it only where that is so.',
      ['where-that-is-so'],
      'Creates a record at most once. Appends with "no stream" as the expected revision, so no read is needed.',
    ],
    [
      'comments',
      'Of one rail in one pass, and at a time: one that answers nothing holds up the others for less than a minute.',
      ['fragment'],
      'Maximum charges per rail and pass; maximum concurrent calls. Bounds the delay that a silent rail causes.',
    ],
    [
      'comments',
      'So long ago that none of the requests that held it is under way.',
      ['so-long'],
      'Older than the longest request; no holder can still be running.',
    ],
    [
      'tests',
      'is reported by health and metrics, warned of on the console, and hinders no request',
      ['bare-verb'],
      'broken chain: health and metrics report it, requests still succeed',
    ],
    ['docs', "What the demo's month is decided by is written once", ['what'], 'Share the decision reason among the demo seeders'],
    ['texts', 'what waits for the approval of persons', ['what'], 'approval policies'],
  ])('example of the language guide in %s: %j has a hit, its rewording has none', (kind, now, names, better) => {
    expect(patternsOf({ kind, text: now })).toEqual(names);
    expect(patternsOf({ kind, text: better })).toEqual([]);
  });

  it.each(PATTERNS.map((pattern) => [pattern.name, pattern] as const))('%s: its example has a hit, its better wording has none', (name, pattern) => {
    const [kind = 'comments'] = pattern.kinds;
    expect(patternsOf({ kind, text: pattern.now })).toContain(name);
    expect(patternsOf({ kind, text: pattern.better })).toEqual([]);
  });

  it.each([
    'What does the provider return?',
    'Logs the key. What if the key is missing?',
    'The operator decides what to do.',
    'Operators who approve payouts must have the role.',
    'The signature is valid, whatever the clock shows.',
    'A check digit keeps the two formats apart, and lets a person tell them apart.',
    'RFC 9457: the RFC says that the type is a URI.',
    'A person says why.',
    'The transfer comes to an end.',
    'IDR stands for rupiah. The balance is shown as it stood at that time.',
    'Debits the house account.',
    'In fact, the fact that it is stored is enough.',
    'For a new stream, the expected revision is "no stream".',
    'Where is the key? In the environment.',
    'By default 50.',
    'Takes so long that the lock expires.',
  ])('plain English has no hit: %s', (text) => {
    expect(patternsOf({ kind: 'comments', text })).toEqual([]);
  });

  it.each([
    ['@param clock of the process @returns the sum. @throws Problem of who asks', ['who']],
    ['@param approvers who may approve', ['who']],
    ['Returns the key. Of the merchant.', []],
  ])('a JSDoc tag begins a sentence, and only the first one can be a fragment: %s', (text, names) => {
    expect(patternsOf({ kind: 'comments', text })).toEqual(names);
  });

  it.each(['rejects content type %s with 415', 'the worker does not retry'])('test name that reads alone: %s', (text) => {
    expect(patternsOf({ kind: 'tests', text })).toEqual([]);
  });
});

describe('units of source files', () => {
  it('strings, templates and regular expressions that look like comments are no comments', () => {
    const source = [
      "const url = 'https://a.test/*'; // one",
      'const text = `// no ${value /* two */} /* no */ ${`// no ${deep}`} // no`; /* three */',
      'const expression = /[/*]\\/\\/ no/; // four',
      'const half = a / b; // five',
      "if (found) /\\/* no/.test('*/ // no');",
    ];
    expect(textsOf(unitsOfCode('src/a.ts', source.join('\n')), 'comments')).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('adjacent lines are one comment, a blank line or code separates two', () => {
    const source = '// first\n// goes further\n\n// second\ncall(); // third\n// and further\n/** A `block`\n * of lines. */\n/* plain */';
    const units = unitsOfCode('bench/a.mjs', source);
    expect(textsOf(units, 'comments')).toEqual(['first goes further', 'second', 'third and further', 'A `…` of lines.', 'plain']);
    expect(units.map(({ line }) => line)).toEqual([1, 4, 5, 7, 9]);
  });

  it('test names come from every form of describe, it and test', () => {
    const source = [
      "describe('a', () => {",
      "  it.only('b', run);",
      "  it.each([[1]])('c %s', run);",
      "  describe.skip.each([[1]])('d', run);",
      '  test.each`x\n${1}`(`e ${value} f`, run);',
      "  it('g ' + kind, run);",
      "  expect('no').toBe(it);",
      '  it(name, run);',
      "  const rows = { description: 'no' };",
      '});',
    ];
    expect(textsOf(unitsOfCode('test/unit/a.spec.ts', source.join('\n')), 'tests')).toEqual(['a', 'b', 'c %s', 'd', 'e `…` f', 'g `…`']);
  });

  it('texts are descriptions, summaries and details in the code of the service', () => {
    const source =
      "command.description('a').summary('b'); document({ description: 'c', summary: `d`, detail: 'e' + f, title: 'no' }); refuse('no', 'g');";
    expect(textsOf(unitsOfCode('src/cli/a.ts', source), 'texts').sort()).toEqual(['a', 'b', 'c', 'd', 'e`…`', 'g']);
    expect(textsOf(unitsOfCode('bench/a.ts', source), 'texts')).toEqual([]);
  });
});

describe('other literals in the code of the service', () => {
  const stringsOf = (source: string): string[] => textsOf(unitsOfCode('src/web/a.ts', source), 'strings');

  it('literals of three or more words are units, each once', () => {
    const source =
      "import 'no such long name'; const a = 'two words'; const b = 'one two three'; refuse('no', 'this is a text'); `${a} four five six`;";
    expect(stringsOf(source)).toEqual(['no such long name', 'one two three', '`…` four five six']);
  });

  it('a page gives its texts between tags and in attributes, without the code of both', () => {
    const source = 'html`<p class="one two three" title="a title of words">Text of ${name} <b>two words</b></p>${html`<i>inner text of words</i>`}`';
    expect(stringsOf(source)).toEqual(['a title of words', 'inner text of words']);
    expect(stringsOf('html`<p>Text of ${name} and more</p>`')).toEqual(['Text of `…` and more']);
  });

  it('texts that begin with a word of SQL are read', () => {
    const texts = ['with all lines of it', 'from the start on', 'and its settlement 7', 'update the page first', 'create or change a rail'];
    expect(stringsOf(texts.map((text) => `'${text}'`).join('; '))).toEqual(texts);
  });

  it('statements of SQL and lists of names are no texts', () => {
    expect(stringsOf("`select what from table where it is none`; 'time_zone use_of what_is here'; 'create table a (b int)';")).toEqual([]);
  });
});

describe('units of YAML files', () => {
  it('comments and values for people are units, commands are not', () => {
    const source = '# A comment of words\non: push\njobs:\n  - name: What it runs here\n    run: echo what it runs here\n    summary: "Two words"';
    expect(unitsOfYaml('.github/a.yml', source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'A comment of words'],
      [4, 'What it runs here'],
    ]);
  });
});

describe('units of Markdown pages', () => {
  it('a paragraph, a list item and a table cell are units; headings, code and link targets are left out', () => {
    const page = [
      '# What a heading is',
      'A paragraph of',
      'two **lines** with `what code` and [a link](what.md).',
      '- an item',
      '  that continues',
      '1. another item',
      '',
      '> a quote',
      '',
      '| Column | Other |',
      '|---|:-:|',
      '| cell `a | b` | 843 |',
      '```sh',
      'what code is',
      '```',
      '<!-- what a comment is -->',
      'The end.',
    ];
    const units = unitsOfMarkdown('docs/a.md', page.join('\n'));
    expect(units.map(({ line, text }) => [line, text])).toEqual([
      [2, 'A paragraph of two lines with `…` and a link.'],
      [4, 'an item that continues'],
      [6, 'another item'],
      [8, 'a quote'],
      [10, 'Column'],
      [10, 'Other'],
      [12, 'cell `…`'],
      [17, 'The end.'],
    ]);
  });
});

describe('prose command', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chargebook-prose-'));
    write('scripts/a.mjs', '// Returns the sum.');
    write('src/charges/refunds/a.ts', '/** What it returns. */\n// A plain comment.\n\n// Nobody said so.');
    write('packages/client/src/schema.ts', '// What is generated.');
    write('src/node_modules/b.ts', '// What is installed.');
    write('README.md', 'What it does.');
    write('.github/workflows/ci.yml', '- name: What it does there');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const prose = (...args: string[]) => {
    const printed: string[] = [];
    const status = run(args, root, (text) => printed.push(text));
    return { status, printed: printed.join('\n') };
  };

  it('prints place, patterns and text of each hit, and the better wordings, and fails', () => {
    const { status, printed } = prose();
    expect(printed.split('\n').slice(0, 4)).toEqual([
      'src/charges/refunds/a.ts:1  what  What it returns.',
      'src/charges/refunds/a.ts:4  nobody, say  Nobody said so.',
      'README.md:1  what  What it does.',
      '.github/workflows/ci.yml:1  what  What it does there',
    ]);
    expect(printed).toContain("better: The provider's response.");
    expect(status).toBe(1);
  });

  it('looks below folders and in files alone when they are given', () => {
    expect(prose('src/charges/', 'README.md').printed.match(/^[^ ]+:\d+/gm)).toEqual([
      'src/charges/refunds/a.ts:1',
      'src/charges/refunds/a.ts:4',
      'README.md:1',
    ]);
    expect(prose('scripts', 'packages')).toEqual({ status: 0, printed: '' });
  });

  it.each([[['--check']], [['src', 'src/char']]])('wrong arguments %j print the usage and exit with 2', (args) => {
    const { status, printed } = prose(...args);
    expect(printed).toContain('npm run prose -- PATH …');
    expect(status).toBe(2);
  });
});
