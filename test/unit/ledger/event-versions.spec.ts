import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readEvent, requireReadableVersions, SCHEMA_VERSIONS, type LedgerEventType } from '../../../src/ledger/catalogue.js';
import { requireUpcasters, upcast, type Upcaster, type Upcasters } from '../../../src/ledger/events/upcasting.js';
import { misfits, shapesOfToday, type Shape } from '../../support/event-shapes.js';

const GOLDEN = new URL('../../golden/', import.meta.url);

/** An event as a previous version of the service stored it; `shape` is the type that the compiler required of its writer. Never edited. */
interface Golden {
  readonly shape: Shape;
  readonly event: { readonly type: LedgerEventType; readonly data: object; readonly metadata: { readonly schema_version: number } };
}

const files = readdirSync(GOLDEN)
  .filter((file) => file.endsWith('.json'))
  .sort();
/** A version may gain members that may be absent: its writers then have a golden file more, the newest behind the others by name. */
const versionOf = (file: string): string => file.split('.').slice(0, 2).join('.');
const newestOf = (version: string): string => files.filter((file) => versionOf(file) === version).at(-1)!;
const golden = (file: string): Golden => JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as Golden;

function deeplyFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deeplyFrozen);
  return value;
}

describe('events of every version ever written', () => {
  let shapes: Map<string, Shape>;
  beforeAll(() => {
    shapes = shapesOfToday();
  });

  it.each<[string, string, boolean]>([
    ['with its own moment', '2026-01-31T08:15:30.900+00:00', true],
    ['before its own moment', '2026-01-31T08:15:30.899+00:00', true],
    ['with an overlap', '2026-01-31T08:15:30.901+00:00', false],
    ['with no date that can be read', 'tomorrow', true],
  ])('reads at_once of a revocation %s', (_, revoked_on, at_once) => {
    for (const type of ['ApiKeyRevoked', 'FinanceKeyRevoked'] as const) {
      const { event } = golden(`${type}.1.json`);
      expect(readEvent({ ...event, data: { ...event.data, revoked_on } }).data).toMatchObject({ revoked_on, at_once });
    }
  });

  it('a golden file exists for each type and version, and no other', () => {
    const wanted = Object.entries(SCHEMA_VERSIONS).flatMap(([type, today]) => Array.from({ length: today }, (_, index) => `${type}.${index + 1}`));
    expect([...new Set(files.map(versionOf))]).toEqual(wanted.sort());
    for (const version of wanted) expect(files).toContain(`${version}.json`);
  });

  it.each(files)('%s is read in the current shape, and stays unchanged', (file) => {
    const { event } = golden(file);
    expect(`${event.type}.${event.metadata.schema_version}`).toBe(versionOf(file));
    const entry = readEvent(deeplyFrozen(event));
    expect(entry.metadata.schema_version).toBe(SCHEMA_VERSIONS[event.type]);
    expect(misfits(entry.data, shapes.get(event.type)!)).toEqual([]);
  });

  it.each(Object.entries(SCHEMA_VERSIONS))('%s is written in the shape of its version %i: another shape needs another version', (type, today) => {
    expect(shapes.get(type)).toEqual(golden(newestOf(`${type}.${today}`)).shape);
  });
});

describe('a version that has gained members', () => {
  it.each(files.filter((file) => file !== `${versionOf(file)}.json`))('%s: each may be absent, and nothing else has changed', (file) => {
    const [before, after] = [golden(`${versionOf(file)}.json`).shape, golden(file).shape] as [Record<string, Shape>, Record<string, Shape>];
    const gained = Object.keys(after).filter((name) => !(name in before));
    expect(gained.every((name) => name.endsWith('?'))).toBe(true);
    expect(Object.fromEntries(Object.entries(after).filter(([name]) => !gained.includes(name)))).toEqual(before);
    const members = Object.keys(golden(file).event.data).filter((name) => !gained.includes(`${name}?`));
    expect(members).toEqual(Object.keys(golden(`${versionOf(file)}.json`).event.data));
  });
});

describe('upcasters', () => {
  const versions = { Grown: 3, Old: 1 };
  const named: Upcaster = (data) => ({ ...data, name: 'none' });
  const renamed: Upcaster = ({ name, ...rest }: { name?: string }) => ({ ...rest, title: name });
  const upcasters: Upcasters = { Grown: [named, renamed] };
  const stored = (type: string, schema_version: number, data: object) => ({ type, data, metadata: { schema_version, actor: 'key_1' }, id: 'e1' });

  it('this build has every upcaster', () => {
    expect(() => requireReadableVersions()).not.toThrow();
  });

  it('upcasts every version to the current one, step by step, and keeps the envelope', () => {
    expect(upcast(stored('Grown', 1, { n: 1 }), versions, upcasters)).toEqual(stored('Grown', 3, { n: 1, title: 'none' }));
    expect(upcast(stored('Grown', 2, { n: 1, name: 'x' }), versions, upcasters)).toEqual(stored('Grown', 3, { n: 1, title: 'x' }));
    const today = stored('Grown', 3, { n: 1, title: 'x' });
    expect(upcast(today, versions, upcasters)).toBe(today);
  });

  it.each([0, 4, 1.5])('rejects version %d, which no build can have written', (version) => {
    expect(() => upcast(stored('Grown', version, {}), versions, upcasters)).toThrow(`Grown has schema version ${version}; this build reads 1 to 3`);
  });

  it('rejects an unknown event type', () => {
    expect(() => upcast(stored('toString', 1, {}), versions, upcasters)).toThrow('unknown event type toString');
  });

  it.each<[string, Upcasters]>([
    ['Grown is written in version 3, and no upcaster leads from version 2 to 3', { Grown: [named] }],
    ['Grown is written in version 3, and no upcaster leads from version 1 to 2', {}],
    ['Old is written in version 1, and an upcaster leads beyond it', { ...upcasters, Old: [named] }],
    ['there are upcasters for Lost, which is no type of event', { ...upcasters, Lost: [named] }],
  ])('rejects wrong upcasters at the start: %s', (message, incomplete) => {
    expect(() => requireUpcasters(versions, incomplete)).toThrow(message);
  });
});
