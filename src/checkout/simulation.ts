import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { findChargeById } from '../../projections/charges/charge-reads.js';
import { ChangeCharge } from '../charges/charge.handlers.js';
import type { Refund } from '../charges/charge-state.js';
import type { SettlementStatus } from '../ledger/events/charge.events.js';
import { COMMON_CLOCK, READ_POOL } from '../ledger/injection-tokens.js';
import { systemContext } from '../ledger/new-event.js';
import { EVENT_STORE, type EventStore, type Position } from '../platform/event-store/event-store.js';
import { Problem } from '../platform/problems.js';
import { ProjectionWatch } from '../platform/projector/projection-watch.js';
import { timeLimit } from '../platform/waiting.js';
import { SettleNow } from '../settlements/settle-now.js';
import { NotificationHandler } from '../providers/notification-handler.js';
import type { Notification } from '../charges/processor.js';
import { Simulator } from '../providers/simulator.js';
import { timestamp, type Clock } from '../ledger/time.js';
import { permittedOutcomes, type Outcome, type ChargeStatuses, type RefundOutcome } from './outcomes.js';
import { findPayment, type Payment } from './payment.js';
import { DEFAULT_FAILURE } from './simulation-page.js';

/** Settlements of others that are in the way are finished first; one of many charges takes seconds. */
const SETTLE_WITHIN_MS = 30_000;
/** How long the record is waited for before its settlement status is read as it is, ms. */
const RECORD_WAIT_MS = 500;
/** A settlement is answered when the record shows it. */
const SHOWN_WITHIN_MS = 5_000;

/** Plays outcomes: the simulated processor sends a signed notification, and it is taken as any processor's would be. */
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
  ) {}

  /**
   * Answers the position of what it added.
   * @throws Problem state-conflict when the charge's state does not permit `outcome`.
   */
  async play(outcome: Outcome, payment: Payment, reason: string | null, correlationId: string): Promise<Position> {
    const statuses = await this.statusesOf(payment);
    if (!permittedOutcomes(statuses).includes(outcome)) throw notNow(outcome, statuses);
    const { charge_id } = payment.created;
    if (outcome === 'settle') {
      const settled = await this.settle(charge_id, correlationId);
      if (settled === null) throw notNow(outcome, await this.statusesOf(payment));
      return settled;
    }
    const notification = this.notificationOf(outcome, payment, reason);
    const { applied, position } = await this.handler.take(this.throughTheWire(notification), correlationId);
    // Taken back by a settlement at once, if one had claimed it by then.
    if (outcome === 'reverse') return (await this.settle(charge_id, correlationId)) ?? position ?? payment.position;
    // Another request was faster. The same outcome twice at once is one; another one has forbidden this.
    if (!applied && outcome !== 'succeed') throw notNow(outcome, await this.statusesOf(payment));
    return position ?? payment.position;
  }

  /**
   * Plays the end of a refund: it is handed to the simulated processor, if it has not been, which notifies. What comes back to the merchant is
   * settled at once. Answers the position of what it added.
   * @throws Problem state-conflict when the refund's state does not permit `outcome`
   */
  async playRefund(outcome: RefundOutcome, { created, position }: Payment, { claimed, status }: Refund, correlationId: string): Promise<Position> {
    const { charge_id } = created;
    const { refund_id } = claimed;
    if (status === 'PENDING' && outcome !== 'refund-bounce')
      await this.commands.execute(new ChangeCharge(charge_id, { kind: 'submit-refund', refund_id }, systemContext(correlationId)));
    const taken = await this.handler.take(this.throughTheWire(this.refundNotification(outcome, charge_id, refund_id)), correlationId);
    const isReturned = outcome !== 'refund-succeed' && (await findPayment(this.store, charge_id))?.refunds.some((of) => isToBeSettled(of, refund_id));
    return (isReturned ? await this.settle(charge_id, correlationId) : null) ?? taken.position ?? position;
  }

  private refundNotification(outcome: RefundOutcome, charge_id: string, refund_id: string): Notification {
    const common = { notification_id: randomUUID(), charge_id, occurred_on: timestamp(this.clock()), refund_id };
    switch (outcome) {
      case 'refund-succeed':
        return { kind: 'refund-succeeded', ...common };
      case 'refund-fail':
        return { kind: 'refund-failed', ...common, reason: 'Rejected in the simulator' };
      case 'refund-bounce':
        return { kind: 'refund-bounced', ...common, reason: 'Sent back in the simulator' };
      default:
        throw new Error(`no notification for ${outcome satisfies never as string}`);
    }
  }

  /** From the charge's own stream; whether the account has settled it is in its record. */
  async statusesOf(payment: Payment): Promise<ChargeStatuses> {
    await this.watch.waitFor('ledger', payment.position, RECORD_WAIT_MS);
    const record = await findChargeById(this.pool, payment.created.charge_id);
    return { status: payment.status, settlement_status: settlementStatus(payment, record?.settlement_status) };
  }

  /** Answers when the charge's record shows it; null when there is nothing to settle. */
  private async settle(chargeId: string, correlationId: string): Promise<Position | null> {
    const position = await this.settleNow.charge(chargeId, systemContext(correlationId), timeLimit(SETTLE_WITHIN_MS));
    if (position !== null) await this.watch.waitFor('ledger', position, SHOWN_WITHIN_MS);
    return position;
  }

  private throughTheWire(notification: Notification): Notification {
    const now = this.clock();
    return this.simulator.notification(this.simulator.sign(notification, now), now);
  }

  private notificationOf(outcome: Exclude<Outcome, 'settle'>, { created }: Payment, reason: string | null): Notification {
    const { charge_id, amount } = created;
    const common = { notification_id: randomUUID(), charge_id, occurred_on: timestamp(this.clock()) };
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
        throw new Error(`no notification for ${outcome satisfies never as string}`);
    }
  }
}

function isToBeSettled({ claimed, to }: Refund, refundId: string): boolean {
  return claimed.refund_id === refundId && to === 'RETURNS' && claimed.net_amount > 0;
}

/** Always the same for a charge: two presses of one button are one payment. */
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
  return new Problem('state-conflict', `The charge is ${status}${settled}: "${outcome}" is not possible now.`);
}
