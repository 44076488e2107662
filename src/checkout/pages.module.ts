import { Module } from '@nestjs/common';
import { ProcessorsModule } from '../providers/processors.module.js';
import { PaymentPageController } from './payment-page.controller.js';
import { Simulation } from './simulation.js';
import { SimulationController } from './simulation.controller.js';

@Module({ imports: [ProcessorsModule], controllers: [PaymentPageController, SimulationController], providers: [Simulation] })
export class PagesModule {}
