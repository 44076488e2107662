import type { Logger } from 'pino';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { retryAfter } from '../../platform/http/retry-after.js';
import { CallQueue } from './call-queue.js';
import { Circuit, type CircuitState } from './circuit.js';
import { ClockSkew, SKEW_MAX_MS, SKEW_WARN_MS } from './clock-skew.js';
import type { RailAnswer, RailCall, RailCalls } from './rail-calls.js';
import { RailConnections, type Exchange, type Exchanged, type RailConnectionsOptions } from './rail-connections.js';

export interface OutboundOptions extends RailConnectionsOptions {
  /** Name of the rail, for logs. */
  readonly rail: string;
  /** Maximum calls per second to one endpoint, on average. */
  readonly perSecond: number;
  /** True when requests carry a time: none is sent while the clocks differ by more than a minute. */
  readonly needsClock: boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly observer: CallObserver;
  /** Returns a number with 0 ≤ n < 1. */
  readonly random: () => number;
}

/** Counts calls for the metrics. */
export interface CallObserver {
  called(endpoint: string, outcome: ProviderResult<unknown>['is'], seconds: number): void;
  circuit(endpoint: string, state: CircuitState): void;
  /** How far the provider's clock is ahead of ours. */
  clockSkew(seconds: number): void;
}

interface Endpoint {
  readonly queue: CallQueue;
  readonly circuit: Circuit;
  /** Number of 429 answers in a row without a time to wait. */
  refusals: number;
}

const LEAVE_WITHIN_MS = 8_000;
const TOTAL_MS = 8_000;
const BYTES_MAX = 256 * 1024;
const SKEW_MEASURED_EVERY_MS = 60_000;
const JITTER_FIRST_MS = 1_000;
const JITTER_MAX_MS = 60_000;
/** A longer wait must be a misreading. */
const PAUSE_MAX_MS = 15 * 60_000;

/** All calls to the host of one rail: guarded, bounded, counted. One instance per rail and process. */
export class Outbound implements RailCalls {
  readonly #connections: RailConnections;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #skew: ClockSkew;
  #isMeasuring = false;
  #isSkewWarned = false;

  /** @throws ForbiddenAddress when the base may not be called */
  constructor(private readonly options: OutboundOptions) {
    this.#connections = new RailConnections(options);
    this.#skew = new ClockSkew(options.clock);
  }

  async call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    const begun = this.options.clock.monotonic();
    const { outcome, status } = await this.#attempt(call, read, begun + (call.leaveWithinMs ?? LEAVE_WITHIN_MS));
    const ms = this.options.clock.monotonic() - begun;
    this.options.observer.called(call.endpoint, outcome.is, ms / 1000);
    const code = outcome.is === 'accepted' ? undefined : outcome.code;
    const line = { rail: this.options.rail, endpoint: call.endpoint, outcome: outcome.is, code, status, ms: Math.round(ms), ...call.ids };
    if (outcome.is === 'unknown') this.options.log.warn(line, 'rail call');
    else this.options.log.info(line, 'rail call');
    return outcome;
  }

  /** True when new calls of the endpoint would be refused. */
  isOpen(endpoint: string): boolean {
    return (this.#endpoints.get(endpoint)?.circuit.refusesForMs(false) ?? 0) > 0;
  }

  /** True when the endpoint has failed and no call has had a clear answer since. */
  isOnTrial(endpoint: string): boolean {
    return (this.#endpoints.get(endpoint)?.circuit.state ?? 'closed') !== 'closed';
  }

  /** ms; null: not known yet. */
  get skewMs(): number | null {
    return this.#skew.ms;
  }

  /** Calls under way are lost. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  async #attempt<T>(
    call: RailCall,
    read: (answer: RailAnswer) => ProviderResult<T>,
    leaveByMs: number,
  ): Promise<{ outcome: ProviderResult<T>; status?: number }> {
    if (this.#isClockWrong()) return { outcome: notNow('clock-skew', SKEW_MEASURED_EVERY_MS) };
    const endpoint = this.#endpoint(call.endpoint);
    const refused = endpoint.circuit.refusesForMs(call.isInquiry === true);
    if (refused > 0) return { outcome: notNow('circuit-open', refused) };
    const waitMs = await endpoint.queue.take(call.priority, leaveByMs - this.options.clock.monotonic());
    if (waitMs !== null) return { outcome: notNow('too-many-calls', waitMs) };
    const ended = endpoint.circuit.admit(call.isInquiry === true);
    if (!ended) return { outcome: notNow('circuit-open', endpoint.circuit.refusesForMs(call.isInquiry === true)) };
    const exchanged = await this.#exchange({
      ...call,
      leaveByMs,
      totalMs: call.totalMs ?? TOTAL_MS,
      bytesMax: call.bytesMax ?? BYTES_MAX,
    });
    if (exchanged.is === 'not-sent') {
      ended('not-sent');
      return { outcome: notNow(exchanged.code) };
    }
    const outcome = exchanged.is === 'lost' ? unknown(exchanged.code) : this.#judged(endpoint, exchanged.answer, read);
    ended(outcome.is === 'unknown' ? 'unknown' : 'answered');
    return exchanged.is === 'lost' ? { outcome } : { outcome, status: exchanged.answer.status };
  }

  #judged<T>(endpoint: Endpoint, answer: RailAnswer, read: (answer: RailAnswer) => ProviderResult<T>): ProviderResult<T> {
    if (answer.status >= 300 && answer.status < 400) return unknown('redirected');
    const pausedMs = answer.status === 429 ? this.#pause(endpoint, answer.headers) : undefined;
    if (pausedMs === undefined) endpoint.refusals = 0;
    try {
      const outcome = read(answer);
      return outcome.is === 'retryable' && pausedMs !== undefined ? { after_ms: pausedMs, ...outcome } : outcome;
    } catch {
      // The error may quote the answer.
      return unknown('unreadable-answer');
    }
  }

  #pause(endpoint: Endpoint, headers: RailAnswer['headers']): number {
    const { clock, random } = this.options;
    const told = secondsOf(headers['rate-limit-reset']) ?? retryAfter(headers['retry-after'], clock.now());
    const jitterMs = random() * Math.min(JITTER_MAX_MS, JITTER_FIRST_MS * 2 ** endpoint.refusals);
    endpoint.refusals = told === null ? Math.min(endpoint.refusals + 1, 30) : 0;
    const ms = Math.ceil(Math.min(PAUSE_MAX_MS, told === null ? jitterMs : told * 1000));
    endpoint.queue.pause(ms);
    return ms;
  }

  #endpoint(name: string): Endpoint {
    const known = this.#endpoints.get(name);
    if (known) return known;
    const { clock, observer, perSecond } = this.options;
    const circuit = new Circuit(clock, (state) => observer.circuit(name, state));
    const endpoint = { queue: new CallQueue(perSecond, clock), circuit, refusals: 0 };
    this.#endpoints.set(name, endpoint);
    return endpoint;
  }

  async #exchange(exchange: Exchange): Promise<Exchanged> {
    const headers = { accept: 'application/json', 'user-agent': 'Chargebook-Rails/1', ...exchange.headers };
    const exchanged = await this.#connections.exchange({ ...exchange, headers });
    if (exchanged.is === 'answer') this.#compareClocks(exchanged);
    return exchanged;
  }

  #compareClocks({ answer, sentMs, receivedMs }: Exchanged & { readonly is: 'answer' }): void {
    const { date, age } = answer.headers;
    // With an age, a cache has answered, and the date is that of the cached answer.
    if (typeof date !== 'string' || age !== undefined) return;
    this.#skew.measure(date, sentMs, receivedMs);
    const skewMs = this.#skew.ms ?? 0;
    this.options.observer.clockSkew(skewMs / 1000);
    const isWrong = Math.abs(skewMs) > SKEW_WARN_MS;
    if (isWrong && !this.#isSkewWarned)
      this.options.log.warn({ rail: this.options.rail, skew_ms: skewMs }, "the provider's clock differs from the clock of this process");
    this.#isSkewWarned = isWrong;
  }

  /** True while the clocks differ too much. A bare request then measures the skew again from time to time; it has no credentials and no date. */
  #isClockWrong(): boolean {
    if (!this.options.needsClock || Math.abs(this.#skew.ms ?? 0) <= SKEW_MAX_MS) return false;
    if (this.#skew.ageMs >= SKEW_MEASURED_EVERY_MS && !this.#isMeasuring) {
      this.#isMeasuring = true;
      void this.#measureClock().finally(() => (this.#isMeasuring = false));
    }
    return true;
  }

  /** Requests only the date. */
  async #measureClock(): Promise<void> {
    const leaveByMs = this.options.clock.monotonic() + LEAVE_WITHIN_MS;
    await this.#exchange({ method: 'HEAD', path: '/', headers: {}, leaveByMs, totalMs: TOTAL_MS, bytesMax: BYTES_MAX });
  }
}

const notNow = (code: string, after_ms?: number): ProviderResult<never> => ({
  is: 'retryable',
  code,
  ...(after_ms === undefined ? {} : { after_ms }),
});
const unknown = (code: string): ProviderResult<never> => ({ is: 'unknown', code });

/** `Rate-Limit-Reset` counts seconds, with decimals. */
function secondsOf(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(header) ? Number(header) : null;
}
