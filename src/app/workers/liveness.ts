/** Interval at which a process reports that its event loop runs, and at which it is looked at. */
export const BEAT_MS = 1_000;
/** A process may be silent for this many times the patience while it waits for something other than a processor or a disk. */
const SILENT_PATIENCES = 12;

/** The thread of a process's event loop, as the kernel accounts for it. */
export interface Thread {
  /** Letter of proc(5): R runs or waits for a processor, D waits for a disk, T is stopped, S waits for anything else. */
  readonly state: string;
  readonly cpuMs: number;
}

export interface Look {
  /** A message has arrived since the look before: the event loop runs. */
  readonly beat: boolean;
  /** Undefined where the system has no /proc. */
  readonly thread: Thread | undefined;
}

/**
 * - `stopped`: it was stopped from outside, and has used no processor since.
 * - `spins`: it has used a processor without a turn of its event loop.
 * - `silent`: it has no turn of its event loop, although it waits for no processor.
 */
export type Death = 'stopped' | 'spins' | 'silent';

/**
 * Judges from looks, BEAT_MS apart, whether a process is dead. A slow machine proves nothing: a process that waits for a processor is never dead, and
 * one that works is judged by the processor time that it has used, not by the clock.
 */
export class Liveness {
  #hasBeaten = false;
  #spentMs = 0;
  #idleLooks = 0;
  #stoppedLooks = 0;
  #last: Thread | undefined;

  /** @param patienceMs processor time without a turn of the event loop, and time that it may be stopped */
  constructor(private readonly patienceMs: number) {}

  /** Counts looks instead of time, so that a pause of the watching process itself is not mistaken for silence. */
  look({ beat, thread }: Look): Death | undefined {
    const gainedMs = thread && this.#last ? thread.cpuMs - this.#last.cpuMs : 0;
    const waitsForMachine = thread?.state === 'R' || thread?.state === 'D';
    // Tools that limit a process stop it most of the time: it is found stopped, and still works.
    const isIdle = !beat && gainedMs === 0 && !waitsForMachine;
    this.#last = thread;
    this.#hasBeaten ||= beat;
    this.#spentMs = beat ? 0 : this.#spentMs + gainedMs;
    this.#idleLooks = isIdle ? this.#idleLooks + 1 : 0;
    this.#stoppedLooks = isIdle && thread?.state === 'T' ? this.#stoppedLooks + 1 : 0;
    if (this.#stoppedLooks * BEAT_MS > this.patienceMs) return 'stopped';
    // No message is sent during a start: it takes as long as it takes.
    if (!this.#hasBeaten) return undefined;
    if (this.#spentMs > this.patienceMs) return 'spins';
    return this.#idleLooks * BEAT_MS > SILENT_PATIENCES * this.patienceMs ? 'silent' : undefined;
  }
}
