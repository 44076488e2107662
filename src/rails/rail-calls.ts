import type { ProviderResult } from '../ledger/provider-result.js';

/** One call to a provider. */
export interface RailCall {
  /** Buckets, circuits, metrics and logs are kept by it: `create`, `pay`, `status` … */
  readonly endpoint: string;
  /** Which goes first when calls have to wait: what moves money, what confirms it, what only looks. */
  readonly priority: 'act' | 'confirm' | 'poll';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind the rail's base, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is signed and sent. */
  readonly body?: string;
  /** Until the first byte of it is sent, or it never is; ms, by default 8 s. */
  readonly leaveWithinMs?: number;
  /** The whole call, from the look-up of the name to the last byte; ms, by default 8 s. */
  readonly totalMs?: number;
  /** Bytes of the answer; by default 256 KiB. */
  readonly bytesMax?: number;
  /** An inquiry: goes through an open circuit, once a minute. */
  readonly isInquiry?: boolean;
  /** Our ids, for the log. */
  readonly ids?: Readonly<Record<string, string>>;
}

export interface RailAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The only way out to a provider: guarded, bounded, counted. */
export interface RailCalls {
  /**
   * What failed before the first byte of the request was written (name, connection, TLS, no token in the bucket in time, an open
   * circuit, a clock that is wrong) is retryable; what failed after it is unknown, what `read` throws included.
   */
  call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>>;
}
