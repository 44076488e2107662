import { refundedFeeBounds, refundedFeeRoundedHalfUp, type GoneBack } from '../../ledger/money.js';

/** An amount as recorded, and as the scenario has it; minor units. */
export interface Priced {
  readonly was: number;
  readonly would: number;
}

export const NOTHING: Priced = { was: 0, would: 0 };

const sum = (a: Priced, b: Priced, sign: 1 | -1): Priced => ({ was: a.was + sign * b.was, would: a.would + sign * b.would });

/** An amount that every scenario shares, and the fee of it. */
export interface Part {
  readonly amount: number;
  readonly fee: Priced;
}

export const NO_PART: Part = { amount: 0, fee: NOTHING };

export const netOf = ({ amount, fee }: Part): Priced => ({ was: amount - fee.was, would: amount - fee.would });

export const plus = (a: Part, b: Part): Part => ({ amount: a.amount + b.amount, fee: sum(a.fee, b.fee, 1) });
export const minus = (a: Part, b: Part): Part => ({ amount: a.amount - b.amount, fee: sum(a.fee, b.fee, -1) });

const NO_PARTS: readonly Part[] = [];
const NOTHING_GONE: readonly [Part, ...Part[]] = [NO_PART];

/** A charge of the period: its fee, and the parts of it that went back to the customer. */
export class PricedCharge implements Part {
  /** Amounts that a settlement has claimed, and that a reversal has taken back; null: none. */
  claim: Part | null = null;
  reversed: Part | null = null;
  /**
   * Refunds under way, and amounts that disputes hold or have taken: now, and at any time before, the newest first. A process may decide on a state
   * of the charge that has changed since.
   */
  #gone = NOTHING_GONE;
  /** Refunds for which the account has reserved money, and which the charge has not claimed or declined. */
  #reserved = NO_PARTS;

  constructor(
    readonly amount: number,
    readonly fee: Priced,
  ) {}

  get rest(): Part {
    return minus(this, this.#gone[0]);
  }

  /** The rest as it is, and as it was at any time before, the newest first. */
  get rests(): readonly Part[] {
    return this.#gone.map((gone) => minus(this, gone));
  }

  /** Returns the part of the fee that goes back with `amount`, by the charge's present state. */
  partOf(amount: number): Part {
    return this.#partOf(amount, this.#gone[0]);
  }

  /**
   * Returns the part of the fee that goes back with a refund, for which money is reserved now; undefined: in none of its states has the charge
   * permitted that fee.
   * @param recordedFee determines the state of the charge in which it was permitted
   */
  reserve(amount: number, recordedFee: number): Part | undefined {
    const states = this.#gone.filter((gone) => amount <= this.amount - gone.amount);
    const permitted = states.map((gone) => this.#partOf(amount, gone)).find(({ fee }) => fee.was === recordedFee);
    if (!permitted) return undefined;
    const reserved = { amount, fee: { was: recordedFee, would: this.#withinBounds(permitted) } };
    this.#reserved = [...this.#reserved, reserved];
    return reserved;
  }

  /** The charge has claimed or declined it. */
  endReservation(reserved: Part): void {
    this.#reserved = this.#reserved.filter((each) => each !== reserved);
  }

  giveBack(part: Part): void {
    this.#gone = [plus(this.#gone[0], part), ...this.#gone];
  }

  takeBack(part: Part): void {
    this.#gone = [minus(this.#gone[0], part), ...this.#gone];
  }

  #partOf(amount: number, gone: Part): Part {
    const feeIn = (world: keyof Priced): number => refundedFeeRoundedHalfUp(inWorld(this, world), inWorld(gone, world), amount);
    return { amount, fee: { was: feeIn('was'), would: feeIn('would') } };
  }

  /** Recorded refunds were permitted together; with another fee, roundings might return more than there is. */
  #withinBounds({ amount, fee }: Part): number {
    const gone = this.#reserved.reduce(plus, this.#gone[0]);
    if (this.fee.was === this.fee.would || amount > this.amount - gone.amount) return fee.would;
    const { min, max } = refundedFeeBounds(inWorld(this, 'would'), inWorld(gone, 'would'), amount);
    return Math.min(Math.max(fee.would, min), max);
  }
}

const inWorld = ({ amount, fee }: Part, world: keyof Priced): GoneBack => ({ amount, fee_amount: fee[world] });
