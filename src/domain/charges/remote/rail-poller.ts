import { DAY_MS, milliseconds, type Clock } from '../../../ledger/time.js';
import { concurrently } from '../../../platform/worker/concurrently.js';
import { ElectedWorker } from '../../../platform/worker/elected-worker.js';
import type { ChargeConfirmation, Question } from './charge-confirmation.js';
import { FIRST_LOOK_MS, type DueRow, type RailDue } from './rail-due.js';
import type { ExistingCharge } from '../charge-state.js';
import type { ProcessorRoutes } from './remote-processor.js';

export interface RailPollerOptions {
  readonly databaseUrl: string;
  readonly due: RailDue;
  readonly confirmation: ChargeConfirmation;
  readonly routes: ProcessorRoutes;
  readonly clock: Clock;
  /** Returns false while no decision is allowed; default: always true. */
  readonly mayDecide?: () => Promise<boolean>;
  /** Called with the error of a failed pass, and of a charge whose query failed, with its `charge_id`. */
  readonly onError: (error: unknown, fields: Readonly<Record<string, unknown>>) => void;
}

/** Election name of the poller. */
export const RAIL_POLLER = 'rail poller';
const REST_MS = 1_000;
/** Maximum charges per rail and pass; AT_ONCE: maximum concurrent calls. Bounds the delay that a silent rail causes to less than a minute. */
const PER_RAIL = 32;
const AT_ONCE = 8;
const SECOND_LOOK_MS = 10 * 60_000;
/** Delay after the expiry, in which the System decides it first. */
const AFTER_EXPIRY_MS = 2_000;
/** Number of daily lookups by our own reference, after the last query by the processor's. */
const FINDS = 3;
/** Pause after an unanswered query, ms. Doubles each time up to AGAIN_MAX_MS. */
const AGAIN_MS = 5_000;
const AGAIN_MAX_MS = 60 * 60_000;
/** After this time without an answer, a charge is no longer polled and is reported to operators. */
const LOOKED_AFTER_MS = 30 * DAY_MS;
/** After this time without a successful cancellation, an instruction that was never shown is left to expire. */
const CANCELLED_WITHIN_MS = 7 * DAY_MS;

/** Steps: one and ten minutes after the creation, at the expiry, a day after it; then once a day by our own reference. */
const FIRST_FIND = 4;
const STEPS = FIRST_FIND + FINDS;

/** Returns when `step` is due, in milliseconds since the epoch. */
export function dueOfStep({ created_on, expires_on }: Pick<ExistingCharge['created'], 'created_on' | 'expires_on'>, step: number): number {
  const [created, expired] = [milliseconds(created_on), milliseconds(expires_on)];
  if (step === 0) return created + FIRST_LOOK_MS;
  if (step === 1) return created + SECOND_LOOK_MS;
  return expired + AFTER_EXPIRY_MS + (step - 2) * DAY_MS;
}

/** Returns the first step after `step` that is still to come at `now`. Steps from the expiry on are never skipped. */
export function nextStep(created: Pick<ExistingCharge['created'], 'created_on' | 'expires_on'>, step: number, now: number): number {
  let next = step + 1;
  while (next < 2 && (dueOfStep(created, next) <= now || dueOfStep(created, next) >= milliseconds(created.expires_on))) next += 1;
  return next;
}

/** Queries charges of remote processors by the schedule in `rail_due`, and cancels instructions that were never shown. */
export class RailPoller {
  readonly #worker: ElectedWorker;

  constructor(private readonly options: RailPollerOptions) {
    const { databaseUrl, mayDecide, onError } = options;
    this.#worker = new ElectedWorker({
      name: RAIL_POLLER,
      databaseUrl,
      intervalMs: REST_MS,
      ...(mayDecide && { mayPass: mayDecide }),
      pass: (signal) => this.pass(signal),
      onError: (error) => onError(error, {}),
    });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Processes the rows that are due now. @throws when Postgres is unavailable */
  async pass(signal: AbortSignal): Promise<void> {
    const rows = await this.options.due.find(this.options.clock(), PER_RAIL);
    const rails = new Set(rows.map(({ rail }) => rail));
    await Promise.all(
      [...rails].map((name) =>
        concurrently(
          rows.filter(({ rail }) => rail === name),
          AT_ONCE,
          async (row) => {
            if (!signal.aborted) await this.#look(row);
          },
        ),
      ),
    );
  }

  /** A charge whose query fails does not delay the others. */
  async #look(row: DueRow): Promise<void> {
    try {
      if (!(await (row.cancels === '' ? this.#confirm(row) : this.#cancel(row)))) await this.#again(row);
    } catch (error) {
      this.options.onError(error, { charge_id: row.charge_id });
      await this.#again(row).catch(() => undefined);
    }
  }

  #again(row: DueRow): Promise<void> {
    return this.options.due.again(row, this.options.clock() + Math.min(AGAIN_MS * 2 ** row.unanswered, AGAIN_MAX_MS));
  }

  /** Returns false to query again. */
  async #confirm(row: DueRow): Promise<boolean> {
    const { due, confirmation, clock, onError } = this.options;
    const confirmed = await confirmation.confirm(row.charge_id, questionOf(row.step), row.unanswered);
    if (confirmed.is === 'unanswered' && clock() - milliseconds(row.begun_on) < LOOKED_AFTER_MS) return false;
    if (confirmed.is === 'unanswered') {
      onError(new Error(`the provider does not report the result of a charge, and is queried no further: ${confirmed.code}`), {
        charge_id: row.charge_id,
      });
      return (await due.done(row), true);
    }
    if (confirmed.is === 'nothing') return (await due.done(row), true);
    const { created, status } = confirmed.state;
    const now = clock();
    // The System decides the expiry. A charge that expires is queried after that decision.
    if (row.step === 2 && status === 'PENDING') return false;
    const isEarly = dueOfStep(created, row.step) > now;
    // For a paid charge, only a second payment is still of interest.
    const next = isEarly ? row.step : Math.max(nextStep(created, row.step, now), status === 'SUCCEEDED' ? FIRST_FIND : 0);
    if (next >= STEPS) await due.done(row);
    else await due.next(row, next, Math.max(dueOfStep(created, next), now));
    return true;
  }

  async #cancel(row: DueRow): Promise<boolean> {
    const { due, routes, clock, onError, confirmation } = this.options;
    const outcome = await routes.named(row.rail)?.cancel(row.cancels);
    const isOver = outcome?.is === 'accepted' || outcome?.is === 'rejected';
    if (!isOver && clock() - milliseconds(row.begun_on) < CANCELLED_WITHIN_MS) return false;
    if (!isOver) onError(new Error(`cannot cancel an instruction: ${outcome?.code ?? 'no-rail'}`), { charge_id: row.charge_id });
    // The instruction was paid although it was never shown. The payment is assigned to its charge by our reference.
    if (outcome?.is === 'accepted' && outcome.value.status === 'PAID') {
      const found = await confirmation.confirm(row.charge_id, 'find', row.unanswered);
      if (found.is === 'unanswered') return false;
    }
    await due.done(row);
    return true;
  }
}

function questionOf(step: number): Question {
  if (step >= FIRST_FIND) return 'find';
  return step === FIRST_FIND - 1 ? 'query' : 'cancel';
}
