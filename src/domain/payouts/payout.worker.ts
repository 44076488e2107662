import { systemContext } from '../../ledger/streams/new-event.js';
import type { PayoutRegistered } from '../../ledger/events/payout.events.js';
import type { PayoutOutcomes } from './payout-outcomes.js';
import type { BankInstruction, BankRail } from './bank-rail.js';
import type { TransferredPayout } from './transfer/bank-calls.js';
import type { BankRoute, RemoteBank } from './transfer/remote-bank.js';
import type { Inquiries, Transfers } from './transfer/transfer.js';
import { milliseconds, type Clock, type Timestamp } from '../../ledger/time.js';
import { OpenRecords, resumed, type OpenRecord } from '../../platform/worker/open-records.js';
import { unreachable } from '../../ledger/unreachable.js';

/** A payout that is not at its end, as the read model has it: its account decides. */
export interface OpenPayoutRow {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly payout_status: 'PENDING' | 'PROCESSING';
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
  /** The rail that it was begun on; null: none, or the simulated bank. */
  readonly rail: string | null;
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
  isOpen(payoutId: string): Promise<boolean>;
  /** Ids of those that have the approvals that they take, and have not been handed over. */
  findApproved(): Promise<readonly string[]>;
}

/** Who pays a payout: the simulated bank, or one over a network, which takes more than asking again until it answers. */
export type PayoutRail = { readonly simulated: BankRail } | { readonly remote: 'test' | 'live' };

interface OpenPayout extends OpenRecord {
  readonly payout_id: string;
  readonly currency: string;
  readonly row: OpenPayoutRow;
  /** Who began to pay it goes on; undefined: not known yet. */
  rail: PayoutRail | undefined;
  readonly inquiries: Inquiries;
  /** The bank that it could have gone to when it was last looked after; undefined: none. */
  bank: RemoteBank | undefined;
  /** It was handed over or tried before: it may have ended by itself. */
  mayHaveEnded: boolean;
}

export interface PayoutWorkerOptions {
  readonly payouts: PayoutOutcomes;
  readonly reader: OpenPayoutReader;
  /** Asked once for each payout, until it is known. */
  readonly railOf: (payout: OpenPayoutRow) => PayoutRail | undefined;
  readonly transfers: Pick<Transfers, 'advance' | 'routeOf'>;
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

/** How long a payout rests before a bank over a network is told of it: that long it can surely be cancelled. */
const REST_MS = 500;
/** Between two looks whether people or banks have mended what payouts wait for, ms. */
const MENDED_EVERY_MS = 1_000;
/** So long one that was approved is looked after at every such look, ms: who looked after it just before may not have seen the approval. */
const APPROVED_FOR_MS = 5_000;

/** Hands payouts to the bank and asks until it answers; it also says of its own accord what became of a payout. */
export class PayoutWorker {
  readonly #records: OpenRecords<OpenPayoutRow, OpenPayout>;
  #lookedForMendedMs = -Infinity;
  /** Since when each is known to be approved, by `elapsedMs`. */
  #approved = new Map<string, number>();

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
  async pass(signal: AbortSignal): Promise<void> {
    const { elapsedMs } = this.options;
    if (elapsedMs() - this.#lookedForMendedMs >= MENDED_EVERY_MS) {
      this.#lookedForMendedMs = elapsedMs();
      this.#recheckRecovered();
      await this.#hastenApproved();
    }
    return this.#records.pass(signal);
  }

  /** Resolves when nothing is in work. */
  idle(): Promise<void> {
    return this.#records.idle();
  }

  #taken(row: OpenPayoutRow): { readonly item: OpenPayout; readonly restMs: number } {
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
    // The bank may have notified us of its end meanwhile; and a paid payout is not asked about for ever.
    if (mayHaveEnded && !(await reader.isOpen(payout_id))) return true;
    payout.mayHaveEnded = true;
    if ('simulated' in rail) return this.#simulate(payout, rail.simulated);
    const transferred = transferredOf(payout, rail.remote);
    payout.bank = openBank(transfers.routeOf(transferred, railBegunOn(payout)));
    return transfers.advance(transferred, payout.inquiries);
  }

  /** What waits for a route is looked after as soon as there is another: all of it, but of a bank that is on trial one payout at a time. */
  #recheckRecovered(): void {
    const { transfers } = this.options;
    const tried = new Set<RemoteBank>();
    this.#records.hasten((payout) => {
      if (!payout.rail || 'simulated' in payout.rail) return false;
      const route = transfers.routeOf(transferredOf(payout, payout.rail.remote), railBegunOn(payout));
      if (!route || route.is_stopped || route.bank === payout.bank) return false;
      return !route.is_on_trial || tried.size < tried.add(route.bank).size;
    });
  }

  /** What waited for persons has waited longer each time. */
  async #hastenApproved(): Promise<void> {
    const { reader, elapsedMs } = this.options;
    const now = elapsedMs();
    const approved = await reader.findApproved();
    this.#approved = new Map(approved.map((id) => [id, this.#approved.get(id) ?? now]));
    const recent = new Set(approved.filter((id) => now - this.#approved.get(id)! < APPROVED_FOR_MS));
    if (recent.size > 0) this.#records.hasten(({ payout_id }) => recent.has(payout_id));
  }

  /** True when nothing is left to be done for it; else when it is looked after again. */
  async #simulate(payout: OpenPayout, bank: BankRail): Promise<boolean | number> {
    const { payouts, clock } = this.options;
    const { payout_id } = payout;
    const context = systemContext();
    // Its account is asked each time: the read model may be behind, and the database may have lost what was recorded before.
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

/** Before it is submitted, a payout goes to whichever bank there is. */
const railBegunOn = ({ row }: OpenPayout): string | null => (row.payout_status === 'PROCESSING' ? row.rail : null);

/** The one that takes whatever comes; undefined: there is none. */
const openBank = (route: BankRoute | undefined): RemoteBank | undefined =>
  route && !route.is_stopped && !route.is_on_trial ? route.bank : undefined;

function instructionOf(payout: PayoutRegistered): BankInstruction {
  const { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, created_on: requested_on } = payout;
  return { payout_id, currency, net_amount, bank_account_name, bank_account_number, bank_name, requested_on };
}
