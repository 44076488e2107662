import type { MeantDifference } from './projection.js';

/** For a bridge: a time of the new rows that is never later than it was. @param words what it is the time of, and why it is earlier. */
export function earlier(column: string, words: string): MeantDifference {
  return {
    columns: [column],
    when: `rebuilt.${column} <= live.${column}`,
    sum: `extract(epoch from live.${column} - rebuilt.${column})`,
    words: `${words}, in seconds`,
  };
}
