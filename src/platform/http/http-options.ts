import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { ClockGuard } from '../event-store/clock-guard.js';
import type { Tracing } from '../tracing/tracing.js';
import type { InterfaceDescription } from './openapi/interface-description.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where clients find the service, without a slash at the end. */
    publicUrl(): string;
    /** Whether the key of a request that was admitted has neither expired nor been revoked since. */
    admitsStill(request: FastifyRequest): boolean;
    readonly logger: Logger;
    /** A request could not be answered as it should, for whoever draws conclusions from why. */
    failed(error: unknown): void;
  }
  interface FastifyRequest {
    /** What this request is answered with; set before anything else looks at it. */
    answer: FastifyReply | null;
  }
}

/** Injection token of HttpOptions. */
export const HTTP_OPTIONS = Symbol('HttpOptions');

export interface HttpOptions {
  /** Where clients find the service, without a slash at the end. Read for every link: it may be set once the port is known. */
  readonly publicAddress: { url: string };
  /** Per merchant, and per address without a key; 0: no limit. */
  readonly rateLimitPerSecond: number;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Told of every failure that a request is answered for. */
  readonly onFailure?: (error: unknown) => void;
  readonly logger: Logger;
  /** What `/metrics` answers; default: the metrics of this process. */
  readonly metrics?: () => Promise<string>;
  /** What `/docs` and the OpenAPI documents tell. Without: there are none. */
  readonly interface?: InterfaceDescription;
  /** Absent: no request is traced. */
  readonly tracing?: Tracing | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Asked before a merchant's write is taken, and what keys are judged by. Without: writes are always taken, by this process's clock. */
  readonly clockGuard?: ClockGuard;
}

/** Bounds on what a client may send and how long it may take. Bytes and milliseconds. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** All headers must be there by then. */
  readonly headersMs: number;
  /** All of the request, its body too, must be there by then. */
  readonly requestMs: number;
  /** A connection on which nothing happens, a response that is not read. */
  readonly idleMs: number;
  /** Between two requests of a connection; above the idle time of common load balancers, which must close first. */
  readonly keepAliveMs: number;
  /** A handler that has not answered by then is answered for: 503. */
  readonly handlerMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 65_536,
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 60_000,
  keepAliveMs: 72_000,
  handlerMs: 4_900,
};
