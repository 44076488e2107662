import { Module } from '@nestjs/common';
import { AdjustmentsController } from './adjustments.controller.js';
import { BalancesController } from './balances.controller.js';

@Module({ controllers: [BalancesController, AdjustmentsController] })
export class BalancesModule {}
