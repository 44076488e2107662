import { Module } from '@nestjs/common';
import { ChargesModule } from '../../domain/charges/charges.module.js';
import { SimulatorController } from './simulator.controller.js';

@Module({ imports: [ChargesModule], controllers: [SimulatorController] })
export class ProvidersModule {}
