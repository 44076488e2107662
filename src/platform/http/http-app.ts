import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Guard } from '../auth/guard.js';
import { KEY_DIRECTORY, type KeyDirectory } from '../auth/key-directory.js';
import { SESSION_GATE, type SessionGate } from '../auth/session-gate.js';
import { HealthChecks } from './health.js';
import { NestLogger } from '../process/logging.js';
import { HttpMetrics } from './metrics.js';
import { HttpProblem, type HttpProblemCode } from '../problem.js';
import { addAdmission, refusalOf } from './edge/admission.js';
import { addBodyParsers } from './edge/body-parsers.js';
import { addDeadlines } from './edge/deadlines.js';
import { EdgeAdapter, ProblemFilter } from './edge/edge-adapter.js';
import { EdgeModule } from './edge.module.js';
import { exactJson } from './validation/exact-json.js';
import { HTTP_LIMITS, type HttpOptions, type PastOptions } from './http-options.js';
import { OpenApiDocuments } from './openapi/openapi.js';
import { sendRawProblem } from './problem-response.js';
import { takeFromProxies } from './edge/proxied-requests.js';
import { RESPONSE_HEADERS, traceIdOf } from './edge/response-headers.js';
import { requireWholePath, RouteTable } from './edge/route-table.js';
import { traceRequests } from './trace-requests.js';
import { addUploads } from './uploads.js';

/**
 * The service's HTTP interface around `module`, which must provide KEY_DIRECTORY: limits, request ids, authentication, rate limits, validation,
 * problems, health, metrics and OpenAPI. Every route must have an access decorator (edge/access.ts).
 */
export async function createHttpApp(module: Type | DynamicModule, options: HttpOptions): Promise<NestFastifyApplication> {
  const routes = new RouteTable();
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const adapter = new EdgeAdapter(limits, routes, options.trustedProxies ?? []);
  const app = await NestFactory.create<NestFastifyApplication>(EdgeModule.around(module, options), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(options.logger),
  });
  const http = adapter.getInstance<FastifyInstance>();
  const keys = app.get<KeyDirectory>(KEY_DIRECTORY, { strict: false });
  const guard = options.guard ?? new Guard(keys, options.rateLimitPerSecond, options.clockGuard?.common);
  http.decorate('publicUrl', () => options.publicAddress.url);
  http.decorate('basePath', options.past?.basePath ?? '');
  http.decorate('logger', options.logger);
  http.decorate('failed', options.onFailure ?? (() => undefined));
  http.decorate('admitsStill', (request: FastifyRequest) => guard.admitsStill(request));
  http
    .decorateRequest('caller', null)
    .decorateRequest('keyId', null)
    .decorateRequest('stillAdmits', null)
    .decorateRequest('correlationId', '')
    .decorateRequest('answer', null);
  http.setReplySerializer(exactJson);
  addBodyParsers(http);
  addUploads(http);
  // The first hook: the span of a request begins before everything else.
  if (options.tracing) traceRequests(http, options.tracing);
  addHooks(http, routes, app.get(HealthChecks), options.past);
  addAdmission(http, {
    guard,
    clockGuard: options.clockGuard,
    isPast: options.past !== undefined,
    sessionGate: () => app.get<SessionGate>(SESSION_GATE, { strict: false }),
  });
  addDeadlines(http, limits.handlerMs);
  app.get(HttpMetrics).observe(http);
  app.get(OpenApiDocuments).of(app);
  answerBrokenConnections(http, options);
  takeFromProxies(http.server);
  app.useGlobalFilters(new ProblemFilter());
  return app;
}

/** Starts to serve. Port 0 selects a free one. Returns the URL, and sets it as the public address unless that is known. */
export async function listen(app: NestFastifyApplication, host: string, port: number, publicAddress: HttpOptions['publicAddress']): Promise<string> {
  await app.listen({ host, port });
  const address = app.getHttpServer().address() as { address: string; port: number; family: string };
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const url = `http://${['0.0.0.0', '[::]'].includes(name) ? '127.0.0.1' : name}:${address.port}`;
  if (publicAddress.url === '') publicAddress.url = url;
  return url;
}

function addHooks(http: FastifyInstance, routes: RouteTable, health: HealthChecks, past: PastOptions | undefined): void {
  http.addHook('onRequest', (request, reply, done) => {
    void reply.headers(RESPONSE_HEADERS).header('request-id', request.id);
    if (past) void reply.headers(headersOf(past));
    if (health.isDraining) void reply.header('connection', 'close');
    request.answer = reply;
    request.correlationId = traceIdOf(request.headers.traceparent) ?? request.id;
    const refusal = refusalOf(() => {
      if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
        throw new HttpProblem('malformed-request', 'The Host header is missing.');
      // Before a body is read: the body for a missing path need not be JSON.
      if (request.is404) routes.answer(request, reply);
      else requireWholePath(request);
    });
    if (refusal !== undefined || !request.is404) done(refusal);
  });
  http.addHook('onRoute', (route) => {
    routes.add(route.url, route.method);
  });
}

/** Name the moment of an answer; the head is accepted by `audit verify --head`. */
function headersOf({ position, scenario, root }: PastOptions): Record<string, string> {
  const hash = root();
  const other = scenario && { 'as-of-scenario': scenario.address };
  return { 'as-of-position': String(position), ...other, ...(hash !== undefined && { 'as-of-head': `${position}:${hash}` }) };
}

const CLIENT_ERRORS: Readonly<Record<string, HttpProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Input that Node's HTTP parser rejects never becomes a request; it is answered on the socket. */
function answerBrokenConnections(http: FastifyInstance, { publicAddress }: HttpOptions): void {
  const { server } = http;
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // A second answer must not be written into one that is under way.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) socket.destroy();
    else sendRawProblem(socket, CLIENT_ERRORS[error.code ?? ''] ?? 'malformed-request', publicAddress.url);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    sendRawProblem(socket, 'method-not-allowed', publicAddress.url);
  });
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}
