import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventsController } from './events.controller.js';
import { WebHookController } from './web-hook.controller.js';
import { DeleteWebHookHandler, SetWebHookHandler } from './web-hook.handlers.js';

@Module({ imports: [CqrsModule], controllers: [WebHookController, EventsController], providers: [SetWebHookHandler, DeleteWebHookHandler] })
export class WebHooksModule {}
