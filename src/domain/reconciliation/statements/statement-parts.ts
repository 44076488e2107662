import type { StatementLine } from '../../../ledger/events/reconciliation.events.js';
import type { CheckedLine, FileSummary } from './checked-statement.js';
import type { PersonalData } from '../formats/statement-item.js';
import { KeysDigest } from './keys-digest.js';
import type { PartPeople } from './statement-people.js';

/** Maximum lines and bytes of one event. */
const LINES_MAX = 500;
const PART_BYTES_MAX = 262_144;

export interface StatementPart {
  readonly lines: readonly StatementLine[];
  readonly people: PartPeople;
  /** Digest over the keys of all lines up to this part's last. */
  readonly digest: string;
}

/**
 * Yields lines in their order, in parts as full as possible, so that every process makes the same parts. Each is the JSON text of a StatementPart.
 */
export async function* partsOf(lines: AsyncGenerator<readonly CheckedLine[], FileSummary>): AsyncGenerator<string, FileSummary> {
  const keys = new KeysDigest();
  let part: string[] = [];
  let people: (PersonalData | null)[] = [];
  let bytes = 0;
  const taken = (): string => {
    const text = `{"lines":[${part.join(',')}],"people":${JSON.stringify(people)},"digest":"${keys.hex()}"}`;
    [part, people, bytes] = [[], [], 0];
    return text;
  };
  for (let some = await lines.next(); ; some = await lines.next()) {
    if (some.done) {
      if (part.length > 0) yield taken();
      return some.value;
    }
    for (const line of some.value) {
      const stored = JSON.stringify(line.stored);
      const size = sizeOf(line, stored) + 1;
      if (part.length === LINES_MAX || bytes + size > PART_BYTES_MAX) yield taken();
      part.push(stored);
      people.push(line.personal);
      bytes += size;
      keys.add(line.stored.line_key);
    }
  }
}

/** As if all possible references were stored: a repeat of the import, for which more batches are known, makes the same parts. */
const sizeOf = ({ stored: fields, possible }: CheckedLine, stored: string): number =>
  Buffer.byteLength(possible.length === 0 ? stored : JSON.stringify({ ...fields, references: [...fields.references, ...possible] }));

export const partOf = (text: string): StatementPart => JSON.parse(text) as StatementPart;
