import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import type { ReconRan } from '../../ledger/events/reconciliation.events.js';
import { requireRole, type ActingOperators } from '../operators/acting-operator.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { importStatement, type ImportedStatement, type ImportServices } from './import-statement.js';
import { ImportStatement, RunReconSource, SetReconSource } from './source-commands.js';
import { requireTimeZone, runSource, setSource, type ReconciliationDeps } from './sources.js';

@CommandHandler(SetReconSource)
export class SetReconSourceHandler implements ICommandHandler<SetReconSource> {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly operators: Pick<ActingOperators, 'of'>,
    private readonly pool: Pool,
  ) {}

  async execute({ identity, settings, reason, keyId, ids }: SetReconSource): Promise<{ readonly position: Position }> {
    const operator = await this.operators.of(keyId);
    requireRole(operator, 'controller');
    await requireTimeZone(this.pool, settings);
    return setSource(this.deps, identity, settings, reason, { operator, context: { actor: keyId, ...ids } });
  }
}

@CommandHandler(ImportStatement)
export class ImportStatementHandler implements ICommandHandler<ImportStatement> {
  constructor(
    private readonly services: ImportServices,
    private readonly operators: Pick<ActingOperators, 'of'>,
  ) {}

  async execute({ order, keyId, ids }: ImportStatement): Promise<ImportedStatement> {
    const operator = await this.operators.of(keyId);
    requireRole(operator, 'preparer');
    return importStatement(this.services, order, { operator, context: { actor: keyId, ...ids } });
  }
}

@CommandHandler(RunReconSource)
export class RunReconSourceHandler implements ICommandHandler<RunReconSource> {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly operators: Pick<ActingOperators, 'of'>,
  ) {}

  async execute({ source, reason, keyId, ids }: RunReconSource): Promise<{ readonly ran: ReconRan; readonly position: Position }> {
    const operator = await this.operators.of(keyId);
    requireRole(operator, 'preparer');
    return runSource(this.deps, source, reason, { operator, context: { actor: keyId, ...ids } });
  }
}
