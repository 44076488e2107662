import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { REAL_WAITS } from '../ledger/decide-on-stream.js';
import { CLOCK, SECRET } from '../ledger/injection-tokens.js';
import { MERCHANT_TERMS } from '../ledger/merchant-terms.js';
import type { Clock } from '../ledger/time.js';
import { ACTING_PERSONS, ActingPersons } from '../merchants/acting-person.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { HTTP_OPTIONS, type HttpOptions } from '../platform/http/http-options.js';
import { entitledAmong } from './entitled.js';
import { ProposalEffects } from './proposal-effects.js';
import { ProposalKinds } from './proposal-kinds.js';
import { ActOnProposalHandler, MakeProposalHandler, type ProposalServices } from './proposals.handlers.js';

const SERVICES = Symbol('ProposalServices');
const INJECTED = [EVENT_STORE, CLOCK, ActingPersons, KnownMerchants, SECRET, HTTP_OPTIONS];

function services(
  store: EventStore,
  clock: Clock,
  persons: ActingPersons,
  known: KnownMerchants,
  secret: Buffer,
  { logger }: HttpOptions,
): ProposalServices {
  const kinds = new ProposalKinds(store);
  const entitled = () => entitledAmong(persons);
  const effects = new ProposalEffects({ store, clock, entitled, targetOf: (made) => kinds.targetOf(made), waits: REAL_WAITS });
  const onDelayed = (proposal_id: string, err: unknown): void => logger.warn({ proposal_id, err }, 'an approved proposal takes effect later');
  return { store, clock, persons, known, kinds, effects, secret, onDelayed };
}

/** What persons of the house propose to each other, and how it takes effect. */
@Module({
  imports: [CqrsModule],
  providers: [
    { provide: KnownMerchants, useExisting: MERCHANT_TERMS },
    ACTING_PERSONS,
    { provide: SERVICES, useFactory: services, inject: INJECTED },
    { provide: MakeProposalHandler, useFactory: (of: ProposalServices) => new MakeProposalHandler(of), inject: [SERVICES] },
    { provide: ActOnProposalHandler, useFactory: (of: ProposalServices) => new ActOnProposalHandler(of), inject: [SERVICES] },
  ],
})
export class DeskModule {}
