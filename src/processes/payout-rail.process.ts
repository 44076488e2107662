import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../ledger/new-event.js';
import type { PayoutRegistered } from '../payouts/payout.events.js';
import type { PayoutRail } from '../payouts/payout-rail.js';
import type { BankInstruction, BankRail } from '../processors/bank-rail.js';
import { hasPassed, milliseconds, type Clock, type Timestamp } from '../time.js';
import { concurrently } from './concurrently.js';

/** A payout that is not at its end, as the read model has it: its account decides. */
export interface OpenPayoutRow {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly payout_status: 'PENDING' | 'PROCESSING';
  readonly created_on: Timestamp;
}

export interface OpenPayoutReader {
  /** In the order of their creation, those behind `after`. */
  findOpen(after: OpenPayoutRow | null, limit: number): Promise<readonly OpenPayoutRow[]>;
}

const PAGE_SIZE = 500;
const PAYOUTS_AT_ONCE = 64;
/** The bank is asked again after this, and then ever more seldom. */
const ASK_AGAIN_MS = 250;
const ASK_AGAIN_MAX_MS = 30_000;

interface Asked {
  readonly asked_at: number;
  readonly again_ms: number;
}

/**
 * Hands payouts to the bank and asks until it answers. Everything it knows is in the read model and the streams: what it remembers
 * itself is only how often it has asked.
 */
export class PayoutRailProcess {
  readonly #asked = new Map<string, Asked>();

  constructor(
    private readonly payouts: PayoutRail,
    private readonly reader: OpenPayoutReader,
    /** undefined: nobody pays this merchant's payouts out; they stay PENDING. */
    private readonly railOf: (merchantId: string) => BankRail | undefined,
    private readonly clock: Clock,
    /** Told of a payout that could not be moved on; it is tried again. */
    private readonly onError: (payoutId: string, error: unknown) => void,
  ) {}

  /** Moves every open payout on that can be moved on now. */
  async pass(signal: AbortSignal): Promise<void> {
    const open = new Set<string>();
    let after: OpenPayoutRow | null = null;
    do {
      const page: readonly OpenPayoutRow[] = await this.reader.findOpen(after, PAGE_SIZE);
      for (const { payout_id } of page) open.add(payout_id);
      await concurrently(
        page.filter((row) => this.#isTime(row)),
        PAYOUTS_AT_ONCE,
        async (row) => {
          if (signal.aborted) return;
          try {
            await this.#advance(row);
          } catch (error) {
            this.onError(row.payout_id, error);
          }
        },
      );
      after = page.length === PAGE_SIZE ? page.at(-1)! : null;
    } while (after && !signal.aborted);
    for (const payoutId of this.#asked.keys()) if (!open.has(payoutId)) this.#asked.delete(payoutId);
  }

  #isTime({ payout_id, merchant_id, payout_status, created_on }: OpenPayoutRow): boolean {
    const rail = this.railOf(merchant_id);
    if (!rail) return false;
    const now = this.clock();
    if (payout_status === 'PENDING') return hasPassed(rail.rest_ms, milliseconds(created_on), now);
    const asked = this.#asked.get(payout_id);
    return !asked || hasPassed(asked.again_ms, asked.asked_at, now);
  }

  async #advance(row: OpenPayoutRow): Promise<void> {
    const { payout_id, payout_status } = row;
    const context = systemContext();
    const registered = payout_status === 'PENDING' ? await this.payouts.submit(row, payout_id, context) : await this.payouts.submitted(payout_id);
    const rail = this.railOf(row.merchant_id);
    if (!registered || !rail) return;
    const answer = await rail.pay(instructionOf(registered), this.clock());
    switch (answer.status) {
      case 'PROCESSING':
        return this.#askLater(payout_id);
      case 'PAID':
        await this.payouts.record(payout_id, { kind: 'paid' }, context);
        return;
      case 'REJECTED':
        await this.payouts.record(payout_id, { kind: 'rejected', reason: answer.reason }, context);
        return;
      default:
        throw new Error(`no bank answers ${(answer satisfies never as { status: string }).status}`);
    }
  }

  #askLater(payoutId: string): void {
    const again_ms = Math.min((this.#asked.get(payoutId)?.again_ms ?? ASK_AGAIN_MS / 1.5) * 1.5, ASK_AGAIN_MAX_MS);
    this.#asked.set(payoutId, { asked_at: this.clock(), again_ms });
  }
}

function instructionOf(payout: PayoutRegistered): BankInstruction {
  const { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, created_on: requested_on } = payout;
  return { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, requested_on };
}

function systemContext(): Omit<CommandContext, 'now'> {
  const correlation_id = randomUUID();
  return { actor: 'System', correlation_id, causation_id: correlation_id };
}
