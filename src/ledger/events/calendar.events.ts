import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `calendar`: the holidays by which payments become due. They are in the log, so that all processes decide due dates alike, whatever files
 * their machines have.
 */
export const CALENDAR_STREAM = 'calendar';

/** All holidays of a country and year from now on. Due dates that were decided before stay. */
export interface HolidaysSet {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  /** ISO 3166-1 alpha-2, of a country with payment channels. */
  readonly country: string;
  readonly year: number;
  /** Days of the year without banking: `YYYY-MM-DD`, ascending, each once. Weekends, which have none, need not be among them. */
  readonly days: readonly string[];
  /** The operating system's user who gave the command, `proposal <id>`, or the name of the file that was found at the first start. */
  readonly set_by: string;
  readonly set_on: string;
  /** The proposal that caused it; absent otherwise. */
  readonly proposal_id?: string;
}

export type CalendarEvent = { readonly type: 'HolidaysSet'; readonly data: HolidaysSet } | ProposalRefusedEvent;
