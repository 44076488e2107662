import type { Fee } from '../../ledger/money.js';
import { milliseconds, type Timestamp } from '../../ledger/time.js';

/** In a rule: every merchant, or every channel. */
export const ANY = '*';

/** The fee of the records to which the rule applies. */
export interface FeeRule {
  /** A merchant's id, or ANY. */
  readonly merchant: string;
  /** Charges: the code of a channel, or ANY. Payouts and disputes: a currency. */
  readonly subject: string;
  readonly fee: Fee;
}

/** The fees of charges, payouts or disputes. The most specific rule applies; without one, the fee is the recorded one. */
export class FeeRules {
  readonly #fees = new Map<string, Fee>();

  constructor(readonly rules: readonly FeeRule[]) {
    for (const { merchant, subject, fee } of rules) this.#fees.set(keyOf(merchant, subject), fee);
  }

  find(merchant: string, subject: string): Fee | undefined {
    const fees = this.#fees;
    if (fees.size === 0) return undefined;
    return fees.get(keyOf(merchant, subject)) ?? fees.get(keyOf(merchant, ANY)) ?? fees.get(keyOf(ANY, subject)) ?? fees.get(keyOf(ANY, ANY));
  }

  /** Returns the indexes of two rules of equal rank that apply to the same records, to which no more specific rule applies. */
  conflict(): readonly [number, number] | undefined {
    const indexes = new Map<string, number>();
    for (const [index, { merchant, subject }] of this.rules.entries()) {
      const other = indexes.get(keyOf(merchant, subject));
      if (other !== undefined) return [other, index];
      indexes.set(keyOf(merchant, subject), index);
    }
    for (const [index, { merchant, subject }] of this.rules.entries()) {
      if (merchant === ANY || subject !== ANY) continue;
      const other = this.rules.findIndex((each) => each.merchant === ANY && each.subject !== ANY && !indexes.has(keyOf(merchant, each.subject)));
      if (other >= 0) return other < index ? [other, index] : [index, other];
    }
    return undefined;
  }
}

const keyOf = (merchant: string, subject: string): string => `${merchant} ${subject}`;

/** Other fees for past records. */
export interface Scenario {
  readonly name: string;
  readonly charges: FeeRules;
  readonly payouts: FeeRules;
  readonly disputes: FeeRules;
}

/** Records that are created from `fromMs` on and before `toMs`, ms since the epoch. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

export function isOfPeriod({ fromMs, toMs }: Period, time: Timestamp): boolean {
  const at = milliseconds(time);
  return at >= fromMs && at < toMs;
}
