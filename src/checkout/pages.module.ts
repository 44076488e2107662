import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { PaymentPageController } from './payment-page.controller.js';
import { Simulation } from './simulation.js';
import { SimulationController } from './simulation.controller.js';

@Module({ imports: [ProvidersModule], controllers: [PaymentPageController, SimulationController], providers: [Simulation] })
export class PagesModule {}
