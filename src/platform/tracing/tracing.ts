import { randomBytes } from 'node:crypto';

/**
 * Where work belongs in a trace, made of ids that events carry anyway: nothing is stored for tracing, and any process can tell what an
 * event's parent is. The span of a request has the first digits of the request's id, the span of an append those of the event's.
 */
export interface TracePlace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits; undefined: the work begins the trace. */
  readonly parentId: string | undefined;
}

export interface FinishedSpan extends TracePlace {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal' | 'producer';
  readonly spanId: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed?: boolean;
}

/** Sends spans somewhere. Absent wherever tracing is off: then nothing is loaded, and nobody is asked. */
export interface Tracing {
  /** Whether spans of this trace are sent; what costs something to find out can be left alone otherwise. */
  samples(traceId: string): boolean;
  record(span: FinishedSpan): void;
  /** Resolves when what was recorded is sent, or could not be. */
  close(): Promise<void>;
}

/** Of work that nothing else refers to. */
export const newSpanId = (): string => randomBytes(8).toString('hex');

export const nowMs = (): number => performance.timeOrigin + performance.now();

/** A UUID, a request's id or a trace id as 32 hex digits; undefined for anything else. */
function hexOf(id: string): string | undefined {
  const hex = id.replace(/^req_/, '').replaceAll('-', '');
  return /^(?!0{16})[0-9a-f]{32}$/.test(hex) ? hex : undefined;
}

/** Of the request or event with this id. */
export const spanIdOf = (id: string): string | undefined => hexOf(id)?.slice(0, 16);

/** Of the correlation id of a request or an event. */
export const traceIdFrom = (correlationId: string): string | undefined => hexOf(correlationId);

/** What of an event leads to its place. */
export interface TracedEvent {
  readonly id: string;
  readonly type: string;
  readonly metadata: Ids;
}

interface Ids {
  readonly $correlationId: string;
  readonly $causationId: string;
}

/** Of the append of an event: below what caused it. */
export function placeOfAppend({ $correlationId, $causationId }: Ids): TracePlace | undefined {
  const traceId = traceIdFrom($correlationId);
  // A run of a worker, or a command of the command line, is its own cause.
  const isFirst = $correlationId === $causationId && !$causationId.startsWith('req_');
  return traceId === undefined ? undefined : { traceId, parentId: isFirst ? undefined : spanIdOf($causationId) };
}

/** Of what follows from an event: below its append. */
export function placeBehind({ id, metadata }: TracedEvent): TracePlace | undefined {
  const traceId = traceIdFrom(metadata.$correlationId);
  return traceId === undefined ? undefined : { traceId, parentId: spanIdOf(id) };
}
