import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { status } from '../../../src/web/console/shared/components.js';
import { STYLE } from '../../../src/web/console/shared/layout.js';
import { CONSOLE_STATES, toneOf, type State } from '../../../src/web/console/shared/tones.js';

const ROOT = new URL('../../../', import.meta.url);
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
const textOf = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** Name and file of every list of states that the service declares. */
const DECLARED = ['src', 'projections']
  .flatMap(filesIn)
  .flatMap((file) =>
    [...textOf(file).matchAll(/^(?:export )?const (\w*(?:STATUSES|STATES|PENDING_REASONS))(?:: [^=]+)? = \[/gm)].map(
      ([, name]) => [name!, file] as const,
    ),
  );

async function statesOf(name: string, file: string): Promise<readonly State[]> {
  const module = (await import(new URL(file, ROOT).href)) as Readonly<Record<string, readonly State[]>>;
  return module[name] ?? [];
}

describe('the tone of a state', () => {
  it.each([
    'STATUSES',
    'SETTLEMENT_STATUSES',
    'SETTLEMENT_STATES',
    'PAYOUT_STATUSES',
    'PENDING_REASONS',
    'REFUND_STATUSES',
    'DISPUTE_STATUSES',
    'DELIVERY_STATUSES',
    'PROPOSAL_STATUSES',
    'BREAK_STATUSES',
    'STATEMENT_STATUSES',
    'SUSPENSE_STATUSES',
    'DAY_STATUSES',
    'CONSOLE_STATES',
  ])('%s is among the checked lists', (name) => {
    expect(DECLARED.map(([each]) => each)).toContain(name);
  });

  it.each(DECLARED)('%s of %s: each state has a tone that the style sheet defines', async (name, file) => {
    const states = await statesOf(name, file);
    expect(states.length).toBeGreaterThan(0);
    const sheet = STYLE.text;
    for (const state of states) {
      const tone = toneOf(state);
      expect([state, tone]).toEqual([state, expect.stringMatching(/^(?:good|on|warn|bad|off)$/)]);
      if (tone !== 'off') expect(sheet).toMatch(new RegExp(`\\.status\\.${tone}\\s*\\{`));
      expect(status(state).toString()).toBe(`<span class="status ${tone}">${state}</span>`);
    }
  });

  it('no page sets the tone of a state itself', () => {
    const own = filesIn('src/web/console').filter((file) => !file.endsWith('/components.ts') && /class="status/.test(textOf(file)));
    expect(own).toEqual([]);
  });

  it.each(CONSOLE_STATES)('%s, a state of the console alone, has a tone other than off', (state) => {
    expect(toneOf(state)).not.toBe('off');
  });
});
