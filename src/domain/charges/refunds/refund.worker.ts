import type { AccountId } from '../../accounts/account-queue.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import type { LoadedStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import { milliseconds, type Clock, type Timestamp } from '../../../ledger/time.js';
import { StoreUnavailable, type EventStore } from '../../../platform/event-store/event-store.js';
import { concurrently } from '../../../platform/worker/concurrently.js';
import { OpenRecordPoller, resumed, type OpenRecord } from '../../../platform/worker/open-record-poller.js';
import { charge, type ChargeCommand } from '../charge.decider.js';
import type { ChargeState, ExistingCharge, Refund } from '../charge-state.js';
import type { RefundAnswer, RefundInstruction, RefundProcessor } from '../processor.js';
import type { RemoteRefunds } from '../remote/remote-refunds.js';
import type { RefundReservations } from './refund-reservations.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** An open refund in the read model. The charge's stream decides. */
export interface OpenRefundRow {
  readonly refund_id: string;
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly refund_status: 'PENDING' | 'PROCESSING';
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
  /** Ordinal of its claim. */
  readonly ordinal: number;
}

/** Money that an account has reserved for a refund. */
export interface OpenReservationRow extends AccountId {
  readonly refund_id: string;
}

export interface OpenRefundReader {
  /** Returns refunds claimed after the ordinal `after`, in the order of the log. `reached`: the read model's ordinal before the query. */
  findOpen(after: number, limit: number): Promise<{ readonly rows: readonly OpenRefundRow[]; readonly reached: number }>;
  /** Oldest first. The rows may be outdated: the account decides whether anything is left to do. */
  findReservations(limit: number): Promise<readonly OpenReservationRow[]>;
}

export interface RefundWorkerOptions {
  readonly store: EventStore;
  readonly reservations: RefundReservations;
  readonly reader: OpenRefundReader;
  /** null: this merchant's refunds have no local processor. undefined: not known yet. */
  readonly processorOf: (merchantId: string) => RefundProcessor | null | undefined;
  /** Refunds of charges that were paid at a remote processor; absent: there are none. */
  readonly rails?: RemoteRefunds;
  readonly clock: Clock;
  readonly elapsedMs: () => number;
  readonly restoreCount: () => number;
  readonly untilNextPoll: (idle: Promise<void>) => Promise<void>;
  /** Time for which a reservation is left to the request that made it, ms. */
  readonly reservationRestMs: number;
  /** Called for a refund whose step failed. The step is retried. */
  readonly onError: (refundId: string, error: unknown) => void;
}

interface Submitted {
  readonly state: ExistingCharge;
  readonly loaded: LoadedStream<ChargeState>;
  /** True when this call submitted the refund. */
  readonly isNew: boolean;
}

interface OpenRefund extends OpenRecord {
  readonly refund_id: string;
  readonly charge_id: string;
}

/** Delay from the claim of a refund to its submission to a remote processor, ms. During this time it can be cancelled. */
const RAIL_REST_MS = 500;
const RESERVATIONS_IN_A_PASS = 500;
const RESERVATIONS_AT_ONCE = 32;

/** Completes reservations, submits refunds to the processor and queries until it responds. The processor may also send a notification. */
export class RefundWorker {
  readonly #poller: OpenRecordPoller<OpenRefundRow, OpenRefund>;
  /** Time at which each reservation was first seen, by `elapsedMs`. */
  #reserved = new Map<string, number>();

  constructor(private readonly options: RefundWorkerOptions) {
    this.#poller = new OpenRecordPoller({
      ...options,
      findOpen: (after, limit) => options.reader.findOpen(after, limit),
      toItem: (row) => this.#toItem(row),
      advance: (refund) => this.#advance(refund),
      onError: ({ refund_id }, error) => options.onError(refund_id, error),
    });
  }

  /** Refunds in work when the pass ends continue. */
  async pass(signal: AbortSignal): Promise<void> {
    await this.finishReservations();
    await this.#poller.pass(signal);
  }

  /** Resolves when no refund is in work. */
  idle(): Promise<void> {
    return this.#poller.idle();
  }

  /** Completes reservations, including those of requests that have ended: the charge claims or declines each one, then the account removes it. */
  async finishReservations(): Promise<void> {
    const { reader, elapsedMs, reservationRestMs } = this.options;
    const open = await reader.findReservations(RESERVATIONS_IN_A_PASS);
    const now = elapsedMs();
    this.#reserved = new Map(open.map(({ refund_id }) => [refund_id, this.#reserved.get(refund_id) ?? now]));
    const left = open.filter(({ refund_id }) => now - this.#reserved.get(refund_id)! >= reservationRestMs);
    await concurrently(left, RESERVATIONS_AT_ONCE, async ({ refund_id, ...account }) => {
      try {
        await this.options.reservations.finish(account, refund_id, systemContext());
      } catch (error) {
        this.options.onError(refund_id, error);
      }
    });
  }

  #toItem({ refund_id, charge_id, merchant_id, refund_status, created_on, updated_on }: OpenRefundRow) {
    const processor = this.options.processorOf(merchant_id);
    if (processor === null && !this.options.rails) return null;
    const submitted = refund_status === 'PROCESSING' ? milliseconds(updated_on) : null;
    const { pauseMs, restMs } = resumed(
      { created: milliseconds(created_on), submitted, rest_ms: processor === null ? RAIL_REST_MS : processor?.rest_ms },
      this.options.clock(),
    );
    return { item: { refund_id, charge_id, merchant_id, pauseMs }, restMs };
  }

  /** Returns true when nothing is left to do, false to retry by the schedule, or the number of milliseconds to the next attempt. */
  async #advance({ refund_id, charge_id, merchant_id }: OpenRefund): Promise<boolean | number> {
    const processor = this.options.processorOf(merchant_id);
    if (processor === undefined) return false;
    if (processor === null && !(await this.options.rails?.isOf(charge_id))) return true;
    // Recorded before the call to the processor: from then on the refund cannot be cancelled.
    const submitted = await this.#decide(charge_id, (now) => ({ kind: 'submit-refund', refund_id, now }));
    if (!submitted) return true;
    const answer = await this.#ask(processor, submitted, submitted.state.refunds.get(refund_id)!);
    switch (answer.status) {
      case 'PROCESSING':
        return answer.again_ms ?? false;
      case 'REFUNDED':
        await this.#decide(charge_id, (now) => ({ kind: 'succeed-refund', refund_id, now }), submitted.loaded);
        return true;
      case 'REJECTED':
        await this.#decide(charge_id, (now) => ({ kind: 'fail-refund', refund_id, reason: answer.reason, now }), submitted.loaded);
        return true;
      default:
        return unreachable(answer);
    }
  }

  async #ask(processor: RefundProcessor | null, { state, isNew }: Submitted, refund: Refund): Promise<RefundAnswer> {
    if (state.created.remote === true) return this.options.rails?.ask(state, refund, isNew) ?? { status: 'PROCESSING' };
    if (!processor) throw new Error(`no processor can send refund ${refund.claimed.refund_id}`);
    return processor.refund(instructionOf(state, refund), this.options.clock());
  }

  /**
   * Returns undefined when the refund has ended: the processor may have notified us meanwhile, or the merchant cancelled it.
   * @param known the charge as read before the processor was called; it seldom changes meanwhile
   */
  async #decide(chargeId: string, command: (now: Timestamp) => ChargeCommand, known?: LoadedStream<ChargeState>): Promise<Submitted | undefined> {
    const { store, clock } = this.options;
    const outcome = await decideOnStream(store, clock, chargeStream(chargeId), charge, command, { ...systemContext(), known });
    if (!('refusal' in outcome)) {
      const { state, events, loaded } = outcome;
      return state.status === 'NONE' ? undefined : { state, loaded, isNew: events.length > 0 };
    }
    if (outcome.refusal === 'refund-ended') return undefined;
    throw new StoreUnavailable(`charge ${chargeId}: ${outcome.detail}`);
  }
}

function instructionOf({ paid }: ExistingCharge, { claimed }: Refund): RefundInstruction {
  const { refund_id, charge_id, amount, currency, meta_data, claimed_on } = claimed;
  return { refund_id, charge_id, payment_reference: paid!.reference, amount, currency, simulate: meta_data.simulate ?? null, claimed_on };
}
