import type { StatementLine } from '../ledger/events/recon.events.js';
import type { CheckedLine, FileSummary } from './checked-statement.js';
import type { PersonalData } from './formats/statement-item.js';
import type { PartPeople } from './statement-people.js';

/** Of one event. */
const LINES_MAX = 500;
const PART_BYTES_MAX = 262_144;

export interface StatementPart {
  readonly lines: readonly StatementLine[];
  readonly people: PartPeople;
}

/** Lines in their order, in parts as full as they may be: the same for whoever makes them. */
export async function* partsOf(lines: AsyncGenerator<CheckedLine[], FileSummary>): AsyncGenerator<StatementPart> {
  let part: StatementLine[] = [];
  let people: (PersonalData | null)[] = [];
  let bytes = 0;
  for await (const some of lines) {
    for (const line of some) {
      const stored = storedLine(line);
      const size = Buffer.byteLength(JSON.stringify(stored)) + 1;
      if (part.length === LINES_MAX || bytes + size > PART_BYTES_MAX) {
        yield { lines: part, people };
        [part, people, bytes] = [[], [], 0];
      }
      part.push(stored);
      people.push(line.personal);
      bytes += size;
    }
  }
  if (part.length > 0) yield { lines: part, people };
}

/** What of a line is in the log: whom it names is not. */
function storedLine(line: CheckedLine): StatementLine {
  const { at, line_key, entry_key, group, booking_date, value_date, amount, currency, kind, gross, fee, tax, batch, references } = line;
  return { at, line_key, entry_key, group, booking_date, value_date, amount, currency, kind, gross, fee, tax, batch, references };
}
