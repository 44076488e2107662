import { derivedId } from './idempotency.js';

/** Of what is held for a dispute for the `number`th time, from 1. */
export const holdId = (disputeId: string, number: number): string => derivedId(disputeId, `hold ${number}`);

/** Of what is released of a dispute for the `number`th time, from 1. */
export const releaseId = (disputeId: string, number: number): string => derivedId(disputeId, `release ${number}`);
