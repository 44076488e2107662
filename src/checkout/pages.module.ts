import { Module } from '@nestjs/common';
import { StatementsModule } from '../books/statements.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ChargesModule } from '../charges/charges.module.js';
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
