import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chainedEvent, leafOf, type ExportedEvent } from '../../src/transparency-log/leaf.js';
import { auditPath, foldPeaks, GrowingTree, type Subtree } from '../../src/transparency-log/merkle-tree.js';
import { verifyFile } from '../../src/transparency-log/verify-file.js';
import { SCHEMA_VERSIONS } from '../../src/ledger/catalogue.js';
import { isRedactedField } from '../../src/ledger/published/redaction.js';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { ANY_CHARACTER } from '../support/any-character.js';

const KEY = Buffer.alloc(32, 7);
const CHECKER = fileURLToPath(new URL('../../docs/audit-checker.py', import.meta.url));
const GOLDEN = new URL('../golden/', import.meta.url);
const DOCUMENT = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');

type Golden = Omit<RecordedEvent, 'position'>;
const TEMPLATES = readdirSync(GOLDEN)
  .filter((file) => file.endsWith('.json'))
  .map((file) => (JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as { event: Golden }).event);

/** A seal from a log, and texts that resemble one. */
const realSeal = /\[sealed \w+\]/.exec(
  chainedEvent({ ...TEMPLATES.find(({ type }) => type === 'ApiKeyIssued')!, position: 1n }, 1, KEY).stored.data,
)![0];
const hexDigits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const text = fc.oneof(
  { weight: 4, arbitrary: hexDigits.map((hex) => `[sealed ${hex}]`) },
  fc.constantFrom(realSeal, '[sealed]', '[sealed ]', 'null', '', '"', '\\', '","bank_account_name":"x', '"}', '\u2028', '__proto__', 'constructor'),
  fc
    .tuple(fc.constantFrom('', ' ', '[', '"', '\n'), hexDigits, fc.constantFrom('', ' ', ']', '"', '\n', '\u2029'))
    .map(([a, hex, z]) => `${a}[sealed ${hex}]${z}`),
  hexDigits.map((hex) => `[sealed ${hex.toUpperCase()}]`),
  hexDigits.map((hex) => `[sealed ${hex.slice(1)}]`),
  hexDigits,
  fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
);

/** The template with other texts wherever it has one, but for the words that postings go by, and other names where clients choose them. */
function withTexts(value: unknown, draw: () => string, name = ''): unknown {
  if (typeof value === 'string') return ['kind', 'type', 'source', 'from', 'to', 'movement'].includes(name) ? value : draw();
  if (Array.isArray(value)) return value.map((each) => withTexts(each, draw));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [name === 'meta_data' ? draw() : key, withTexts(each, draw, key)]);
  return Object.fromEntries(entries) as object;
}

const someEvent = fc.tuple(fc.constantFrom(...TEMPLATES), fc.infiniteStream(text)).map(([template, texts]): RecordedEvent => {
  const data = withTexts(template.data, () => texts.next().value!) as object;
  return { ...template, id: randomUUID(), stream: `charge-${randomUUID()}`, data, position: 1n };
});

describe('texts that look like seals', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-seals-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function verdicts(content: string, head: string): Promise<object> {
    const file = join(folder, 'file');
    await writeFile(file, content);
    const { fault, broken_at, events } = await verifyFile(file, { hashes: [head], from: [] }, new AbortController().signal);
    const run = spawnSync('python3', [CHECKER, file, head], { encoding: 'utf8' });
    if (run.error) throw new Error('python3 is not installed: the checker in another language was not run');
    return { fault, broken_at, events, checker: run.stdout.trim(), stderr: run.stderr };
  }

  it('client texts that look like seals do not change the verification, in any field of any event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someEvent, { minLength: 1, maxLength: 200, size: 'max' }), fc.nat(), async (events, chosen) => {
        const tree = new GrowingTree();
        const subtrees = new Map<string, Buffer>();
        const lines = events.map((event, index): ExportedEvent => {
          const leaf = leafOf(event, KEY);
          tree.append(leaf).forEach((hash, level) => subtrees.set(`${level} ${Math.floor(index / 2 ** level)}`, hash));
          return { ...chainedEvent(event, index + 1, KEY), leaf_hash: leaf.toString('hex') };
        });
        const head = tree.root().toString('hex');
        const whole = { fault: null, broken_at: null, events: events.length, stderr: '' };
        const exported = lines.map((line) => JSON.stringify(line)).join('\n');
        expect(await verdicts(exported, head)).toEqual({ ...whole, checker: `ok: ${events.length} events` });

        const leaf_index = chosen % events.length;
        const path = auditPath(leaf_index, events.length).map((each) =>
          foldPeaks(each.map(({ level, index }: Subtree) => subtrees.get(`${level} ${index}`)!)),
        );
        const { leaf_hash: _, ...event } = lines[leaf_index]!;
        const size = events.length;
        const proof = {
          ...{ event, leaf_index, audit_path: path.map((hash) => hash.toString('hex')) },
          head: { position: size, events: size, hash: head, signature: '', sealed_on: '' },
        };
        expect(await verdicts(JSON.stringify(proof), head)).toEqual({ ...whole, checker: `ok: event ${leaf_index + 1}` });
      }),
      { seed: 20_261_122, numRuns: 12 },
    );
  });

  it('docs/audit.md lists exactly the fields that the service seals', () => {
    const rows = [...DOCUMENT.matchAll(/^\| (`[A-Z]\w+`(?:, `\w+`)*) \| (`\w+`(?:, `\w+`)*) \|$/gm)];
    const words = (cell: string): string[] => [...cell.matchAll(/\w+/g)].map(([word]) => word);
    const documented = rows.flatMap(([, types, fields]) => words(types!).map((type) => [type, words(fields!)] as const));
    const inForce = TEMPLATES.map(({ type, data }) => [type, Object.keys(data).filter((name) => isRedactedField(type, name))] as const);
    expect(new Set(TEMPLATES.map(({ type }) => type))).toEqual(new Set(Object.keys(SCHEMA_VERSIONS)));
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(inForce.filter(([, fields]) => fields.length > 0)));
  });
});
