import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClockRefused } from '../event-store/clock-guard.js';
import { OutcomeUnknown, StoreUnavailable, StreamBusy } from '../event-store/event-store.js';
import { plainPage } from '../html/document.js';
import { html } from '../html/html.js';
import { isConnectionFailure } from '../postgres/connection-failure.js';
import { isMissingTable } from '../postgres/missing-table.js';
import { HTTP_PROBLEMS, HttpProblem, type HttpProblemCode, Problem } from '../problem.js';
import { pathBelow } from '../text/uri.js';
import { newRequestId, RESPONSE_HEADERS } from './edge/response-headers.js';

const MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** Converts every failure to an answer: our own, Nest's, Fastify's, the stores' and bugs. The only place that does. */
function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof OutcomeUnknown) {
    return new HttpProblem('unavailable', `It is not known whether the write was recorded. ${wayOn(request)}`);
  }
  if (error instanceof ClockRefused) return new HttpProblem('unavailable', error.message, { headers: { 'retry-after': '5' } });
  if (error instanceof StreamBusy) return new HttpProblem('record-busy', `The record is busy: ${error.why}. Nothing was recorded.`);
  if (error instanceof StoreUnavailable) return new HttpProblem('unavailable', 'The event store cannot be reached. Nothing was recorded.');
  const code = codeOf(error);
  if (code !== undefined) return new HttpProblem(code, DETAILS[code] ?? HTTP_PROBLEMS[code].title);
  if (isMissingTable(error)) return new HttpProblem('unavailable', 'The read models are being built. Repeat the request in a moment.');
  if (isConnectionFailure(error)) return new HttpProblem('unavailable', 'The database cannot be reached. Repeat the request.');
  return new HttpProblem('internal-error', 'The request failed because of an error in the service, which has been logged.');
}

/** Returns the advice for an unknown outcome of a write. */
export function wayOn({ headers }: FastifyRequest): string {
  return headers['idempotency-key'] === undefined
    ? 'Repeat the request, or read the record first: a change that was already made is not made again.'
    : 'Repeat the request with the same Idempotency-Key: it returns the record if it was created, and creates it otherwise.';
}

const FASTIFY_CODES: Readonly<Record<string, HttpProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-request',
  // A path that cannot be decoded, or with a part that is longer than any id, names nothing.
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
};

const STATUS_TO_CODE: Readonly<Record<number, HttpProblemCode>> = {
  400: 'malformed-request',
  401: 'unauthenticated',
  403: 'insufficient-scope',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
  431: 'headers-too-large',
  503: 'unavailable',
};

const DETAILS: Partial<Record<HttpProblemCode, string>> = {
  'body-too-large': 'The body is larger than 64 KiB.',
  'unsupported-media-type': 'Send the body with the header "Content-Type: application/json".',
  'malformed-request': 'The request could not be read as HTTP.',
  'not-found': 'There is nothing at this path.',
  'headers-too-large': 'The request line and headers are larger than 16 KiB.',
  'request-timeout': 'The request did not arrive in time.',
};

function codeOf(error: unknown): HttpProblemCode | undefined {
  if (error instanceof HttpException) return STATUS_TO_CODE[error.getStatus()];
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && code in FASTIFY_CODES) return FASTIFY_CODES[code];
  // Fastify's body reader failed on a broken connection: the client's fault.
  return statusCode === 400 ? 'malformed-request' : undefined;
}

/** Returns the refusal for `error`; failures that are not the client's are logged with the request's id. */
export function problemOf(error: unknown, request: FastifyRequest): Problem {
  const problem = toProblem(error, request);
  request.server.failed(error);
  if (problem.status === 500)
    request.server.logger.error({ err: error, request_id: request.id, method: request.method, route: request.routeOptions.url }, 'request failed');
  return problem;
}

/** Headers of an answer that a handler had begun. A client would unpack, cache or save the problem that is sent in its place. */
const HEADERS_OF_AN_ANSWER = [
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'etag', 'idempotent-replayed'],
  ...['link', 'location', 'x-total-count'],
];

/** Removes the headers of an answer that is not sent, and restores those that every answer has. */
export function dropAnswer(reply: FastifyReply): void {
  for (const name of HEADERS_OF_AN_ANSWER) void reply.removeHeader(name);
  void reply.headers(RESPONSE_HEADERS);
}

/** Answers `error`; failures that are not the client's are logged with the request's id. When the headers are already sent, it is only logged. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error, request);
  const { status, headers } = problem.kind;
  if (reply.sent || reply.raw.headersSent) return;
  dropAnswer(reply);
  // A path that Fastify rejected before its hooks ran has no id yet.
  if (!reply.hasHeader('request-id')) void reply.header('request-id', request.id);
  if (headers !== undefined) void reply.headers(headers);
  if (problem.headers !== undefined) void reply.headers(problem.headers);
  void reply
    .code(status)
    .header('content-type', MEDIA_TYPE)
    .send(problemBody(problem, request.server.basePath + request.url, request.id, request.server.publicUrl()));
}

/** Answers a page, to a person who opened one. */
export function sendProblemPage({ kind: { status, title }, detail, headers = {} }: Problem, reply: FastifyReply): void {
  const page = plainPage(
    title,
    html`<p class="kind">${status}</p>
      <h1>${title}</h1>
      <p>${detail}</p>`,
  );
  void reply
    .code(status)
    .headers({ ...headers, ...page.headers })
    .send(page.body);
}

function problemBody(problem: Problem, url: string, requestId: string, publicUrl: string): string {
  const { status, title } = problem.kind;
  const query = url.indexOf('?');
  return JSON.stringify({
    type: `${publicUrl}/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    instance: url === '' ? '' : pathBelow(publicUrl, query === -1 ? url : url.slice(0, query)),
    code: problem.code,
    request_id: requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...problem.members,
  });
}

/** Answers on a connection whose bytes never became a request, and closes it. */
export function sendRawProblem(socket: Socket, code: HttpProblemCode, publicUrl: string): void {
  const { status } = HTTP_PROBLEMS[code];
  const id = newRequestId();
  const body = problemBody(new HttpProblem(code, DETAILS[code] ?? HTTP_PROBLEMS[code].title), '', id, publicUrl);
  const headers = {
    ...RESPONSE_HEADERS,
    'request-id': id,
    'content-type': MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`);
}
