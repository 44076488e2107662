import type { ProviderResult } from '../../ledger/ports/provider-result.js';

/** One call to a provider. */
export interface RailCall {
  /** Key of token buckets, circuits, metrics and logs: `create`, `pay`, `status` … */
  readonly endpoint: string;
  /** Order of waiting calls: those that move money, those that confirm a movement, those that only read. */
  readonly priority: 'act' | 'confirm' | 'poll';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the rail's base, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As signed and sent. */
  readonly body?: string;
  /** Time in which the first byte must be sent, else the call is never sent; ms, by default 8 s. */
  readonly leaveWithinMs?: number;
  /** Time for the whole call, from the look-up of the name to the last byte; ms, by default 8 s. */
  readonly totalMs?: number;
  /** Maximum bytes of the answer; by default 256 KiB. */
  readonly bytesMax?: number;
  /** True for an inquiry, which passes an open circuit once a minute. */
  readonly isInquiry?: boolean;
  /** Our ids, for the log. */
  readonly ids?: Readonly<Record<string, string>>;
}

export interface RailAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The only way to call a provider: guarded, bounded, counted. */
export interface RailCalls {
  /**
   * Returns `retryable` for a failure before the first byte of the request was written (name, connection, TLS, no token in the bucket in time, an
   * open circuit, a wrong clock), and `unknown` for a later failure, including errors that `read` throws.
   */
  call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>>;
}
