import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { BackOff } from '../../platform/async/back-off.js';
import type { Running } from '../api.js';
import { Watchdog } from './heartbeat.js';

/** Pauses before a restart, ms. A start takes a core for two seconds, and may fail for the same reason as the last one. */
const FIRST_RESTART_MS = 1_000;
const LONGEST_RESTART_MS = 8_000;
/** A process that ran for this long did not exit because of its start. */
const SETTLED_MS = 10_000;

/** Runs projector and worker in a separate process with `script`, and replaces it when it dies or hangs. */
export function superviseBackground(script: string, env: NodeJS.ProcessEnv, logger: Logger): Running {
  let stopping = false;
  let child: ChildProcess;
  let hasStarted = false;
  let restarting: NodeJS.Timeout | undefined;
  const watchdog = new Watchdog();
  const pauses = new BackOff(FIRST_RESTART_MS, LONGEST_RESTART_MS);
  const start = (): void => {
    // A separate process group: Ctrl-C reaches this process alone, which finishes its requests before it stops the other.
    child = fork(script, [], { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    hasStarted = false;
    child.once('message', () => (hasStarted = true));
    const settled = setTimeout(() => pauses.reset(), SETTLED_MS);
    watchdog.watch(child, (killed) => logger.error({ child_pid: child.pid, ...killed }, 'the background process does not respond; killing it'));
    child.once('exit', (code, signal) => {
      clearTimeout(settled);
      if (stopping) return;
      const restart_ms = pauses.take();
      logger.error({ code, signal, restart_ms }, 'the background process exited; restarting it');
      restarting = setTimeout(start, restart_ms);
    });
  };
  start();
  return {
    async stop() {
      stopping = true;
      clearTimeout(restarting);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      // A start has nothing to finish, and one that hangs handles no signal.
      child.kill(hasStarted ? 'SIGTERM' : 'SIGKILL');
      await ended;
    },
  };
}
