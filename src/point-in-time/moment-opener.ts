import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { COMMON_CLOCK, FINANCE_POOL } from '../ledger/ports/injection-tokens.js';
import type { Clock } from '../ledger/time.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { ProjectionWatch } from '../platform/projector/projection-watch.js';
import { findLastEvent, type MomentName } from './last-event.js';
import { Moments, type Moment, type MomentScenario } from './moments.js';

/** Longest wait for the event index to contain all events that were written before the request, ms. */
const INDEXED_WITHIN_MS = 500;

/** Opens moments for requests. */
@Injectable()
export class MomentOpener {
  constructor(
    private readonly moments: Moments,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    @Inject(ProjectionWatch) private readonly watch: Pick<ProjectionWatch, 'waitForHead'>,
  ) {}

  /**
   * Opens the moment, or returns the one that is open.
   * @param openedBy key id
   * @param other the fees that apply instead of the recorded ones
   * @throws NoSuchMoment; NameTaken; Problem month-open, too-many-moments; StoreUnavailable
   */
  async open(name: MomentName, openedBy: string, other?: MomentScenario): Promise<Moment> {
    await this.watch.waitForHead('event_index', INDEXED_WITHIN_MS);
    return this.moments.open(await findLastEvent({ pool: this.pool, store: this.store }, name, this.clock()), openedBy, other);
  }
}
