import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PROJECTIONS } from '../../src/app/projections.js';

/** SHA-256 of the tables of each read model, by name and version. An entry is never edited: other tables need another version, with its own entry. */
const GOLDEN = JSON.parse(readFileSync(new URL('../golden/snapshots/read-models.json', import.meta.url), 'utf8')) as Readonly<Record<string, string>>;

const models = PROJECTIONS.flatMap((projection) => projection.readModels);

it.each(models.map((model) => [`${model.name}=${model.version}`, model] as const))(
  '%s has the tables of its version: a database of that version has no others',
  (version, model) => {
    const tables = createHash('sha256').update(model.ddl('schema')).digest('hex');
    expect({ [version]: tables }).toEqual({ [version]: GOLDEN[version] });
  },
);
