import { availableParallelism } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Pool, QueryConfig } from 'pg';
import { boundTo } from '../postgres/cancelling.js';
import { Problem } from '../problems.js';
import { ConcurrencyLimiter } from './edge/concurrency-limiter.js';
import { CpuQuota } from './edge/cpu-quota.js';

/** A read that takes longer, ms, begins anew where it holds up nobody. Lists that are promised to be fast take a tenth of it. */
const QUICK_MS = 250;
/**
 * Of finance, whose statements look across merchants: on a machine that is short of time 250 ms say little of a statement, and a page has
 * several. Three quick places for a second is what one key can take from others.
 */
const FINANCE_QUICK_MS = 1_000;
/** For so long the next reads of the same kind and caller begin there at once, ms. */
const SLOW_FOR_MS = 30_000;
/** More kinds and callers are not remembered. */
const SLOW_MAX = 10_000;
/** Quick reads of lists of one caller at a time, or half of what there are places for. What reads one record waits for no place. */
const QUICK_PER_CALLER_MAX = 3;
/** Of each core that quick reads of one merchant's lists take in the long run. */
const QUICK_SHARE = 0.25;
/** Slow ones; the last place is never taken by somebody who has one. */
const SLOW_PER_CALLER_MAX = 2;
/** Slow reads of one caller that wait for a place: before these have had their turn, the time of another one would be over. */
const SLOW_WAITING_MAX = 48;
/** The same of quick ones that wait for their merchant's share. */
const QUICK_WAITING_MAX = 48;

/**
 * Where lists are read. Nobody can say beforehand what takes long of a merchant: so every read begins in a place for quick ones,
 * and is given up there and repeated in a place for slow ones when it is not. Callers take turns in both, and nothing is
 * read on for a request that was answered (its time was over) or whose client has gone: the server is told to cancel it.
 */
export class Reads {
  readonly #quickPlaces: ConcurrencyLimiter;
  readonly #slowPlaces: ConcurrencyLimiter;
  /** Who waits for it, one of a merchant at a time. */
  readonly #quickTurns = new ConcurrencyLimiter(Infinity, 1, {
    max: QUICK_WAITING_MAX,
    refusal: 'Too many reads of lists are open. Wait for their answers first.',
  });
  /** By caller and route, or statement: until when it is known to be slow. */
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
      refusal: 'Too many reads that take long are open. Wait for their answers first.',
    });
  }

  /**
   * Does `work`, twice if need be. Without a statement timeout of its own it is bounded by the request's deadline.
   * @throws Problem rate-limited when too many of the caller's reads wait; what `work` throws
   */
  read<T>(request: FastifyRequest, work: (pool: Pool) => Promise<T>): Promise<T> {
    return this.#read(request, request.routeOptions.url!, work);
  }

  /**
   * The pool for who reads across merchants: each of its statements is a read of its own, so that a page of many takes no turn of
   * a slow one. A connection that is taken for several takes its turn among the slow reads.
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
      // It was the machine that took long, or there was more of it then.
      if (performance.now() - begun < quickMsOf(isOfMerchant)) this.#slowUntil.delete(kind);
      return result;
    } finally {
      leave();
    }
  }

  /** A place for a quick read of a merchant, who waits for its share in front of it, one read after the other. */
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
    // What has arrived while the process was busy is taken first.
    const timer = setTimeout(() => setImmediate(() => tooLong.abort()), quickMsOf(isOfMerchant));
    try {
      // Learnt while it waited.
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

/** Whose turn it is. */
export const callerOf = (request: FastifyRequest): string => request.caller?.merchant_id ?? request.keyId ?? '';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** Aborts when the request is answered, by whomever, or its client has gone. Its reason is a Problem. */
export function abandoned(request: FastifyRequest): AbortSignal {
  const known = signals.get(request);
  if (known) return known;
  const controller = new AbortController();
  const { raw } = request.answer!;
  const abort = (): void => controller.abort(new Problem('unavailable', 'The request was aborted before a response.'));
  if (raw.closed) abort();
  else raw.once('close', abort);
  signals.set(request, controller.signal);
  return controller.signal;
}
