import type { RailClock } from './rail-clock.js';

export type CircuitState = 'closed' | 'open' | 'half-open';
/** The result of a call that was let through: a clear answer, an unknown outcome, or no byte of it was sent. */
export type CallEnd = 'answered' | 'unknown' | 'not-sent';

const UNKNOWNS_IN_A_ROW = 5;
const LAST_CALLS = 20;
const UNKNOWNS_OF_LAST = LAST_CALLS / 2;
const TRIAL_AFTER_MS = 30_000;
const INQUIRY_EVERY_MS = 60_000;

/**
 * The circuit of one endpoint. It opens after five unknown outcomes in a row or ten of twenty; the first clear answer of a trial closes it. While
 * open, it lets a trial through every 30 s, and an inquiry every minute.
 */
export class Circuit {
  /** true: the outcome was unknown. */
  #last: boolean[] = [];
  #row = 0;
  #state: CircuitState = 'closed';
  #trialMs = 0;
  #inquiryMs = -Infinity;

  constructor(
    private readonly clock: RailClock,
    private readonly onChange: (state: CircuitState) => void,
  ) {}

  get state(): CircuitState {
    return this.#state;
  }

  /** ms until a call might be let through; 0: now. */
  refusesForMs(isInquiry: boolean): number {
    if (this.#state === 'closed') return 0;
    const now = this.clock.monotonic();
    if (isInquiry) return Math.max(0, this.#inquiryMs + INQUIRY_EVERY_MS - now);
    return this.#state === 'half-open' ? TRIAL_AFTER_MS : Math.max(0, this.#trialMs - now);
  }

  /** Lets a call through. The caller reports its end with the returned function. undefined: refused. */
  admit(isInquiry: boolean): ((end: CallEnd) => void) | undefined {
    if (this.refusesForMs(isInquiry) > 0) return undefined;
    if (this.#state === 'closed') return (end) => this.#ended(end);
    if (isInquiry) this.#inquiryMs = this.clock.monotonic();
    else this.#turn('half-open');
    return (end) => this.#triedOut(end);
  }

  #ended(end: CallEnd): void {
    // Calls that were under way when the circuit opened give no new information.
    if (this.#state !== 'closed' || end === 'not-sent') return;
    this.#last = [...this.#last.slice(1 - LAST_CALLS), end === 'unknown'];
    this.#row = end === 'unknown' ? this.#row + 1 : 0;
    const unknowns = this.#last.filter(Boolean).length;
    if (this.#row >= UNKNOWNS_IN_A_ROW || (this.#last.length === LAST_CALLS && unknowns >= UNKNOWNS_OF_LAST)) this.#open();
  }

  #triedOut(end: CallEnd): void {
    if (this.#state === 'closed') return this.#ended(end);
    if (end !== 'answered') return this.#open();
    this.#last = [];
    this.#row = 0;
    this.#turn('closed');
  }

  #open(): void {
    if (this.#state === 'closed') this.#inquiryMs = -Infinity;
    this.#trialMs = this.clock.monotonic() + TRIAL_AFTER_MS;
    this.#turn('open');
  }

  #turn(state: CircuitState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.onChange(state);
  }
}
