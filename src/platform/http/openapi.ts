import { STATUS_CODES } from 'node:http';
import { applyDecorators, Injectable, type INestApplication, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOkResponse, DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type ProblemCode, PROBLEMS } from '../problems.js';
import { requireDistinctSchemaNames } from './schema-names.js';

const CODES = 'x-problem-codes';

/** The problems of an operation beyond those that follow from its body, its key and its parameters, and faults of ours. */
export const Problems = (...codes: readonly ProblemCode[]) => ApiExtension(CODES, codes);

/** An answer by the request's Accept header: JSON, and, where they are given, an item a line (NDJSON), CSV, and a page to print. */
export function ApiAnswerForms(forms: { readonly json: Type; readonly ndjsonLine?: Type; readonly csv?: true; readonly html?: true }) {
  const { json, ndjsonLine, csv, html } = forms;
  const line = ndjsonLine && { description: 'Of each line.', allOf: [{ $ref: getSchemaPath(ndjsonLine) }] };
  const headers = csv && { 'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' } };
  return applyDecorators(
    ApiExtraModels(json, ...(ndjsonLine ? [ndjsonLine] : [])),
    ApiOkResponse({
      description: 'In the form that Accept asks for; JSON without it.',
      ...(headers && { headers }),
      content: {
        'application/json': { schema: { $ref: getSchemaPath(json) } },
        ...(line && { 'application/x-ndjson': { schema: line } }),
        ...(csv && { 'text/csv': { schema: { type: 'string', description: 'A row of names, then a row an item.' } } }),
        ...(html && { 'text/html': { schema: { type: 'string', description: 'For people, and for the printer.' } } }),
      },
    }),
  );
}

const DESCRIPTION = `
Charges, payouts, customers and balances of a merchant, on a ledger of facts.

**Money** is an integer in minor units: 10000 stands for 100.00. **Times** are RFC 3339 with an offset. **Enumerations** and
currency codes are accepted in any case and answered in upper case. Unknown fields and parameters are refused.

**Repeat safely.** Creating a record takes an \`Idempotency-Key\`. The same key with the same body answers the first response
again, whenever it is sent; with another body it is refused.

**Refusals** are \`application/problem+json\`; their \`type\` is the address of a page that explains them.
`.trim();

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { [CODES]?: readonly ProblemCode[] };
type Responses = Operation['responses'];
type Components = NonNullable<OpenAPIObject['components']>;

interface Parameter {
  name?: string;
  $ref?: string;
}

interface KnownResponse {
  description: string;
  headers?: Record<string, unknown>;
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly type?: string } }>>;
}

/** The interface's OpenAPI 3.1 document, made when it is first asked for. */
@Injectable()
export class OpenApiDocument {
  private app: INestApplication | undefined;
  private json: string | undefined;

  /** @throws TypeError when the document could not tell two classes apart: the service does not start. */
  of(app: INestApplication): void {
    requireDistinctSchemaNames(app);
    this.app = app;
  }

  /** `publicUrl` becomes the document's server. */
  toJson(publicUrl: string): string {
    if (this.app === undefined) throw new TypeError('the application is not there yet');
    this.json ??= JSON.stringify(describe(this.app, publicUrl));
    return this.json;
  }
}

function describe(app: INestApplication, publicUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Chargebook: merchant payments')
    .setVersion('1.0.0')
    .setDescription(DESCRIPTION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicUrl)
    // Not addBearerAuth: it says that the bearer is a JWT.
    .addSecurity('merchant-key', { type: 'http', scheme: 'bearer', description: 'A merchant’s key: `sk_test_…` or `sk_live_…`.' })
    .addSecurity('finance-key', {
      ...{ type: 'http', scheme: 'bearer' },
      description: 'A finance key: `fk_…`. It reads across merchants and changes nothing.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: (_controller, method) => method });
  const shared: Responses = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = item[method] as Operation | undefined;
      if (operation !== undefined) complete(operation, method, path, shared);
    }
  }
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA },
    responses: shared,
    headers: HEADERS,
    parameters: PARAMETERS,
  } as Components;
  return document;
}

/** What holds for every operation is written once, here. */
function complete(operation: Operation, method: string, path: string, shared: Responses): void {
  const parameters = (operation.parameters ??= []) as Parameter[];
  const takes = (wanted: string) => parameters.some(({ name }) => name === wanted);
  const idempotent = takes('Idempotency-Key');
  const keys = (operation.security ??= []).flatMap((requirement) => Object.keys(requirement));
  const secured = keys.length > 0;
  operation.operationId = operationId(method, path);
  const codes = new Set<ProblemCode>(operation[CODES] ?? []);
  const add = (...more: ProblemCode[]) => more.forEach((code) => codes.add(code));
  if (secured) add('unauthenticated', 'insufficient-scope', 'rate-limited', 'validation-failed');
  if (operation.requestBody !== undefined) add('validation-failed', 'malformed-json', 'body-too-large', 'unsupported-media-type');
  if (idempotent) add('idempotency-key-missing', 'idempotency-key-malformed', 'idempotency-key-reused');
  if (secured && method !== 'get') add('record-busy');
  add('internal-error', 'unavailable');
  delete operation[CODES];
  const headers = ['Request-Id'];
  if (secured) headers.push(...RATE);
  if (idempotent) headers.push('Location', 'Idempotent-Replayed');
  if (secured || method !== 'get') headers.push('Ledger-Lag');
  if (keys.includes('merchant-key') && method === 'get') parameters.push({ $ref: '#/components/parameters/Min-Ledger-Position' });
  if (method !== 'get') headers.push('Ledger-Position');
  for (const [status, response] of Object.entries(operation.responses)) {
    const known = response as KnownResponse;
    if (known.description === '') known.description = STATUS_CODES[status] ?? 'The answer.';
    const isPagedArray = takes('PageNumber') && known.content?.['application/json']?.schema?.type === 'array';
    known.headers = { ...references('headers', isPagedArray ? [...headers, 'X-Total-Count', 'Link'] : headers), ...known.headers };
  }
  for (const [status, ofStatus] of byStatus([...codes])) {
    const response = problemResponse(status, ofStatus, secured);
    const name = ofStatus.length === 1 && secured ? ofStatus[0] : undefined;
    if (name === undefined) {
      operation.responses[status] = response;
    } else {
      shared[name] = response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
}

/** `POST /v1/charges/{id}/cancel` is `post-v1-charges-id-cancel`: stable, unique, and free of class names. */
function operationId(method: string, path: string): string {
  return [method, ...path.split('/').map((part) => part.replace(/[{}]/g, ''))].filter((part) => part !== '').join('-');
}

const RATE = ['RateLimit-Policy', 'RateLimit'];

function byStatus(codes: readonly ProblemCode[]): [number, ProblemCode[]][] {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

function problemResponse(status: number, codes: readonly ProblemCode[], secured: boolean): Responses[string] {
  const rated = secured && status !== 401;
  const special = { 401: ['WWW-Authenticate'], 403: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] }[status] ?? [];
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: references('headers', ['Request-Id', ...(rated ? [...RATE, 'Ledger-Lag'] : []), ...special]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function references(kind: keyof Components, names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));
}

function exampleOf(code: ProblemCode): object {
  const { status, title } = PROBLEMS[code];
  return {
    type: `https://pay.example.com/problems/${code}`,
    title,
    status,
    detail: title,
    instance: '/v1/…',
    code,
    request_id: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
    ...(code === 'validation-failed'
      ? { errors: [{ pointer: '/amount', code: 'not-an-integer', detail: 'Must be an integer in minor units: 10000 stands for 100.00.' }] }
      : {}),
  };
}

const text = (description: string, extra: object = {}) => ({ type: 'string', description, ...extra });

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: text('Address of a page that explains the problem.', { format: 'uri' }),
    title: text('The kind of problem in words.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('What was wrong with this request. For people; may change.'),
    instance: text('Path of the request.'),
    code: text('The kind of problem, for programs; the last part of type.', { enum: Object.keys(PROBLEMS) }),
    request_id: text('Quote it when you ask for help.'),
    errors: {
      type: 'array',
      description: 'Every field or parameter that is wrong.',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          pointer: text('JSON pointer (RFC 6901) into the body.'),
          parameter: text('Name of a query parameter.'),
          code: text('Stable, for programs.'),
          detail: text('For people; may change.'),
        },
      },
    },
  },
};

const header = (description: string, example: string, type = 'string') => ({ description, schema: { type }, example });

const HEADERS = {
  'Request-Id': header('On every answer. Quote it when you ask for help.', 'req_4bf92f3577b34da6a3ce929d0e0e4736'),
  'RateLimit-Policy': header('Requests that may come at once (q), and the seconds in which they are there again (w).', '"default";q=200;w=2'),
  RateLimit: header('Requests that may follow at once (r), and the seconds until all are there again (t).', '"default";r=199;t=1'),
  'Retry-After': header('Seconds to wait.', '1'),
  'WWW-Authenticate': header('Why the key was refused (RFC 6750).', 'Bearer realm="chargebook", error="invalid_token"'),
  Location: header('Path of the record.', '/v1/charges/0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d'),
  'Idempotent-Replayed': header('true when the Idempotency-Key was used before, and this is the first response again.', 'true'),
  'Ledger-Position': header('Where the write stands; opaque. A read that sends it as Min-Ledger-Position sees the write.', '1z141z4'),
  'Ledger-Lag': header(
    'Seconds by which what is read may be behind; absent when it is not. A 404 that carries it may be of a record that was just created.',
    '2',
  ),
  'X-Total-Count': header('Records that match, on all pages.', '35'),
  'Content-Disposition': header('The name of the file, of CSV.', 'attachment; filename="journal.csv"'),
  Link: header('Pages (RFC 8288): rel first, prev, next and last.', '<https://pay.example.com/v1/payouts?PageNumber=2&PageSize=10>; rel="next"'),
};

const PARAMETERS = {
  'Min-Ledger-Position': {
    in: 'header',
    name: 'Min-Ledger-Position',
    required: false,
    description:
      'A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.',
    schema: { type: 'string' },
    example: '1z141z4',
  },
};
