import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { CLOCK, PRIMARY_POOL, SECRET } from '../../../ledger/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { DisputeKeys } from './dispute-keys.js';
import { DisputesController } from './disputes.controller.js';
import { EvidenceController } from './evidence.controller.js';
import { AddEvidenceHandler } from './evidence.handlers.js';
import { EvidenceStore } from './evidence-store.js';

@Module({
  imports: [CqrsModule],
  controllers: [DisputesController, EvidenceController],
  providers: [
    AddEvidenceHandler,
    {
      provide: EvidenceStore,
      useFactory: (pool: Pool, secret: Buffer, clock: Clock) => new EvidenceStore(pool, new DisputeKeys(pool, secret, clock), clock),
      inject: [PRIMARY_POOL, SECRET, CLOCK],
    },
  ],
  exports: [EvidenceStore],
})
export class DisputesModule {}
