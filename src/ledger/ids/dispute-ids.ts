import { derivedId } from './idempotency.js';

/** Returns the id of the `number`th hold of a dispute, from 1. */
export const holdId = (disputeId: string, number: number): string => derivedId(disputeId, `hold ${number}`);

/** Returns the id of the `number`th release of a dispute, from 1. */
export const releaseId = (disputeId: string, number: number): string => derivedId(disputeId, `release ${number}`);
