import { Module } from '@nestjs/common';
import { BalancesModule } from '../balances/balances.module.js';
import { ChargesModule } from '../charges/charges.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { PreviewsController } from './previews.controller.js';
import { Previews } from './previews.js';

@Module({ imports: [BalancesModule, ChargesModule, PayoutsModule], controllers: [PreviewsController], providers: [Previews] })
export class PreviewsModule {}
