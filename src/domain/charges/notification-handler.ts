import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeCharge, type ChargeChange } from './charge.handlers.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/problem.js';
import type { Notification } from './processor.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Kinds that may arrive after the charge has ended; they add nothing then. */
const MAY_BE_LATE: ReadonlySet<Notification['kind']> = new Set<Notification['kind']>(['paid', 'failed', 'expired']);

/** Result of a notification. */
export interface Taken {
  readonly charge_id: string;
  /** False when it changed nothing: a repeat, or the charge had already ended. */
  readonly applied: boolean;
  /** Position of the newest event that the notification added; null when it added none. */
  readonly position: Position | null;
}

/** Processes verified notifications of any processor, in any order and any number of times. The charge's own stream decides which of them are new. */
@Injectable()
export class NotificationHandler {
  constructor(private readonly commands: CommandBus) {}

  /**
   * @throws Problem not-found for a charge that does not exist; state-conflict for a reversal that arrived before its payment, for a
   * result of a refund or dispute that arrived too early (the processor sends it again), or for one that contradicts the recorded
   * end
   */
  async take(notification: Notification, correlation_id: string): Promise<Taken> {
    const { charge_id, notification_id } = notification;
    const context = systemContext(notification_id, correlation_id);
    try {
      const { events, position } = await this.commands.execute(new ChangeCharge(charge_id, changeOf(notification), context));
      const applied = events.length > 0;
      return { charge_id, applied, position: applied ? position : null };
    } catch (error) {
      const overtaken = error instanceof Problem && error.code === 'state-conflict' && MAY_BE_LATE.has(notification.kind);
      if (!overtaken) throw error;
      // A payment, failure or expiry that arrived after the end of the charge is late, not an error of the sender.
      return { charge_id, applied: false, position: null };
    }
  }
}

/** Returns the change of the charge that a notification reports. */
export function changeOf(notification: Notification): ChargeChange {
  switch (notification.kind) {
    case 'paid':
      return { kind: 'pay', amount: notification.amount, payment_reference: notification.payment_reference };
    case 'failed':
      return { kind: 'fail', reason: notification.reason };
    case 'expired':
      return { kind: 'expire' };
    case 'reversed':
      return { kind: 'reverse', reason: notification.reason };
    case 'refund-succeeded':
      return { kind: 'succeed-refund', refund_id: notification.refund_id };
    case 'refund-failed':
      return { kind: 'fail-refund', refund_id: notification.refund_id, reason: notification.reason };
    case 'refund-bounced':
      return { kind: 'bounce-refund', refund_id: notification.refund_id, reason: notification.reason };
    case 'dispute-opened': {
      const { reference, stage, amount, reason_code, reason, due_by } = notification;
      return { kind: 'open-dispute', claim: { reference, stage, amount, reason_code, reason, due_by } };
    }
    case 'dispute-won': {
      const { reference, stage, final: is_final } = notification;
      return { kind: 'win-dispute', reference, stage, is_final };
    }
    case 'dispute-lost':
      return { kind: 'lose-dispute', reference: notification.reference, stage: notification.stage };
    default:
      return unreachable(notification);
  }
}
