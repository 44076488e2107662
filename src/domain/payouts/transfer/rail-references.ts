import { createHash, randomInt } from 'node:crypto';
import type pg from 'pg';
import { milliseconds, timestamp, type Clock, type Timestamp } from '../../../ledger/time.js';
import { dayOf } from './transfer-times.js';

/** What our calls to a rail are told apart by. Digits, 19 of them: milliseconds since the epoch, and 6 more. */
export interface RailReferences {
  /** The same for a payout whenever it is asked for, and no other payout's on that rail. */
  partnerReference(rail: string, payout: { readonly payout_id: string; readonly created_on: Timestamp }): Promise<string>;
  /** Used for no other call to that rail on that day (in Jakarta, YYYY-MM-DD). */
  externalId(rail: string, day: string, payoutId: string | null): Promise<string>;
  /** Whose partner reference it is. */
  payoutOf(rail: string, partnerReference: string): Promise<string | undefined>;
}

const MS_DIGITS = 13;
const MORE_DIGITS = 6;
const MORE = 10 ** MORE_DIGITS;
/** References that are tried before one is given up: two in a row are others' once in 10^12. */
const TRIES_MAX = 20;
/** External ids are unique for a day; a little longer, for those who look for one. */
const KEPT = '7 days';
/** External ids of this process between two removals of old ones. */
const REMOVED_EVERY = 1_000;

/**
 * The nth that may be a payout's. Made from the payout and not drawn: in a database that was put back to where nothing was paid yet, a
 * payout gets the same reference again, and a bank that remembers it refuses the second payment.
 */
export function partnerReferenceOf({ payout_id, created_on }: { readonly payout_id: string; readonly created_on: Timestamp }, nth: number): string {
  const digest = createHash('sha256').update(`${payout_id}:${nth}`).digest().readUIntBE(0, 6);
  return digits(milliseconds(created_on), digest % MORE);
}

const digits = (ms: number, more: number): string => String(ms).padStart(MS_DIGITS, '0').slice(-MS_DIGITS) + String(more).padStart(MORE_DIGITS, '0');

/** On the database that is written to, which all processes share: its constraint says what is unique. */
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
    throw new Error(`no reference on ${rail} is left for payout ${payout.payout_id}`);
  }

  async externalId(rail: string, day: string, payoutId: string | null): Promise<string> {
    if (++this.#externalIds % REMOVED_EVERY === 0)
      await this.pool.query(`delete from rail_references where scope <> 'payout' and used_on < now() - interval '${KEPT}'`);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const reference = digits(this.clock(), randomInt(MORE));
      if (await this.#take(rail, day, reference, payoutId)) return reference;
    }
    throw new Error(`no external id of ${day} is left on ${rail}`);
  }

  async payoutOf(rail: string, partnerReference: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ payout_id: string }>(
      `select payout_id from rail_references where rail = $1 and scope = 'payout' and reference = $2`,
      [rail, partnerReference],
    );
    return rows[0]?.payout_id;
  }

  /** False when it is somebody's already. */
  async #take(rail: string, scope: string, reference: string, payoutId: string | null): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'insert into rail_references (rail, scope, reference, payout_id, used_on) values ($1, $2, $3, $4, now()) on conflict do nothing',
      [rail, scope, reference, payoutId],
    );
    return rowCount === 1;
  }
}

/** References on the rails of this database; `newExternalId`: for a call about no payout. */
export function railReferences(
  pool: pg.Pool,
  clock: Clock,
): { readonly references: RailReferences; readonly newExternalId: (rail: string) => Promise<string> } {
  const references = new PostgresRailReferences(pool, clock);
  return { references, newExternalId: (rail) => references.externalId(rail, dayOf(timestamp(clock())), null) };
}
