import { setTimeout as delay } from 'node:timers/promises';
import { createPool } from '../postgres/pool.js';
import { readCheckpoint } from './checkpoint.js';

const LOOK_EVERY_MS = 20;

/** Waits until each of these projections can be read; it may still be behind. @returns false when one does not exist within `ms` */
export async function untilBuilt(url: string, names: readonly string[], ms: number): Promise<boolean> {
  const pool = createPool({ url, applicationName: 'chargebook-start', maxConnections: 1 });
  try {
    for (const deadline = performance.now() + ms; performance.now() < deadline; await delay(LOOK_EVERY_MS)) {
      const checkpoints = await Promise.all(names.map((name) => readCheckpoint(pool, name)));
      if (checkpoints.every((checkpoint) => checkpoint !== null)) return true;
    }
    return false;
  } finally {
    await pool.end();
  }
}
