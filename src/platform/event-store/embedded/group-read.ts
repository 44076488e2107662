import { StreamTooLong, type ReadOptions, type RecordedEvent } from '../event-store.js';

export interface StreamRead extends ReadOptions {
  readonly stream: string;
}

export interface FoundEvents {
  readonly events: RecordedEvent[];
  /** There are more of the requested events: the statement had reached its bytes. */
  readonly isCut: boolean;
}

/**
 * Returns the events of each of `reads`, in their order, up to the bytes of one statement; the first read gets an event if there is one. All reads
 * have the same direction and form.
 */
export type ReadMany = (reads: readonly StreamRead[]) => Promise<FoundEvents[]>;

interface PendingRead {
  readonly read: StreamRead;
  readonly since: number;
  readonly resolve: (events: RecordedEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupReadLimits {
  /** Maximum concurrent statements. */
  readonly statementsMax: number;
  /** A read that has waited longer, ms, is rejected: its caller has given up. */
  readonly waitMs: number;
  /** Maximum streams in one statement. */
  readonly readsMax: number;
}

/**
 * Combines concurrent reads of streams into one statement: a decision reads a few events, and sending a statement costs more than finding them. Reads
 * gather while the maximum of statements is in progress; a single read does not wait.
 */
export class GroupRead {
  #waiting: PendingRead[] = [];
  #underWay = 0;
  #scheduled = false;

  constructor(
    private readonly readMany: ReadMany,
    private readonly limits: GroupReadLimits,
  ) {}

  /** Sees everything that was committed before the call. */
  read(read: StreamRead): Promise<RecordedEvent[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ read, since: performance.now(), resolve, reject });
      this.#schedule();
    });
  }

  /** Other reads of this turn of the event loop join the statement. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#underWay >= this.limits.statementsMax) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#send(this.#take());
      this.#schedule();
    });
  }

  /** Takes the oldest read, and as many of its kind as fit. */
  #take(): PendingRead[] {
    const group: PendingRead[] = [];
    const later: PendingRead[] = [];
    const oldestMs = performance.now() - this.limits.waitMs;
    for (const pending of this.#waiting) {
      if (pending.since < oldestMs) pending.reject(new Error('the read has waited too long'));
      else if (group.length < this.limits.readsMax && isAlike(pending.read, (group[0] ?? pending).read)) group.push(pending);
      else later.push(pending);
    }
    this.#waiting = later;
    return group;
  }

  async #send(group: readonly PendingRead[]): Promise<void> {
    if (group.length === 0) return;
    this.#underWay++;
    try {
      const found = await this.readMany(group.map(({ read }) => read));
      // A read without room goes first the next time, and then has all of a statement's bytes.
      this.#waiting.unshift(...group.filter((pending, index) => index > 0 && isCrowdedOut(pending.read, found[index]!)));
      for (const [index, pending] of group.entries()) if (index === 0 || !isCrowdedOut(pending.read, found[index]!)) answer(pending, found[index]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#underWay--;
      this.#schedule();
    }
  }
}

function isCrowdedOut({ limit }: StreamRead, { events, isCut }: FoundEvents): boolean {
  return isCut && (limit === undefined || events.length === 0);
}

function answer({ read, resolve, reject }: PendingRead, { events, isCut }: FoundEvents): void {
  if (isCut && read.limit === undefined) reject(new StreamTooLong(read.stream));
  else resolve(events);
}

function isAlike(a: StreamRead, b: StreamRead): boolean {
  return (a.direction ?? 'forwards') === (b.direction ?? 'forwards') && (a.stored ?? false) === (b.stored ?? false);
}
