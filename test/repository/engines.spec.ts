import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { satisfies, subset } from 'semver';

interface Package {
  readonly engines?: { readonly node?: string };
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const locked = Object.entries(read<{ packages: Readonly<Record<string, Package>> }>('package-lock.json').packages);
const supported = read<{ engines: { node: string } }>('package.json').engines.node;
const RECOMMENDED = readFileSync('.nvmrc', 'utf8').trim();

describe('the versions of Node.js that package.json supports', () => {
  it('every installed package supports the Node.js versions: npm prints no EBADENGINE warning', () => {
    expect(locked.length).toBeGreaterThan(500);
    const refusing = locked.filter(([, { engines }]) => engines?.node !== undefined && !subset(supported, engines.node));
    expect(refusing.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
  });

  it.each(['20.19.0', '22.13.0', '24.0.0', '26.0.0'])('versions include %s', (version) => {
    expect(satisfies(version, supported)).toBe(true);
  });

  it('versions include the recommended one, which image, development container and release use as well', () => {
    expect(satisfies(`${RECOMMENDED}.0.0`, supported)).toBe(true);
    for (const [file, line] of [
      ['Dockerfile', /^FROM node:(\d+)/gm],
      ['.devcontainer/devcontainer.json', /javascript-node:(\d+)/g],
      ['.github/workflows/release.yml', /node-version: (\d+)/g],
    ] as const) {
      const lines = [...readFileSync(file, 'utf8').matchAll(line)].map(([, major]) => major);
      expect([file, new Set(lines)]).toEqual([file, new Set([RECOMMENDED])]);
    }
  });
});
