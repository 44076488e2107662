import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VERSION } from '../../src/app/version.js';
import { itAtNight } from '../support/nightly.js';
import { describedDocuments } from '../../scripts/generated-files.js';
import { RETURN_URL, RETURN_URL_DOCUMENTED } from '../../src/domain/charges/charges.dto.js';
import { EMAIL, EMAIL_DOCUMENTED } from '../../src/domain/customers/customers.dto.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly anyOf?: unknown;
  readonly enum?: readonly unknown[];
}

const INT32_MAX = 2 ** 31 - 1;

/** Integers without a maximum whose values are small by their meaning. Amounts, positions, sequences, sizes and counts of records are none of them. */
const SMALL = [
  ...['age', 'age_days', 'days', 'due_days', 'latency_ms', 'response_code', 'status', 'total_attempts', 'page_number', 'page_size'],
  ...['approvals_required', 'controllers_required', 'required', 'given', 'distance', 'matcher'],
  // An event has at most 500 lines.
  'JournalLineDto/properties/line',
];

describe('the OpenAPI documents, as generators of clients read them', () => {
  /** Every schema of every document, by its place. */
  const schemas: { readonly at: string; readonly schema: Schema }[] = [];
  let documents: ReadonlyMap<string, object>;
  beforeAll(async () => {
    documents = await describedDocuments();
    const collect = (part: unknown, at: string): void => {
      if (typeof part !== 'object' || part === null) return;
      schemas.push({ at, schema: part });
      for (const [name, each] of Object.entries(part)) if (name !== 'example' && name !== 'examples') collect(each, `${at}/${name}`);
    };
    for (const [file, document] of documents) collect(document, file);
  });
  const faultsOf = (isFaulty: (schema: Schema, at: string) => boolean): string[] =>
    schemas.filter(({ schema, at }) => isFaulty(schema, at)).map(({ at }) => at);
  const isOf = ({ type }: Schema, wanted: string): boolean => type === wanted || (Array.isArray(type) && type.includes(wanted));

  it('every document has the version of the service', () => {
    expect([...documents.values()].map((document) => (document as { readonly info: { readonly version: string } }).info.version)).toEqual(
      Array(3).fill(VERSION),
    );
  });

  it('each integer has a width, which is int64 for all that may pass 2^31', () => {
    const integers = schemas.filter(({ schema }) => isOf(schema, 'integer'));
    expect(integers.length).toBeGreaterThan(300);
    expect(faultsOf((schema) => isOf(schema, 'integer') && !/^int(32|64)$/.test(schema.format ?? ''))).toEqual([]);
    const isSmall = ({ maximum }: Schema, at: string) =>
      maximum !== undefined ? maximum <= INT32_MAX : SMALL.some((name) => at.endsWith(`/${name}`));
    expect(faultsOf((schema, at) => schema.format === 'int32' && !isSmall(schema, at))).toEqual([]);
    expect(faultsOf((schema) => isOf(schema, 'number') && schema.format !== undefined)).toEqual([]);
  });

  it('no schema has anyOf, which NSwag reads as never null', () => {
    expect(schemas.length).toBeGreaterThan(3_000);
    expect(faultsOf(({ anyOf }) => anyOf !== undefined)).toEqual([]);
  });

  it('each word of an enumeration has letters or digits, which generators need for names', () => {
    const words = schemas.flatMap(({ schema }) => (Array.isArray(schema.enum) ? (schema.enum as unknown[]) : []));
    expect(words.length).toBeGreaterThan(300);
    expect(words.filter((word) => !/[A-Za-z0-9]/.test(String(word)))).toEqual([]);
  });

  // JSON Schema, 6.4: look-around, classes of Unicode and \d differ between languages, or are missing.
  it('all languages read the patterns in the same way', () => {
    const patterns = schemas.flatMap(({ schema: { pattern } }) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((pattern) => /\(\?|\\[A-Za-z1-9]/.test(pattern))).toEqual([]);
  });

  it('the documents follow the rules of redocly.yaml, and each example matches its schema', async () => {
    const output = await check('@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml', '--format', 'stylish');
    expect(output).toContain('Your API descriptions are valid');
  });

  // It looks at every schema wherever it is referred to, which takes half a minute.
  itAtNight('the documents follow the rules of .spectral.yaml', async () => {
    const output = await check('@stoplight/spectral-cli/dist/index.js', 'lint', '--fail-severity=warn', '--ruleset', '.spectral.yaml');
    expect(output).toContain('No results');
  });

  /** Runs a program of `node_modules` on the documents, as files. @returns its output @throws with its output when it finds a fault */
  async function check(program: string, ...args: readonly string[]): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const files = [...documents].map(([file, document]) => ({
        path: join(folder, file.replace('/', '-')),
        text: JSON.stringify(document, null, 2),
      }));
      for (const { path, text } of files) await writeFile(path, text);
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const run = spawn(process.execPath, [createRequire(import.meta.url).resolve(program), ...args, ...files.map(({ path }) => path)], { env });
      let output = '';
      for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
      const [code] = (await once(run, 'close')) as [number | null];
      if (code !== 0) throw new Error(`${program} ends with ${code}:\n${output}`);
      return output;
    } finally {
      await rm(folder, { recursive: true });
    }
  }
});

describe('a documented pattern that is simpler than the rule', () => {
  const host = fc.domain();
  it('every accepted e-mail address matches', () => {
    const label = fc.stringMatching(/^[a-zß-öäø-ÿ中文0-9][a-zß-öø-ÿ中文0-9-]{0,5}[a-z0-9]$/);
    const address = fc
      .tuple(
        fc.oneof(
          fc.emailAddress().map((text) => text.split('@')[0]!),
          fc.stringMatching(/^[^\s@"(),:;<>[\]\\]{1,64}$/u),
        ),
        fc.array(label, { minLength: 2, maxLength: 4 }),
      )
      .map(([local, labels]) => `${local}@${labels.join('.')}`);
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(address, fc.emailAddress()), (text) => {
        if (!EMAIL.test(text)) return;
        accepted += 1;
        expect(text).toMatch(EMAIL_DOCUMENTED);
      }),
      { seed: 41, numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(1_000);
  });

  it('every accepted return_url matches', () => {
    const app = fc.tuple(host, fc.constantFrom('://', ':/', '://paid', ':/paid/1?a=%20#b')).map(([name, rest]) => `${name}${rest}`);
    const web = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true });
    const odd = fc.tuple(fc.constantFrom('_a', '-a', '10.0.0.1', 'a'), fc.nat(70_000)).map(([name, port]) => `https://${name}:${port}/`);
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(app, web, odd), (text) => {
        if (!RETURN_URL.test(text)) return;
        accepted += 1;
        expect(text).toMatch(RETURN_URL_DOCUMENTED);
      }),
      { seed: 41, numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(1_000);
  });
});
