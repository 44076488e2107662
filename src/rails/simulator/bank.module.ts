import { Module } from '@nestjs/common';
import { PayoutsModule } from '../../domain/payouts/payouts.module.js';
import { BankController } from './bank.controller.js';

@Module({ imports: [PayoutsModule], controllers: [BankController] })
export class BankModule {}
