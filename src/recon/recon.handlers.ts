import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SourceSettings } from '../ledger/events/recon.events.js';
import type { CommandContext } from '../ledger/new-event.js';
import { requireRole, type ActingPersons } from '../merchants/acting-person.js';
import type { Position } from '../platform/event-store/event-store.js';
import { importStatement, type ImportedStatement, type ImportServices, type StatementImport } from './import-statement.js';
import type { SourceIdentity } from './source.decider.js';
import { setSource, type ReconShell } from './sources.js';

/** What a person does, with a key of the person's own. */
abstract class ReconCommand<Result> extends Command<Result> {
  constructor(
    readonly keyId: string,
    readonly ids: Pick<CommandContext, 'correlation_id' | 'causation_id'>,
  ) {
    super();
  }
}

/** A controller makes a source of statements, or changes one. */
export class SetReconSource extends ReconCommand<{ readonly position: Position }> {
  constructor(
    readonly identity: SourceIdentity,
    readonly settings: SourceSettings,
    readonly reason: string,
    ...by: ConstructorParameters<typeof ReconCommand>
  ) {
    super(...by);
  }
}

/** A preparer imports a file of a source. */
export class ImportStatement extends ReconCommand<ImportedStatement> {
  constructor(
    readonly order: StatementImport,
    ...by: ConstructorParameters<typeof ReconCommand>
  ) {
    super(...by);
  }
}

@CommandHandler(SetReconSource)
export class SetReconSourceHandler implements ICommandHandler<SetReconSource> {
  constructor(
    private readonly shell: ReconShell,
    private readonly persons: Pick<ActingPersons, 'of'>,
  ) {}

  async execute({ identity, settings, reason, keyId, ids }: SetReconSource): Promise<{ readonly position: Position }> {
    const person = await this.persons.of(keyId);
    requireRole(person, 'controller');
    return setSource(this.shell, identity, settings, reason, { person, context: { actor: keyId, ...ids } });
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
