import type { PoolClient } from 'pg';
import type { RecordedEvent } from '../event-store/event-store.js';

/** An event with its place in our own numbering: 1, 2, 3 … over all events in log order, the same in every engine. */
export interface OrdinalEvent extends RecordedEvent {
  readonly ordinal: number;
}

/**
 * A file under `projections/`: the tables of one read model and how a batch of events changes them.
 * `schema` is the schema of this build: the live one, or a rebuild beside it. The same `apply` serves both.
 */
export interface ReadModel<Event extends object = object> {
  readonly name: string;
  /** Raised with every change of `ddl` or `apply`; a raised version causes a rebuild. */
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
   * Set with a raised version: how its rows are compared with those of the previous version, at one event, before they replace them. When every
   * raised read model of a projection has a bridge, any difference that is not meant keeps the previous tables live.
   */
  readonly bridge?: Bridge;
}

export interface Bridge {
  /** The previous version; or all previous versions whose rows the same views return. */
  readonly from: number | readonly number[];
  /**
   * A query for each table of the version `from`, over the new build in `schema`: it returns the table's rows, with the columns named as they were.
   * Default: those columns of the new table of the same name. New columns and tables need no query.
   */
  readonly views?: (schema: string, from: number) => Readonly<Record<string, string>>;
  /** Differences that the version was raised for, by table; conditions may read the new build in `schema`. */
  readonly meant?: (schema: string) => Readonly<Record<string, MeantDifference>>;
}

/** Rows of one table that are meant to differ. In SQL, `live` is the previous row and `rebuilt` the new one: their keys and `columns`. */
export interface MeantDifference {
  /** Columns that may differ. */
  readonly columns: readonly string[];
  /** Condition under which they may differ. */
  readonly when: string;
  /** Difference of two rows: a number, added up for the report. */
  readonly sum: string;
  /** Text for the report: the meaning of the difference, and the unit of the sum. */
  readonly words: string;
}

/** Returns the key of an event's place among those that a projection skips. */
export const placeOf = ({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string => `${stream}@${revision}`;

/** Returns the places of the events that a projection skips, because an operator put them in quarantine. */
export type SkippedEvents = (projection: string) => Promise<ReadonlySet<string>>;

/** Read models that must agree move together, under one checkpoint, in one transaction per batch. */
export interface Projection<Event extends object = object> {
  /** Also the name of the live schema. */
  readonly name: string;
  readonly readModels: readonly ReadModel<Event>[];
  /** Returns a stored event in the form that the read models receive. @throws when it cannot be read: the projection stops before it. */
  readonly decode: (stored: OrdinalEvent) => OrdinalEvent & Event;
  /**
   * Milliseconds between two batches while no request waits for one: this makes fewer, larger transactions under heavy writes. Default 0; an event
   * that arrives after a pause is still applied at once.
   */
  readonly gatherMs?: number;
  /**
   * Set when clients hold the numbers of rows: a fold that never changes, so that any replay gives the same numbers.
   * A rebuild that names no projection only verifies such a projection.
   */
  readonly isFrozen?: true;
}
