import { Controller, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { PayoutOutcomes, type BankVerdict } from '../../domain/payouts/payout-outcomes.js';
import { Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import type { Clock } from '../../ledger/time.js';
import { BANK_RAIL, type BankNotification, type BankRail } from '../../domain/payouts/bank-rail.js';
import { notificationSchema, receive, TakesNotifications, text } from './receive-notification.js';
import { UuidField } from '../../platform/http/answer-fields.js';
import { unreachable } from '../../ledger/unreachable.js';

const NOTIFICATION_SCHEMA = notificationSchema(['paid', 'rejected', 'returned'], 'payout_id', {
  reason: { ...text(255), description: 'Only for rejected and returned, and required there.' },
});

export class BankNotificationAnswer {
  @UuidField() readonly payout_id: string;
}

/** Receives the bank's reports on payouts. */
@ApiTags('Processors')
@Controller('processors/bank')
export class BankController {
  constructor(
    @Inject(BANK_RAIL) private readonly bank: BankRail,
    private readonly payouts: PayoutOutcomes,
    private readonly consistency: ReadYourWrites,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Operation(
    'takeBankNotification',
    'Receive a notification of the bank',
    'Reports the result of a payout. The signature is the credential. A repeat returns 200 like the first. A notification that arrives too early (a return of a payout that has not succeeded) returns 409 and must be sent again.',
  )
  @TakesNotifications('Bank', NOTIFICATION_SCHEMA)
  @ApiOkResponse({ type: BankNotificationAnswer })
  async notified(@Exchange() { request, reply, ids }: HttpExchange): Promise<BankNotificationAnswer> {
    const notification = receive(request, 'Bank-Signature', (signed) => this.bank.notification(signed, this.clock()));
    const { payout_id, notification_id } = notification;
    const context = systemContext(notification_id, ids.correlation_id);
    const outcome = await this.payouts.record(payout_id, verdictOf(notification), context);
    switch (outcome.kind) {
      case 'recorded':
        if (outcome.position !== null) await this.consistency.written(reply, outcome.position);
        return { payout_id };
      case 'unknown-payout':
        throw new LedgerProblem('not-found', 'There is no such payout.');
      case 'not-yet':
      case 'contradicted':
        throw new LedgerProblem('state-conflict', outcome.detail);
      default:
        return unreachable(outcome);
    }
  }
}

function verdictOf(notification: BankNotification): BankVerdict {
  return notification.kind === 'paid' ? { kind: 'paid' } : { kind: notification.kind, reason: notification.reason };
}
