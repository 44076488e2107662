import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SERVICE_DEPS, type ServiceDeps } from '../../../ledger/ports/injection-tokens.js';
import { disputeServices } from './dispute-services.js';
import { DisputesController } from './disputes.controller.js';
import { EvidenceController } from './evidence.controller.js';
import { AddEvidenceHandler } from './evidence.handlers.js';
import { EvidenceStore } from './evidence-store.js';

@Module({
  imports: [CqrsModule],
  controllers: [DisputesController, EvidenceController],
  providers: [
    AddEvidenceHandler,
    { provide: EvidenceStore, useFactory: (deps: ServiceDeps) => disputeServices(deps).evidence, inject: [SERVICE_DEPS] },
  ],
  exports: [EvidenceStore],
})
export class DisputesModule {}
