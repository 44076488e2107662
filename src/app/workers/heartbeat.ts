import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { BackOff } from '../../platform/async/back-off.js';
import { BEAT_MS, Liveness, type Death, type Thread } from './liveness.js';

/** Patience with a process, ms: on an idle machine it is replaced within 10 s, including its start. Twice as long after each kill, up to the longest. */
const FIRST_PATIENCE_MS = 5_000;
const LONGEST_PATIENCE_MS = 320_000;
/** A process whose event loop ran in so many looks has got past the step at which its predecessor was killed. */
const SETTLED_BEATS = 60;
/** The kernel counts processor time in ticks, a hundred in a second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Message of a process to its parent, once per BEAT_MS. */
export interface Heartbeat {
  readonly alive: true;
}

export const isHeartbeat = (message: unknown): message is Heartbeat => (message as Partial<Heartbeat> | null)?.alive === true;

/**
 * Sends a message to the parent process every second while the event loop runs, if there is a channel to it. Called when the process has started: a
 * start loads modules for seconds, or waits for a database.
 */
export function beat(): void {
  if (process.send === undefined) return;
  const send = (): void => {
    // The end of the parent is handled where the channel closes.
    if (process.connected) process.send!({ alive: true } satisfies Heartbeat, undefined, undefined, () => undefined);
  };
  send();
  setInterval(send, BEAT_MS).unref();
}

/** A process with a channel to this one. */
type Watched = EventEmitter & { readonly pid?: number | undefined };

/** Why a process is killed, and the patience that it had. */
export interface Killed {
  readonly cause: Death;
  readonly patience_ms: number;
}

/**
 * Kills a process whose event loop does not run, and the same for its successors. The exit handler of the process then restarts it. A successor may
 * meet the same step as the killed process: it is given twice the time.
 */
export class Watchdog {
  readonly #patience = new BackOff(FIRST_PATIENCE_MS, LONGEST_PATIENCE_MS);

  watch(child: Watched, onKill: (killed: Killed) => void): void {
    const liveness = new Liveness(this.#patience.nextMs);
    let beat = false;
    let beats = 0;
    const look = (): void => {
      const cause = liveness.look({ beat, thread: threadOf(child.pid!) });
      if (beat && ++beats === SETTLED_BEATS) this.#patience.reset();
      beat = false;
      if (cause === undefined) return;
      clearInterval(looking);
      onKill({ cause, patience_ms: this.#patience.take() });
      // A stopped process receives no other signal.
      process.kill(child.pid!, 'SIGKILL');
    };
    const looking = setInterval(look, BEAT_MS).unref();
    child.on('message', () => (beat = true));
    child.once('exit', () => clearInterval(looking));
  }
}

/** Returns the main thread of a process: Node's event loop runs on it. */
function threadOf(pid: number): Thread | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    // The name, in brackets before the fields, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, cpuMs: (Number(fields[11]) + Number(fields[12])) * (1_000 / TICKS_PER_SECOND) };
  } catch {
    return undefined;
  }
}
