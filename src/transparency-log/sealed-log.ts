import type { Pool } from 'pg';
import type { SealedLog } from '../domain/approvals/sealed-log.js';
import { findLeaf, findHead } from './chain.js';

/** @param pool on the primary database */
export const sealedLog = (pool: Pool): SealedLog => ({
  head: () => findHead(pool),
  isSealed: async (eventId) => (await findLeaf(pool, eventId)) !== undefined,
});
