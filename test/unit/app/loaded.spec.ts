import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { built } from '../../support/built.js';

describe('background process: projections, settlements, deliveries', () => {
  it('loads no framework: it starts sooner and uses less memory', async () => {
    const program = `
      import { createRequire } from 'node:module';
      await import(${JSON.stringify(built('src/app/workers/background.js'))});
      console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const packages = new Set([...stdout.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name));
    expect(packages).toContain('pg');
    // Nest itself consists of ES modules, which no cache lists; it loads these.
    for (const name of ['rxjs', 'class-validator', 'fastify']) expect(packages).not.toContain(name);
  });
});
