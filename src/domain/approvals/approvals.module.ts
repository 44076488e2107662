import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CONFIG, SERVICE_DEPS, type ServiceDeps, type Settings } from '../../ledger/ports/injection-tokens.js';
import { ActingOperators } from '../operators/acting-operator.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { HTTP_OPTIONS, type HttpOptions } from '../../platform/http/http-options.js';
import { UPPER_KINDS, type UpperKinds } from './proposal-kinds.js';
import { proposalServices } from './proposal-services.js';
import { ActOnProposalHandler, MakeProposalHandler, type ProposalServices } from './proposals.handlers.js';
import { SEALED_LOG, type SealedLog } from './sealed-log.js';

const SERVICES = Symbol('ProposalServices');
const INJECTED = [SERVICE_DEPS, ActingOperators, KnownMerchants, HTTP_OPTIONS, SEALED_LOG, CONFIG, UPPER_KINDS];

function services(
  deps: ServiceDeps,
  operators: ActingOperators,
  known: KnownMerchants,
  { logger }: HttpOptions,
  sealed: SealedLog,
  { booksTimeZone: timeZone }: Settings,
  upper: UpperKinds,
): ProposalServices {
  const onDelayed = (proposal_id: string, err: unknown): void =>
    logger.warn({ proposal_id, err }, 'cannot apply an approved proposal now; a worker applies it later');
  return { ...deps, ...proposalServices({ ...deps, operators, sealed, timeZone, upper }), operators, known, onDelayed };
}

/** Proposals that operators make to each other, and their effects. */
@Module({
  imports: [CqrsModule],
  providers: [
    { provide: SERVICES, useFactory: services, inject: INJECTED },
    { provide: MakeProposalHandler, useFactory: (of: ProposalServices) => new MakeProposalHandler(of), inject: [SERVICES] },
    { provide: ActOnProposalHandler, useFactory: (of: ProposalServices) => new ActOnProposalHandler(of), inject: [SERVICES] },
  ],
})
export class ApprovalsModule {}
