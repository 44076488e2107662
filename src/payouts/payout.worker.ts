import { systemContext } from '../ledger/new-event.js';
import type { PayoutRegistered } from '../ledger/events/payout.events.js';
import type { PayoutOutcomes } from './payout-outcomes.js';
import type { BankInstruction, BankRail } from './bank-rail.js';
import { hasPassed, milliseconds, type Clock, type Timestamp } from '../ledger/time.js';
import { DueLater } from '../platform/worker/due-later.js';
import { FairTurns } from '../platform/fair-turns.js';

/** A payout that is not at its end, as the read model has it: its account decides. */
export interface OpenPayoutRow {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly payout_status: 'PENDING' | 'PROCESSING';
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
  /** Of the event that requested it. */
  readonly ordinal: number;
}

export interface OpenPayoutReader {
  /**
   * Those requested behind the ordinal `after`, in the order of the log; `reached`: the ordinal that the read model had come to
   * before they were looked for.
   */
  findOpen(after: number, limit: number): Promise<{ readonly rows: readonly OpenPayoutRow[]; readonly reached: number }>;
  /** False when the payout is known to be at its end. */
  isOpen(merchantId: string, payoutId: string): Promise<boolean>;
}

const PAGE_SIZE = 1_000;
/** Payouts in work at a time, and those of one merchant: a bank that answers one merchant's slowly leaves places to the others. */
const IN_WORK_MAX = 64;
const IN_WORK_PER_MERCHANT_MAX = 32;
/** The bank is asked again after this, and then ever more seldom; it also says of its own accord what became of a payout. */
const ASK_AGAIN_MS = 250;
const ASK_AGAIN_FACTOR = 1.5;
const ASK_AGAIN_MAX_MS = 15 * 60_000;

interface OpenPayout {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  /** It was handed over or tried before: it may have ended by itself. */
  mayHaveEnded: boolean;
  /** Before it was asked about for the last time. */
  pauseMs: number;
}

export interface PayoutWorkerOptions {
  readonly payouts: PayoutOutcomes;
  readonly reader: OpenPayoutReader;
  /** null: this merchant's payouts are not paid out and stay PENDING. undefined: not known yet. */
  readonly railOf: (merchantId: string) => BankRail | null | undefined;
  readonly clock: Clock;
  /** Milliseconds that never run backwards: what waits is waited for by these, whatever becomes of the clock. */
  readonly elapsedMs: () => number;
  /** How often it was noticed that the store was put back: all is found anew then, since ordinals are used again. */
  readonly timesWentBack: () => number;
  /** Until the next look for new payouts at the latest; `idle` resolves when nothing is in work. */
  readonly untilNextLook: (idle: Promise<void>) => Promise<void>;
  /** Called for a payout that could not be moved on; it is tried again. */
  readonly onError: (payoutId: string, error: unknown) => void;
}

/**
 * Hands payouts to the bank and asks until it answers. Everything it knows is in the read model and the streams: what it remembers
 * itself is which payouts are open, and when each is asked about next, so that those for which nothing is to be done cost nothing.
 * Each is found once, behind the last one in the log. After a restart all of them are found and asked about once.
 */
export class PayoutWorker {
  readonly #later: DueLater<OpenPayout>;
  readonly #turns = new FairTurns<OpenPayout>(IN_WORK_MAX, IN_WORK_PER_MERCHANT_MAX);
  #waitForIdle: (() => void)[] = [];
  /** Of the newest pass: nothing is begun any more once it aborts. */
  #signal: AbortSignal | undefined;
  /** The ordinal up to which every open payout was found. */
  #found = 0;
  #timesWentBack: number;

  constructor(private readonly options: PayoutWorkerOptions) {
    this.#later = new DueLater(options.elapsedMs());
    this.#timesWentBack = options.timesWentBack();
  }

  /** Looks for new payouts and moves on what is due, for as long as `untilNextLook` lasts. What is in work then goes on. */
  async pass(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.#look(signal);
    this.#begin();
    await this.options.untilNextLook(this.idle());
  }

  /** Resolves when nothing is in work. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#turns.underWay === 0) resolve();
      else this.#waitForIdle.push(resolve);
    });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const timesWentBack = this.options.timesWentBack();
    if (timesWentBack !== this.#timesWentBack) this.#forget();
    this.#timesWentBack = timesWentBack;
    while (!signal.aborted) {
      const { rows, reached } = await this.options.reader.findOpen(this.#found, PAGE_SIZE);
      // The database was put back: what was found may be gone, and others may stand in its place.
      if (reached < this.#found) this.#forget();
      else {
        for (const row of rows) this.#take(row);
        const last = rows.at(-1)?.ordinal ?? 0;
        this.#found = rows.length < PAGE_SIZE ? Math.max(reached, last) : last;
        if (rows.length < PAGE_SIZE) return;
        this.#begin();
      }
    }
  }

  #forget(): void {
    this.#found = 0;
    this.#later.clear();
    this.#turns.clear();
  }

  #take({ payout_id, merchant_id, currency, payout_status, created_on, updated_on }: OpenPayoutRow): void {
    const rail = this.options.railOf(merchant_id);
    if (rail === null) return;
    const now = this.options.clock();
    const isSubmitted = payout_status === 'PROCESSING';
    // As if it had been asked about ever since it was handed over.
    const pauseMs = isSubmitted ? between(0, ((now - milliseconds(updated_on)) * (ASK_AGAIN_FACTOR - 1)) / ASK_AGAIN_FACTOR, ASK_AGAIN_MAX_MS) : 0;
    const payout = { payout_id, merchant_id, currency, mayHaveEnded: isSubmitted, pauseMs };
    const created = milliseconds(created_on);
    const rests = rail && !isSubmitted && !hasPassed(rail.rest_ms, created, now);
    // By whatever clock it was requested: it never rests longer than from now on.
    const restMs = rests ? Math.min(rail.rest_ms - (now - created), rail.rest_ms) : 0;
    if (restMs === 0) this.#turns.add(merchant_id, payout);
    else this.#later.add(payout, this.options.elapsedMs() + restMs);
  }

  #begin(): void {
    for (const payout of this.#later.take(this.options.elapsedMs())) this.#turns.add(payout.merchant_id, payout);
    while (this.#signal?.aborted === false) {
      const payout = this.#turns.next();
      if (!payout) break;
      void this.#moveOn(payout).finally(() => {
        this.#turns.done(payout.merchant_id);
        this.#begin();
      });
    }
    if (this.#turns.underWay > 0) return;
    for (const resolve of this.#waitForIdle.splice(0)) resolve();
  }

  async #moveOn(payout: OpenPayout): Promise<void> {
    try {
      if (await this.#advance(payout)) return;
    } catch (error) {
      this.options.onError(payout.payout_id, error);
    }
    payout.pauseMs = between(ASK_AGAIN_MS, payout.pauseMs * ASK_AGAIN_FACTOR, ASK_AGAIN_MAX_MS);
    this.#later.add(payout, this.options.elapsedMs() + payout.pauseMs);
  }

  /** True when nothing is left to be done for it. */
  async #advance(payout: OpenPayout): Promise<boolean> {
    const { payouts, reader, railOf, clock } = this.options;
    const { payout_id, merchant_id, mayHaveEnded } = payout;
    const rail = railOf(merchant_id);
    if (!rail) return rail === null;
    // The bank may have notified us of its end meanwhile; and a paid payout is not asked about for ever.
    if (mayHaveEnded && !(await reader.isOpen(merchant_id, payout_id))) return true;
    payout.mayHaveEnded = true;
    const context = systemContext();
    // Its account is asked each time: the read model may be behind, and the database may have lost what was recorded before.
    const registered = await payouts.submit(payout, payout_id, context);
    if (!registered) return false;
    const answer = await rail.pay(instructionOf(registered), clock());
    switch (answer.status) {
      case 'PROCESSING':
        return false;
      case 'PAID':
        return (await payouts.record(payout_id, { kind: 'paid' }, context)).kind === 'recorded';
      case 'REJECTED':
        return (await payouts.record(payout_id, { kind: 'rejected', reason: answer.reason }, context)).kind === 'recorded';
      default:
        throw new Error(`no bank answers ${(answer satisfies never as { status: string }).status}`);
    }
  }
}

const between = (min: number, value: number, max: number): number => Math.min(Math.max(value, min), max);

function instructionOf(payout: PayoutRegistered): BankInstruction {
  const { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, created_on: requested_on } = payout;
  return { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, requested_on };
}
