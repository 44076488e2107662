import type { OpenAPIObject } from '@nestjs/swagger';
import { HTTP_PROBLEMS, type ProblemKind, type ProblemKinds } from '../../problem.js';

/** Name of the extension that holds the codes of an operation's problems until the document is complete. */
export const PROBLEM_CODES = 'x-problem-codes';

export type Components = NonNullable<OpenAPIObject['components']>;
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Responses = Operation['responses'];

/** Headers of every answer to a request with a key. */
export const RATE_HEADERS = ['RateLimit-Policy', 'RateLimit'];

export function references(kind: keyof Components, names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));
}

/** The response for all problems with one status. */
export function problemResponse(
  status: number,
  problems: readonly (readonly [code: string, kind: ProblemKind])[],
  secured: boolean,
): Responses[string] {
  const rated = secured && status !== 401;
  const special =
    { 401: ['WWW-Authenticate'], 403: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After', 'Ledger-Position'] }[status] ?? [];
  return {
    description: problems.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' '),
    headers: references('headers', ['Request-Id', ...(rated ? [...RATE_HEADERS, 'Ledger-Lag'] : []), ...special]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(problems.map(([code, kind]) => [code, { value: exampleOf(code, kind) }])),
      },
    },
  };
}

const FIELD_EXAMPLE = { pointer: '/amount', code: 'not-an-integer', detail: 'Must be an integer in minor units: 10000 stands for 100.00.' };

function exampleOf(code: string, { status, title }: ProblemKind): object {
  return {
    type: `https://pay.example.com/problems/${code}`,
    title,
    status,
    detail: title,
    instance: '/v1/…',
    code,
    request_id: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
    ...(code === 'validation-failed' && { errors: [FIELD_EXAMPLE] }),
  };
}

const text = (description: string, example: string, extra: object = {}) => ({ type: 'string', description, example, ...extra });

const problemSchema = (problems: ProblemKinds) => ({
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: text('Address of a page that explains the problem.', 'https://pay.example.com/problems/not-found', { format: 'uri' }),
    title: text('The kind of problem in words.', HTTP_PROBLEMS['not-found'].title),
    status: { type: 'integer', format: 'int32', description: 'The HTTP status.', example: 404 },
    detail: text('The cause of this refusal, for people; the text may change.', 'There is no such record.'),
    instance: text('Path of the request.', '/v1/charges/0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d'),
    code: text('The kind of problem, for programs; the last part of type.', 'not-found', { enum: Object.keys(problems) }),
    request_id: text('Include it when you contact support.', 'req_4bf92f3577b34da6a3ce929d0e0e4736'),
    errors: {
      type: 'array',
      description: 'All invalid fields and parameters.',
      example: [FIELD_EXAMPLE],
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          pointer: text('JSON pointer (RFC 6901) into the body.', FIELD_EXAMPLE.pointer),
          parameter: text('Name of a query parameter.', 'PageSize'),
          code: text('Stable, for programs.', FIELD_EXAMPLE.code),
          detail: text('For people; may change.', FIELD_EXAMPLE.detail),
        },
      },
    },
    reason: text('statement-refused only: the error in the file, for programs.', 'gap'),
    line: {
      type: ['integer', 'null'],
      format: 'int64',
      description: 'statement-refused only: line of the file, from 1; null if the problem concerns no line.',
      example: 12,
    },
    expected: text('statement-refused only: the expected content.', 'an opening balance of 110.00 IDR'),
    found: text('statement-refused only: the content of the file.', '999.00'),
  },
});

const header = (description: string, example: string, type = 'string') => ({ description, schema: { type }, example });

const HEADERS = {
  'Request-Id': header('On every response. Include it when you contact support.', 'req_4bf92f3577b34da6a3ce929d0e0e4736'),
  'RateLimit-Policy': header(
    'Requests that are accepted at once (q), and the seconds until all of them are available again (w).',
    '"default";q=200;w=2',
  ),
  RateLimit: header('Requests that may follow at once (r), and the seconds until all are there again (t).', '"default";r=199;t=1'),
  'Retry-After': header('Seconds to wait.', '1'),
  'WWW-Authenticate': header('Why the key was refused (RFC 6750).', 'Bearer realm="chargebook", error="invalid_token"'),
  Location: header('Path of the record, from the root of the host.', '/v1/charges/0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d'),
  'Idempotent-Replayed': header('true when the Idempotency-Key was used before, and this is the first response again.', 'true'),
  'Ledger-Position': header(
    'Position of the write; opaque. A read that sends it as Min-Ledger-Position sees the write. With 503: it is recorded, and cannot be read yet.',
    '1z141z4',
  ),
  'Ledger-Lag': header(
    'Seconds by which the data may be behind the log; absent when it is current. A 404 with this header may concern a record that was just created.',
    '2',
  ),
  'As-Of-Position': header('With AsOf: log position of the data. The same position as AsOf returns the same response.', '4711'),
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
      'A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.',
    schema: { type: 'string' },
    example: '1z141z4',
  },
};

/** Components that operations share, beside the schemas of their classes. */
export function sharedComponents(responses: Responses, problems: ProblemKinds): Components {
  return { schemas: { Problem: problemSchema(problems) }, responses, headers: HEADERS, parameters: PARAMETERS } as Components;
}
