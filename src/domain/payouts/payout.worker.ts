import { systemContext } from '../../ledger/streams/new-event.js';
import type { PayoutRegistered } from '../../ledger/events/payout.events.js';
import type { PayoutOutcomes } from './payout-outcomes.js';
import type { BankInstruction, BankRail } from './bank-rail.js';
import type { TransferredPayout } from './transfer/bank-calls.js';
import type { BankRoute, RemoteBank } from './transfer/remote-bank.js';
import type { Inquiries, Transfers } from './transfer/transfer.js';
import { milliseconds, type Clock, type Timestamp } from '../../ledger/time.js';
import { OpenRecordPoller, resumed, type OpenRecord } from '../../platform/worker/open-record-poller.js';
import { unreachable } from '../../ledger/unreachable.js';

/** An open payout in the read model. Its account decides. */
export interface OpenPayoutRow {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly payout_status: 'PENDING' | 'PROCESSING';
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
  /** Rail of its first attempt; null: none, or the simulated bank. */
  readonly rail: string | null;
  /** Ordinal of the event that requested it. */
  readonly ordinal: number;
}

export interface OpenPayoutReader {
  /** Returns payouts requested after the ordinal `after`, in the order of the log. `reached`: the read model's ordinal before the query. */
  findOpen(after: number, limit: number): Promise<{ readonly rows: readonly OpenPayoutRow[]; readonly reached: number }>;
  /** Returns false when the payout is known to have ended. */
  isOpen(payoutId: string): Promise<boolean>;
  /** Returns ids of payouts that have all required approvals and have not been submitted. */
  findApproved(): Promise<readonly string[]>;
}

/** The rail that pays a payout: the simulated bank, which is called until it answers, or a bank over a network, which needs a protocol. */
export type PayoutRail = { readonly simulated: BankRail } | { readonly remote: 'test' | 'live' };

interface OpenPayout extends OpenRecord {
  readonly payout_id: string;
  readonly currency: string;
  readonly row: OpenPayoutRow;
  /** The rail that began to pay the payout keeps it; undefined: not known yet. */
  rail: PayoutRail | undefined;
  readonly inquiries: Inquiries;
  /** The bank that was available at its last attempt; undefined: none. */
  bank: RemoteBank | undefined;
  /** It was submitted or tried before, so it may have ended meanwhile. */
  mayHaveEnded: boolean;
}

export interface PayoutWorkerOptions {
  readonly payouts: PayoutOutcomes;
  readonly reader: OpenPayoutReader;
  /** Called once for each payout, until its rail is known. */
  readonly railOf: (payout: OpenPayoutRow) => PayoutRail | undefined;
  readonly transfers: Pick<Transfers, 'advance' | 'routeOf'>;
  readonly clock: Clock;
  /** Milliseconds that never run backwards: all waiting uses these, regardless of changes of the clock. */
  readonly elapsedMs: () => number;
  /** Returns how often a restored store was detected. All payouts are found again then, since ordinals are used again. */
  readonly restoreCount: () => number;
  /** Waits until the next search for new payouts at the latest. `idle` resolves when no payout is in work. */
  readonly untilNextPoll: (idle: Promise<void>) => Promise<void>;
  /** Called for a payout whose step failed. The step is retried. */
  readonly onError: (payoutId: string, error: unknown) => void;
}

/** Delay before a payout is sent to a bank over a network, ms. During this time it can certainly be cancelled. */
const REST_MS = 500;
/** Pause between two checks for new approvals and recovered banks, ms. */
const MENDED_EVERY_MS = 1_000;
/** Time for which an approved payout is retried at every such check, ms: an attempt that began just before may not have seen the approval. */
const APPROVED_FOR_MS = 5_000;

/** Submits payouts to the bank and queries until it answers. The bank may also send a notification. */
export class PayoutWorker {
  readonly #poller: OpenRecordPoller<OpenPayoutRow, OpenPayout>;
  #lookedForMendedMs = -Infinity;
  /** Time at which each payout was first seen as approved, by `elapsedMs`. */
  #approved = new Map<string, number>();

  constructor(private readonly options: PayoutWorkerOptions) {
    this.#poller = new OpenRecordPoller({
      ...options,
      findOpen: (after, limit) => options.reader.findOpen(after, limit),
      toItem: (row) => this.#toItem(row),
      advance: (payout) => this.#advance(payout),
      onError: ({ payout_id }, error) => options.onError(payout_id, error),
    });
  }

  /** Finds new payouts and advances those that are due, while `untilNextPoll` lasts. Payouts in work at its end continue. */
  async pass(signal: AbortSignal): Promise<void> {
    const { elapsedMs } = this.options;
    if (elapsedMs() - this.#lookedForMendedMs >= MENDED_EVERY_MS) {
      this.#lookedForMendedMs = elapsedMs();
      this.#recheckRecovered();
      await this.#hastenApproved();
    }
    return this.#poller.pass(signal);
  }

  /** Resolves when no payout is in work. */
  idle(): Promise<void> {
    return this.#poller.idle();
  }

  #toItem(row: OpenPayoutRow): { readonly item: OpenPayout; readonly restMs: number } {
    const { payout_id, merchant_id, currency, payout_status, created_on, updated_on } = row;
    const rail = this.options.railOf(row);
    const submitted = payout_status === 'PROCESSING' ? milliseconds(updated_on) : null;
    const rest_ms = rail && ('simulated' in rail ? rail.simulated.rest_ms : REST_MS);
    const { pauseMs, restMs } = resumed({ created: milliseconds(created_on), submitted, rest_ms }, this.options.clock());
    return {
      item: { payout_id, merchant_id, currency, row, rail, inquiries: {}, bank: undefined, mayHaveEnded: submitted !== null, pauseMs },
      restMs,
    };
  }

  async #advance(payout: OpenPayout): Promise<boolean | number> {
    const { reader, railOf, transfers } = this.options;
    const { payout_id, mayHaveEnded } = payout;
    const rail = (payout.rail ??= railOf(payout.row));
    if (!rail) return false;
    // The bank may have sent a notification of its end meanwhile. A paid payout is not queried for ever.
    if (mayHaveEnded && !(await reader.isOpen(payout_id))) return true;
    payout.mayHaveEnded = true;
    if ('simulated' in rail) return this.#simulate(payout, rail.simulated);
    const transferred = transferredOf(payout, rail.remote);
    payout.bank = openBank(transfers.routeOf(transferred, railBegunOn(payout)));
    return transfers.advance(transferred, payout.inquiries);
  }

  /** Retries payouts that wait for a route as soon as they have another one: all of them, or one payout per bank that is on trial. */
  #recheckRecovered(): void {
    const { transfers } = this.options;
    const tried = new Set<RemoteBank>();
    this.#poller.hasten((payout) => {
      if (!payout.rail || 'simulated' in payout.rail) return false;
      const route = transfers.routeOf(transferredOf(payout, payout.rail.remote), railBegunOn(payout));
      if (!route || route.is_stopped || route.bank === payout.bank) return false;
      return !route.is_on_trial || tried.size < tried.add(route.bank).size;
    });
  }

  /** Retries payouts that have just been approved. Their pauses had grown while they waited for approvals. */
  async #hastenApproved(): Promise<void> {
    const { reader, elapsedMs } = this.options;
    const now = elapsedMs();
    const approved = await reader.findApproved();
    this.#approved = new Map(approved.map((id) => [id, this.#approved.get(id) ?? now]));
    const recent = new Set(approved.filter((id) => now - this.#approved.get(id)! < APPROVED_FOR_MS));
    if (recent.size > 0) this.#poller.hasten(({ payout_id }) => recent.has(payout_id));
  }

  /** Returns true when nothing is left to do, false to retry by the schedule, or the number of milliseconds to the next attempt. */
  async #simulate(payout: OpenPayout, bank: BankRail): Promise<boolean | number> {
    const { payouts, clock } = this.options;
    const { payout_id } = payout;
    const context = systemContext();
    // The account decides each time: the read model may lag, and the database may have lost events that were recorded before.
    const instructed = await payouts.submit(payout, payout_id, context);
    if (!instructed) return false;
    const answer = await bank.pay(instructionOf(instructed.registered), clock());
    switch (answer.status) {
      case 'PROCESSING':
        return answer.again_ms ?? false;
      case 'PAID':
        return (await payouts.record(payout_id, { kind: 'paid' }, context)).kind === 'recorded';
      case 'REJECTED':
        return (await payouts.record(payout_id, { kind: 'rejected', reason: answer.reason }, context)).kind === 'recorded';
      default:
        return unreachable(answer);
    }
  }
}

function transferredOf({ payout_id, merchant_id, currency }: OpenPayout, mode: 'test' | 'live'): TransferredPayout {
  return { payout_id, merchant_id, currency, mode };
}

/** Returns null before the submission: an unsubmitted payout can use any bank. */
const railBegunOn = ({ row }: OpenPayout): string | null => (row.payout_status === 'PROCESSING' ? row.rail : null);

/** Returns the bank of a route that accepts all payouts; undefined: none. */
const openBank = (route: BankRoute | undefined): RemoteBank | undefined =>
  route && !route.is_stopped && !route.is_on_trial ? route.bank : undefined;

function instructionOf(payout: PayoutRegistered): BankInstruction {
  const { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, created_on: requested_on } = payout;
  return { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, requested_on };
}
