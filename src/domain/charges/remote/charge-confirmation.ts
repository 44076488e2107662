import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import type { ProviderResult } from '../../../ledger/ports/provider-result.js';
import type { Clock, Timestamp } from '../../../ledger/time.js';
import type { EventStore } from '../../../platform/event-store/event-store.js';
import type { BankingCalendar } from '../../calendar/banking-calendar.js';
import { charge, type ChargeCommand } from '../charge.decider.js';
import type { ExistingCharge } from '../charge-state.js';
import type { Paid, PaymentState, ProcessorRoutes, RemoteProcessor } from './remote-processor.js';

/** Result of querying a processor about a charge. */
export type Confirmed =
  /** The processor has answered every question, and its answers are recorded. */
  | { readonly is: 'answered'; readonly state: ExistingCharge }
  /** The processor has not answered, or not every question: ask again. */
  | { readonly is: 'unanswered'; readonly code: string }
  /** There is no such charge, or it has no remote processor. */
  | { readonly is: 'nothing' };

/**
 * `find`: looks payments up by our reference, with or without instructions. `cancel`: cancels instructions of an ended charge that
 * can still be paid.
 */
export type Question = 'query' | 'find' | 'cancel';

export interface ConfirmationOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly routes: ProcessorRoutes;
  readonly calendar: Pick<BankingCalendar, 'current'>;
  /** Called with a contradiction that an operator has to examine. Nothing is recorded for it. */
  readonly onContradiction: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/**
 * Number of unanswered queries after which a result that does not fit its charge is recorded. Providers have returned a wrong amount
 * once, and a payment that is recorded as another payment is never recorded as the charge's own.
 */
export const BELIEVED_AFTER = 8;
/** Text for customers and merchants, shown with the processor's code. */
const FAILED = 'The payment provider reports that the payment failed';

/**
 * Queries the processor about a charge and records the result. Notifications and the poller may call it any number of times and
 * concurrently: the charge's own stream distinguishes payments by their references.
 */
export class ChargeConfirmation {
  constructor(private readonly options: ConfirmationOptions) {}

  /** `asked`: number of unanswered queries so far. @throws StoreUnavailable */
  async confirm(chargeId: string, question: Question, asked = 0): Promise<Confirmed> {
    const { store, routes } = this.options;
    const { state } = await foldStream(store, chargeStream(chargeId), charge);
    if (state.status === 'NONE' || state.created.remote !== true) return { is: 'nothing' };
    const processor = routes.named(state.created.processor);
    if (!processor) return { is: 'unanswered', code: 'no-rail' };
    const { references } = state.attempts;
    if (question === 'find' || references.length === 0) return this.#find(processor, state, asked >= BELIEVED_AFTER);
    let answered: Confirmed = { is: 'answered', state };
    for (const reference of references) {
      const confirmed = await this.#ask(processor, state, reference, question, asked >= BELIEVED_AFTER);
      if (confirmed.is !== 'answered') answered = confirmed;
    }
    return answered;
  }

  async #find(processor: RemoteProcessor, state: ExistingCharge, isBelieved: boolean): Promise<Confirmed> {
    const outcome = await processor.find(state.created.charge_id).catch(unknown);
    if (outcome.is !== 'accepted') return { is: 'unanswered', code: outcome.code };
    let fits = true;
    for (const paid of outcome.value) fits = (await this.#pay(state, paid, isBelieved)) && fits;
    return fits ? { is: 'answered', state } : DOES_NOT_FIT;
  }

  async #ask(processor: RemoteProcessor, state: ExistingCharge, reference: string, question: Question, isBelieved: boolean): Promise<Confirmed> {
    const mayCancel = question === 'cancel' && state.status !== 'PENDING' && state.status !== 'SUCCEEDED';
    const cancelled = mayCancel ? await processor.cancel(reference).catch(unknown) : undefined;
    // An instruction that cannot be cancelled is queried. A payment that the provider does not find by its own reference is looked up by ours.
    const outcome = cancelled && cancelled.is !== 'rejected' ? cancelled : await processor.query(reference).catch(unknown);
    if (outcome.is === 'rejected') return this.#find(processor, state, isBelieved);
    if (outcome.is !== 'accepted') return { is: 'unanswered', code: outcome.code };
    return (await this.#book(processor, state, reference, outcome.value, isBelieved)) ? { is: 'answered', state } : DOES_NOT_FIT;
  }

  async #book(processor: RemoteProcessor, state: ExistingCharge, reference: string, found: PaymentState, isBelieved: boolean): Promise<boolean> {
    if (found.status === 'PAID') return this.#pay(state, found.payment, isBelieved);
    const { instructed, newest: attempt } = state.attempts;
    const isNewest = instructed?.processor_reference === reference && state.status === 'PENDING';
    if (found.status === 'WAITING' || !isNewest) return true;
    const { charge_id, channel_code } = state.created;
    const code = found.status === 'FAILED' ? found.code : found.status;
    // The customer may try again on the payment page. A charge without such a page fails with its only instruction.
    if (processor.describe(channel_code)?.input !== undefined) {
      await this.#decide(charge_id, (now) => ({ kind: 'close-instruction', attempt, code, now }));
    } else if (found.status === 'FAILED') {
      await this.#decide(charge_id, (now) => ({ kind: 'fail', reason: FAILED, failure_code: code, now }));
    }
    return true;
  }

  /**
   * Records a payment. Once an unfitting result is accepted, another amount is recorded as unmatched, and another currency is only
   * reported.
   * @returns false when it is to be queried again
   */
  async #pay({ created, paid, unmatched }: ExistingCharge, found: Paid, isBelieved: boolean): Promise<boolean> {
    const { payment_reference, amount, currency } = found;
    const { charge_id } = created;
    if (paid?.reference === payment_reference || unmatched.includes(payment_reference)) return true;
    const isOther = amount !== created.amount || currency !== created.currency;
    if (isOther && !isBelieved) return false;
    if (currency !== created.currency) {
      this.options.onContradiction('a payment arrived in another currency than its charge; nothing was booked', {
        charge_id,
        payment_reference,
        currency,
      });
      return true;
    }
    const { holidays } = await this.options.calendar.current();
    await this.#decide(charge_id, (now) => ({ kind: 'pay', amount, payment_reference, now, holidays }));
    return true;
  }

  /** A refused command is already recorded or out of date. */
  async #decide(chargeId: string, command: (now: Timestamp) => ChargeCommand): Promise<void> {
    const { store, clock, onContradiction } = this.options;
    const outcome = await decideOnStream(store, clock, chargeStream(chargeId), charge, command, systemContext());
    if ('refusal' in outcome && outcome.refusal === 'charge-has-too-many-payments') {
      onContradiction('a charge has had too many payments; nothing was booked', { charge_id: chargeId });
    }
  }
}

const DOES_NOT_FIT: Confirmed = { is: 'unanswered', code: 'does-not-fit' };
const unknown = (): ProviderResult<never> => ({ is: 'unknown', code: 'exception' });
