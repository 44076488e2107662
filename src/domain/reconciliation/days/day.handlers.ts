import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireRole, type ActingOperators } from '../../operators/acting-operator.js';
import { StoreUnavailable, type Position } from '../../../platform/event-store/event-store.js';
import { openDay, type DayCloser } from './day-closer.js';
import { CloseDay } from '../source-commands.js';
import type { ReconciliationDeps } from '../sources.js';

/** Maximum wait of a request for read models and seals, below the timeout of the edge. A worker completes closes that a request leaves open. */
const WAITS_MS = 3_000;

@CommandHandler(CloseDay)
export class CloseDayHandler implements ICommandHandler<CloseDay> {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly operators: Pick<ActingOperators, 'of'>,
    private readonly closer: DayCloser,
    private readonly onDelayed: (source: string, error: unknown) => void,
  ) {}

  async execute({ source, day, reason, keyId, ids }: CloseDay): Promise<{ readonly position: Position }> {
    const operator = await this.operators.of(keyId);
    requireRole(operator, 'preparer');
    const context = { actor: keyId, ...ids };
    const opened = await openDay(this.deps, source, day, reason, { operator, context });
    try {
      return { position: (await this.closer.runWithin(WAITS_MS, source, context)) ?? opened };
    } catch (error) {
      // The close is open, and stays open until a worker completes it.
      if (!(error instanceof StoreUnavailable)) throw error;
      this.onDelayed(source, error);
      return { position: opened };
    }
  }
}
