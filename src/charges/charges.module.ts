import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeChargeHandler, CreateChargeHandler } from './charge.handlers.js';
import { ChargesController } from './charges.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [ChargesController],
  providers: [CreateChargeHandler, ChangeChargeHandler],
})
export class ChargesModule {}
