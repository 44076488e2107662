import { availableParallelism } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Pool, QueryConfig } from 'pg';
import { boundTo } from '../postgres/cancelling.js';
import { HttpProblem } from '../problem.js';
import { ConcurrencyLimiter } from './edge/concurrency-limiter.js';
import { CpuQuota } from './edge/cpu-quota.js';

/**
 * A read that takes longer, ms, starts again among the slow reads, where it delays no quick ones. Lists that are promised to be fast take a tenth of
 * it.
 */
const QUICK_MS = 250;
/**
 * The limit for finance, whose statements read across merchants: on a machine under load, 250 ms prove little about a statement, and a page has
 * several. One key can take three quick places for a second from others.
 */
const FINANCE_QUICK_MS = 1_000;
/** Time for which the next reads of the same kind and caller start among the slow ones at once, ms. */
const SLOW_FOR_MS = 30_000;
/** Maximum kinds and callers that are remembered. */
const SLOW_MAX = 10_000;
/** Maximum concurrent quick reads of one caller's lists, or half of the places. Reads of one record need no place. */
const QUICK_PER_CALLER_MAX = 3;
/** Share of each core that quick reads of one merchant's lists take in the long run. */
const QUICK_SHARE = 0.25;
/** Maximum concurrent slow reads of one caller; a caller with a slow read never takes the last place. */
const SLOW_PER_CALLER_MAX = 2;
/** Maximum slow reads of one caller that wait for a place: further ones would exceed their time before their turn. */
const SLOW_WAITING_MAX = 48;
/** Maximum quick reads that wait for their merchant's share. */
const QUICK_WAITING_MAX = 48;

/**
 * Runs the reads of lists. The cost of a merchant's read is not known beforehand, so every read starts in a place for quick ones. When it is not
 * quick, it is given up there and repeated in a place for slow ones. Callers take turns in both. A read ends when its request was answered (its time
 * was over) or its client has disconnected: the server receives a cancel request.
 */
export class Reads {
  readonly #quickPlaces: ConcurrencyLimiter;
  readonly #slowPlaces: ConcurrencyLimiter;
  /** Reads that wait for the share, one of a merchant at a time. */
  readonly #quickTurns = new ConcurrencyLimiter(Infinity, 1, {
    max: QUICK_WAITING_MAX,
    refusal: 'Too many reads of lists are open. Wait for their answers first.',
  });
  /** Time until which a read is known to be slow, by caller and route, or statement. */
  readonly #slowUntil = new Map<string, number>();

  constructor(
    private readonly quick: Pool,
    private readonly slow: Pool,
    private readonly quickShare = new CpuQuota(QUICK_SHARE * availableParallelism()),
  ) {
    const { max: quickMax } = quick.options;
    const { max: slowMax } = slow.options;
    this.#quickPlaces = new ConcurrencyLimiter(quickMax, Math.max(1, Math.min(QUICK_PER_CALLER_MAX, Math.floor(quickMax / 2))));
    this.#slowPlaces = new ConcurrencyLimiter(slowMax, Math.max(1, Math.min(SLOW_PER_CALLER_MAX, slowMax - 1)), {
      max: SLOW_WAITING_MAX,
      refusal: 'Too many slow reads are in progress. Wait for their responses first.',
    });
  }

  /**
   * Runs `work`, twice if necessary. Without its own statement timeout, the request's deadline bounds it.
   * @throws Problem rate-limited when too many of the caller's reads wait; errors of `work`
   */
  read<T>(request: FastifyRequest, work: (pool: Pool) => Promise<T>): Promise<T> {
    return this.#read(request, request.routeOptions.url!, work);
  }

  /**
   * Returns the pool for callers that read across merchants: each of its statements is a separate read, so that a page of many takes no turn of a
   * slow one. A connection for several statements takes its turn among the slow reads.
   */
  poolOf(request: FastifyRequest): Pool {
    const signal = abandoned(request);
    const pool = boundTo(this.slow, signal, () => this.#slowPlaces.enter(callerOf(request), signal));
    pool.query = ((statement: string | QueryConfig, values?: unknown[]) =>
      this.#read(request, typeof statement === 'string' ? statement : statement.text, (of) => of.query(statement, values))) as Pool['query'];
    return pool;
  }

  async #read<T>(request: FastifyRequest, what: string, work: (pool: Pool) => Promise<T>): Promise<T> {
    const signal = abandoned(request);
    const caller = callerOf(request);
    const kind = `${caller} ${what}`;
    const isOfMerchant = request.caller !== null;
    const quick = this.#isSlow(kind) ? undefined : await this.#readQuickly({ kind, caller, isOfMerchant }, signal, work);
    if (quick) return quick.result;
    const leave = await this.#slowPlaces.enter(caller, signal);
    const begun = performance.now();
    try {
      const result = await work(boundTo(this.slow, signal));
      // The machine was slow, or there was more to read then.
      if (performance.now() - begun < quickMsOf(isOfMerchant)) this.#slowUntil.delete(kind);
      return result;
    } finally {
      leave();
    }
  }

  /** Waits for a merchant's share, one read after the other, and then for a place among the quick reads. */
  async #enterInTurn(caller: string, signal: AbortSignal): Promise<() => void> {
    const next = await this.#quickTurns.enter(caller, signal);
    try {
      await this.quickShare.rest(caller, signal);
      return await this.#quickPlaces.enter(caller, signal);
    } finally {
      next();
    }
  }

  /** undefined when it was not quick. */
  async #readQuickly<T>(
    { kind, caller, isOfMerchant }: { readonly kind: string; readonly caller: string; readonly isOfMerchant: boolean },
    signal: AbortSignal,
    work: (pool: Pool) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    const leave = await (isOfMerchant ? this.#enterInTurn(caller, signal) : this.#quickPlaces.enter(caller, signal));
    const tooLong = new AbortController();
    // Data that arrived while the process was busy are handled first.
    const timer = setTimeout(() => setImmediate(() => tooLong.abort()), quickMsOf(isOfMerchant));
    try {
      // It became known as slow during the wait.
      if (this.#isSlow(kind)) return undefined;
      const pool = boundTo(this.quick, AbortSignal.any([signal, tooLong.signal]));
      return { result: await this.quickShare.spend(caller, () => work(pool)) };
    } catch (error) {
      if (!tooLong.signal.aborted) throw error;
      signal.throwIfAborted();
      this.#remember(kind);
      return undefined;
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  #isSlow(kind: string): boolean {
    const until = this.#slowUntil.get(kind);
    return until !== undefined && performance.now() < until;
  }

  #remember(kind: string): void {
    this.#slowUntil.delete(kind);
    if (this.#slowUntil.size >= SLOW_MAX) this.#slowUntil.delete(this.#slowUntil.keys().next().value!);
    this.#slowUntil.set(kind, performance.now() + SLOW_FOR_MS);
  }
}

const quickMsOf = (isOfMerchant: boolean): number => (isOfMerchant ? QUICK_MS : FINANCE_QUICK_MS);

/** Returns the key by which callers take turns. */
export const callerOf = (request: FastifyRequest): string => request.caller?.merchant_id ?? request.keyId ?? '';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** Returns a signal that aborts when the request is answered, by any component, or its client has disconnected. Its reason is a Problem. */
export function abandoned(request: FastifyRequest): AbortSignal {
  const known = signals.get(request);
  if (known) return known;
  const controller = new AbortController();
  const { raw } = request.answer!;
  const abort = (): void => controller.abort(new HttpProblem('unavailable', 'The request was aborted before a response.'));
  if (raw.closed) abort();
  else raw.once('close', abort);
  signals.set(request, controller.signal);
  return controller.signal;
}
