import type { Pool, PoolClient } from 'pg';
import type { RecordedEvent } from '../platform/event-store/event-store.js';
import { advisoryLockKey } from '../platform/postgres/advisory-lock.js';
import { inTransaction } from '../platform/postgres/pool.js';
import { versionOf } from '../platform/projector/checkpoint.js';
import type { Projection } from '../platform/projector/projection.js';
import { LedgerProblem } from '../ledger/problems.js';
import { DAY_MS, milliseconds, timestamp, type Timestamp } from '../ledger/time.js';
import type { MomentDatabases } from './moment-databases.js';
import { momentId, type MomentId } from './moment-id.js';
import type { StoredScenario } from './what-if/scenario.js';

export const MOMENT_STATES = ['BUILDING', 'READY', 'FAILED'] as const;
export type MomentState = (typeof MOMENT_STATES)[number];

/** Point of the log for which the read models are kept in a separate database. */
export interface Moment {
  /** Ordinal of its last event. */
  readonly position: number;
  /** Follows the position in addresses when the fees of a scenario apply; null: the recorded fees. */
  readonly name: string | null;
  /** Name of that scenario, as people gave it. */
  readonly scenario: string | null;
  /** Time of that event. */
  readonly time: Timestamp;
  readonly state: MomentState;
  readonly events_done: number;
  readonly events_total: number;
  /** null until it is built. */
  readonly size_bytes: number | null;
  /** Key id, or user of the command line, that opened it. */
  readonly opened_by: string;
  readonly opened_on: Timestamp;
  readonly used_on: Timestamp;
  /** When it is closed, unless it is used before. */
  readonly closes_on: Timestamp;
  /** Why it failed; null unless it did. */
  readonly reason: string | null;
}

/** A moment with the fields that only its builders and readers need. */
export interface StoredMoment extends Moment {
  readonly id: MomentId;
  readonly stored_scenario: StoredScenario | null;
  /** Identify its last event, which a restored log may not have. */
  readonly event_id: string;
  readonly stream: string;
  readonly revision: number;
  /** Versions of the read models in its database; null before that is made. */
  readonly version: string | null;
}

/** Last event of a moment. */
export interface LastEvent {
  readonly ordinal: number;
  readonly event: RecordedEvent;
}

export interface MomentLimits {
  /** Maximum of open moments. */
  readonly max: number;
  /** Days after its last use on which a moment is closed. */
  readonly days: number;
}

/** Another scenario has the name in addresses, as of the same event. The message is for people. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/** Other fees, and the name of the moment in which they apply. */
export interface MomentScenario {
  readonly name: string;
  readonly scenario: StoredScenario;
}

interface Row {
  readonly id: MomentId;
  readonly position: bigint;
  readonly name: string | null;
  readonly scenario: StoredScenario | null;
  readonly event_id: string;
  readonly stream: string;
  readonly revision: number;
  readonly occurred_on: Timestamp;
  readonly state: MomentState;
  readonly version: string | null;
  readonly events_done: bigint;
  readonly size_bytes: bigint | null;
  readonly reason: string | null;
  readonly opened_by: string;
  readonly opened_on: Timestamp;
  readonly used_on: Timestamp;
}

/** Returns the version of the read models that a build of `projections` has. */
export const momentVersion = (projections: readonly Projection[]): string =>
  versionOf({ readModels: projections.flatMap(({ readModels }) => readModels) });

type Db = Pick<PoolClient, 'query'>;

/** Moments are opened one at a time, so that no more than the maximum are. */
const OPENING = advisoryLockKey('chargebook moments');

/** The open moments, as all processes of the service know them. */
export class Moments {
  readonly #closeListeners: ((id: MomentId) => void)[] = [];

  /** @param pool on the service's own database, which accepts writes */
  constructor(
    private readonly pool: Pool,
    private readonly databases: MomentDatabases,
    private readonly limits: MomentLimits,
  ) {}

  /**
   * Opens the moment after an event, or returns the one that is open: a process with the role worker builds it. A failed one is built again.
   * @param other the fees that apply instead of the recorded ones
   * @throws Problem too-many-moments; NameTaken
   */
  async open({ ordinal, event }: LastEvent, openedBy: string, other?: MomentScenario): Promise<Moment> {
    const id = momentId(ordinal, other?.name ?? null);
    const scenario = other ? JSON.stringify(other.scenario) : null;
    const refusal = await this.databases.refusal(id);
    return inTransaction(this.pool, async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [OPENING]);
      const open = await this.#all(tx);
      const known = open.find((each) => each.id === id);
      if (known && known.state !== 'FAILED' && known.event_id === event.id) {
        if (known.stored_scenario !== null && JSON.stringify(known.stored_scenario) !== scenario)
          throw new NameTaken(
            `The name ${other!.name} belongs to another scenario as of the same event. Close moment ${id} first, or rename this one.`,
          );
        await tx.query('update point_in_time.moments set used_on = now() where id = $1', [id]);
        return shownMoment(known);
      }
      const others = open.filter((each) => each.id !== id && each.state !== 'FAILED');
      if (others.length >= this.limits.max) throw tooMany(others, this.limits.max);
      await tx.query('delete from point_in_time.moments where id = $1', [id]);
      await tx.query(
        `insert into point_in_time.moments (position, name, scenario, event_id, stream, revision, occurred_on, state, reason, opened_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          ...[ordinal, other?.name ?? null, scenario, event.id, event.stream, event.revision, event.metadata.occurred_on],
          ...[refusal === undefined ? 'BUILDING' : 'FAILED', refusal ?? null, openedBy],
        ],
      );
      return shownMoment((await this.#find(tx, id))!);
    });
  }

  /** Returns all of them by position and name. */
  async list(): Promise<readonly Moment[]> {
    return (await this.all()).map(shownMoment);
  }

  all(): Promise<readonly StoredMoment[]> {
    return this.#all(this.pool);
  }

  find(id: MomentId): Promise<StoredMoment | undefined> {
    return this.#find(this.pool, id);
  }

  /** Drops the moment and its database; its readers are cut off. @returns false when it is not open */
  async close(id: MomentId): Promise<boolean> {
    let was = false;
    await this.databases.drop(id, async () => {
      const { rowCount } = await this.pool.query('delete from point_in_time.moments where id = $1', [id]);
      was = rowCount === 1;
    });
    for (const listener of this.#closeListeners) listener(id);
    return was;
  }

  /** Calls `listener` with each moment that this process closes. */
  onClose(listener: (id: MomentId) => void): void {
    this.#closeListeners.push(listener);
  }

  /** Postpones its end. */
  async used(id: MomentId): Promise<void> {
    await this.pool.query('update point_in_time.moments set used_on = now() where id = $1', [id]);
  }

  /** Requests another build: that of the moment cannot be served. */
  async rebuild({ id, event_id }: StoredMoment): Promise<void> {
    await this.pool.query(
      `update point_in_time.moments set state = 'BUILDING', version = null, events_done = 0, size_bytes = null, reason = null
        where id = $1 and event_id = $2 and state = 'READY'`,
      [id, event_id],
    );
  }

  /** Drops the database of a moment that can no longer be served; the moment stays, with the reason. */
  async fail({ id, event_id }: StoredMoment, reason: string): Promise<void> {
    await this.databases.drop(id, () =>
      this.pool.query(`update point_in_time.moments set state = 'FAILED', size_bytes = null, reason = $3 where id = $1 and event_id = $2`, [
        ...[id, event_id, reason],
      ]),
    );
  }

  /** Moments that wait to be built or are being built, the first opened first. */
  async unbuilt(): Promise<readonly StoredMoment[]> {
    return this.#read(this.pool, `state = 'BUILDING' order by opened_on, position, id`);
  }

  /** Moments that have not been used for so long that they are closed. */
  async overdue(): Promise<readonly StoredMoment[]> {
    return this.#read(this.pool, `used_on < now() - make_interval(days => ${this.limits.days})`);
  }

  /** The newest built moment of this version and of the recorded fees before `position`, which a build may begin with. */
  async nearestBefore(position: number, version: string): Promise<StoredMoment | undefined> {
    const found = await this.#read(this.pool, `state = 'READY' and name is null and version = $1 and position < $2 order by position desc limit 1`, [
      version,
      position,
    ]);
    return found[0];
  }

  /** Records progress of its build. @returns false when it was closed */
  async progressed(
    { id, event_id }: StoredMoment,
    now: {
      readonly state: MomentState;
      readonly version?: string;
      readonly events_done?: number;
      readonly size_bytes?: number;
      readonly reason?: string;
    },
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update point_in_time.moments
          set state = $3, version = coalesce($4, version), events_done = coalesce($5, events_done), size_bytes = $6, reason = $7
        where id = $1 and event_id = $2 and state = 'BUILDING'`,
      [id, event_id, now.state, now.version ?? null, now.events_done ?? null, now.size_bytes ?? null, now.reason ?? null],
    );
    return rowCount === 1;
  }

  #all(db: Db): Promise<StoredMoment[]> {
    return this.#read(db, 'true order by position, name nulls first');
  }

  async #find(db: Db, id: MomentId): Promise<StoredMoment | undefined> {
    return (await this.#read(db, 'id = $1', [id]))[0];
  }

  async #read(db: Db, condition: string, values: readonly unknown[] = []): Promise<StoredMoment[]> {
    const { rows } = await db.query<Row>(`select * from point_in_time.moments where ${condition}`, [...values]);
    return rows.map(({ position, name, scenario, occurred_on, events_done, size_bytes, used_on, ...row }) => ({
      position: Number(position),
      name,
      scenario: scenario === null ? null : scenario.name,
      stored_scenario: scenario,
      time: occurred_on,
      events_done: Number(events_done),
      events_total: Number(position),
      size_bytes: size_bytes === null ? null : Number(size_bytes),
      used_on,
      closes_on: timestamp(milliseconds(used_on) + this.limits.days * DAY_MS),
      ...row,
    }));
  }
}

function tooMany(open: readonly StoredMoment[], max: number): LedgerProblem {
  const oldest = open.toSorted((a, b) => milliseconds(a.used_on) - milliseconds(b.used_on))[0]!;
  return new LedgerProblem(
    'too-many-moments',
    `${max} moments are open, which is the maximum. Close one first: moment ${oldest.id} has not been used since ${oldest.used_on}.`,
  );
}

/** Returns the moment as clients see it. */
export function shownMoment({ id: _, stored_scenario: _2, event_id: _3, stream: _4, revision: _5, version: _6, ...moment }: StoredMoment): Moment {
  return moment;
}
