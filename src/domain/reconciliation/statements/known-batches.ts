import type { CheckedLine, FileSummary } from './checked-statement.js';
import { REFERENCES_MAX } from '../formats/references.js';

/** Returns those of the words that are names of batches in an accepted file of a processor. @throws StoreUnavailable when that is not known yet */
export type FindBatches = (words: readonly string[]) => Promise<ReadonlySet<string>>;

/** Passes the lines on. Words that are names of known batches become references. */
export async function* withKnownBatches(
  lines: AsyncGenerator<CheckedLine[], FileSummary>,
  find: FindBatches,
): AsyncGenerator<CheckedLine[], FileSummary> {
  for (let next = await lines.next(); ; next = await lines.next()) {
    if (next.done) return next.value;
    const words = new Set(next.value.flatMap(({ possible }) => possible));
    const known = words.size > 0 ? await find([...words]) : words;
    yield known.size > 0 ? next.value.map((line) => withBatches(line, known)) : next.value;
  }
}

function withBatches(line: CheckedLine, known: ReadonlySet<string>): CheckedLine {
  const { stored, possible } = line;
  const batches = possible.filter((word) => known.has(word)).slice(0, REFERENCES_MAX - stored.references.length);
  const references = [...stored.references, ...batches];
  return { ...line, stored: { ...stored, references }, possible: possible.filter((word) => !batches.includes(word)) };
}
