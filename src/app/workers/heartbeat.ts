import type { EventEmitter } from 'node:events';

/** Interval at which a process reports that its event loop runs. */
const BEAT_MS = 1_000;
/**
 * Consecutive checks, one beat apart, without a message after which the process counts as hanging. Including its start, it is replaced within 10 s.
 */
const SILENT_LOOKS_MAX = 5;

/** Message of a process to its parent, once per BEAT_MS. */
export interface Heartbeat {
  readonly alive: true;
}

export const isHeartbeat = (message: unknown): message is Heartbeat => (message as Partial<Heartbeat> | null)?.alive === true;

/** Sends a message to the parent process every second while the event loop runs, if there is a channel to it. */
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

/**
 * Kills a process whose event loop does not run, because it is blocked or the process is stopped. The exit handler of the process then restarts it.
 * The watch starts with the first beat, because no message is sent while modules load. It counts checks of this process instead of time, so that a
 * pause of this process itself is not mistaken for silence.
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
    // A stopped process receives no other signal.
    process.kill(child.pid!, 'SIGKILL');
  };
}
