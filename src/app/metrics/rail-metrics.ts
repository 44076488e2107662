import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RailPayouts } from '../../../projections/payouts/payouts-at-bank.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import type { CallObserver } from '../../rails/calls/outbound.js';
import type { RailState } from '../../rails/registry/rail-health.js';

/** A payment may take 25 s, a statement 60 s. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];
const STATES: Readonly<Record<RailState['state'], number>> = { green: 0, amber: 1, red: 2 };

/** Results of this process's calls to rails, by endpoint. Rails and endpoints are few. */
export class RailMetrics {
  readonly #calls = new Counter({
    name: 'rail_calls_total',
    help: 'Calls to a rail, by endpoint and outcome: accepted, rejected (final), retryable (the call had no effect), unknown (a query must find the result).',
    labelNames: ['rail', 'endpoint', 'outcome'],
    registers: [],
  });
  readonly #seconds = new Histogram({
    name: 'rail_call_seconds',
    help: 'Duration of a call to a rail, from the request for it to the last byte of the response.',
    labelNames: ['rail', 'endpoint'],
    buckets: SECONDS,
    registers: [],
  });
  readonly #circuit = new Gauge({
    name: 'rail_circuit_open',
    help: '1 while this process sends no new calls to the endpoint because too many outcomes were unknown.',
    labelNames: ['rail', 'endpoint'],
    registers: [],
  });
  readonly #skew = new Gauge({
    name: 'rail_clock_skew_seconds',
    help: "Seconds by which the provider's clock is ahead of this process's clock; negative when it is behind.",
    labelNames: ['rail'],
    registers: [],
  });

  observer(rail: string): CallObserver {
    return {
      called: (endpoint, outcome, seconds) => {
        this.#calls.inc({ rail, endpoint, outcome });
        this.#seconds.observe({ rail, endpoint }, seconds);
      },
      circuit: (endpoint, state) => this.#circuit.set({ rail, endpoint }, state === 'closed' ? 0 : 1),
      clockSkew: (seconds) => this.#skew.set({ rail }, seconds),
    };
  }

  registerOn(registry: Registry): void {
    for (const metric of [this.#calls, this.#seconds, this.#circuit, this.#skew]) registry.registerMetric(metric);
  }
}

/** Figures about the open work of rails, which are the same in every process. */
export interface RailFigures {
  readonly states: () => Promise<readonly RailState[]>;
  readonly payouts: () => Promise<readonly RailPayouts[]>;
  readonly unconfirmed: () => Promise<ReadonlyMap<string, number>>;
  readonly now: Clock;
}

/** Registers the gauges. A figure that cannot be read now keeps its last value. */
export function measureRails(registers: Registry[], { states, payouts, unconfirmed, now }: RailFigures): void {
  const gauge = (name: string, help: string, figures: () => Promise<Iterable<readonly [rail: string, figure: number]>>): void => {
    new Gauge({
      ...{ name, help, labelNames: ['rail'], registers },
      async collect() {
        const known = await figures().catch(() => undefined);
        if (!known) return;
        this.reset();
        for (const [rail, figure] of known) this.set({ rail }, figure);
      },
    });
  };
  gauge('rail_state', 'State of a rail: 0 green, 1 amber (a part does not work, or an operator must look at it), 2 red.', async () =>
    (await states()).map(({ rail, state }) => [rail, STATES[state]] as const),
  );
  gauge('rail_payouts_held', 'Payouts whose result no rule decides; an operator must resolve each one.', async () =>
    (await payouts()).map(({ rail, held }) => [rail, held] as const),
  );
  gauge('rail_oldest_payout_seconds', 'Time for which the longest waiting payout has been at the bank.', async () =>
    (await payouts()).map(({ rail, oldest_on }) => [rail, Math.max(0, now() - milliseconds(oldest_on)) / 1_000] as const),
  );
  gauge('rail_inbox_unconfirmed', 'Notifications of a provider that a query to it has not yet confirmed.', unconfirmed);
}
