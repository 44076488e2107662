import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { findChargeById } from '../../../projections/charges/charge-reads.js';
import { ChangeCharge } from '../../domain/charges/charge.handlers.js';
import type { Refund } from '../../domain/charges/charge-state.js';
import { disputeId } from '../../domain/charges/disputes/charge-disputes.js';
import type { Dispute } from '../../domain/charges/disputes/dispute-state.js';
import type { SettlementStatus } from '../../ledger/events/charge.events.js';
import type { DisputeStage } from '../../ledger/events/dispute.events.js';
import { COMMON_CLOCK, READ_POOL } from '../../ledger/ports/injection-tokens.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { EVENT_STORE, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { Problem } from '../../platform/problem.js';
import { ProjectionWatch } from '../../platform/projector/projection-watch.js';
import { timeLimit } from '../../platform/async/waiting.js';
import { SettleNow } from '../../domain/settlements/settle-now.js';
import { deedsOf, SIMULATOR_JOURNAL, type SimulatorJournal } from '../../rails/simulator/deeds.js';
import { changeOf, NotificationHandler, type Taken } from '../../domain/charges/notification-handler.js';
import type { Notification } from '../../domain/charges/processor.js';
import { Simulator } from '../../rails/simulator/simulator.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { permittedOutcomes, stageAfter, type ChargeStatuses, type DisputeOutcome, type Outcome, type RefundOutcome } from './outcomes.js';
import { findPayment, type Payment } from './payment.js';
import { DEFAULT_FAILURE } from './simulation-page.js';
import { DISPUTE_DEFAULTS, type DisputeOpening, type DisputeRequest, type SimulationRequest } from './simulation-request.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Other settlements that block this one are finished first; one of many charges takes seconds. */
const SETTLE_WITHIN_MS = 30_000;
/** Maximum wait, ms, for the record, before its settlement status is read as it is. */
const RECORD_WAIT_MS = 500;
/** Maximum wait, ms, until the record shows the settlement. */
const SHOWN_WITHIN_MS = 5_000;

/** Reason code of simulated disputes; no network has it. */
const REASON_CODE = 'SIMULATED';

type DisputeNotification = Extract<Notification, { readonly kind: `dispute-${string}` }>;

/** The result of a simulated outcome. */
export interface Played {
  /** Position of the added event, or of the newest event when none was added. */
  readonly position: Position;
  readonly refund_id?: string;
  readonly dispute_id?: string;
}

/** Simulates outcomes: the simulated processor sends a signed notification, which is handled like that of any processor. */
@Injectable()
export class Simulation {
  constructor(
    private readonly simulator: Simulator,
    private readonly handler: NotificationHandler,
    private readonly commands: CommandBus,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(ProjectionWatch) private readonly watch: ProjectionWatch,
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly settleNow: SettleNow,
    @Inject(SIMULATOR_JOURNAL) private readonly journal: SimulatorJournal,
  ) {}

  /** @throws Problem state-conflict when the state of the charge, refund or dispute does not permit it; not-found */
  async play(request: SimulationRequest, payment: Payment, correlationId: string): Promise<Played> {
    switch (request.of) {
      case 'charge':
        return { position: await this.playCharge(request.outcome, payment, request.reason, correlationId) };
      case 'refund': {
        const refund = refundOf(payment, request.refund_id);
        const position = await this.playRefund(request.outcome, payment, refund, correlationId);
        return { position, refund_id: refund.claimed.refund_id };
      }
      case 'opening':
        return this.openDispute(request, payment, correlationId);
      case 'dispute':
        return this.playDispute(request, payment, correlationId);
      default:
        return unreachable(request);
    }
  }

  private async playCharge(outcome: Outcome, payment: Payment, reason: string | null, correlationId: string): Promise<Position> {
    const statuses = await this.statusesOf(payment);
    if (!permittedOutcomes(statuses).includes(outcome)) throw notNow(outcome, statuses);
    const { charge_id } = payment.created;
    if (outcome === 'settle') {
      const settled = await this.settle(charge_id, correlationId);
      if (settled === null) throw notNow(outcome, await this.statusesOf(payment));
      return settled;
    }
    const notification = this.notificationOf(outcome, payment, reason);
    const { applied, position } = await this.tell(notification, payment, correlationId);
    // A settlement takes the money back at once, if one had claimed it by then.
    if (outcome === 'reverse') return (await this.settle(charge_id, correlationId)) ?? position ?? payment.position;
    // Another request was faster. Two requests to succeed are one payment; any other outcome is no longer possible.
    if (!applied && outcome !== 'succeed') throw notNow(outcome, await this.statusesOf(payment));
    return position ?? payment.position;
  }

  /**
   * Simulates the end of a refund: hands it to the simulated processor, if that has not happened, which then sends a notification. Money that comes
   * back to the merchant is settled at once. Returns the position of the added event.
   */
  private async playRefund(outcome: RefundOutcome, payment: Payment, { claimed, status }: Refund, correlationId: string): Promise<Position> {
    const { charge_id } = payment.created;
    const { refund_id } = claimed;
    if (status === 'PENDING' && outcome !== 'refund-bounce')
      await this.commands.execute(new ChangeCharge(charge_id, { kind: 'submit-refund', refund_id }, systemContext(correlationId)));
    const taken = await this.tell(this.refundNotification(outcome, charge_id, refund_id), payment, correlationId);
    const isReturned = outcome !== 'refund-succeed' && (await findPayment(this.store, charge_id))?.refunds.some((of) => isToBeSettled(of, refund_id));
    return (isReturned ? await this.settle(charge_id, correlationId) : null) ?? taken.position ?? payment.position;
  }

  private async openDispute(opening: DisputeOpening, payment: Payment, correlationId: string): Promise<Played> {
    const { stage, reference, reason, due_in_seconds } = opening;
    const { charge_id, amount } = payment.created;
    const claim = { reference, stage, amount: opening.amount ?? amount, reason_code: REASON_CODE, reason, due_by: this.dueBy(due_in_seconds) };
    const taken = await this.takeOfDispute({ kind: 'dispute-opened', ...this.common(charge_id), ...claim }, payment, correlationId);
    return { position: taken.position, dispute_id: disputeId(charge_id, reference) };
  }

  /** Refuses a notification that changes nothing, unless the dispute has the requested outcome already: a repeat is success. */
  private async playDispute({ outcome, dispute_id, is_final }: DisputeRequest, payment: Payment, correlationId: string): Promise<Played> {
    const { charge_id } = payment.created;
    const dispute = disputeOf(payment, dispute_id);
    const notification = this.disputeNotification(outcome, charge_id, dispute, is_final);
    if (notification === null) throw notNowOfDispute(outcome, dispute);
    const { applied, position } = await this.takeOfDispute(notification, payment, correlationId);
    if (!applied) {
      const found = disputeOf((await findPayment(this.store, charge_id)) ?? payment, dispute.opened.dispute_id);
      if (!isPlayed(outcome, found, notification.stage, is_final)) throw notNowOfDispute(outcome, found);
    }
    return { position, dispute_id: dispute.opened.dispute_id };
  }

  /** Settles at once the settled money that the dispute moves, and the fee of a lost one; a charge that is not due yet keeps waiting. */
  private async takeOfDispute(
    notification: Notification,
    payment: Payment,
    correlationId: string,
  ): Promise<{ readonly applied: boolean; readonly position: Position }> {
    const taken = await this.tell(notification, payment, correlationId);
    const settled = await this.settle(payment.created.charge_id, correlationId, 'allButCharge');
    const known = taken.position ?? payment.position;
    return { applied: taken.applied, position: settled !== null && settled > known ? settled : known };
  }

  /** Returns null when no stage is left. */
  private disputeNotification(outcome: DisputeOutcome, charge_id: string, dispute: Dispute, is_final: boolean): DisputeNotification | null {
    const { opened, stage, amount } = dispute;
    const common = { ...this.common(charge_id), reference: opened.reference };
    switch (outcome) {
      case 'dispute-reopen': {
        const next = stageAfter(dispute);
        const { reason_code, reason } = opened;
        const due_by = this.dueBy(DISPUTE_DEFAULTS.due_in_seconds);
        return next && { kind: 'dispute-opened', ...common, stage: next, amount, reason_code, reason, due_by };
      }
      case 'dispute-win':
        return { kind: 'dispute-won', ...common, stage, final: is_final };
      case 'dispute-lose':
        return { kind: 'dispute-lost', ...common, stage };
      default:
        return unreachable(outcome);
    }
  }

  private common(charge_id: string): Pick<Notification, 'notification_id' | 'charge_id' | 'occurred_on'> {
    return { notification_id: randomUUID(), charge_id, occurred_on: timestamp(this.clock()) };
  }

  private dueBy(dueInSeconds: number): Timestamp {
    return timestamp(this.clock() + dueInSeconds * 1000);
  }

  private refundNotification(outcome: RefundOutcome, charge_id: string, refund_id: string): Notification {
    const common = { ...this.common(charge_id), refund_id };
    switch (outcome) {
      case 'refund-succeed':
        return { kind: 'refund-succeeded', ...common };
      case 'refund-fail':
        return { kind: 'refund-failed', ...common, reason: 'Rejected in the simulator' };
      case 'refund-bounce':
        return { kind: 'refund-bounced', ...common, reason: 'Sent back in the simulator' };
      default:
        return unreachable(outcome);
    }
  }

  /** Reads the charge's own stream; only its record shows whether the account has settled it. */
  async statusesOf(payment: Payment): Promise<ChargeStatuses> {
    await this.watch.waitFor('ledger', payment.position, RECORD_WAIT_MS);
    const record = await findChargeById(this.pool, payment.created.charge_id);
    return { status: payment.status, settlement_status: settlementStatus(payment, record?.settlement_status) };
  }

  /** Waits until the charge's record shows it; returns null when there is nothing to settle. */
  private async settle(chargeId: string, correlationId: string, what: 'charge' | 'allButCharge' = 'charge'): Promise<Position | null> {
    const position = await this.settleNow[what](chargeId, systemContext(correlationId), timeLimit(SETTLE_WITHIN_MS));
    if (position !== null) await this.watch.waitFor('ledger', position, SHOWN_WITHIN_MS);
    return position;
  }

  /**
   * The journal records the money that the simulator moves before the service receives the notification. When the service refuses it, the entry is
   * withdrawn.
   */
  private async tell(notification: Notification, { charge }: Payment, correlationId: string): Promise<Taken> {
    const done = await this.journal.record(deedsOf(charge, changeOf(notification), this.clock()));
    try {
      return await this.handler.take(this.throughTheWire(notification), correlationId);
    } catch (error) {
      if (error instanceof Problem && error.code === 'state-conflict') await this.journal.withdraw(done);
      throw error;
    }
  }

  private throughTheWire(notification: Notification): Notification {
    const now = this.clock();
    return this.simulator.notification(this.simulator.sign(notification, now), now);
  }

  private notificationOf(outcome: Exclude<Outcome, 'settle'>, { created }: Payment, reason: string | null): Notification {
    const { charge_id, amount } = created;
    const common = this.common(charge_id);
    switch (outcome) {
      case 'succeed':
        return { kind: 'paid', ...common, amount, payment_reference: paymentReference(charge_id) };
      case 'fail':
        return { kind: 'failed', ...common, reason: reason ?? DEFAULT_FAILURE };
      case 'expire':
        return { kind: 'expired', ...common };
      case 'reverse':
        return { kind: 'reversed', ...common, reason: 'Reversed in the simulator' };
      default:
        return unreachable(outcome);
    }
  }
}

/** @param refundId null: the newest. @throws Problem not-found, state-conflict */
export function refundOf({ refunds }: Payment, refundId: string | null): Refund {
  const refund = refundId === null ? refunds.at(-1) : refunds.find(({ claimed }) => claimed.refund_id === refundId);
  if (refund) return refund;
  throw refundId === null
    ? new LedgerProblem('state-conflict', 'The charge has no refund.')
    : new LedgerProblem('not-found', 'The charge has no such refund.');
}

/** @param wanted null: the newest. @throws Problem not-found, state-conflict */
export function disputeOf({ disputes }: Payment, wanted: string | null): Dispute {
  const dispute = wanted === null ? disputes.at(-1) : disputes.find(({ opened }) => opened.dispute_id === wanted);
  if (dispute) return dispute;
  throw wanted === null
    ? new LedgerProblem('state-conflict', 'The charge has no dispute.')
    : new LedgerProblem('not-found', 'The charge has no such dispute.');
}

function isPlayed(outcome: DisputeOutcome, { status, stage, isFinal }: Dispute, played: DisputeStage, is_final: boolean): boolean {
  if (outcome === 'dispute-reopen') return stage === played;
  return outcome === 'dispute-win' ? status === 'WON' && (isFinal || !is_final) : status === 'LOST';
}

function isToBeSettled({ claimed, to }: Refund, refundId: string): boolean {
  return claimed.refund_id === refundId && to === 'RETURNS' && claimed.net_amount > 0;
}

/** Always the same for a charge: pressing a button twice makes one payment. */
function paymentReference(chargeId: string): string {
  return `SIM-${createHash('sha256').update(chargeId).digest('hex').slice(0, 12).toUpperCase()}`;
}

function settlementStatus({ paid, isClaimed, reversed }: Payment, recorded: SettlementStatus | undefined): SettlementStatus {
  if (reversed && reversed.claimed_in === null) return 'REVERSED';
  if (recorded === 'SETTLED' || recorded === 'REVERSED') return recorded;
  if (isClaimed) return 'PROCESSING';
  return paid ? 'PENDING' : 'UNKNOWN';
}

function notNow(outcome: Outcome, { status, settlement_status }: ChargeStatuses): Problem {
  const settled = status === 'SUCCEEDED' ? ` and its settlement ${settlement_status}` : '';
  return new LedgerProblem('state-conflict', `The charge is ${status}${settled}: "${outcome}" is not possible now.`);
}

function notNowOfDispute(outcome: DisputeOutcome, { status, stage, isFinal }: Dispute): Problem {
  const end = isFinal ? ' for good' : '';
  return new LedgerProblem('state-conflict', `The dispute is ${status}${end}, at stage ${stage}: "${outcome}" is not possible now.`);
}
