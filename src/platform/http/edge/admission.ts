import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { type ByKey, type Guard, NotKnownYet } from '../../auth/guard.js';
import type { SessionGate } from '../../auth/session-gate.js';
import type { ClockGuard } from '../../event-store/clock-guard.js';
import { HttpProblem, Problem } from '../../problem.js';
import { preferredType } from '../accept.js';
import { sendProblemPage } from '../problem-response.js';
import type { QueryParameters } from '../query.js';
import type { RoutePolicy } from './route-policy.js';
import { refuseUpload } from '../uploads.js';
import { invalid, prepareDtosOf, unknownField, unknownParameter } from '../validation/validation.js';

type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

const PROBLEM_TYPE = 'application/problem+json';
const PAGE_TYPE = 'text/html';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export interface Admitting {
  readonly guard: Guard;
  /** Called when a route needs it. */
  readonly sessionGate: () => SessionGate;
  readonly clockGuard: ClockGuard | undefined;
  /** The application answers as of a past moment. */
  readonly isPast: boolean;
}

/** Authorises requests before their body is read, by the route's policy. A route without a policy fails the start. */
export function addAdmission(http: FastifyInstance, admitting: Admitting): void {
  http.addHook('onRoute', (route) => {
    const policy = route.config?.policy;
    const access = policy?.access;
    if (policy === undefined || access === undefined) throw new TypeError(`${String(route.method)} ${route.url} declares no access policy`);
    prepareDtosOf(policy);
    // Assigned, not appended: Fastify derives the HEAD route from these very options.
    const hasNoPast = admitting.isPast && policy.hasNoPast === true;
    if (access.kind === 'session') route.onRequest = admitSession(admitting.guard, admitting.sessionGate(), hasNoPast);
    else if (hasNoPast) route.onRequest = (_request, _reply, done) => done(noPast());
    else if (access.kind === 'public') route.onRequest = admitVisitor(admitting.guard, access.unlimited);
    else admitKey(route, access, policy, admitting);
  });
}

const noPast = (): HttpProblem => new HttpProblem('not-in-the-past', 'This does not follow from the events alone, so it has no past.');

function admitVisitor(guard: Guard, unlimited: boolean): OnRequest {
  return (request, reply, done) => {
    const refusal = refusalOf(() => guard.admit({ kind: 'public', unlimited }, request, reply));
    if (refusal instanceof Problem && request.method === 'GET' && preferredType(request, reply, [PROBLEM_TYPE, PAGE_TYPE]) === PAGE_TYPE) {
      sendProblemPage(refusal, reply);
    } else done(refusal);
  };
}

/** The visitor's limit applies first: a caller without a session is only an address. */
function admitSession(guard: Guard, gate: SessionGate, hasNoPast: boolean): OnRequest {
  const asVisitor = admitVisitor(guard, false);
  return (request, reply, done) =>
    asVisitor(request, reply, (refusal) => {
      if (refusal) done(refusal);
      else
        gate.admit(request).then(
          () => (hasNoPast ? gate.refuse(noPast(), request, reply) : done()),
          (error: unknown) => gate.refuse(error, request, reply),
        );
    });
}

function admitKey(route: RouteOptions, access: ByKey, { query, body, upload }: RoutePolicy, { guard, clockGuard }: Admitting): void {
  route.onRequest = (request, reply, done) => {
    const admit = () =>
      refusalOf(() => {
        guard.admit(access, request, reply);
        if (query === undefined) refuseQuery(request);
        if (upload !== undefined) refuseUpload(request, upload);
      });
    const proceed = (refusal: Error | undefined): void => {
      if (refusal !== undefined || access.kind !== 'merchant' || clockGuard === undefined || READS.has(request.method)) done(refusal);
      else whenClockIsRight(clockGuard, done);
    };
    const refusal = admit();
    if (refusal instanceof NotKnownYet) guard.catchUp().then(() => proceed(admit()), done);
    else proceed(refusal);
  };
  if (body === undefined && upload === undefined) route.preHandler = (request, _reply, done) => done(refusalOf(() => refuseBody(request)));
}

/** Fastify's callback hooks do not catch exceptions; its promise hooks cost every request a turn of the event loop. */
export function refusalOf(step: () => void): Error | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** A process with a wrong clock must neither accept nor refuse a write by the rules: both decisions would use the wrong time. */
function whenClockIsRight(clockGuard: ClockGuard, done: (refusal?: Error) => void): void {
  let comparing: Promise<void> | undefined;
  const refusal = refusalOf(() => {
    comparing = clockGuard.check();
  });
  if (comparing) comparing.then(() => done(), done);
  else done(refusal);
}

/** Rejects parameters for a handler that reads no query: a mistyped filter would be ignored silently. */
function refuseQuery(request: FastifyRequest): void {
  const faults = (request.query as QueryParameters).entries.map(({ name }) => unknownParameter(name));
  if (faults.length > 0) throw invalid('query', faults);
}

/** Rejects a body, except an empty object, for a handler that reads none. */
function refuseBody({ body }: FastifyRequest): void {
  if (body === undefined) return;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('body', [{ at: '', code: 'unexpected-body', detail: 'This operation takes no body.' }]);
  const faults = Object.keys(body).map((name) => unknownField('', name));
  if (faults.length > 0) throw invalid('body', faults);
}
