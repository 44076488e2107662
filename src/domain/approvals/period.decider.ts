import { refuse, type Decider } from '../../ledger/decider.js';
import { CLOSED_AFTER_MS, type PeriodClosed, type PeriodEvent } from '../../ledger/events/period.events.js';
import { milliseconds, type Timestamp } from '../../ledger/time.js';
import { unreachable } from '../../ledger/unreachable.js';

/** The closed months of a mode. Pure. */
export interface PeriodState {
  /** `2026-01`: the last closed month; null: none. */
  readonly closed: string | null;
}

/** Figures that a month is closed with, looked up before the decision. */
export type PeriodFigures = Pick<PeriodClosed, 'time_zone' | 'ends_on' | 'position' | 'head' | 'digest' | 'breaks' | 'suspense'>;

export interface ClosePeriod {
  readonly kind: 'close';
  readonly mode: 'live' | 'test';
  /** `2026-01`. */
  readonly month: string;
  readonly figures: PeriodFigures;
  /** Month of the first entry in this mode; null: no entry. */
  readonly first_month: string | null;
  /** Sources of bank statements that have an open day on or before the last day of the month. */
  readonly open_sources: readonly string[];
  readonly proposal_id: string;
  readonly now: Timestamp;
}

export type PeriodRefusal = 'month-not-over' | 'nothing-booked' | 'month-closed' | 'month-out-of-order' | 'days-open';

export const periods: Decider<PeriodState, ClosePeriod, PeriodEvent, PeriodRefusal> = {
  initial: { closed: null },

  evolve(state, event): PeriodState {
    switch (event.type) {
      case 'PeriodClosed':
        return { closed: event.data.month };
      case 'ProposalRefused':
        return state;
      default:
        return unreachable(event);
    }
  },

  decide({ closed }, command) {
    const refused = refuseMonth(closed, command) ?? refuseDays(command);
    if (refused) return refused;
    const { mode, month, figures, proposal_id, now } = command;
    return { events: [{ type: 'PeriodClosed', data: { merchant_id: null, mode, month, ...figures, proposal_id, closed_on: now } }] };
  },
};

function refuseMonth(closed: string | null, { month, mode, figures: { ends_on, time_zone }, first_month, now }: ClosePeriod) {
  if (closed !== null && month <= closed) return refuse('month-closed', `Months of ${mode} are closed up to ${closed}.`);
  if (milliseconds(now) < milliseconds(ends_on) + CLOSED_AFTER_MS)
    return refuse('month-not-over', `Month ${month} ends on ${ends_on} (${time_zone}), and may be closed an hour later.`);
  if (first_month === null) return refuse('nothing-booked', `Nothing was ever booked in ${mode} money.`);
  const next = closed === null ? first_month : monthAfter(closed);
  return month === next ? undefined : refuse('month-out-of-order', `Months are closed in order: the next of ${mode} is ${next}.`);
}

function refuseDays({ month, open_sources }: ClosePeriod) {
  if (open_sources.length === 0) return undefined;
  return refuse('days-open', `Days up to the end of ${month} are not closed: ${open_sources.join(', ')}.`);
}

/** Returns `2027-01` for `2026-12`. */
function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 12 ? `${year + 1}-01` : `${year}-${`${number + 1}`.padStart(2, '0')}`;
}
