import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Guard } from '../auth/guard.js';
import type { ClockGuard } from '../event-store/clock-guard.js';
import type { Tracing } from '../tracing/tracing.js';
import type { InterfaceDescription } from './openapi/interface-description.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The service's address for clients, without a trailing slash. */
    publicUrl(): string;
    /** Returns whether the key of an admitted request has neither expired nor been revoked since. */
    admitsStill(request: FastifyRequest): boolean;
    /** Path below that address at which this application is reached; empty unless it is as of a past moment. */
    readonly basePath: string;
    readonly logger: Logger;
    /** Reports a failed request and its cause to the process. */
    failed(error: unknown): void;
  }
  interface FastifyRequest {
    /** The answer of this request; set before any other hook runs. */
    answer: FastifyReply | null;
  }
}

/** Injection token of HttpOptions. */
export const HTTP_OPTIONS = Symbol('HttpOptions');

export interface HttpOptions {
  /** The service's address for clients, without a trailing slash. Read for every link: it may be set once the port is known. */
  readonly publicAddress: { url: string };
  /** Per merchant, and per address without a key; 0: no limit. */
  readonly rateLimitPerSecond: number;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Called with every failure that is answered to a request. */
  readonly onFailure?: (error: unknown) => void;
  readonly logger: Logger;
  /** Returns the answer of `/metrics`; default: the metrics of this process. */
  readonly metrics?: () => Promise<string>;
  /** The content of `/docs` and the OpenAPI documents. Without it, there are none. */
  readonly interface?: InterfaceDescription;
  /** Absent: no request is traced. */
  readonly tracing?: Tracing | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Shared with another application of the same service, so that a caller has one rate for both. Default: its own. */
  readonly guard?: Guard;
  /** Set for an application as of a past moment. */
  readonly past?: PastOptions;
  /** Checked before a merchant's write, and the clock for the expiry of keys. Without it, writes are always accepted, by this process's clock. */
  readonly clockGuard?: ClockGuard;
}

/** An application that answers as of a past moment. */
export interface PastOptions {
  /** Id of the moment: the position, and the name of a scenario. */
  readonly id: string;
  /** Path at which it is reached, such as `/at/48211`. */
  readonly basePath: string;
  /** Position of its last event in the log: 1, 2, 3 … */
  readonly position: number;
  /** Time of that event, RFC 3339. */
  readonly time: string;
  /** Other fees apply in it than the recorded ones; null: the recorded ones. */
  readonly scenario: PastScenario | null;
  /** Root of the transparency log over all events up to that one, hex; undefined until they are sealed, and with a scenario. */
  readonly root: () => string | undefined;
}

export interface PastScenario {
  /** As people gave it. */
  readonly name: string;
  /** In addresses. */
  readonly address: string;
}

/** Limits of a client's input and time. Bytes and milliseconds. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** Time for all headers to arrive. */
  readonly headersMs: number;
  /** Time for the whole request, its body included, to arrive. */
  readonly requestMs: number;
  /** Time for a connection without traffic, or with an unread response. */
  readonly idleMs: number;
  /** Time between two requests of a connection; longer than the idle time of common load balancers, which must close first. */
  readonly keepAliveMs: number;
  /** Time after which the edge answers 503 for the handler. */
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
