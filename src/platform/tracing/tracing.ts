import { randomBytes } from 'node:crypto';

/**
 * The place of work in a trace, derived from ids that events have anyway: tracing stores nothing, and any process can determine the parent of an
 * event. The span of a request has the first digits of the request's id, the span of an append those of the event's.
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

/** Sends spans to a collector. Absent when tracing is off: nothing is loaded and no call is made then. */
export interface Tracing {
  /** Returns whether spans of this trace are sent; callers can skip expensive attributes otherwise. */
  samples(traceId: string): boolean;
  record(span: FinishedSpan): void;
  /** Resolves when the recorded spans are sent, or could not be. */
  close(): Promise<void>;
}

/** Returns the id of a span that nothing else refers to. */
export const newSpanId = (): string => randomBytes(8).toString('hex');

export const nowMs = (): number => performance.timeOrigin + performance.now();

/** Returns a UUID, a request's id or a trace id as 32 hex digits; undefined for anything else. */
function hexOf(id: string): string | undefined {
  const hex = id.replace(/^req_/, '').replaceAll('-', '');
  return /^(?!0{16})[0-9a-f]{32}$/.test(hex) ? hex : undefined;
}

/** Returns the span id of the request or event with this id. */
export const spanIdOf = (id: string): string | undefined => hexOf(id)?.slice(0, 16);

/** Returns the trace id for the correlation id of a request or an event. */
export const traceIdFrom = (correlationId: string): string | undefined => hexOf(correlationId);

/** The parts of an event that determine its place. */
export interface TracedEvent {
  readonly id: string;
  readonly type: string;
  readonly metadata: Ids;
}

interface Ids {
  readonly $correlationId: string;
  readonly $causationId: string;
}

/** Returns the place of an event's append: below its cause. */
export function placeOfAppend({ $correlationId, $causationId }: Ids): TracePlace | undefined {
  const traceId = traceIdFrom($correlationId);
  // A run of a worker, or a command of the command line, is its own cause.
  const isFirst = $correlationId === $causationId && !$causationId.startsWith('req_');
  return traceId === undefined ? undefined : { traceId, parentId: isFirst ? undefined : spanIdOf($causationId) };
}

/** Returns the place of work that follows an event: below its append. */
export function placeBehind({ id, metadata }: TracedEvent): TracePlace | undefined {
  const traceId = traceIdFrom(metadata.$correlationId);
  return traceId === undefined ? undefined : { traceId, parentId: spanIdOf(id) };
}
