/** Finds private English in comments, docs, test names and texts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `require` loads this large CommonJS file half a second faster than `import`, which searches it for exports first. */
const ts = createRequire(import.meta.url)('typescript');

const CODE_FOLDERS = ['src', 'projections', 'test', 'bench', 'scripts', 'tools', 'packages'];
const DOC_FOLDERS = ['docs', 'docs/decisions'];
const DOC_FILES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
const YAML_FOLDERS = ['.github', 'deploy'];
/** Files that a script writes. */
const GENERATED = ['packages/client/src/schema.ts', 'deploy/helm/chargebook.rendered.yaml'];
const SKIPPED_FOLDERS = ['node_modules', 'dist'];

/**
 * `tests` are names of tests; `texts` are descriptions in OpenAPI and CLI help, and details of problems; `strings` are all other literals of three or
 * more words: pages, forms, output of commands, messages of errors.
 */
const KINDS = ['comments', 'docs', 'tests', 'texts', 'strings'];

/** Splits at the ends of sentences and at JSDoc tags, so that the description of a parameter is a sentence. */
const sentencesOf = (text) => text.split(/(?<=[.!?][)"”']?)\s+|(?:^|\s+)@param\s+\S+\s*|(?:^|\s+)@\w+\s+/).filter((sentence) => sentence !== '');
const isQuestion = (sentence) => /\?[)"”']?$/.test(sentence);
const anywhere = (expression) => (text) => expression.test(text);
const outsideQuestions = (expression) => (text) => sentencesOf(text).some((sentence) => !isQuestion(sentence) && expression.test(sentence));

/** Matches ", the store rejects it": the first sentence is complete when a clause with a subject follows the phrase. */
const MAIN_CLAUSE =
  /, (?:it|they|there|this|these|that|he|we|you|each|both|all|none|one|nobody|nothing|an?|the|its|their|no|every|another|only|`…`) /;
const opensWithFragment = (text) => {
  const [first = ''] = sentencesOf(text);
  return /^(?:Of|By|For|Where)\b(?! (?:course|default|example|instance)\b)/.test(first) && !MAIN_CLAUSE.test(first) && !isQuestion(first);
};

/**
 * `hits` returns true for a unit that uses the pattern; `now` is an example and `better` the same in plain words.
 * A pattern with more than one false alarm in ten is narrowed or removed.
 */
export const PATTERNS = [
  {
    name: 'fragment',
    kinds: ['comments', 'texts'],
    hits: opensWithFragment,
    why: 'A phrase that begins with Of, By, For or Where has no subject: name the thing, or begin with a verb.',
    now: 'Of one rail in one pass.',
    better: 'Maximum charges per rail and pass.',
  },
  {
    name: 'so-long',
    kinds: KINDS,
    hits: anywhere(/\bso long\b(?! that\b)|\bas long ago\b/i),
    why: 'A duration has a name, a unit and a bound.',
    now: 'So long ago that none of the requests that held it is under way.',
    better: 'Older than the longest request; no holder can still be running.',
  },
  {
    name: 'what',
    kinds: KINDS,
    // Plain uses: questions, "what if", "what to do", and indirect questions after verbs such as "know" and "decide".
    hits: outsideQuestions(
      /(?<!\b(?:know|knows|known|ask|asks|asked|decide|decides|decided|check|checks|checked|see|explain|explains|matter|regardless of|exactly) )\bwhat\b(?!-if\b| (?:if|to|and|or)\b)(?![,.;:)”"]|$)/i,
    ),
    why: 'A noun names the thing; "what" leaves it to the reader.',
    now: 'What the provider answers.',
    better: "The provider's response.",
  },
  {
    name: 'who',
    kinds: KINDS,
    hits: outsideQuestions(/(?:^|[.;:(] |\b(?:of|by|for|to|from|with|than|but|except|because|so that) )who\b/i),
    why: 'A noun names the person or program; "who" follows a noun.',
    now: 'Null for who has not the role.',
    better: 'Null for operators without the role.',
  },
  {
    name: 'nobody',
    kinds: KINDS,
    hits: anywhere(/\b(?:whoever|whomever|nobody|somebody)\b/i),
    why: 'Name the request, the process or the operator.',
    now: 'Whoever waits for it is answered 503.',
    better: 'Waiting requests return 503.',
  },
  {
    name: 'whatever',
    kinds: KINDS,
    // Plain use: "…, whatever the clock shows".
    hits: outsideQuestions(
      /(?:^|\b(?:of|by|from|for|with|behind|before|takes?|copies|append|approve) )whatever (?:is|was|has|have|had|comes?|ends?|holds?|follows|can|may|must|[a-z]+ed)\b(?![^.]*,)/i,
    ),
    why: 'A noun names the thing; "whatever" leaves it to the reader.',
    now: 'Replaces the table in the place of whatever is there.',
    better: 'Replaces an existing table.',
  },
  {
    name: 'tell',
    kinds: KINDS,
    // Plain use: "tell … apart".
    hits: anywhere(/\b(?:tells?|told)\b(?!(?: [^\s.,;:]+){0,4} apart\b)/i),
    why: 'Programs return, report, log, notify or distinguish.',
    now: 'The bank is told of the payout.',
    better: 'The bank receives the payout request.',
  },
  {
    name: 'say',
    kinds: KINDS,
    // Plain uses: the verb of a person or a document, and imperatives to a person.
    hits: anywhere(
      /(?<!\b(?:persons?|people|operators?|customer|you|law|rfc|standard|contract|documentation|documents?|page|section|decision|\d{4}|md|that is to) )(?<!^|[.:;] )\b(?:says?|said)\b/i,
    ),
    why: 'Programs return, report, log or state.',
    now: 'The provider says that it is paid.',
    better: 'The provider reports SUCCEEDED.',
  },
  {
    name: 'hear',
    kinds: KINDS,
    hits: anywhere(/\b(?:hears?|heard)\b/i),
    why: 'Programs receive or learn.',
    now: 'Stored before the account hears of it.',
    better: 'Stored before the account receives it.',
  },
  {
    name: 'go-on',
    kinds: KINDS,
    hits: anywhere(/\b(?:go|goes|went) on\b/i),
    why: 'Programs continue, resume or keep running.',
    now: 'The position to go on behind.',
    better: 'Returns items after this position.',
  },
  {
    name: 'come-to',
    kinds: KINDS,
    hits: anywhere(/(?<!\bwhen it )\b(?:comes?|came) to\b(?! (?:an end|light)\b)/i),
    why: 'Programs reach, process or learn; amounts add up to a sum.',
    now: 'What asking came to.',
    better: 'The result of the query.',
  },
  {
    name: 'stand',
    kinds: KINDS,
    // Plain uses: "stands for", "stands in for", "as it stands".
    hits: anywhere(
      /(?<!\bas (?:it|they|this) )\b(?:stands?|stood) (?!in for\b)(?:in|on|at|behind|beside|between|below|above|before|after|there|here|under|over|next to|further|within|inside|outside|last|first)\b/i,
    ),
    why: 'Data is stored, listed or written somewhere, or follows something.',
    now: 'The balances stand in rows of the table.',
    better: 'The table has a row per balance.',
  },
  {
    name: 'at-its-word',
    kinds: KINDS,
    hits: anywhere(/\b(?:takes?|taken)\b[^.;:]{0,30}\bat (?:its|their|his|her) word\b/i),
    why: 'Programs trust or do not verify.',
    now: 'Takes the notification at its word.',
    better: 'Trusts the notification without a query.',
  },
  {
    name: 'house',
    kinds: KINDS,
    // Plain use: "house account".
    hits: anywhere(/\bthe house\b(?! accounts?\b)/i),
    why: 'An installation belongs to a company, and its staff are operators.',
    now: 'A person of the house approves it.',
    better: 'An operator approves it.',
  },
  {
    name: 'none-any-more',
    kinds: KINDS,
    hits: anywhere(/\b(?:is|are|of) none any more\b/i),
    why: 'Name the state that the thing is in now.',
    now: 'The break is none any more.',
    better: 'The break is resolved.',
  },
  {
    name: 'of-its-own',
    kinds: KINDS,
    hits: anywhere(/\bof (?:its|their) own\b(?! accord\b)/i),
    why: 'Use "separate", "own" or "dedicated".',
    now: 'The worker runs in a process of its own.',
    better: 'The worker runs in a separate process.',
  },
  {
    name: 'fact',
    kinds: KINDS,
    // Plain uses: "in fact", "the fact that".
    hits: anywhere(/(?<!\bin )\bfacts?\b(?! that\b)/i),
    why: 'The code calls it an event.',
    now: 'True when the fact was there already: a repeat of the request that made it.',
    better: 'True for a replay: an earlier request with this key created the charge.',
  },
  {
    name: 'where-that-is-so',
    kinds: KINDS,
    hits: anywhere(/\b(?:where|when|if|unless|while|until) (?:that|this|it) (?:is|was) so\b(?! (?:far|long|much|many)\b)/i),
    why: 'State the condition.',
    now: 'Creates it on no events, and the store takes it only where that is so.',
    better: 'Appends with "no stream" as the expected revision.',
  },
  {
    name: 'bare-verb',
    kinds: ['tests'],
    hits: anywhere(/^(?:is|are|was|were|has|have|had|does|do|did|may|can|cannot|must|will)\b/i),
    why: 'A test name reads alone: it names its subject.',
    now: 'is reported by health and metrics',
    better: 'health and metrics report a broken chain',
  },
];

/** Returns the names of the patterns that a unit uses. */
export function patternsOf({ kind, text }) {
  return PATTERNS.filter(({ kinds, hits }) => kinds.includes(kind) && hits(text)).map(({ name }) => name);
}

const { SyntaxKind } = ts;
/** Replaces code, addresses and inserted values. */
const PLACEHOLDER = '`…`';

/** Returns the comments, test names and texts of a source file as units `{ file, line, kind, text }`, in the order of the file. */
export function unitsOfCode(file, source) {
  const options = { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const tree = ts.createSourceFile(file, source, options, false, /\.m?ts$/.test(file) ? ts.ScriptKind.TS : ts.ScriptKind.JS);
  const found = [];
  const rescans = new Map();
  const isShown = SHOWN_FOLDERS.test(file);
  /** Literals that are a unit, or a part of one. */
  const named = new Set();
  const visit = (node) => {
    if (RESCANNED.has(node.kind)) rescans.set(node.getStart(tree), node.kind);
    const literal = literalOf(file, node);
    const text = literal && textOf(literal.node);
    if (text !== undefined) {
      found.push({ kind: literal.kind, start: literal.node.getStart(tree), text });
      named.add(literal.node);
    } else if (isShown && isLiteral(node) && !named.has(node)) {
      for (const part of partsOf(textOf(node))) found.push({ kind: 'strings', start: node.getStart(tree), text: part });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  for (const comment of commentsOf(source, rescans)) found.push({ kind: 'comments', ...comment });
  found.sort((a, b) => a.start - b.start);
  return found.map(({ kind, start, text }) => ({ file, line: tree.getLineAndCharacterOfPosition(start).line + 1, kind, text: plain(text) }));
}

/** Folders whose texts are read by users. */
const SHOWN_FOLDERS = /^(?:src|projections|packages)\//;
const TESTS = new Set(['describe', 'it', 'test']);
const TEXT_PROPERTIES = new Set(['description', 'summary', 'detail']);
const TEXT_CALLS = new Set(['description', 'summary']);

/** Returns the node that may hold a test name or a text, with its kind. */
function literalOf(file, node) {
  if (file.startsWith('test/')) return ts.isCallExpression(node) && isTest(node.expression) ? { kind: 'tests', node: node.arguments[0] } : undefined;
  if (!SHOWN_FOLDERS.test(file)) return undefined;
  if (ts.isPropertyAssignment(node)) return TEXT_PROPERTIES.has(node.name.text) ? { kind: 'texts', node: node.initializer } : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  if (ts.isIdentifier(node.expression) && node.expression.text === 'refuse') return { kind: 'texts', node: node.arguments[1] };
  const method = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : undefined;
  return TEXT_CALLS.has(method) ? { kind: 'texts', node: node.arguments[0] } : undefined;
}

/** Recognises `it`, `it.only`, `it.each(rows)` and `it.each` with a tagged table, and the same of `describe` and `test`. */
function isTest(callee) {
  if (ts.isIdentifier(callee)) return TESTS.has(callee.text);
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text !== 'each' && isTest(callee.expression);
  const each = ts.isCallExpression(callee) ? callee.expression : ts.isTaggedTemplateExpression(callee) ? callee.tag : undefined;
  return each !== undefined && ts.isPropertyAccessExpression(each) && each.name.text === 'each' && isTest(each.expression);
}

/** Returns undefined for an expression without a literal part. */
function textOf(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map((span) => `${PLACEHOLDER}${span.literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? PLACEHOLDER) + (right ?? PLACEHOLDER);
}

const isLiteral = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Attributes of HTML whose values are read. */
const READ_ATTRIBUTES = /\b(?:aria-label|title|placeholder|alt|content)="([^"]*)"/g;

/** Statements of SQL. Those of migrations cannot change: their hashes are stored in each database. */
const SQL =
  /^\s*(?:--|\(?(?:select|insert into|update \S+ set|delete from|(?:create|alter|drop) (?:table|schema|view|index)|with \S+ (?:\(|as\b))\b)/;
/** A word of code: a name with an underscore, a capital or a point within, or a sign of a programming language. */
const CODE_WORD = /[_$[\](){}=<>|]|\w\.\w|\p{Ll}\p{Lu}/u;

/**
 * Returns the texts of a literal that have three or more words: a page's are the values of attributes that are read, and those between tags. Texts
 * with more than one word of code in four are lists of names, or code.
 */
function partsOf(text) {
  if (SQL.test(text)) return [];
  const attributes = [...text.matchAll(READ_ATTRIBUTES)].map(([, value]) => value);
  return [...attributes, ...text.split(/<\/?[a-z][^>]*>/i)].filter((part) => {
    const words = part.split(/\s+/).filter((word) => /\p{L}{2,}/u.test(word));
    return words.length >= 3 && words.filter((word) => CODE_WORD.test(word)).length * 4 <= words.length;
  });
}

/** The scanner alone takes these for a division or a closing brace; the parser knows better. */
const RESCANNED = new Set([SyntaxKind.RegularExpressionLiteral, SyntaxKind.TemplateMiddle, SyntaxKind.TemplateTail]);

/** @param rescans kinds of tokens by their start, for the tokens in `RESCANNED` */
function commentsOf(source, rescans) {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, false, ts.LanguageVariant.Standard, source);
  const comments = [];
  let run;
  let lineBreaks = 0;
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const start = scanner.getTokenStart();
    if (token === SyntaxKind.WhitespaceTrivia) continue;
    if (token === SyntaxKind.NewLineTrivia) {
      lineBreaks++;
    } else if (token === SyntaxKind.SingleLineCommentTrivia) {
      const text = scanner.getTokenText().slice(2);
      if (run !== undefined && lineBreaks === 1) run.text += `\n${text}`;
      else comments.push((run = { start, text }));
      lineBreaks = 0;
    } else {
      run = undefined;
      if (token === SyntaxKind.MultiLineCommentTrivia) comments.push({ start, text: blockText(scanner.getTokenText()) });
      else if (rescans.get(start) === SyntaxKind.RegularExpressionLiteral) scanner.reScanSlashToken();
      else if (rescans.has(start)) scanner.reScanTemplateToken(false);
    }
  }
  return comments;
}
const blockText = (comment) => comment.slice(2, -2).replace(/^[ \t]*\*+/gm, '');

/** Returns the paragraphs, list items and table cells of a page as units; code blocks and headings are left out. */
export function unitsOfMarkdown(file, source) {
  const units = [];
  let open;
  let fence;
  const add = (line, text) => units.push((open = { file, line, kind: 'docs', text }));
  const withoutComments = source.replace(/<!--.*?-->/gs, (comment) => comment.replace(/[^\n]/g, ''));
  for (const [index, quoted] of withoutComments.split('\n').entries()) {
    const line = quoted.replace(/^[\s>]*/, '');
    const mark = /^(?:```+|~~~+)/.exec(line)?.[0];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      open = undefined;
    } else if (line === '' || /^#{1,6}\s/.test(line)) {
      open = undefined;
    } else if (line.startsWith('|')) {
      for (const cell of cellsOf(line)) add(index + 1, cell);
      open = undefined;
    } else {
      const item = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
      if (item !== null || open === undefined) add(index + 1, item?.[1] ?? line);
      else open.text += `\n${line}`;
    }
  }
  return units.map((unit) => ({ ...unit, text: plain(unit.text) })).filter(({ text }) => /\p{L}/u.test(text));
}
/** Returns the comments and values of a YAML file that have three or more words, each line a unit; commands are left out. */
export function unitsOfYaml(file, source) {
  const texts = source
    .split('\n')
    .map((line) => /^\s*(?:#|(?:- )?(?:name|summary|description|label|value|title|about|placeholder):)(.*)$/.exec(line)?.[1] ?? '');
  const units = texts.map((text, index) => ({ file, line: index + 1, kind: 'strings', text: plain(text) }));
  return units.filter(({ text }) => partsOf(text).length > 0);
}
function cellsOf(row) {
  const cells = row.replace(/`+[^`]*`+/g, PLACEHOLDER).split(/(?<!\\)\|/);
  return cells.filter((cell) => !/^[\s:-]*$/.test(cell));
}

/** Returns the text on one line, without code, link targets and emphasis. */
function plain(text) {
  return text
    .replace(/(`+)(?!`)[\s\S]*?\1/g, PLACEHOLDER)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\bhttps?:\/\/\S+/g, PLACEHOLDER)
    .replace(/<[a-z/][^>]*>/gi, ' ')
    .replace(/[*_]{2}/g, '')
    .replace(/’/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

function filesOf(root) {
  const here = (path) => existsSync(join(root, path));
  const code = CODE_FOLDERS.filter(here).flatMap((folder) => filesBelow(root, folder));
  const yaml = YAML_FOLDERS.filter(here).flatMap((folder) => filesBelow(root, folder));
  const docs = DOC_FOLDERS.filter(here).flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  return [...code.filter(isCode), ...docs.filter(isMarkdown), ...DOC_FILES.filter(here), ...yaml.filter(isYaml)];
}
function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.includes(entry.name) ? [] : filesBelow(root, path);
    return GENERATED.includes(path) ? [] : [path];
  });
}
const isCode = (file) => /\.(?:ts|mts|mjs|js)$/.test(file);
const isMarkdown = (file) => file.endsWith('.md');
const isYaml = (file) => /\.ya?ml$/.test(file);

function unitsOf(file, source) {
  if (isMarkdown(file)) return unitsOfMarkdown(file, source);
  return isYaml(file) ? unitsOfYaml(file, source) : unitsOfCode(file, source);
}

const USAGE = `npm run prose              lists all hits
npm run prose -- PATH …    lists the hits below folders or in files`;

/** Runs the command line over the files below `root`. Returns the exit code: 1 when there are hits, 2 for wrong arguments. */
export function run(paths, root, print) {
  const wanted = paths.map((path) => posix.normalize(path).replace(/\/$/, ''));
  if (wanted.some((path) => path.startsWith('-') || !existsSync(join(root, path)))) {
    print(USAGE);
    return 2;
  }
  const isWanted = (file) => wanted.length === 0 || wanted.some((path) => path === '.' || file === path || file.startsWith(`${path}/`));
  const used = new Set();
  for (const file of filesOf(root).filter(isWanted)) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const unit of unitsOf(file, source)) {
      const names = patternsOf(unit);
      for (const name of names) used.add(name);
      if (names.length > 0) print(`${file}:${unit.line}  ${names.join(', ')}  ${unit.text}`);
    }
  }
  const explained = PATTERNS.filter(({ name }) => used.has(name));
  for (const { name, why, now, better } of explained) print(`\n${name}: ${why}\n  now:    ${now}\n  better: ${better}`);
  return used.size > 0 ? 1 : 0;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = run(process.argv.slice(2), resolve(import.meta.dirname, '..'), (text) => console.log(text));
}
