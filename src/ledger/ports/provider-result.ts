/**
 * Result of a call to a provider. Money depends on the difference: only calls that certainly had no effect are `rejected` or `retryable`; everything
 * else, exceptions included, is `unknown` and is looked up before anything follows from it.
 */
export type ProviderResult<T> =
  | { readonly is: 'accepted'; readonly value: T }
  /** Definite and final. `detail` is for our operators. */
  | { readonly is: 'rejected'; readonly code: string; readonly detail: string }
  /** Definite, but the call may be repeated, after `after_ms` when the provider returns that. */
  | { readonly is: 'retryable'; readonly code: string; readonly after_ms?: number }
  | { readonly is: 'unknown'; readonly code: string };

/** Result of one check of `rail check`. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warn' | 'error';
  readonly detail: string;
  /** Action to take; absent when none is needed. */
  readonly todo?: string;
}
