import type { EventStore, Position, RecordedEvent } from '../event-store/event-store.js';
import { timeLimit } from '../async/waiting.js';

/** Maximum sightings. More would be more exact than is needed. */
const SIGHTINGS_MAX = 512;

/**
 * Time for which a projection has been behind the store: since the oldest position that it has not reached was first seen.
 * It receives every head of the store that this process learns.
 */
export class ProjectionLag {
  /** Ascending in both. */
  #sightings: { readonly position: Position; readonly seenMs: number }[] = [];

  /** Records that the store had reached `position` at `nowMs`. */
  saw(position: Position, nowMs: number): void {
    const newest = this.#sightings.at(-1);
    if (newest && newest.position >= position) return;
    this.#sightings.push({ position, seenMs: nowMs });
    // The oldest one gives the lag; half the resolution is enough for the others.
    if (this.#sightings.length > SIGHTINGS_MAX) this.#sightings = this.#sightings.filter((_, index) => index % 2 === 0);
  }

  reached(position: Position): void {
    let passed = 0;
    while (passed < this.#sightings.length && this.#sightings[passed]!.position <= position) passed++;
    if (passed > 0) this.#sightings.splice(0, passed);
  }

  /** Records that the store was restored to `head`, or to nothing: sightings after that are gone. */
  lostBehind(head: Position | null): void {
    this.#sightings = this.#sightings.filter(({ position }) => head !== null && position <= head);
  }

  /** Returns 0 when everything seen was reached. */
  seconds(nowMs: number): number {
    const oldest = this.#sightings[0];
    return oldest ? Math.max(0, nowMs - oldest.seenMs) / 1_000 : 0;
  }
}

/** Maximum wait of a look at the lag for the first event behind it, ms. A longer one would delay a start whose store does not respond. */
const FIRST_BEHIND_WITHIN_MS = 2_000;

/**
 * Returns when the first event after `position` happened, on the clock of `performance.now()`: the lag that a process finds at its start. It is now
 * when there is no such event, when the store does not return it within two seconds, or when the store does not hold the log up to `position`.
 */
export async function firstBehindMs(store: Pick<EventStore, 'subscribe'>, signal: AbortSignal, position: Position | null): Promise<number> {
  const now = performance.now();
  const soon = AbortSignal.any([signal, timeLimit(FIRST_BEHIND_WITHIN_MS)]);
  const first = await firstBehind(store, soon, position).catch(() => undefined);
  return first ? now - ageOf(first) : now;
}

/** Returns the first event after `position`; undefined when there is none, or when the signal aborts before. @throws StoreRestored, see `subscribe` */
export async function firstBehind(
  store: Pick<EventStore, 'subscribe'>,
  signal: AbortSignal,
  position: Position | null,
): Promise<RecordedEvent | undefined> {
  for await (const { events, caughtUp } of store.subscribe(position, { signal, batchSize: 1 })) {
    if (events[0] || caughtUp) return events[0];
  }
  return undefined;
}

/** Age by its recorded time, ms; 0 for a time in the future. */
export function ageOf({ metadata }: RecordedEvent): number {
  return Math.max(0, Date.now() - Date.parse(metadata.occurred_on));
}
