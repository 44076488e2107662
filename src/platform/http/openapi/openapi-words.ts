import type { Glossary } from './interface-description.js';
import { ID, WHEN } from '../answer-fields.js';

interface Schema {
  description?: string;
  example?: unknown;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Adds a description and an example to every property and parameter in `part` of a document, at any depth. */
export function explain(part: unknown, glossary: Glossary): void {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) return part.forEach((each) => explain(each, glossary));
  const { properties, in: place, name, schema } = part as Schema & { readonly in?: string; readonly name?: string; readonly schema?: Schema };
  for (const [each, property] of Object.entries(properties ?? {})) fill(property, property, each, glossary);
  if (place !== undefined && name !== undefined) fill(part, schema ?? {}, name, glossary);
  for (const [key, value] of Object.entries(part)) if (key !== 'example' && key !== 'examples') explain(value, glossary);
}

function fill(described: Schema, schema: Schema, name: string, glossary: Glossary): void {
  const known = Object.hasOwn(glossary, name) ? glossary[name]! : undefined;
  const [description, example] = typeof known === 'string' ? [known] : (known ?? []);
  described.description ??= description!;
  // An object of a class is described by its own properties.
  if (described.example !== undefined || schema.example !== undefined || isOfClass(schema)) return;
  const made = example !== undefined ? example : exampleOf(schema);
  if (made !== undefined) described.example = made;
}

const isOfClass = (schema: Schema): boolean => /"\$ref"/.test(JSON.stringify(schema));

function exampleOf({ enum: words, format, type, items }: Schema): unknown {
  if (words !== undefined) return words[0];
  if (items !== undefined) {
    const item = exampleOf(items);
    return item === undefined ? undefined : [item];
  }
  return { uuid: ID, 'date-time': WHEN }[format ?? ''] ?? (type === 'boolean' ? false : undefined);
}
