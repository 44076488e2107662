import { derivedId } from '../../src/ledger/idempotency.js';

/**
 * A break that reappears has the same id. @param subject the key of its line; the event of its item; the batch's source and the batch; or the day of
 * its file
 */
export const breakId = (source: string, kind: string, subject: string): string => derivedId(source, `break\0${kind}\0${subject}`);

export const batchSubject = (source: string, batch: string): string => `${source} ${batch}`;
