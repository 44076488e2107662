import { AdvisoryLock } from '../../src/platform/postgres/advisory-lock.js';
import { electionKey } from '../../src/platform/worker/elected-worker.js';
import { MONEY_WORKERS } from '../../src/app/workers/money-workers.js';

/**
 * Stands for election as the workers that settle and pay out, and does nothing with it: what is written with times of the past is not
 * taken up by a service that starts meanwhile. `isHeld`: false where a service has been elected already.
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
