import type { PartKind } from '../../../ledger/events/reconciliation.events.js';
import type { ParsedLine } from './statement-item.js';

/** Maximum rows in memory. */
const ROWS_MAX = 10_000;

/** Rows of a file with the same value in `joined_by`, batch and currency. */
interface Group {
  /** Rows that are a line themselves. */
  readonly owners: ParsedLine[];
  readonly parts: { readonly kind: PartKind; readonly line: ParsedLine }[];
}

/**
 * Joins rows of fee and tax to the line of their payment, in any order of the rows. A row of fee or tax is read as a CHARGE, and stays a separate line
 * when its group has no payment, or several: the file then does not determine the payment. When 10,000 rows are in memory, the oldest group ends.
 */
export class JoinedRows {
  /** In the order of their first rows. */
  private readonly groups = new Map<string, Group>();
  private rows = 0;

  constructor(private readonly has: { readonly fee: boolean; readonly tax: boolean }) {}

  /** @param part kind of the row; undefined: the row is a line @param by value of the column `joined_by` @returns lines that are complete by now */
  add(line: ParsedLine, part: PartKind | undefined, by: string): ParsedLine[] {
    if (by === '' || (part === undefined && (line.kind === 'CHARGE' || line.kind === 'TRANSFER'))) return [line];
    const isReversal = part === undefined ? line.kind === 'REVERSAL' : part === 'REVERSED_FEE' || part === 'REVERSED_TAX';
    const key = `${by}\0${line.batch}\0${line.currency}\0${isReversal}`;
    let group = this.groups.get(key);
    if (!group) this.groups.set(key, (group = { owners: [], parts: [] }));
    if (part === undefined) group.owners.push(line);
    else group.parts.push({ kind: part, line });
    this.rows += 1;
    if (this.rows < ROWS_MAX) return [];
    const [oldest, ended] = this.groups.entries().next().value!;
    this.groups.delete(oldest);
    this.rows -= ended.owners.length + ended.parts.length;
    return this.linesOf(ended);
  }

  /** Returns the lines of all groups that have not ended. */
  end(): ParsedLine[] {
    const lines = [...this.groups.values()].flatMap((group) => this.linesOf(group));
    this.groups.clear();
    this.rows = 0;
    return lines;
  }

  private linesOf({ owners, parts }: Group): ParsedLine[] {
    const isJoined = owners.length === 1;
    const sumOf = (...kinds: readonly PartKind[]): number =>
      isJoined ? parts.reduce((sum, { kind, line }) => (kinds.includes(kind) ? sum + line.amount : sum), 0) : 0;
    const [fees, taxes] = [sumOf('FEE', 'REVERSED_FEE'), sumOf('TAX', 'REVERSED_TAX')];
    const lines = owners.map((line) => ({
      ...line,
      fee: this.has.fee ? (line.fee ?? 0) - fees : line.fee,
      tax: this.has.tax ? (line.tax ?? 0) - taxes : line.tax,
      amount: line.amount + fees + taxes,
    }));
    return isJoined ? lines : [...lines, ...parts.map(({ line }) => line)];
  }
}
