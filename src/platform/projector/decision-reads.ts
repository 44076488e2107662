import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { StoreUnavailable, type EventStore, type Position } from '../event-store/event-store.js';
import { readCheckpoint } from './checkpoint.js';

/** Maximum reads of a checkpoint, and the pause between two: about two seconds. A longer delay is left to the caller's retry. */
const LOOKS_MAX = 20;
const LOOK_MS = 100;

/** An event that a decision depends on. */
export type NeededEvent = { readonly position: Position } | { readonly ordinal: number };

/**
 * Read models for decisions. A read model may be behind the log by any number of events, so each decision names the newest event that its answer
 * depends on, and is made when the projection has applied that event. docs/projections.md lists these decisions.
 */
export class DecisionReads {
  constructor(
    private readonly store: Pick<EventStore, 'head'>,
    /** Database of the read models. */
    readonly pool: Pool,
    private readonly pause: (ms: number) => Promise<unknown> = delay,
  ) {}

  /** Waits until each projection has applied the event. @param event null: none is needed @throws StoreUnavailable */
  async requireApplied(projections: readonly string[], event: NeededEvent | null): Promise<void> {
    if (event === null) return;
    for (const projection of projections)
      await this.waitFor(`projection ${projection} has not applied the events that this is decided from`, async () => {
        const { position, ordinal } = await this.#reached(projection);
        return ('ordinal' in event ? ordinal >= event.ordinal : position >= event.position) || undefined;
      });
  }

  /** Returns true once the projection has applied the event at `ordinal`; false when the log has no such event yet. @throws StoreUnavailable */
  async isApplied(projection: string, ordinal: number): Promise<boolean> {
    return this.waitFor(`projection ${projection} has not reached position ${ordinal} of the log`, async () => {
      const head = (await this.store.head()) ?? NOTHING;
      const reached = await this.#reached(projection);
      if (reached.ordinal >= ordinal) return true;
      return reached.position >= head ? false : undefined;
    });
  }

  /** Waits until the projection has applied all events that the log has now. @throws StoreUnavailable */
  async requireHead(projection: string): Promise<void> {
    await this.requireApplied([projection], { position: (await this.store.head()) ?? NOTHING });
  }

  /** Looks a record up. It is missing only when the projection has applied all events of the log without finding it. @throws StoreUnavailable */
  async find<Found>(projection: string, find: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const found = await find();
    if (found !== undefined) return found;
    await this.requireHead(projection);
    return find();
  }

  /** Polls until `look` returns a value. @throws StoreUnavailable with the message */
  async waitFor<Found>(message: string, look: () => Promise<Found | undefined>): Promise<Found> {
    for (let looks = 1; ; looks += 1) {
      const found = await look();
      if (found !== undefined) return found;
      if (looks >= LOOKS_MAX) throw new StoreUnavailable(message);
      await this.pause(LOOK_MS);
    }
  }

  async #reached(projection: string): Promise<{ readonly position: Position; readonly ordinal: number }> {
    const checkpoint = await readCheckpoint(this.pool, projection);
    return { position: checkpoint?.position ?? NOTHING, ordinal: checkpoint?.ordinal ?? 0 };
  }
}

/** Before the first event of any engine. */
const NOTHING: Position = -1n;
