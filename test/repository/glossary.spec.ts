import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EVENTS_OF, readEvent, SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import { moneyMove, movesMoney } from '../../src/ledger/postings.js';

const GOLDEN = new URL('../golden/', import.meta.url);

interface Golden {
  readonly stream: string;
  readonly type: LedgerEventType;
  readonly data: object;
  readonly metadata: { readonly schema_version: number };
}

const goldenEvents = readdirSync(GOLDEN)
  .filter((file) => file.endsWith('.json'))
  .map((file) => [file, (JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as { event: Golden }).event] as const);

interface Line {
  readonly group: string;
  readonly type: string;
  readonly streams: readonly string[];
  readonly moves: string;
}

/** The rows below "## Events": `| type | streams | meaning | postings |`, with the group of the catalogue as their heading. */
const events = readFileSync('docs/glossary.md', 'utf8').split('\n## Events\n')[1]!;
const LINES: readonly Line[] = events.split('\n### ').flatMap((section) =>
  [...section.matchAll(/^\| `(\w+)` \| (.+?) \| .+? \| (.+) \|$/gm)].map(([, type, streams, moves]) => ({
    group: section.split('\n', 1)[0]!,
    type: type!,
    streams: [...streams!.matchAll(/`([^`]+)`/g)].map(([, stream]) => stream!),
    moves: moves!,
  })),
);
const lineOf = (type: string): Line => LINES.find((line) => line.type === type)!;

const patternOf = (stream: string): RegExp => new RegExp(`^${stream.replace(/<\w+>/g, '.+')}$`);

describe('the events of the glossary', () => {
  it('lists each event of the catalogue once, in its group', () => {
    const groups = Object.fromEntries(Object.keys(EVENTS_OF).map((group) => [group, LINES.filter((line) => line.group === group)]));
    for (const [group, types] of Object.entries(EVENTS_OF)) expect(groups[group]!.map(({ type }) => type)).toEqual(Object.keys(types));
    expect(LINES).toHaveLength(Object.keys(SCHEMA_VERSIONS).length);
  });

  it.each(goldenEvents)('%s is stored in a stream that the glossary names', (_, { type, stream }) => {
    expect(lineOf(type).streams.filter((name) => patternOf(name).test(stream))).not.toEqual([]);
  });

  it('each stream of the events has a row in the table of streams, and no other has one', () => {
    const table = readFileSync('docs/glossary.md', 'utf8').split('\n## Streams\n')[1]!.split('\n## ')[0]!;
    const rows = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, streams]) => [...streams!.matchAll(/`([^`]+)`/g)].map(([, stream]) => stream!));
    const shapesOf = (streams: readonly string[]): string[] => [...new Set(streams.map((stream) => stream.replaceAll(/<\w+>/g, '<>')))].sort();
    expect(shapesOf(rows)).toEqual(shapesOf(LINES.flatMap(({ streams }) => streams)));
  });

  it.each(goldenEvents)('%s moves money as the glossary states', (_, stored) => {
    const event = readEvent(stored);
    if (!movesMoney(event)) return expect(lineOf(event.type).moves).toBe('—');
    const { moves } = lineOf(event.type);
    const named = [...moves.matchAll(/`(\w+)` → `(\w+)`/g)].map(([, from, to]) => [from!, to!]);
    const allowed = moves.endsWith('; each also in the opposite direction')
      ? named.flatMap(([from, to]) => [
          [from, to],
          [to, from],
        ])
      : named;
    expect(allowed).toEqual(expect.arrayContaining(moneyMove(event).postings.map(({ from, to }) => [from, to])));
    expect(named).not.toEqual([]);
  });
});
