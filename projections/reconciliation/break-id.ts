import { derivedId } from '../../src/ledger/idempotency.js';

/** A break that comes again has the same. @param subject the key of its line; or the event of its item, its batch behind the batch's source, the day of its file */
export const breakId = (source: string, kind: string, subject: string): string => derivedId(source, `break\0${kind}\0${subject}`);

export const batchSubject = (source: string, batch: string): string => `${source} ${batch}`;
