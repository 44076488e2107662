import { Module } from '@nestjs/common';
import { BalancesController } from './balances.controller.js';

@Module({ controllers: [BalancesController] })
export class BalancesModule {}
