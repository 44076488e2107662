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
  /** False while nothing is to be decided; default: always true. */
  readonly mayDecide?: () => Promise<boolean>;
  /** Called with a pass that failed, and with a charge that could not be looked after: `charge_id`. */
  readonly onError: (error: unknown, fields: Readonly<Record<string, unknown>>) => void;
}

/** What the poller stands for election as. */
export const RAIL_POLLER = 'rail poller';
const REST_MS = 1_000;
/** Of one rail in one pass, and at a time: one that answers nothing holds up the others for less than a minute. */
const PER_RAIL = 32;
const AT_ONCE = 8;
const SECOND_LOOK_MS = 10 * 60_000;
/** Behind the expiry, which the System decides on its own: so much later it has. */
const AFTER_EXPIRY_MS = 2_000;
/** Daily looks by our own reference, after the last one by the processor's. */
const FINDS = 3;
/** Pauses while a processor does not answer: twice as long each time. */
const AGAIN_MS = 5_000;
const AGAIN_MAX_MS = 60 * 60_000;
/** A charge whose looks are not answered for so long is left to people. */
const LOOKED_AFTER_MS = 30 * DAY_MS;
/** An instruction that nobody was shown, and that cannot be cancelled for so long, is left to its own end. */
const CANCELLED_WITHIN_MS = 7 * DAY_MS;

/** Steps: a minute and ten after the creation, at the expiry, a day after it; then once a day by our own reference. */
const FIRST_FIND = 4;
const STEPS = FIRST_FIND + FINDS;

/** When `step` is due, milliseconds since the epoch. */
export function dueOfStep({ created_on, expires_on }: Pick<ExistingCharge['created'], 'created_on' | 'expires_on'>, step: number): number {
  const [created, expired] = [milliseconds(created_on), milliseconds(expires_on)];
  if (step === 0) return created + FIRST_LOOK_MS;
  if (step === 1) return created + SECOND_LOOK_MS;
  return expired + AFTER_EXPIRY_MS + (step - 2) * DAY_MS;
}

/** The first step behind `step` that is still to come at `now`, but for the looks behind the expiry, none of which is left out. */
export function nextStep(created: Pick<ExistingCharge['created'], 'created_on' | 'expires_on'>, step: number, now: number): number {
  let next = step + 1;
  while (next < 2 && (dueOfStep(created, next) <= now || dueOfStep(created, next) >= milliseconds(created.expires_on))) next += 1;
  return next;
}

/** Looks after charges of remote processors by the schedule in `rail_due`, and cancels instructions that nobody was shown. */
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

  /** One look at all that is due. @throws when Postgres is away */
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

  /** One charge that cannot be looked after holds up no other. */
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

  /** False when it is to be asked again. */
  async #confirm(row: DueRow): Promise<boolean> {
    const { due, confirmation, clock, onError } = this.options;
    const confirmed = await confirmation.confirm(row.charge_id, questionOf(row.step), row.unanswered);
    if (confirmed.is === 'unanswered' && clock() - milliseconds(row.begun_on) < LOOKED_AFTER_MS) return false;
    if (confirmed.is === 'unanswered') {
      onError(new Error(`a provider does not answer about a charge, which is looked after no further: ${confirmed.code}`), {
        charge_id: row.charge_id,
      });
      return (await due.done(row), true);
    }
    if (confirmed.is === 'nothing') return (await due.done(row), true);
    const { created, status } = confirmed.state;
    const now = clock();
    // The expiry is the System's to decide: what it ends is asked about once it has.
    if (row.step === 2 && status === 'PENDING') return false;
    const isEarly = dueOfStep(created, row.step) > now;
    // Of a charge that is paid, only a second payment is still of interest.
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
    if (!isOver) onError(new Error(`an instruction could not be cancelled: ${outcome?.code ?? 'no-rail'}`), { charge_id: row.charge_id });
    // Somebody who was never shown it has paid it: the money finds its charge by our reference.
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
