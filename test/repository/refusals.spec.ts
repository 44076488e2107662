import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDER = 'src';

describe('refusals of deciders and handlers', () => {
  it('no refusal has an amount in minor units: people read them, in the console and in responses', () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const refusals = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').match(/\b(?:refuse|new \w*Problem)\([^;]*?\);/g) ?? []);
    expect(refusals.length).toBeGreaterThan(200);
    expect(refusals.filter((refusal) => /minor units|\$\{[\w.]*(?:amount|available|left)\}/.test(refusal))).toEqual([]);
  });
});
