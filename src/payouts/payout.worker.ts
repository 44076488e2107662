import { systemContext } from '../ledger/new-event.js';
import type { PayoutRegistered } from '../ledger/events/payout.events.js';
import type { PayoutOutcomes } from './payout-outcomes.js';
import type { BankInstruction, BankRail } from './bank-rail.js';
import { milliseconds, type Clock, type Timestamp } from '../ledger/time.js';
import { OpenRecords, resumed, type OpenRecord } from '../platform/worker/open-records.js';

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

interface OpenPayout extends OpenRecord {
  readonly payout_id: string;
  readonly currency: string;
  /** It was handed over or tried before: it may have ended by itself. */
  mayHaveEnded: boolean;
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

/** Hands payouts to the bank and asks until it answers; it also says of its own accord what became of a payout. */
export class PayoutWorker {
  readonly #records: OpenRecords<OpenPayoutRow, OpenPayout>;

  constructor(private readonly options: PayoutWorkerOptions) {
    this.#records = new OpenRecords({
      ...options,
      findOpen: (after, limit) => options.reader.findOpen(after, limit),
      taken: (row) => this.#taken(row),
      advance: (payout) => this.#advance(payout),
      onError: ({ payout_id }, error) => options.onError(payout_id, error),
    });
  }

  /** Looks for new payouts and moves on what is due, for as long as `untilNextLook` lasts. What is in work then goes on. */
  pass(signal: AbortSignal): Promise<void> {
    return this.#records.pass(signal);
  }

  /** Resolves when nothing is in work. */
  idle(): Promise<void> {
    return this.#records.idle();
  }

  #taken({ payout_id, merchant_id, currency, payout_status, created_on, updated_on }: OpenPayoutRow) {
    const rail = this.options.railOf(merchant_id);
    if (rail === null) return null;
    const submitted = payout_status === 'PROCESSING' ? milliseconds(updated_on) : null;
    const { pauseMs, restMs } = resumed({ created: milliseconds(created_on), submitted, rest_ms: rail?.rest_ms }, this.options.clock());
    return { item: { payout_id, merchant_id, currency, mayHaveEnded: submitted !== null, pauseMs }, restMs };
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

function instructionOf(payout: PayoutRegistered): BankInstruction {
  const { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, created_on: requested_on } = payout;
  return { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, requested_on };
}
