import type { StatementLine } from '../../../ledger/events/reconciliation.events.js';
import { StatementRefused } from '../formats/statement-item.js';
import { MINOR_UNITS } from '../../../ledger/money.js';
import { handledLater } from '../../../platform/async/waiting.js';
import { inUnits } from '../../../platform/text/amounts.js';

/** Returns the amounts that were paid under these references, minor units; unknown references are left out. */
export type FindPaidAmounts = (currency: string, references: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Lines that are checked together. */
const LINES = 1_000;
const KNOWN_MIN = 3;
const SHARE_MIN = 0.9;

/**
 * Detects a file whose amounts are a hundred times, or a hundredth of, the recorded payments: it has other units than its source states. In a
 * thousand lines, at least three whose reference is known must be off in this way, and nine tenths of all that are known.
 */
export class AmountScale {
  private waiting: StatementLine[] = [];
  /** Payments are looked up while more lines are read. */
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly find: FindPaidAmounts) {}

  /** @throws StatementRefused, for these lines or earlier ones */
  async add(lines: readonly StatementLine[]): Promise<void> {
    this.waiting.push(...lines);
    while (this.waiting.length >= LINES) {
      await this.looking;
      // The next `add` or `end` throws the error.
      this.looking = handledLater(this.look(this.waiting.splice(0, LINES)));
    }
  }

  /** @throws StatementRefused */
  async end(): Promise<void> {
    await this.looking;
    await this.look(this.waiting.splice(0));
  }

  private async look(lines: readonly StatementLine[]): Promise<void> {
    let known = 0;
    const off: { readonly line: StatementLine; readonly paid: number }[] = [];
    for (const currency of new Set(lines.map((line) => line.currency))) {
      const ofCurrency = lines.filter((line) => line.currency === currency && line.references.length > 0);
      if (ofCurrency.length === 0) continue;
      const amounts = await this.find(currency, [...new Set(ofCurrency.flatMap(({ references }) => references))]);
      for (const line of ofCurrency) {
        const paid = line.references.map((reference) => amounts.get(reference)).find((amount) => amount !== undefined);
        if (paid === undefined) continue;
        known += 1;
        if (isOff(grossOf(line), paid)) off.push({ line, paid });
      }
    }
    if (off.length < KNOWN_MIN || off.length < SHARE_MIN * known) return;
    const { line, paid } = off[0]!;
    const found = `${inUnits(grossOf(line))}, and so ${off.length} of ${known} amounts with a known reference`;
    throw new StatementRefused({
      reason: 'scale',
      line: line.at,
      expected: `${inUnits(paid)}, as was paid under ${line.references.join(', ')}`,
      found,
    });
  }
}

const grossOf = ({ gross, amount }: StatementLine): number => Math.abs(gross ?? amount);
const isOff = (found: number, paid: number): boolean => found === paid * MINOR_UNITS || found * MINOR_UNITS === paid;
