import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';

/** Below the service's data directory. */
export const EMBEDDED_DIRECTORY = 'postgres';
/** Below that one. */
export const CLUSTER_DIRECTORY = 'data';

/** What the server of the cluster in `data` is called. Device and inode: it moves with the directory, and a copy has another. */
export function clusterName(data: string): string {
  const { dev, ino } = statSync(data);
  return `chargebook-${dev}-${ino}`;
}

/** Whether `pool` leads to the Postgres that lives in `dataDir`: who was started by another process of ours knows its address alone. */
export async function isEmbeddedIn(dataDir: string, pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>(`select current_setting('cluster_name') as name`);
  try {
    return rows[0]?.name === clusterName(join(dataDir, EMBEDDED_DIRECTORY, CLUSTER_DIRECTORY));
  } catch {
    return false;
  }
}
