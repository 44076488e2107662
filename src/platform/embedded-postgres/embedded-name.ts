import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';

/** Below the service's data directory. */
export const EMBEDDED_DIRECTORY = 'postgres';
/** Below that directory. */
export const CLUSTER_DIRECTORY = 'data';

/**
 * Returns the name of the server of the cluster in `data`. It contains device and inode: it moves with the directory, and a copy has another name.
 */
export function clusterName(data: string): string {
  const { dev, ino } = statSync(data);
  return `chargebook-${dev}-${ino}`;
}

/** Returns whether `pool` connects to the Postgres in `dataDir`: a process that another one of ours started knows only the address. */
export async function isEmbeddedIn(dataDir: string, pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>(`select current_setting('cluster_name') as name`);
  try {
    return rows[0]?.name === clusterName(join(dataDir, EMBEDDED_DIRECTORY, CLUSTER_DIRECTORY));
  } catch {
    return false;
  }
}
