/**
 * The faults that a simulator of a provider can have. `slow` … `garbage`: of answers; `repeat` … `old-timestamp`: of notifications; the others: of
 * the provider's actions or statements. Source of each: an incident, or a page of a provider that warns of it.
 */
export const FAULTS = [
  'slow',
  'lost-answer',
  '5xx-after',
  '429',
  'garbage',
  'skew',
  'repeat',
  'reorder',
  'late',
  'forge',
  'bad-signature',
  'old-timestamp',
  'wrong-amount',
  'paid-after-expired',
  'short-house',
  'not-found-early',
  'token-dies',
  'forget-midnight',
  'forget-reference',
  'dup-as-404-18',
  'odd-keys',
  'no-decimals',
  'eod',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Probability of each fault, 0 to 1. */
export type FaultRates = Readonly<Partial<Record<Fault, number>>>;

/** @throws RangeError for an unknown name, or a rate beyond 0 … 1 */
export function faultRates(rates: Readonly<Record<string, unknown>>): FaultRates {
  for (const [name, rate] of Object.entries(rates)) {
    if (!(FAULTS as readonly string[]).includes(name)) throw new RangeError(`unknown fault: ${name}; the faults are ${FAULTS.join(', ')}`);
    if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) throw new RangeError(`the rate of ${name} must be a number from 0 to 1`);
  }
  return rates;
}

/** Pseudo-random draws that are the same in every run with the same seed (mulberry32). */
export class Draws {
  #state: number;

  constructor(
    seed: number,
    public rates: FaultRates,
  ) {
    this.#state = seed | 0;
  }

  /** Returns whether the fault happens now. */
  happens(fault: Fault): boolean {
    const rate = this.rates[fault] ?? 0;
    // A fault without a rate uses no draw, so that a fault that is added later changes no other.
    return rate > 0 && this.#next() < rate;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
