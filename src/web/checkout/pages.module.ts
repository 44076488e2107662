import { Module } from '@nestjs/common';
import { StatementsModule } from '../../domain/balances/statements.module.js';
import { ProvidersModule } from '../../rails/simulator/providers.module.js';
import { ChargesModule } from '../../domain/charges/charges.module.js';
import { PaymentPageController } from './payment-page.controller.js';
import { PaymentStart } from './payment-start.js';
import { Simulation } from './simulation.js';
import { SimulationController } from './simulation.controller.js';
import { StatementLinkController } from './statement-link.controller.js';

@Module({
  imports: [ChargesModule, ProvidersModule, StatementsModule],
  controllers: [PaymentPageController, SimulationController, StatementLinkController],
  providers: [PaymentStart, Simulation],
})
export class PagesModule {}
