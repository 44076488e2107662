import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { intersects } from 'semver';
import { parse } from 'yaml';

interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps?: readonly { readonly name?: string; readonly uses?: string; readonly run?: string; readonly env?: object }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

const CI = '.github/workflows/ci.yml';
const read = (path: string): string => readFileSync(path, 'utf8');
const json = <T>(path: string): T => JSON.parse(read(path)) as T;
const yaml = <T>(path: string): T => parse(read(path)) as T;
const { version, engines } = json<Package>('package.json');
const ci = yaml<Workflow>(CI);
const release = yaml<Workflow>('.github/workflows/release.yml');
const publish = release.jobs['release']!;
const runOf = (name: string): string => publish.steps!.find((step) => step.name === name)!.run!;

describe('versions', () => {
  it('client, lockfile and chart have the version of package.json', () => {
    const { packages } = json<{ packages: Readonly<Record<string, Package>> }>('package-lock.json');
    const chart = yaml<{ version: string; appVersion: string }>('deploy/helm/chargebook/Chart.yaml');
    const client = json<Package>('packages/client/package.json');
    expect([client.version, packages['']!.version, packages['packages/client']!.version, chart.version, chart.appVersion]).toEqual(
      Array(5).fill(version),
    );
  });

  it('the rendered chart has the version of package.json', () => {
    const rendered = read('deploy/helm/chargebook.rendered.yaml');
    const versions = [...rendered.matchAll(/(?:helm\.sh\/chart: chargebook-|app\.kubernetes\.io\/version: "|image: "chargebook:)([^"\n]+)/g)];
    expect(versions.length).toBeGreaterThan(10);
    expect(new Set(versions.map(([, each]) => each))).toEqual(new Set([version]));
  });
});

describe('the workflow of the gate', () => {
  const { matrix } = ci.jobs['gate']!.strategy!;

  it('runs the gate on every line of Node.js that package.json supports', () => {
    const supported = [...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, line]) => Number(line));
    expect(supported).toHaveLength(engines.node.split('||').length);
    expect(matrix.node).toEqual(expect.arrayContaining(supported));
    expect(matrix.node.filter((line) => !intersects(`${line}.x`, engines.node))).toEqual([]);
  });

  it('runs the gate against a real event store, and only reads the repository', () => {
    const gate = ci.jobs['gate']!.steps!.find(({ run }) => run === 'bash .ci/run');
    expect(gate?.env).toEqual({ EVENTSTORE_URL: expect.stringMatching(/^kurrentdb:/) });
    expect(ci.permissions).toEqual({ contents: 'read' });
  });
});

describe('the workflow of a release', () => {
  it('requires the gate of the tagged commit', () => {
    expect(Object.keys(release.on)).toEqual(['push']);
    expect(Object.keys(ci.on)).toContain('workflow_call');
    expect(release.jobs['gate']).toEqual({ uses: `./${CI}` });
    expect(publish.needs).toBe('gate');
  });

  it('only the job that publishes has rights to write', () => {
    expect(release.permissions).toEqual({ contents: 'read' });
    expect(publish.permissions).toEqual({ contents: 'write', packages: 'write', 'id-token': 'write', attestations: 'write' });
  });

  it('uses each action in the version of the other workflow', () => {
    const actions = [...ci.jobs['gate']!.steps!, ...publish.steps!].flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((action) => !/^[\w.-]+\/[\w.-]+@v\d+$/.test(action))).toEqual([]);
    expect(new Set(actions).size).toBe(new Set(actions.map((action) => action.split('@')[0])).size);
  });

  it('copies only files that exist', () => {
    const [, files] = /^cp (.+) release\/$/m.exec(runOf('Files of the release'))!;
    expect(files!.split(' ').filter((file) => !existsSync(file))).toEqual([]);
    for (const [, folder] of runOf('Files of the release').matchAll(/(?:--workspace|package) (\S+\/\S+)/g))
      expect([folder, existsSync(folder!)]).toEqual([folder, true]);
  });

  /** Runs a step for a tag. Throws if the step fails. */
  const runFor = (tag: string, step: string, cwd = '.'): void =>
    void execFileSync('bash', ['-ec', runOf(step)], { cwd, env: { ...process.env, GITHUB_REF_NAME: tag } });

  it('accepts the tag of the version only', () => {
    runFor(`v${version}`, 'The tag is the version');
    for (const tag of [version, `v${version}1`]) expect(() => runFor(tag, 'The tag is the version')).toThrow();
  });

  it('takes its notes from the entry of the version in CHANGELOG.md', async () => {
    const changelog = read('CHANGELOG.md');
    const versions = [...changelog.matchAll(/^## (\S+)/gm)].map(([, heading]) => heading);
    const entry = changelog.split(/^## .*\n/m)[1 + versions.indexOf(version)]!;
    const folder = await mkdtemp(join(tmpdir(), 'chargebook-notes-'));
    try {
      await writeFile(join(folder, 'CHANGELOG.md'), changelog);
      runFor(`v${version}`, 'Notes of the release', folder);
      expect(read(join(folder, 'release-notes.md'))).toBe(entry);
      expect(() => runFor(`v${version}1`, 'Notes of the release', folder)).toThrow();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
