import { Inject, Injectable, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ProjectionWatch } from '../../platform/projector/projection-watch.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';

/** As long as a write waits for the ledger; the response is marked when the index is behind for longer. */
const CAUGHT_UP_WITHIN_MS = 500;

/** Reads of the index of events, which collects its writes: waits until the index has all that the ledger shows at the time of the request. */
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
