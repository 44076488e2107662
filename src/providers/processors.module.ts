import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SECRET } from '../ledger/injection-tokens.js';
import { NotificationDesk } from './notification-desk.js';
import { Simulator } from './simulator.js';
import { SimulatorController } from './simulator.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [SimulatorController],
  providers: [NotificationDesk, { provide: Simulator, useFactory: (secret: Buffer) => new Simulator(secret), inject: [SECRET] }],
  exports: [NotificationDesk, Simulator],
})
export class ProcessorsModule {}
