import type { Pool } from 'pg';
import { findFirstBooked, trialBalanceDigest } from '../../../projections/balances/closed-books.js';
import { findTrialBalance } from '../../../projections/balances/trial-balance.js';
import { findSuspenseAtClose, type SuspenseOfDay } from '../../../projections/approvals/suspense-at-close.js';
import { findBreakFigures } from '../../../projections/reconciliation/break-figures.js';
import { BREAK_AGES } from '../../../projections/reconciliation/matches/ages.js';
import { findBanksBehind } from '../../../projections/reconciliation/days/day-close-reads.js';
import { addDays, bankingDaysBetween, daysIn, endOfDay } from '../../ledger/days.js';
import { PERIOD_AGES, periodStream, type PeriodAge, type SealedHead, type SuspenseFigure } from '../../ledger/events/period.events.js';
import { proposalStream } from '../../ledger/events/proposal.events.js';
import type { Mode } from '../../ledger/mode.js';
import { breakFigure, safe } from './figures.js';
import { milliseconds, timestamp } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { DecisionReads } from '../../platform/projector/decision-reads.js';
import { periods, type ClosePeriod, type PeriodFigures } from './period.decider.js';
import type { MonthCloseContent } from './proposal-contents.dto.js';
import { approvalsOfSettings, type ProposalKind } from './proposal-kind.js';
import { refusedIn, targetOf } from './proposal-target.js';
import type { SealedLog } from './sealed-log.js';

export interface ClosingServices {
  readonly sealed: SealedLog;
  /** IANA name. */
  readonly timeZone: string;
}

/** Projections that the figures are read from. */
const PROJECTIONS = ['ledger', 'recon'] as const;

/** The figures of a month are looked up for each decision, up to the head of the chain at that moment. */
export const monthCloseKind = (store: EventStore, reads: DecisionReads, { sealed, timeZone }: ClosingServices): ProposalKind<MonthCloseContent> => ({
  approvalsOf: approvalsOfSettings(1),
  modeOf: ({ mode }) => mode,
  targetOf: ({ mode, month }, { proposal_id }) =>
    targetOf({ stream: periodStream(mode), refused: refusedIn(null) }, periods, async (now): Promise<ClosePeriod> => {
      const { pool } = reads;
      const head = await headOver(store, reads, sealed, proposal_id);
      await reads.requireApplied(PROJECTIONS, { ordinal: head.position });
      const [figures, first, open_sources] = await Promise.all([
        figuresOf(pool, { mode, month, timeZone, head }),
        findFirstBooked(pool, mode),
        findBanksBehind(pool, mode, lastDayOf(month), head.position),
      ]);
      const first_month = first === undefined ? null : daysIn(timeZone)(milliseconds(first)).slice(0, 7);
      return { kind: 'close', mode, month, figures, first_month, open_sources, proposal_id, now };
    }),
});

/**
 * Returns a head that covers all events recorded before the month was proposed. These are all events of the month that were known then.
 * @throws StoreUnavailable while the head does not cover them
 */
async function headOver(store: EventStore, reads: DecisionReads, sealed: SealedLog, proposalId: string): Promise<SealedHead> {
  const [made] = await store.read(proposalStream(proposalId), { limit: 1 });
  return reads.waitFor('the log is not sealed as far as the month is to be closed', async () =>
    made === undefined || (await sealed.isSealed(made.id)) ? sealed.head() : undefined,
  );
}

interface Closing {
  readonly mode: Mode;
  readonly month: string;
  readonly timeZone: string;
  readonly head: SealedHead;
}

async function figuresOf(pool: Pool, { mode, month, timeZone: time_zone, head }: Closing): Promise<PeriodFigures> {
  const { position } = head;
  const lastDay = lastDayOf(month);
  const closing = { ends_on: timestamp(endOfDay(lastDay, daysIn(time_zone))), position };
  const [books, breaks, items] = await Promise.all([
    findTrialBalance(pool, { mode, closing }),
    findBreakFigures(pool, { mode }, position),
    findSuspenseAtClose(pool, { mode, time_zone, ...closing }),
  ]);
  return {
    ...{ time_zone, ...closing, head, digest: trialBalanceDigest(books) },
    breaks: breaks.map(breakFigure),
    suspense: byAge(items, lastDay),
  };
}

function lastDayOf(month: string): string {
  const inNextMonth = addDays(`${month}-28`, 4);
  return addDays(`${inNextMonth.slice(0, 7)}-01`, -1);
}

function byAge(items: readonly SuspenseOfDay[], lastDay: string): SuspenseFigure[] {
  const figures = new Map<string, SuspenseFigure>();
  for (const { currency, day, count, amount } of items) {
    const age = ageOf(bankingDaysBetween(day, lastDay));
    const before = figures.get(`${age} ${currency}`) ?? { age, currency, count: 0, amount: 0 };
    figures.set(`${age} ${currency}`, {
      ...before,
      count: before.count + Number(count),
      amount: safe(BigInt(before.amount) + BigInt(amount)),
    });
  }
  return [...figures.values()];
}

/** Age classes are the same as for breaks. */
const ageOf = (days: number): PeriodAge => PERIOD_AGES.find((age) => days <= (BREAK_AGES[age][1] ?? Infinity))!;
