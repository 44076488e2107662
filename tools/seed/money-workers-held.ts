import { AdvisoryLock } from '../../src/platform/postgres/advisory-lock.js';
import { electionKey } from '../../src/platform/worker/elected-worker.js';
import { MONEY_WORKERS } from '../../src/app/workers/money-workers.js';

/**
 * Stands for election as the workers that settle and pay out, and does nothing when elected, so that a service that starts meanwhile does not process
 * events with past times. `isHeld`: false when a service has already been elected.
 */
export async function holdMoneyWorkers(databaseUrl: string): Promise<{ readonly isHeld: boolean; release(): Promise<void> }> {
  const locks = Object.values(MONEY_WORKERS).map((name) => new AdvisoryLock({ url: databaseUrl, key: electionKey(name), onLost: () => undefined }));
  const release = async (): Promise<void> => void (await Promise.all(locks.map((lock) => lock.release())));
  try {
    const held = await Promise.all(locks.map((lock) => lock.tryAcquire()));
    return { isHeld: held.every(Boolean), release };
  } catch (error) {
    await release();
    throw error;
  }
}
