import type { PoolClient } from 'pg';
import type { RecordedEvent } from '../event-store/event-store.js';

/** An event with its place in our own numbering: 1, 2, 3 … over all events in log order, the same in every engine. */
export interface OrdinalEvent extends RecordedEvent {
  readonly ordinal: number;
}

/**
 * One file under `projections/`: the tables of one read model and how a batch of events changes them.
 * `schema` is where this build lives: the live one, or a rebuild beside it. The same `apply` serves both.
 */
export interface ReadModel<Event extends object = object> {
  readonly name: string;
  /** To be raised with every change of `ddl` or `apply`; a raised version rebuilds. */
  readonly version: number;
  /** Creates the tables, and the indexes that `apply` itself needs. */
  ddl(schema: string): string;
  /** Indexes that only readers need: built after the load of a rebuild, at once otherwise. */
  indexes(schema: string): readonly string[];
  /**
   * Applies a batch in log order inside the caller's transaction, with set-based SQL: a bounded number of statements per batch.
   * A function of the events and the tables alone: the same result in any batch size.
   * @throws when an event cannot be applied; the batch is rolled back and the projection stops.
   */
  apply(tx: PoolClient, schema: string, batch: readonly (OrdinalEvent & Event)[]): Promise<void>;
  /**
   * Set with a raised version: how its rows are held against those of the version before, at one event, before they take the place
   * of them. Where every raised read model of a projection has one, any difference that is not meant keeps the previous tables live.
   */
  readonly bridge?: Bridge;
}

export interface Bridge {
  /** The version before; or the versions before whose rows are given by the same views. */
  readonly from: number | readonly number[];
  /**
   * By table of that version, `from`: a query over the new build in `schema` that gives the table's rows, columns named as they were.
   * Default: those columns of the new table of the same name. New columns and tables need none.
   */
  readonly views?: (schema: string, from: number) => Readonly<Record<string, string>>;
  /** What the version was raised for, by table; conditions may look into the new build in `schema`. */
  readonly meant?: (schema: string) => Readonly<Record<string, MeantDifference>>;
}

/** Rows of one table that are meant to differ. In SQL, `live` is the former row and `rebuilt` the new one: their keys and `columns`. */
export interface MeantDifference {
  /** Columns that may differ. */
  readonly columns: readonly string[];
  /** Condition under which they may. */
  readonly when: string;
  /** By how much two rows differ: a number, added up for the report. */
  readonly sum: string;
  /** For the report: what differs, and the unit of the sum. */
  readonly words: string;
}

/** Names an event's place among those that a projection skips. */
export const placeOf = ({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string => `${stream}@${revision}`;

/** The places of the events that a projection skips, because an operator has put them in quarantine. */
export type SkippedEvents = (projection: string) => Promise<ReadonlySet<string>>;

/** Read models that must agree move together, under one checkpoint, in one transaction per batch. */
export interface Projection<Event extends object = object> {
  /** Also the name of the live schema. */
  readonly name: string;
  readonly readModels: readonly ReadModel<Event>[];
  /** A stored event as the read models are given it. @throws when it cannot be read: the projection stops in front of it. */
  readonly decode: (stored: OrdinalEvent) => OrdinalEvent & Event;
  /**
   * Milliseconds between two batches while no request waits for one: fewer, larger transactions while much is written. Default 0; an
   * event that comes after a pause is applied at once all the same.
   */
  readonly gatherMs?: number;
  /**
   * Set where the numbers of rows were given to others: a fold that never changes, so that any replay gives the same ones.
   * A rebuild that names no projection verifies such a one only.
   */
  readonly isFrozen?: true;
}
