import { Controller, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { DISPUTE_STAGES } from '../../ledger/events/dispute.events.js';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import { Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import type { Clock } from '../../ledger/time.js';
import { NotificationHandler } from '../../domain/charges/notification-handler.js';
import { notificationSchema, receive, TakesNotifications, text } from './receive-notification.js';
import { Simulator } from './simulator.js';
import { UuidField } from '../../platform/http/answer-fields.js';

const OF_PAYMENTS = ['paid', 'failed', 'expired', 'reversed'];
const KINDS = [...OF_PAYMENTS, 'refund-succeeded', 'refund-failed', 'refund-bounced', 'dispute-opened', 'dispute-won', 'dispute-lost'];

const NOTIFICATION_SCHEMA = notificationSchema(KINDS, 'charge_id', {
  amount: { type: 'integer', format: 'int64', minimum: 1, description: 'Minor units; only for paid and dispute-opened, and required there.' },
  payment_reference: { ...text(64), description: 'Only for paid, and required there.' },
  refund_id: { type: 'string', format: 'uuid', description: 'Only for refund-…, and required there.' },
  reason: { ...text(255), description: 'Only for failed, reversed, refund-failed, refund-bounced and dispute-opened, and required there.' },
  reference: { ...text(64), description: 'Reference of the dispute; only for dispute-…, and required there.' },
  stage: { type: 'string', enum: DISPUTE_STAGES, description: 'Only for dispute-…, and required there.' },
  reason_code: { ...text(64), description: 'Only for dispute-opened, and required there.' },
  due_by: { type: 'string', format: 'date-time', description: 'Deadline for the merchant’s answer; only for dispute-opened, and required there.' },
  final: { type: 'boolean', description: 'No later stage follows; only for dispute-won, and required there.' },
});

export class NotificationAnswer {
  @UuidField() readonly charge_id: string;

  @ApiProperty({ description: 'False if the notification had no effect: it was received before, or the charge had changed since.' })
  readonly applied: boolean;
}

/** Receives the simulator's notifications, like those of a real processor. */
@ApiTags('Processors')
@Controller('processors/simulator')
export class SimulatorController {
  constructor(
    private readonly simulator: Simulator,
    private readonly handler: NotificationHandler,
    private readonly consistency: ReadYourWrites,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Operation(
    'takeSimulatorNotification',
    'Receive a notification of the simulator',
    'Reports an event of a payment. The signature is the credential. Repeats and late notifications return 200 with `applied: false`. A reversal that arrives before its payment, and a notification of a refund or dispute that arrives before others or contradicts its end, return 409.',
  )
  @TakesNotifications('Simulator', NOTIFICATION_SCHEMA)
  @ApiOkResponse({ type: NotificationAnswer })
  async notified(@Exchange() { request, reply, ids }: HttpExchange): Promise<NotificationAnswer> {
    const notification = receive(request, 'Simulator-Signature', (signed) => this.simulator.notification(signed, this.clock()));
    const { charge_id, applied, position } = await this.handler.take(notification, ids.correlation_id);
    if (position !== null) await this.consistency.written(reply, position);
    return { charge_id, applied };
  }
}
