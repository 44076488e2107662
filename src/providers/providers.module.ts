import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SECRET } from '../ledger/injection-tokens.js';
import { NotificationHandler } from './notification-handler.js';
import { Simulator } from './simulator.js';
import { SimulatorController } from './simulator.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [SimulatorController],
  providers: [NotificationHandler, { provide: Simulator, useFactory: (secret: Buffer) => new Simulator(secret), inject: [SECRET] }],
  exports: [NotificationHandler, Simulator],
})
export class ProvidersModule {}
