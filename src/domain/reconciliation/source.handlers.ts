import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ReconRan } from '../../ledger/events/reconciliation.events.js';
import { requireRole, type ActingPersons } from '../operators/acting-person.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { importStatement, type ImportedStatement, type ImportServices } from './import-statement.js';
import { ImportStatement, RunReconSource, SetReconSource } from './source-commands.js';
import { runSource, setSource, type ReconciliationDeps } from './sources.js';

@CommandHandler(SetReconSource)
export class SetReconSourceHandler implements ICommandHandler<SetReconSource> {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly persons: Pick<ActingPersons, 'of'>,
  ) {}

  async execute({ identity, settings, reason, keyId, ids }: SetReconSource): Promise<{ readonly position: Position }> {
    const person = await this.persons.of(keyId);
    requireRole(person, 'controller');
    return setSource(this.deps, identity, settings, reason, { person, context: { actor: keyId, ...ids } });
  }
}

@CommandHandler(ImportStatement)
export class ImportStatementHandler implements ICommandHandler<ImportStatement> {
  constructor(
    private readonly services: ImportServices,
    private readonly persons: Pick<ActingPersons, 'of'>,
  ) {}

  async execute({ order, keyId, ids }: ImportStatement): Promise<ImportedStatement> {
    const person = await this.persons.of(keyId);
    requireRole(person, 'preparer');
    return importStatement(this.services, order, { person, context: { actor: keyId, ...ids } });
  }
}

@CommandHandler(RunReconSource)
export class RunReconSourceHandler implements ICommandHandler<RunReconSource> {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly persons: Pick<ActingPersons, 'of'>,
  ) {}

  async execute({ source, reason, keyId, ids }: RunReconSource): Promise<{ readonly ran: ReconRan; readonly position: Position }> {
    const person = await this.persons.of(keyId);
    requireRole(person, 'preparer');
    return runSource(this.deps, source, reason, { person, context: { actor: keyId, ...ids } });
  }
}
