import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { findChargesById } from '../../../../projections/charges/charge-reads.js';
import { findChargesNamed } from '../../../../projections/charges/search.js';
import { findBreak, type BreakLine } from '../../../../projections/reconciliation/matches/match-reads.js';
import { findOpenLine, type OpenLine } from '../../../../projections/reconciliation/matches/suggestion-reads.js';
import { charge } from '../../charges/charge.decider.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { breakStream } from '../../../ledger/events/break.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { sourceStream } from '../../../ledger/events/reconciliation.events.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import { timestamp, type Timestamp } from '../../../ledger/time.js';
import { requireRole, type ActingOperators } from '../../operators/acting-operator.js';
import type { KnownMerchants } from '../../merchants/known-merchants.js';
import type { Position } from '../../../platform/event-store/event-store.js';
import type { DecisionReads } from '../../../platform/projector/decision-reads.js';
import { mustExist, noSuchRecord } from '../../../platform/http/record-id.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import type { Problem } from '../../../platform/problem.js';
import type { NotificationHandler } from '../../charges/notification-handler.js';
import { reconBreak, type BreakCommand } from './break.decider.js';
import { formatAmount } from '../../../platform/text/format.js';
import type { ReconciliationDeps } from '../sources.js';

export interface TakenAsPaid {
  /** Id of the charge, when none of the line's references is its code. */
  readonly charge_id?: string | undefined;
  /** The processor's reference of the payment, when none of the line's references is that. */
  readonly payment_reference?: string | undefined;
}

/** A preparer accepts a line in place of the notification that never arrived. */
export class TakeAsPaid extends Command<{ readonly position: Position }> {
  constructor(
    readonly breakId: string,
    readonly paid: TakenAsPaid,
    readonly reason: string,
    readonly keyId: string,
    readonly ids: Pick<CommandContext, 'correlation_id' | 'causation_id'>,
  ) {
    super();
  }
}

export interface TakeAsPaidServices extends ReconciliationDeps {
  readonly operators: Pick<ActingOperators, 'of'>;
  readonly known: Pick<KnownMerchants, 'merchant'>;
  readonly notifications: Pick<NotificationHandler, 'take'>;
  readonly reads: DecisionReads;
}

/** First appends the operator's note to the break's stream, then the payment, which the note causes. A repeat finds both. */
@CommandHandler(TakeAsPaid)
export class TakeAsPaidHandler implements ICommandHandler<TakeAsPaid> {
  constructor(private readonly services: TakeAsPaidServices) {}

  async execute({ breakId, paid, reason, keyId, ids }: TakeAsPaid): Promise<{ readonly position: Position }> {
    const { store, clock, operators, notifications, reads } = this.services;
    const operator = await operators.of(keyId);
    requireRole(operator, 'preparer');
    const found = mustExist(await reads.find('recon', () => findBreak(reads.pool, breakId, clock())));
    const { line } = found;
    if (found.kind !== 'PROCESSOR_ONLY' || line?.kind !== 'PAYMENT' || found.of_mode !== null)
      throw new LedgerProblem('state-conflict', 'Only a payment that names no item of ours can be recorded as paid.');
    // The ticks of the source match its lines.
    const [newest] = await store.read(sourceStream(found.source), { direction: 'backwards', limit: 1 });
    await reads.requireApplied(['recon'], newest ?? null);
    const open = await findOpenLine(reads.pool, line.line_id);
    if (!open) throw new LedgerProblem('state-conflict', 'The line is already matched.');
    const { charge_id, code } = await this.#chargeOf(line, open, paid.charge_id);
    const payment_reference = paid.payment_reference ?? line.references.find((reference) => reference !== code);
    if (payment_reference === undefined)
      throw required('/payment_reference', 'The line has only the code of the charge. Set the processor’s reference of the payment.');
    await this.#requireUnpaid(charge_id, payment_reference);
    const { person_id, key_id } = operator;
    const note = (now: Timestamp): BreakCommand => ({ kind: 'take', break_id: breakId, person_id, key_id, reason, now });
    const noted = await decideOnStream(store, clock, breakStream(breakId), reconBreak, note, { actor: keyId, ...ids });
    if ('refusal' in noted) throw new LedgerProblem('state-conflict', noted.detail);
    const notification = { notification_id: noted.newest.id, charge_id, occurred_on: timestamp(clock()) };
    const taken = await notifications.take({ ...notification, kind: 'paid', amount: line.amount, payment_reference }, ids.correlation_id);
    return { position: taken.position ?? noted.position };
  }

  /** Returns the charge of the line, which must have the source's mode and processor, and the line's currency and amount. */
  async #chargeOf(line: BreakLine, { mode, processor }: OpenLine, charge_id: string | undefined) {
    const { reads, known } = this.services;
    const found = charge_id === undefined ? await this.#named(line) : await findChargesById(reads.pool, [charge_id]);
    if (found.length !== 1) throw required('/charge_id', 'The line does not identify the charge. Set its id.');
    const { id, code, merchant_id, ...of } = found[0]!;
    if (known.merchant(merchant_id)?.mode !== mode || of.processor !== processor)
      throw new LedgerProblem('state-conflict', 'The charge belongs to another processor or mode.');
    if (of.currency !== line.currency || of.amount !== line.amount)
      throw new LedgerProblem(
        'state-conflict',
        `The line is ${formatAmount(line.amount, line.currency)}, the charge is ${formatAmount(of.amount, of.currency)}.`,
      );
    return { charge_id: id, code };
  }

  async #named({ references }: BreakLine) {
    const { pool } = this.services.reads;
    const ids = await Promise.all(references.map((reference) => findChargesNamed(pool, reference, NAMED_MAX)));
    return (await findChargesById(pool, [...new Set(ids.flat())])).filter(({ code }) => references.includes(code));
  }

  /** A second payment would be booked as such: when the charge is paid under another reference, the line must be matched with that payment. */
  async #requireUnpaid(charge_id: string, reference: string): Promise<void> {
    const { state } = await foldStream(this.services.store, chargeStream(charge_id), charge);
    if (state.status === 'NONE') throw noSuchRecord();
    if (state.paid !== null && state.paid.reference !== reference)
      throw new LedgerProblem('state-conflict', `The charge is already paid, as ${state.paid.reference}. Match the line with that payment.`);
  }
}

/** Maximum charges that begin like a reference. */
const NAMED_MAX = 5;

const required = (at: string, detail: string): Problem => invalid('body', [{ at, code: 'required', detail }]);
