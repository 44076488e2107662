import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { WebHookController } from './web-hook.controller.js';
import { WebHookSettings } from './web-hook-settings.js';

@Module({ controllers: [WebHookController, EventsController], providers: [WebHookSettings] })
export class WebHooksModule {}
