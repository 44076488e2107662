import type { OpenAPIObject } from '@nestjs/swagger';
import { FIRST, FIRST_OF_FINANCE, SENDINGS, type Sending, type Step } from './postman-requests.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
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
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: object }>> };
}
interface Located {
  readonly document: OpenAPIObject;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Which variable holds the key of each kind. */
const KEYS: Readonly<Record<string, string>> = { 'merchant-key': 'merchantKey', 'finance-key': 'financeKey', 'operator-key': 'operatorKey' };
const DESCRIPTION = `Set the variables merchantKey (of a test merchant), financeKey, operatorKey (with all roles) and approverKey (of another operator with all
roles), and run the collection: its first folders create the records that the other requests need, and every request keeps the ids that later ones
use. Optional parameters are there and switched off.`;

/**
 * A collection (v2.1) of the operations in `documents`, whose requests can be sent in their order: a folder of first records, then a folder a tag.
 * Requests that end a record are the last of their folder.
 */
export function postmanCollection(documents: readonly OpenAPIObject[], url: string): object {
  const located = documents.flatMap(operationsOf);
  const stepsOf = (steps: readonly Step[]) =>
    steps.map(({ name, operation, ...sending }) =>
      requestOf(
        located.find((each) => each.operation.operationId === operation)!,
        sending,
        name,
      ),
    );
  return {
    info: {
      name: 'Chargebook',
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [{ key: 'url', value: url }, ...[...Object.values(KEYS), 'approverKey'].map((key) => ({ key, value: '' }))],
    item: [
      { name: 'First records', description: 'Records of a merchant that the other requests need.', item: stepsOf(FIRST) },
      { name: 'First proposals', description: 'Proposals that operators reject and withdraw.', item: stepsOf(FIRST_OF_FINANCE) },
      ...documents.flatMap(({ tags = [] }) =>
        tags.map(({ name, description }) => ({
          name,
          description,
          item: located
            .filter(({ operation }) => operation.tags.includes(name))
            .sort((a, b) => Number(ends(a)) - Number(ends(b)))
            .map((each) => requestOf(each, SENDINGS[each.operation.operationId] ?? {})),
        })),
      ),
    ],
  };
}

const ends = ({ method, path }: Located): boolean => method === 'delete' || /\/(cancel|challenge|accept)$/.test(path);

function operationsOf(document: OpenAPIObject): Located[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ document, path, method, operation })),
  );
}

function requestOf({ document, path, method, operation }: Located, sending: Sending, name = operation.summary): object {
  const parameters = (operation.parameters ?? []).map((each) => (each.$ref === undefined ? each : (at(document, each.$ref) as Parameter)));
  const given: Readonly<Record<string, string>> = { ...sending.path, ...sending.query, 'Idempotency-Key': '{{$guid}}' };
  const filled = (place: Parameter['in']) =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name: key, required = false, description, example, schema }) => ({
        key,
        value: given[key] ?? String(example ?? exampleOf(document, schema ?? {})),
        ...(description !== undefined && { description }),
        ...(!required && given[key] === undefined && { disabled: true }),
      }));
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const json = operation.requestBody?.content['application/json'];
  const type = json ? 'application/json' : sending.file?.type;
  const text = json
    ? JSON.stringify({ ...(json.example ?? (exampleOf(document, json.schema) as object)), ...sending.body }, null, 2)
    : sending.file?.text;
  const kind = Object.keys(operation.security?.[0] ?? {})[0];
  const token = sending.key ?? (kind === undefined ? undefined : KEYS[kind]);
  return {
    name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testOf(sending) } }],
    request: {
      method: method.toUpperCase(),
      ...(operation.description !== undefined && { description: operation.description }),
      auth: token === undefined ? { type: 'noauth' } : { type: 'bearer', bearer: [{ key: 'token', value: `{{${token}}}`, type: 'string' }] },
      header: [...filled('header'), ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }])],
      url: { raw: `{{url}}/${segments}`, host: ['{{url}}'], path: segments.split('/'), query: filled('query'), variable: filled('path') },
      ...(text !== undefined && { body: { mode: 'raw', raw: text, options: { raw: { language: json ? 'json' : 'text' } } } }),
    },
  };
}

function testOf({ saves = {}, until, or = [] }: Sending): string[] {
  const statuses = [200, 201, 204, ...or].join(', ');
  return [
    `pm.test('is accepted', () => pm.expect(pm.response.code).to.be.oneOf([${statuses}]));`,
    ...(until === undefined && Object.keys(saves).length === 0 ? [] : ['const body = pm.response.json();']),
    ...Object.entries(saves).map(([variable, value]) => `pm.collectionVariables.set('${variable}', ${value});`),
    ...(until === undefined ? [] : [`if (!(${until})) setTimeout(() => pm.execution.setNextRequest(pm.info.requestId), 200);`]),
  ];
}

function at(document: OpenAPIObject, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce((part: unknown, name) => (part as Record<string, unknown>)[name], document);
}

function exampleOf(document: OpenAPIObject, schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return exampleOf(document, at(document, schema.$ref) as Schema);
  const [first] = schema.allOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(document, first);
  if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, exampleOf(document, each)]));
  if (schema.items) return [exampleOf(document, schema.items)];
  return schema.enum?.[0] ?? null;
}
