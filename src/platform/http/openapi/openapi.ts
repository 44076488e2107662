import { STATUS_CODES } from 'node:http';
import { applyDecorators, Inject, Injectable, type INestApplication, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  DocumentBuilder,
  getSchemaPath,
  type OpenAPIObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { isReadScope } from '../../auth/guard.js';
import { type HttpProblemCode, HTTP_PROBLEMS, type ProblemKind, type ProblemKinds } from '../../problem.js';
import { HTTP_OPTIONS, type HttpOptions } from '../http-options.js';
import type { InterfaceDescription, InterfaceDocument } from './interface-description.js';
import {
  type Components,
  type Operation as PlainOperation,
  PROBLEM_CODES,
  problemResponse,
  RATE_HEADERS,
  references,
  type Responses,
  sharedComponents,
} from './openapi-components.js';
import { explain } from './openapi-words.js';
import { policiesOf } from '../edge/route-policy.js';
import { requireDistinctSchemaNames } from './schema-names.js';
import { StaticText } from '../static-text.js';
import { prepareDtosOf } from '../validation/validation.js';

const BODY_EXAMPLE = 'x-body-example';

/** Sets an operation's name for programs, a summary of one line, and a description when the line is not enough. */
export const Operation = (operationId: string, summary: string, description?: string) =>
  ApiOperation({ operationId, summary, ...(description !== undefined && { description }) });

/** A body that the operation accepts, where the examples of its properties do not go together. */
export const BodyExample = (example: object) => ApiExtension(BODY_EXAMPLE, example);

/** Documents the header Location of an answer: `headers: LOCATION`. */
export const LOCATION = { Location: { $ref: '#/components/headers/Location' } };

/** An answer by the request's Accept header: JSON and, when given, an item per line (NDJSON), CSV, and a page to print. */
export function ApiAnswerForms(forms: {
  readonly json: Type;
  readonly ndjsonLine?: Type;
  readonly csv?: true;
  readonly html?: true;
  readonly asOf?: true;
}) {
  const { json, ndjsonLine, csv, html, asOf } = forms;
  const line = ndjsonLine && { description: 'JSON object per line.', allOf: [{ $ref: getSchemaPath(ndjsonLine) }] };
  const named = [...(csv ? ['Content-Disposition'] : []), ...(asOf ? ['As-Of-Position'] : [])];
  const headers = named.length > 0 && Object.fromEntries(named.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  return applyDecorators(
    ApiExtraModels(json, ...(ndjsonLine ? [ndjsonLine] : [])),
    ApiOkResponse({
      description: 'The format that Accept requests; JSON by default.',
      ...(headers && { headers }),
      content: {
        'application/json': { schema: { $ref: getSchemaPath(json) } },
        ...(line && { 'application/x-ndjson': { schema: line } }),
        ...(csv && { 'text/csv': { schema: { type: 'string', description: 'A row of names, then one row per item.' } } }),
        ...(html && { 'text/html': { schema: { type: 'string', description: 'Printable page for people.' } } }),
      },
    }),
  );
}

type CodedOperation = Omit<PlainOperation, 'requestBody'> & {
  [PROBLEM_CODES]?: readonly string[];
  [BODY_EXAMPLE]?: object;
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: object }>> };
};
type DocumentParts = Pick<OpenAPIObject, 'paths'> & { readonly webhooks?: InterfaceDocument['webhooks'] };

interface Parameter {
  name?: string;
  $ref?: string;
}

interface KnownResponse {
  description: string;
  headers?: Record<string, unknown>;
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly type?: string } }>>;
}

/** The interface's OpenAPI 3.1 documents, built at the first request for one. */
@Injectable()
export class OpenApiDocuments {
  private app: INestApplication | undefined;
  private texts: ReadonlyMap<string, StaticText> | undefined;

  constructor(@Inject(HTTP_OPTIONS) private readonly options: HttpOptions) {}

  /** @throws TypeError when a document could not distinguish two classes: the service does not start. */
  of(app: INestApplication): void {
    requireDistinctSchemaNames(app);
    this.app = app;
  }

  /** Returns the document of this file, as JSON; undefined when there is none. */
  json(file: string): StaticText | undefined {
    if (this.app === undefined) throw new TypeError('the application is not created yet');
    this.texts ??= new Map(
      [...describeInterface(this.app, this.options.interface, this.options.publicAddress.url)].map(([name, document]) => [
        name,
        new StaticText(JSON.stringify(document), 'application/json; charset=utf-8'),
      ]),
    );
    return this.texts.get(file);
  }
}

const SECURITY = {
  'merchant-key': 'A merchant’s key: `sk_test_…` or `sk_live_…`.',
  'finance-key': 'A finance key: `fk_…`. It reads across merchants and changes nothing.',
  'operator-key':
    'A key of an operator: `ok_…`. It has the rights of a finance key and the operator’s roles, until it expires or the operator is suspended.',
};

/** Returns every document by its file. `publicUrl` becomes their server. */
export function describeInterface(
  app: INestApplication,
  description: InterfaceDescription | undefined,
  publicUrl: string,
): Map<string, OpenAPIObject> {
  const { version = '', documents = [], glossary = {}, problems = HTTP_PROBLEMS } = description ?? {};
  // The command that writes the documents to files registers no routes.
  for (const policy of policiesOf(app)) prepareDtosOf(policy);
  const whole = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build());
  const responses: Responses = {};
  for (const item of Object.values(whole.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as CodedOperation | undefined;
      if (operation !== undefined) complete(operation, method, responses, problems);
    }
  }
  const shared = sharedComponents(responses, problems);
  const components = { ...shared, schemas: { ...whole.components?.schemas, ...shared.schemas } };
  const fileOf = (path: string) => documents.filter(({ under }) => path.startsWith(under)).sort((a, b) => b.under.length - a.under.length)[0]?.file;
  return new Map(
    documents.map((document) => {
      const { file, title, tags, webhooks } = document;
      const paths = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => fileOf(path) === file));
      const parts: DocumentParts = { paths, ...(webhooks && { webhooks }) };
      const securitySchemes = Object.fromEntries(
        Object.entries(SECURITY)
          .filter(([name]) => JSON.stringify(paths).includes(`{"${name}":`))
          .map(([name, text]) => [name, { type: 'http', scheme: 'bearer', description: text }]),
      );
      const made = {
        openapi: '3.1.0',
        info: {
          ...{ title, description: document.description, version },
          license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
        },
        servers: [{ url: publicUrl }],
        tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
        ...parts,
        components: { ...used(parts, components), securitySchemes },
      } as OpenAPIObject;
      explain(made, glossary);
      exclude(made);
      return [file, made];
    }),
  );
}

/**
 * Changes every anyOf in `part` into oneOf, at any depth. Nest writes a member that may be null as anyOf, which NSwag reads as never null. No value
 * fits two of our alternatives, so both have one meaning.
 */
function exclude(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  const { anyOf, ...rest } = part as { anyOf?: unknown };
  if (anyOf !== undefined) {
    delete (part as { anyOf?: unknown }).anyOf;
    Object.assign(part, { oneOf: anyOf });
  }
  for (const value of Object.values(rest)) exclude(value);
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Returns the `components` to which the parts refer, directly or through others. */
function used(parts: DocumentParts, components: Components): Components {
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, reference] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (found.has(reference!)) continue;
      found.add(reference!);
      const [kind, name] = reference!.split('/') as [keyof Components, string];
      follow((components[kind] as Record<string, unknown>)[name]);
    }
  };
  follow(parts);
  return Object.fromEntries(
    Object.entries(components).map(([kind, each]) => [
      kind,
      Object.fromEntries(Object.entries(each as object).filter(([name]) => found.has(`${kind}/${name}`))),
    ]),
  );
}

/** Adds the parts that all operations have. */
function complete(operation: CodedOperation, method: (typeof METHODS)[number], shared: Responses, problems: ProblemKinds): void {
  const parameters = (operation.parameters ??= []) as Parameter[];
  const takes = (wanted: string) => parameters.some(({ name }) => name === wanted);
  const idempotent = takes('Idempotency-Key');
  // A key of finance has no role.
  if (operation[PROBLEM_CODES]?.includes('insufficient-role')) operation.security = [{ 'operator-key': [] }];
  const keys = (operation.security ??= []).flatMap((requirement) => Object.keys(requirement));
  const reads = method === 'get' || operation.security.some(({ 'merchant-key': scopes }) => scopes?.some(isReadScope));
  const secured = keys.length > 0;
  const codes = new Set<string>(operation[PROBLEM_CODES] ?? []);
  const add = (...more: HttpProblemCode[]) => more.forEach((code) => codes.add(code));
  if (secured) add('unauthenticated', 'insufficient-scope', 'rate-limited', 'validation-failed');
  if (operation.requestBody !== undefined) add('validation-failed', 'body-too-large', 'unsupported-media-type');
  if (operation.requestBody !== undefined && !takesFile(operation)) add('malformed-json');
  if (idempotent) add('idempotency-key-missing', 'idempotency-key-malformed', 'idempotency-key-reused');
  if (secured && method !== 'get') add('record-busy');
  add('internal-error', 'unavailable');
  delete operation[PROBLEM_CODES];
  if (operation[BODY_EXAMPLE] !== undefined) operation.requestBody!.content['application/json']!.example = operation[BODY_EXAMPLE];
  delete operation[BODY_EXAMPLE];
  const headers = ['Request-Id'];
  if (secured) headers.push(...RATE_HEADERS);
  if (idempotent) headers.push('Location', 'Idempotent-Replayed');
  if (secured || method !== 'get') headers.push('Ledger-Lag');
  if (keys.includes('merchant-key') && reads) parameters.push({ $ref: '#/components/parameters/Min-Ledger-Position' });
  if (!reads) headers.push('Ledger-Position');
  for (const [status, response] of Object.entries(operation.responses)) {
    const known = response as KnownResponse;
    if (known.description === '') known.description = STATUS_CODES[status] ?? 'The answer.';
    const isPagedArray = takes('PageNumber') && known.content?.['application/json']?.schema?.type === 'array';
    known.headers = { ...references('headers', isPagedArray ? [...headers, 'X-Total-Count', 'Link'] : headers), ...known.headers };
  }
  for (const [status, ofStatus] of byStatus([...codes], problems)) {
    const response = problemResponse(status, ofStatus, secured);
    const name = ofStatus.length === 1 && secured ? ofStatus[0]![0] : undefined;
    if (name === undefined) {
      operation.responses[status] = response;
    } else {
      shared[name] = response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
}

const takesFile = ({ requestBody }: CodedOperation): boolean => JSON.stringify(requestBody).includes('"format":"binary"');

/** @throws TypeError when a code is not among the problems of the service */
function byStatus(codes: readonly string[], problems: ProblemKinds): [number, (readonly [string, ProblemKind])[]][] {
  const groups = new Map<number, (readonly [string, ProblemKind])[]>();
  for (const code of codes) {
    const kind = problems[code];
    if (kind === undefined) throw new TypeError(`no such problem: ${code}`);
    groups.set(kind.status, [...(groups.get(kind.status) ?? []), [code, kind]]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}
