import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
}
interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Which variable holds the key of each kind. */
const KEYS: Readonly<Record<string, string>> = { 'merchant-key': 'merchantKey', 'finance-key': 'financeKey' };

/** A collection (v2.1) of all operations: a folder a tag, every request filled in with the examples of the documents. */
export function postmanCollection(documents: readonly OpenAPIObject[], url: string): object {
  return {
    info: {
      name: 'Chargebook',
      description: 'Set the variables merchantKey and financeKey to keys of yours. Optional parameters are there and switched off.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [{ key: 'url', value: url }, ...Object.values(KEYS).map((key) => ({ key, value: '' }))],
    item: documents.flatMap((document) =>
      (document.tags ?? []).map(({ name, description }) => ({
        name,
        description,
        item: operationsOf(document)
          .filter(({ operation }) => operation.tags.includes(name))
          .map(({ path, method, operation }) => requestOf(document, path, method, operation)),
      })),
    ),
  };
}

function operationsOf(document: OpenAPIObject): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  );
}

function requestOf(document: OpenAPIObject, path: string, method: string, operation: Operation): object {
  const parameters = (operation.parameters ?? []).map((each) => (each.$ref === undefined ? each : (at(document, each.$ref) as Parameter)));
  const filled = (place: Parameter['in']) =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, required = false, description, example, schema }) => ({
        key: name,
        value: name === 'Idempotency-Key' ? '{{$guid}}' : String(example ?? exampleOf(document, schema ?? {})),
        ...(description !== undefined && { description }),
        ...(!required && { disabled: true }),
      }));
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const body = operation.requestBody?.content['application/json']?.schema;
  const [fileType] = body ? [] : Object.keys(operation.requestBody?.content ?? {});
  const kind = Object.keys(operation.security?.[0] ?? {})[0];
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      ...(operation.description !== undefined && { description: operation.description }),
      auth: kind === undefined ? { type: 'noauth' } : { type: 'bearer', bearer: [{ key: 'token', value: `{{${KEYS[kind]}}}`, type: 'string' }] },
      header: [...filled('header'), ...contentType(body ? 'application/json' : fileType)],
      url: { raw: `{{url}}/${segments}`, host: ['{{url}}'], path: segments.split('/'), query: filled('query'), variable: filled('path') },
      ...(body && { body: { mode: 'raw', raw: JSON.stringify(exampleOf(document, body), null, 2), options: { raw: { language: 'json' } } } }),
      ...(fileType !== undefined && { body: { mode: 'file' } }),
    },
  };
}

const contentType = (value: string | undefined): object[] => (value === undefined ? [] : [{ key: 'Content-Type', value }]);

function at(document: OpenAPIObject, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce((part: unknown, name) => (part as Record<string, unknown>)[name], document);
}

function exampleOf(document: OpenAPIObject, schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return exampleOf(document, at(document, schema.$ref) as Schema);
  const [first] = schema.allOf ?? schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(document, first);
  if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, exampleOf(document, each)]));
  if (schema.items) return [exampleOf(document, schema.items)];
  return schema.enum?.[0] ?? null;
}
