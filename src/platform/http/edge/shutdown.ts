import type { Logger } from 'pino';

/** SIGTERM: from an operator's system; SIGINT: from a person at a terminal. */
export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Shorter than the time after which an orchestrator kills. */
const STOP_MS = 14_500;

/**
 * Runs `stop` at SIGTERM or SIGINT and exits: 0 also when `stop` takes longer than 14.5 s, because answered writes are durable by then; 1 when it
 * fails. A second SIGINT exits at once with 130. `signals`: the signals to handle.
 * @returns a function that does the same without a signal.
 */
export function stopOnSignal(
  stop: (signal: StopSignal) => Promise<void>,
  logger: Logger,
  signals: readonly StopSignal[] = ['SIGTERM', 'SIGINT'],
): (signal: StopSignal) => void {
  let stopping = false;
  const begin = (signal: StopSignal) => {
    if (stopping) {
      if (signal === 'SIGINT') process.exit(130);
      return;
    }
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping timed out; exiting');
      process.exit(0);
    }, STOP_MS).unref();
    stop(signal).then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'cannot stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, begin);
  return begin;
}
