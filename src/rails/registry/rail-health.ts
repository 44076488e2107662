import type { Pool } from 'pg';
import { milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import type { CircuitState } from '../calls/circuit.js';
import { SKEW_MAX_MS, SKEW_WARN_MS } from '../calls/clock-skew.js';
import type { CallObserver } from '../calls/outbound.js';
import { isAllowed } from './rail-adapters.js';
import type { RailReport } from '../calls/rail-report.js';
import type { Rail } from '../settings/rails.decider.js';

/** A problem of a rail, as one process has met it. */
export interface RailCondition {
  readonly level: RailReport['level'];
  readonly endpoint: string | null;
  /** A word of ours, or the provider's code. */
  readonly code: string;
  readonly since: Timestamp;
}

export interface RailState {
  readonly rail: string;
  readonly mode: Rail['mode'];
  /** Amber: a part of it does not work, or an operator has to look. Red: it does not work. */
  readonly state: 'green' | 'amber' | 'red';
  readonly reasons: readonly string[];
}

/** A condition that its process has not reported for this time does not hold any more: the process has ended. */
const SAID_WITHIN = '90 seconds';
const KEPT = '1 hour';

/** The problems that calls of this process have met, by rail. A condition lasts until a call of its endpoint succeeds again. */
export class RailConditions {
  readonly #byRail = new Map<string, Map<string, RailCondition>>();

  /** @param now ms since the epoch */
  constructor(private readonly now: () => number) {}

  of(rail: string): readonly RailCondition[] {
    return [...(this.#byRail.get(rail)?.values() ?? [])];
  }

  report({ rail, level, endpoint, code }: RailReport): void {
    this.#begin(rail, `report ${endpoint}`, { level, endpoint, code });
  }

  /** Records why a rail cannot be used at all; null: it can. */
  unusable(rail: string, code: string | null): void {
    if (code === null) this.#end(rail, 'unusable');
    else this.#begin(rail, 'unusable', { level: 'red', endpoint: null, code });
  }

  observer(rail: string): CallObserver {
    return {
      called: (endpoint, outcome) => {
        if (outcome === 'accepted') this.#end(rail, `report ${endpoint}`);
      },
      circuit: (endpoint, state) => this.#circuit(rail, endpoint, state),
      clockSkew: (seconds) => {
        const skewMs = Math.abs(seconds) * 1000;
        if (skewMs <= SKEW_WARN_MS) this.#end(rail, 'clock');
        else this.#begin(rail, 'clock', { level: skewMs > SKEW_MAX_MS ? 'red' : 'amber', endpoint: null, code: 'clock-skew' });
      },
    };
  }

  #circuit(rail: string, endpoint: string, state: CircuitState): void {
    if (state === 'closed') this.#end(rail, `circuit ${endpoint}`);
    else this.#begin(rail, `circuit ${endpoint}`, { level: 'red', endpoint, code: 'circuit-open' });
  }

  #begin(rail: string, key: string, condition: Omit<RailCondition, 'since'>): void {
    const known = this.#byRail.get(rail) ?? new Map<string, RailCondition>();
    const since = known.get(key)?.since ?? timestamp(this.now());
    this.#byRail.set(rail, known.set(key, { ...condition, since }));
  }

  #end(rail: string, key: string): void {
    this.#byRail.get(rail)?.delete(key);
  }
}

/** The problems that all processes have met: workers call a bank, and API processes report its state. */
export class SharedConditions {
  /** @param process UUID of the process */
  constructor(
    private readonly pool: Pool,
    private readonly process: string,
  ) {}

  async say(conditions: ReadonlyMap<string, readonly RailCondition[]>): Promise<void> {
    await this.pool.query(`delete from rail_conditions where process = $1 or said_on < now() - interval '${KEPT}'`, [this.process]);
    for (const [rail, each] of conditions) {
      await this.pool.query(
        `insert into rail_conditions (rail, process, conditions, said_on) values ($1, $2, $3, now())
         on conflict (rail, process) do update set conditions = excluded.conditions, said_on = excluded.said_on`,
        [rail, this.process, JSON.stringify(each)],
      );
    }
  }

  /** Removes the conditions that this process has reported. */
  async leave(): Promise<void> {
    await this.pool.query('delete from rail_conditions where process = $1', [this.process]);
  }
}

/** Reads the conditions of every live process, by rail. */
export async function findRailConditions(pool: Pool): Promise<ReadonlyMap<string, readonly RailCondition[]>> {
  const { rows } = await pool.query<{ rail: string; conditions: readonly RailCondition[] }>(
    `select rail, conditions from rail_conditions where said_on > now() - interval '${SAID_WITHIN}' order by rail, process`,
  );
  const byRail = new Map<string, RailCondition[]>();
  for (const { rail, conditions } of rows) byRail.set(rail, [...(byRail.get(rail) ?? []), ...conditions]);
  return byRail;
}

/** Number of notifications, by rail, for which the provider has not been queried yet or has not answered. */
export async function countUnconfirmed(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ rail: string; unconfirmed: bigint }>(
    'select rail, count(*) as unconfirmed from rail_inbox where due_on is not null group by rail',
  );
  return new Map(rows.map(({ rail, unconfirmed }) => [rail, Number(unconfirmed)]));
}

/** `now`: ms since the epoch. */
export function railState(rail: Rail, conditions: readonly RailCondition[], now: number): RailState {
  const reasons = [
    ...(rail.paused ? [`paused by ${rail.paused.paused_by} since ${rail.paused.paused_on}`] : []),
    ...(rail.tls === '1.2' ? ['speaks TLS 1.2, which SNAP allowed until 2026-06-30'] : []),
    ...[...rail.allowed].filter(([what]) => !isAllowed(rail, what, now)).map(([what, { until }]) => `${what} was allowed until ${until}`),
    ...merged(conditions).map(({ endpoint, code, since }) => `${code}${endpoint === null ? '' : ` (${endpoint})`} since ${since}`),
  ];
  const isRed = conditions.some(({ level }) => level === 'red');
  return { rail: rail.name, mode: rail.mode, state: isRed ? 'red' : reasons.length > 0 ? 'amber' : 'green', reasons };
}

/** Returns the worst of them. */
export function worstOf(states: readonly RailState[]): RailState['state'] {
  return (['red', 'amber'] as const).find((each) => states.some(({ state }) => state === each)) ?? 'green';
}

/** A condition that several processes met began when the first one met it. */
function merged(conditions: readonly RailCondition[]): readonly RailCondition[] {
  const first = new Map<string, RailCondition>();
  for (const condition of conditions) {
    const key = `${condition.level} ${condition.endpoint} ${condition.code}`;
    const known = first.get(key);
    if (!known || milliseconds(condition.since) < milliseconds(known.since)) first.set(key, condition);
  }
  return [...first.values()];
}
