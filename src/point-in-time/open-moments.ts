import type { Pool } from 'pg';
import { MomentDatabases } from './moment-databases.js';
import { Moments, type MomentLimits } from './moments.js';

/** The part of the environment that moments need. */
export interface MomentsConfig {
  readonly pointInTimeUrl: string | undefined;
  readonly moments: MomentLimits;
}

/** @param pool on the service's own database, which `databaseUrl` names */
export function openMoments(pool: Pool, databaseUrl: string, { pointInTimeUrl: url, moments }: MomentsConfig) {
  const databases = new MomentDatabases({ pool, databaseUrl, url });
  return { databases, moments: new Moments(pool, databases, moments) };
}
