import { Module } from '@nestjs/common';
import { StatementsModule } from '../books/statements.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { PaymentPageController } from './payment-page.controller.js';
import { Simulation } from './simulation.js';
import { SimulationController } from './simulation.controller.js';
import { StatementLinkController } from './statement-link.controller.js';

@Module({
  imports: [ProvidersModule, StatementsModule],
  controllers: [PaymentPageController, SimulationController, StatementLinkController],
  providers: [Simulation],
})
export class PagesModule {}
