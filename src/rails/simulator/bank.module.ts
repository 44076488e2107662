import { Module } from '@nestjs/common';
import { SECRET } from '../../ledger/injection-tokens.js';
import { PayoutsModule } from '../../domain/payouts/payouts.module.js';
import { BANK_RAIL } from '../../domain/payouts/bank-rail.js';
import { BankController } from './bank.controller.js';
import { SimulatedBankRail } from './simulated-bank-rail.js';

@Module({
  imports: [PayoutsModule],
  controllers: [BankController],
  providers: [{ provide: BANK_RAIL, useFactory: (secret: Buffer) => new SimulatedBankRail(secret), inject: [SECRET] }],
})
export class BankModule {}
