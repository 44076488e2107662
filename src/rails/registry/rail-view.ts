import type { Pool } from 'pg';
import type { Clock } from '../../ledger/time.js';
import { findRailConditions, railState, type RailState } from './rail-health.js';
import type { Allowance, Rail, Rails } from '../settings/rails.decider.js';

/** A rail as operators see it: no secret, sealed or not. */
export interface RailView extends Omit<Rail, 'allowed' | 'name'>, Pick<RailState, 'state' | 'reasons'> {
  readonly rail: string;
  readonly allowed: readonly ({ readonly what: string } & Allowance)[];
  /** Uses for which merchants without their own route use this rail: `live QR_QRIS`. */
  readonly default_for: readonly string[];
}

/** The states of all rails, from the conditions of every process. */
export class RailStates {
  constructor(
    private readonly rails: () => Rails,
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async read(): Promise<readonly RailState[]> {
    return (await this.#all()).map(({ state }) => state);
  }

  async view(): Promise<readonly RailView[]> {
    const { routes } = this.rails();
    return (await this.#all()).map(({ rail: { name, allowed, ...settings }, state: { state, reasons } }) => ({
      rail: name,
      ...settings,
      allowed: [...allowed].map(([what, allowance]) => ({ what, ...allowance })),
      state,
      reasons,
      default_for: [...routes].filter(([, rail]) => rail === name).map(([route]) => route),
    }));
  }

  async #all(): Promise<readonly { readonly rail: Rail; readonly state: RailState }[]> {
    const rails = [...this.rails().byName.values()];
    if (rails.length === 0) return [];
    const conditions = await findRailConditions(this.pool);
    return rails.map((rail) => ({ rail, state: railState(rail, conditions.get(rail.name) ?? [], this.clock()) }));
  }
}
