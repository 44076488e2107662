import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeCharge, type ChargeChange } from './charge.handlers.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/problems.js';
import type { Notification } from './processor.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Kinds that say nothing new of a charge that has moved on. */
const MAY_BE_LATE: ReadonlySet<Notification['kind']> = new Set<Notification['kind']>(['paid', 'failed', 'expired']);

/** What a notification came to. */
export interface Taken {
  readonly charge_id: string;
  /** False when there was nothing to do: it came before, or the charge had moved on. */
  readonly applied: boolean;
  /** Of what it added; null when that was nothing. */
  readonly position: Position | null;
}

/**
 * Takes verified notifications, of whatever processor, in whatever order and as often as they come: the charge's own
 * stream says what is new.
 */
@Injectable()
export class NotificationHandler {
  constructor(private readonly commands: CommandBus) {}

  /**
   * @throws Problem not-found for a charge that does not exist; state-conflict for a reversal that overtook its payment,
   * and for news of a refund or dispute before its time: the processor sends it again; or against how it has ended.
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
      // A failure or an expiry that came after the end of the charge: a late notification, not a mistake of the sender.
      return { charge_id, applied: false, position: null };
    }
  }
}

/** What a charge is to be told. */
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
