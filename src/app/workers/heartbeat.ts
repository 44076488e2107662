import type { EventEmitter } from 'node:events';

/** How often a process says that its event loop turns. */
const BEAT_MS = 1_000;
/** Looks in a row, each a beat apart, without a message: the process hangs. With its start it is replaced within 10 s. */
const SILENT_LOOKS_MAX = 5;

/** The message that a process sends to the one that started it, once in BEAT_MS. */
export interface Heartbeat {
  readonly alive: true;
}

export const isHeartbeat = (message: unknown): message is Heartbeat => (message as Partial<Heartbeat> | null)?.alive === true;

/** From now on the process that started this one, if it has a channel to it, gets a message every second for as long as the event loop turns. */
export function beat(): void {
  if (process.send === undefined) return;
  const send = (): void => {
    // That the parent has ended is handled where the channel closes.
    if (process.connected) process.send!({ alive: true } satisfies Heartbeat, undefined, undefined, () => undefined);
  };
  send();
  setInterval(send, BEAT_MS).unref();
}

/** A process with a channel to this one. */
type Watched = EventEmitter & { readonly pid?: number | undefined };

/**
 * Kills a process whose event loop stands still: blocked, or the process is stopped. Death is what its exit handler knows how to
 * treat. Watches from the first beat on, because no message is sent while modules are loaded. What counts is how often this process has
 * looked, not the time: a pause of this process itself counts as no silence.
 */
export function killWhenSilent(child: Watched, onSilent: () => void): void {
  let silentLooks = 0;
  let looking: NodeJS.Timeout | undefined;
  child.on('message', () => {
    silentLooks = 0;
    looking ??= setInterval(look, BEAT_MS).unref();
  });
  child.once('exit', () => clearInterval(looking));
  const look = (): void => {
    silentLooks += 1;
    if (silentLooks <= SILENT_LOOKS_MAX) return;
    clearInterval(looking);
    onSilent();
    // No other signal reaches a stopped process.
    process.kill(child.pid!, 'SIGKILL');
  };
}
