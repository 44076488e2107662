import { derivedId } from '../../src/ledger/ids/idempotency.js';

/**
 * A break that reappears has the same id. @param subject the key of its line; the event of its item; the batch's source and the batch; or the day of
 * its file
 */
export const breakId = (source: string, kind: string, subject: string): string => derivedId(source, `break\0${kind}\0${subject}`);

export const batchSubject = (source: string, batch: string): string => `${source} ${batch}`;

/**
 * Returns the id and adds it to `ids`. Accepted files of earlier versions may contain two lines with one key: the id of the second is made of its
 * place in the log as well.
 */
export function firstFree(ids: Set<string>, idOf: (more: string) => string, lineId: number | bigint | null): string {
  const short = idOf('');
  const id = ids.has(short) ? idOf(`\0${lineId}`) : short;
  ids.add(id);
  return id;
}
