import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FORMS = '.github/ISSUE_TEMPLATE';
/** Kinds of fields that GitHub knows, with their required attributes. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  markdown: ['value'],
  textarea: ['label'],
  input: ['label'],
  dropdown: ['label', 'options'],
};

interface Update {
  readonly 'package-ecosystem': string;
  readonly directory: string;
  readonly schedule: { readonly interval: string };
  readonly groups: Readonly<Record<string, unknown>>;
  readonly ignore?: readonly { readonly 'dependency-name': string }[];
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: Readonly<Record<string, unknown>> }[];
}

const read = (path: string): string => readFileSync(path, 'utf8');
const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] };
const updatesOf = (kind: string): Update => updates.find(({ 'package-ecosystem': each }) => each === kind)!;

describe('dependabot', () => {
  it('checks everything that names versions weekly, in groups', () => {
    const manifests = {
      npm: 'package-lock.json',
      docker: 'Dockerfile',
      'docker-compose': 'docker-compose.yml',
      'github-actions': '.github/workflows',
    };
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(Object.keys(manifests));
    for (const manifest of Object.values(manifests)) expect([manifest, existsSync(manifest)]).toEqual([manifest, true]);
    for (const { directory, schedule, groups } of updates) {
      expect([directory, schedule.interval, Object.keys(groups).length > 0]).toEqual(['/', 'weekly', true]);
    }
  });

  it('ignores only dependencies and images that exist', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
    const ignored = (kind: string): string[] => updatesOf(kind).ignore!.map((each) => each['dependency-name']);
    expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(expect.arrayContaining(ignored('npm')));
    for (const image of ignored('docker')) expect(read('Dockerfile')).toContain(`FROM ${image}:`);
    for (const image of ignored('docker-compose')) expect(read('docker-compose.yml')).toMatch(new RegExp(`image: (?:[\\w.]+/)?${image}:`));
  });
});

describe('issue forms', () => {
  const forms = readdirSync(FORMS).filter((name) => name !== 'config.yml');

  it.each(forms)('%s is a form that GitHub accepts', (name) => {
    const { name: title, description, body } = parse(read(join(FORMS, name))) as Form;
    expect([title, description]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    const ids = body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(body.filter(({ type }) => type !== 'markdown').length);
    const labels = body.flatMap(({ attributes }) => attributes['label'] ?? []);
    expect(new Set(labels).size).toBe(labels.length);
    for (const { type, attributes } of body) expect(Object.keys(attributes)).toEqual(expect.arrayContaining([...ATTRIBUTES[type]!]));
  });

  it('forms lead security matters to SECURITY.md, not into an issue', () => {
    expect(existsSync('SECURITY.md')).toBe(true);
    expect(read(join(FORMS, 'bug-report.yml'))).toContain('[SECURITY.md](../security/policy)');
    const { blank_issues_enabled, contact_links } = parse(read(join(FORMS, 'config.yml'))) as {
      blank_issues_enabled: boolean;
      contact_links: { name: string; url: string; about: string }[];
    };
    expect(blank_issues_enabled).toBe(false);
    expect(contact_links).toEqual([
      { name: expect.any(String), url: expect.stringMatching(/^https:\/\//), about: expect.stringContaining('SECURITY.md') },
    ]);
  });
});

describe('files for reviewers and editors', () => {
  it('code owners are named for paths that exist', () => {
    const paths = [...read('.github/CODEOWNERS').matchAll(/^\/(\S+) +@\S+$/gm)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('the debugger of an open spec runs it as npm test does', () => {
    const { configurations } = JSON.parse(read('.vscode/launch.json')) as {
      configurations: { name: string; runtimeArgs: string[]; program: string; args: string[] }[];
    };
    const { runtimeArgs, program, args } = configurations.find(({ name }) => name === 'Open spec')!;
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { test: string } };
    expect(['node', ...runtimeArgs, program.replace('${workspaceFolder}/', '')].join(' ')).toBe(scripts.test);
    expect(args).toEqual(['--runInBand', '${relativeFile}']);
  });
});

describe('README, How it is built', () => {
  const [, section] = /^## How it is built\n([\s\S]*?)^## /m.exec(read('README.md'))!;
  /** Each package with the files that are linked behind it, up to the next one. */
  const used = [...section!.matchAll(/`(@?[a-z][\w/-]+)`([^`]*)/g)].map(([, name, text]) => ({
    name: name!,
    files: [...text!.matchAll(/\]\(((?:src|projections|test)\/[^)]+\.ts)\)/g)].map(([, file]) => file!),
  }));

  it('names the packages that the service is built on', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
    const names = used.map(({ name }) => name);
    expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(expect.arrayContaining(names));
    for (const name of ['fastify', '@nestjs/cqrs', 'class-validator', 'class-transformer', '@eventstore/db-client', 'pg', 'jest'])
      expect(names).toContain(name);
  });

  it.each(used.flatMap(({ name, files }) => files.map((file) => [name, file] as const)))('the package %s is used in %s', (name, file) => {
    expect(read(file)).toMatch(new RegExp(`from '${name === 'jest' ? '@jest/globals' : name}(?:/[^']+)?'`));
  });
});
