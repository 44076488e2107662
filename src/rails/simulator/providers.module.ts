import { Module } from '@nestjs/common';
import type { Pool } from 'pg';
import { PRIMARY_POOL, SECRET } from '../../ledger/injection-tokens.js';
import { ChargesModule } from '../../domain/charges/charges.module.js';
import { SIMULATOR_JOURNAL } from './deeds.js';
import { PostgresSimulatorJournal } from './simulator-journal.js';
import { Simulator } from './simulator.js';
import { SimulatorController } from './simulator.controller.js';

@Module({
  imports: [ChargesModule],
  controllers: [SimulatorController],
  providers: [
    { provide: Simulator, useFactory: (secret: Buffer) => new Simulator(secret), inject: [SECRET] },
    { provide: SIMULATOR_JOURNAL, useFactory: (pool: Pool) => new PostgresSimulatorJournal(pool), inject: [PRIMARY_POOL] },
  ],
  exports: [Simulator, SIMULATOR_JOURNAL],
})
export class ProvidersModule {}
