import { createHash, randomInt } from 'node:crypto';
import type pg from 'pg';
import { milliseconds, timestamp, type Clock, type Timestamp } from '../../../ledger/time.js';
import { dayOf } from './transfer-times.js';

/** References that identify our calls to a rail: 19 digits, of which 13 are milliseconds since the epoch and 6 are added. */
export interface RailReferences {
  /** Returns the same reference for a payout on every call, and never that of another payout on the rail. */
  partnerReference(rail: string, payout: { readonly payout_id: string; readonly created_on: Timestamp }): Promise<string>;
  /** Returns an id that no other call to that rail uses on that day (in Jakarta, YYYY-MM-DD). */
  externalId(rail: string, day: string, payoutId: string | null): Promise<string>;
  /** Returns the payout of a partner reference. */
  payoutOf(rail: string, partnerReference: string): Promise<string | undefined>;
}

const MS_DIGITS = 13;
const MORE_DIGITS = 6;
const MORE = 10 ** MORE_DIGITS;
/** Maximum references that are tried before an error: two in a row belong to others once in 10^12 cases. */
const TRIES_MAX = 20;
/** External ids are unique for a day. They are kept longer, for operators who look one up. */
const KEPT = '7 days';
/** Number of external ids of this process between two deletions of old ones. */
const REMOVED_EVERY = 1_000;

/**
 * Returns the nth candidate for a payout's reference. It is derived from the payout, not random: in a database that was restored to
 * before the payment, a payout gets the same reference again, and a bank that remembers it refuses the second payment.
 */
export function partnerReferenceOf({ payout_id, created_on }: { readonly payout_id: string; readonly created_on: Timestamp }, nth: number): string {
  const digest = createHash('sha256').update(`${payout_id}:${nth}`).digest().readUIntBE(0, 6);
  return digits(milliseconds(created_on), digest % MORE);
}

const digits = (ms: number, more: number): string => String(ms).padStart(MS_DIGITS, '0').slice(-MS_DIGITS) + String(more).padStart(MORE_DIGITS, '0');

/** Stores references in the primary database, which all processes share. Its constraint guarantees that they are unique. */
export class PostgresRailReferences implements RailReferences {
  #externalIds = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: () => number,
  ) {}

  async partnerReference(rail: string, payout: { readonly payout_id: string; readonly created_on: Timestamp }): Promise<string> {
    for (let nth = 0; nth < TRIES_MAX; nth += 1) {
      const reference = partnerReferenceOf(payout, nth);
      if (await this.#take(rail, 'payout', reference, payout.payout_id)) return reference;
      if ((await this.payoutOf(rail, reference)) === payout.payout_id) return reference;
    }
    throw new Error(`rail ${rail} has no unused reference for payout ${payout.payout_id}`);
  }

  async externalId(rail: string, day: string, payoutId: string | null): Promise<string> {
    if (++this.#externalIds % REMOVED_EVERY === 0)
      await this.pool.query(`delete from rail_references where scope <> 'payout' and used_on < now() - interval '${KEPT}'`);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const reference = digits(this.clock(), randomInt(MORE));
      if (await this.#take(rail, day, reference, payoutId)) return reference;
    }
    throw new Error(`rail ${rail} has no unused external id for ${day}`);
  }

  async payoutOf(rail: string, partnerReference: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ payout_id: string }>(
      `select payout_id from rail_references where rail = $1 and scope = 'payout' and reference = $2`,
      [rail, partnerReference],
    );
    return rows[0]?.payout_id;
  }

  /** Returns false when the reference is already in use. */
  async #take(rail: string, scope: string, reference: string, payoutId: string | null): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'insert into rail_references (rail, scope, reference, payout_id, used_on) values ($1, $2, $3, $4, now()) on conflict do nothing',
      [rail, scope, reference, payoutId],
    );
    return rowCount === 1;
  }
}

/** Builds the references on the rails of this database. `newExternalId` returns an id for a call that concerns no payout. */
export function railReferences(
  pool: pg.Pool,
  clock: Clock,
): { readonly references: RailReferences; readonly newExternalId: (rail: string) => Promise<string> } {
  const references = new PostgresRailReferences(pool, clock);
  return { references, newExternalId: (rail) => references.externalId(rail, dayOf(timestamp(clock())), null) };
}
