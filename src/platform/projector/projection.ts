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
export interface ReadModel {
  readonly name: string;
  /** Raised by whoever changes `ddl` or `apply`; a raised version rebuilds. */
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
  apply(tx: PoolClient, schema: string, batch: readonly OrdinalEvent[]): Promise<void>;
}

/** Where an event stands: the text that names it among those that a projection passes over. */
export const placeOf = ({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string => `${stream}@${revision}`;

/** The places of the events that a projection passes over, as an operator has decided and the log says. */
export type PassedOver = (projection: string) => Promise<ReadonlySet<string>>;

/** Read models that must agree move together, under one checkpoint, in one transaction per batch. */
export interface Projection {
  /** Also the name of the live schema. */
  readonly name: string;
  readonly readModels: readonly ReadModel[];
  /**
   * Milliseconds between two batches of a projection that nobody's answer waits for: fewer, larger transactions while much is
   * written. Default 0; an event that comes after a pause is applied at once all the same.
   */
  readonly gatherMs?: number;
  /**
   * Set where rows were told to others by their numbers: a fold that never changes, so that any replay gives the same ones.
   * A rebuild that names no projection verifies such a one only.
   */
  readonly isFrozen?: true;
}
