import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CustomersModule } from '../customers/customers.module.js';
import { DisputesModule } from '../charges/disputes/disputes.module.js';
import { EventsController } from './events.controller.js';
import { WebhookController } from './webhook.controller.js';
import { DeleteWebhookHandler, SetWebhookHandler } from './webhook.handlers.js';

@Module({
  imports: [CqrsModule, CustomersModule, DisputesModule],
  controllers: [WebhookController, EventsController],
  providers: [SetWebhookHandler, DeleteWebhookHandler],
})
export class WebhooksModule {}
