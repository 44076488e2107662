import { Command } from '@nestjs/cqrs';
import type { ReconRan, SourceSettings } from '../../ledger/events/reconciliation.events.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';
import type { ImportedStatement, StatementImport } from './import-statement.js';
import type { SourceIdentity } from './source.decider.js';

/** A command of an operator, with an operator's key. */
abstract class ReconciliationCommand<Result> extends Command<Result> {
  constructor(
    readonly keyId: string,
    readonly ids: Pick<CommandContext, 'correlation_id' | 'causation_id'>,
  ) {
    super();
  }
}

/** A controller creates a source of statements, or changes one. */
export class SetReconSource extends ReconciliationCommand<{ readonly position: Position }> {
  constructor(
    readonly identity: SourceIdentity,
    readonly settings: SourceSettings,
    readonly reason: string,
    ...by: ConstructorParameters<typeof ReconciliationCommand>
  ) {
    super(...by);
  }
}

/** A preparer imports a file of a source. */
export class ImportStatement extends ReconciliationCommand<ImportedStatement> {
  constructor(
    readonly order: StatementImport,
    ...by: ConstructorParameters<typeof ReconciliationCommand>
  ) {
    super(...by);
  }
}

/** A preparer has the open lines of a source matched with the books. */
export class RunReconSource extends ReconciliationCommand<{ readonly ran: ReconRan; readonly position: Position }> {
  constructor(
    readonly source: string,
    readonly reason: string,
    ...by: ConstructorParameters<typeof ReconciliationCommand>
  ) {
    super(...by);
  }
}

/** A preparer closes the next day of a bank. */
export class CloseDay extends ReconciliationCommand<{ readonly position: Position }> {
  constructor(
    readonly source: string,
    readonly day: string,
    readonly reason: string,
    ...by: ConstructorParameters<typeof ReconciliationCommand>
  ) {
    super(...by);
  }
}
