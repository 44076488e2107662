/**
 * What a call to a provider came to. Money rests on the difference: `rejected` and `retryable` are said only of what certainly did not happen;
 * everything else, exceptions included, is `unknown` and is looked up before anything follows from it.
 */
export type ProviderResult<T> =
  | { readonly is: 'accepted'; readonly value: T }
  /** Definite, and it stays so. `detail` is for people of ours. */
  | { readonly is: 'rejected'; readonly code: string; readonly detail: string }
  /** Definite, but it may be asked again, after `after_ms` where the provider says so. */
  | { readonly is: 'retryable'; readonly code: string; readonly after_ms?: number }
  | { readonly is: 'unknown'; readonly code: string };

/** One thing that `rail check` looked at. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warn' | 'error';
  readonly detail: string;
  /** What to do about it; absent when there is nothing to be done. */
  readonly todo?: string;
}
