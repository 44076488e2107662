import { Module } from '@nestjs/common';
import { AuditCalendarController } from './audit-calendar.controller.js';
import { CalendarController } from './calendar.controller.js';

@Module({ controllers: [CalendarController, AuditCalendarController] })
export class CalendarModule {}
