import { Module } from '@nestjs/common';
import { AdjustmentsController } from './adjustments.controller.js';
import { BalancesController } from './balances.controller.js';
import { Forecasts } from './forecasts.js';

@Module({ controllers: [BalancesController, AdjustmentsController], providers: [Forecasts], exports: [Forecasts] })
export class BalancesModule {}
