import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../golden/rails/', import.meta.url);

const read = (name: string): any => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

/** `signatures`, or the name of a fixture. */
export const railFixture = (name: string): any => read(`fixtures/${name}.json`);

/** Fixtures whose name begins with `prefix`. */
export const railFixtureNames = (prefix: string): readonly string[] =>
  readdirSync(new URL('fixtures/', FOLDER))
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.replace('.json', ''));

/** `outcomes` or `profiles`. */
export const railFacts = (name: 'outcomes' | 'profiles'): any => read(`${name}.json`);

/** The result of a call that each word of `outcomes.json` stands for. */
export const RESULT_OF_WORD: Readonly<Record<string, string>> = {
  done: 'accepted',
  no: 'rejected',
  'not-now': 'retryable',
  unknown: 'unknown',
  held: 'unknown',
  'query decides': 'unknown',
};
