import { firstEventOf } from '../../../ledger/streams/create-record.js';
import { readEvent } from '../../../ledger/catalogue.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import type { ProviderResult } from '../../../ledger/ports/provider-result.js';
import { DAY_MS, milliseconds, type Clock, type Timestamp } from '../../../ledger/time.js';
import type { EventStore } from '../../../platform/event-store/event-store.js';
import { charge, type ChargeCommand } from '../charge.decider.js';
import type { ExistingCharge, Refund } from '../charge-state.js';
import type { RefundAnswer } from '../processor.js';
import type { ProcessorRoutes, RefundState, RemoteProcessor, RemoteRefund } from './remote-processor.js';

export interface RemoteRefundOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly routes: ProcessorRoutes;
  /** Called once per process for a refund that no lookup decides: an operator has to ask the provider. */
  readonly onHeld: (fields: { readonly refund_id: string; readonly charge_id: string; readonly rail: string }) => void;
}

const PROCESSING: RefundAnswer = { status: 'PROCESSING' };
/** Age at which a refund without a result from the provider is held, ms. */
const HELD_AFTER_MS = 3 * DAY_MS;
/** Maximum refunds that are remembered for another call, or as reported. */
const REMEMBERED_MAX = 10_000;

/**
 * Refunds of charges that were paid at a remote processor. Each is requested once, after it was submitted. After that it is only
 * looked up, whatever the outcome of the call, since the provider may have executed it.
 */
export class RemoteRefunds {
  /** Refunds for which the provider reported that it did not accept the call. The process that received that response may repeat it. */
  readonly #notTaken = new Set<string>();
  readonly #reported = new Set<string>();

  constructor(private readonly options: RemoteRefundOptions) {}

  /** Returns whether the charge was paid at a remote processor. @throws StoreUnavailable */
  async isOf(chargeId: string): Promise<boolean> {
    const first = await firstEventOf(this.options.store, chargeStream(chargeId));
    const created = first && readEvent(first);
    return created?.type === 'ChargeCreated' && created.data.remote === true;
  }

  /** `isNew`: the refund was submitted just now, and no call has been made for it. */
  async ask(state: ExistingCharge, refund: Refund, isNew: boolean): Promise<RefundAnswer> {
    const processor = this.options.routes.named(state.created.processor);
    const asked = processor && (await this.#asked(processor, state, refund));
    if (!processor || !asked) {
      if (isNew) remember(this.#notTaken, refund.claimed.refund_id);
      return this.#undecided(state, refund);
    }
    const { refund_id } = asked;
    if (!isNew && !this.#notTaken.delete(refund_id)) return this.#lookUp(processor, asked, state, refund);
    const outcome = await processor.refund(asked).catch(unknown);
    if (outcome.is === 'rejected') return { status: 'REJECTED', reason: `The payment provider refused the refund: ${outcome.code}` };
    if (outcome.is === 'retryable') remember(this.#notTaken, refund_id);
    return outcome.is === 'accepted' ? answerOf(outcome.value) : PROCESSING;
  }

  /** Called after a notification. */
  async confirm(chargeId: string, refundId: string): Promise<'answered' | 'unanswered' | 'unknown-record'> {
    const { state } = await foldStream(this.options.store, chargeStream(chargeId), charge);
    const refund = state.status === 'NONE' ? undefined : state.refunds.get(refundId);
    if (state.status === 'NONE' || state.created.remote !== true || !refund) return 'unknown-record';
    if (refund.status !== 'PROCESSING') return 'answered';
    const answer = await this.ask(state, refund, false);
    if (answer.status === 'PROCESSING') return 'unanswered';
    const command = (now: Timestamp): ChargeCommand =>
      answer.status === 'REFUNDED'
        ? { kind: 'succeed-refund', refund_id: refundId, now }
        : { kind: 'fail-refund', refund_id: refundId, reason: answer.reason, now };
    await decideOnStream(this.options.store, this.options.clock, chargeStream(chargeId), charge, command, systemContext());
    return 'answered';
  }

  async #lookUp(processor: RemoteProcessor, asked: RemoteRefund, state: ExistingCharge, refund: Refund): Promise<RefundAnswer> {
    const outcome = await processor.findRefund(asked).catch(unknown);
    const answer = outcome.is === 'accepted' && outcome.value ? answerOf(outcome.value) : PROCESSING;
    return answer.status === 'PROCESSING' ? this.#undecided(state, refund) : answer;
  }

  #undecided({ created: { charge_id, processor: rail } }: ExistingCharge, { claimed: { refund_id, claimed_on } }: Refund): RefundAnswer {
    if (this.options.clock() - milliseconds(claimed_on) > HELD_AFTER_MS && !this.#reported.has(refund_id)) {
      remember(this.#reported, refund_id);
      this.options.onHeld({ refund_id, charge_id, rail });
    }
    return PROCESSING;
  }

  /** Returns undefined while the paid instruction is not known. */
  async #asked(processor: RemoteProcessor, state: ExistingCharge, { claimed }: Refund): Promise<RemoteRefund | undefined> {
    const { refund_id, charge_id, amount, currency } = claimed;
    const payment_reference = state.paid!.reference;
    const processor_reference = await this.#paidInstruction(processor, state, payment_reference);
    return processor_reference === undefined ? undefined : { refund_id, charge_id, processor_reference, payment_reference, amount, currency };
  }

  async #paidInstruction(processor: RemoteProcessor, { attempts: { references } }: ExistingCharge, payment: string): Promise<string | undefined> {
    if (references.length <= 1) return references[0];
    for (const reference of references) {
      const outcome = await processor.query(reference).catch(unknown);
      if (outcome.is !== 'accepted') return undefined;
      if (outcome.value.status === 'PAID' && outcome.value.payment.payment_reference === payment) return reference;
    }
    return undefined;
  }
}

const unknown = (): ProviderResult<never> => ({ is: 'unknown', code: 'exception' });

function answerOf(state: RefundState): RefundAnswer {
  return state.status === 'FAILED' ? { status: 'REJECTED', reason: `The payment provider reports that the refund failed: ${state.code}` } : state;
}

/** Removes the oldest id when there are too many. */
function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > REMEMBERED_MAX) ids.delete(ids.values().next().value!);
}
