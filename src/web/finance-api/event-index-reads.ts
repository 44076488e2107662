import { Inject, Injectable, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ProjectionWatch } from '../../platform/projector/projection-watch.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';

/** As long as a write waits for the ledger; an index that is behind for longer marks the answer. */
const CAUGHT_UP_WITHIN_MS = 500;

/** For reads of the index of events, which gathers what it writes: whatever the ledger shows when it is asked is in it, too. */
@Injectable()
export class EventIndexReads extends LedgerReads {
  protected override readonly projection = 'event_index';

  constructor(
    consistency: ReadYourWrites,
    @Inject(ProjectionWatch) private readonly watch: ProjectionWatch,
  ) {
    super(consistency);
  }

  override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const ledger = this.watch.current('ledger');
    if (ledger) await this.watch.waitFor(this.projection, ledger.position, CAUGHT_UP_WITHIN_MS);
    return super.intercept(context, next);
  }
}
