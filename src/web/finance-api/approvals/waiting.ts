import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { BREAKS_COUNTED_MAX, findWaitingBreaks, findWaitingDisputes, type WaitingPart } from '../../../../projections/approvals/waiting.js';
import type { QueueEntry } from '../../../../projections/approvals/queue.js';
import { findNextDay } from '../../../../projections/reconciliation/days/next-day.js';
import { findSources } from '../../../../projections/reconciliation/sources.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import type { Mode } from '../../../ledger/mode.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { daysIn } from '../../../ledger/days.js';
import { exactNumber } from '../../../platform/http/answer-list.js';
import { isMissingTable } from '../../../platform/postgres/missing-table.js';
import { movedBy } from './moved-money.js';
import { WAITING_MAX, WaitingApprovals } from './waiting-approvals.js';

/** APPROVALS: payouts and proposals; BREAKS: open ones of reconciliation; FILES: those of them whose file is missing; DAYS: bank days to close. */
export const WAITING_KINDS = ['APPROVALS', 'BREAKS', 'FILES', 'DAYS', 'DISPUTES'] as const;

export interface Waiting {
  readonly kind: (typeof WAITING_KINDS)[number];
  readonly count: number;
  /** True when not all were counted. */
  readonly has_more: boolean;
  /** Minor units by currency. */
  readonly amounts: readonly { readonly currency: string; readonly amount: number | bigint }[];
  /** Since when the oldest waits; null when none does, and for days. */
  readonly since: string | null;
  /** The earliest deadline; null for kinds without one. */
  readonly due_by: string | null;
  /** The earliest day to close; null for other kinds. */
  readonly day: string | null;
}

const SOURCES_MAX = 100;

/** Summary of the work that waits for people. */
@Injectable()
export class WaitingReads {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly approvals: WaitingApprovals,
  ) {}

  /** Returns one entry per kind, in the order of WAITING_KINDS. @param operator whose decisions are counted; undefined: anybody's */
  async find(mode: Mode, operator: KnownOperator | undefined): Promise<Waiting[]> {
    const nowMs = this.clock();
    const [approvals, breaks, days, disputes] = await Promise.all([
      this.approvals.for(operator, mode),
      findWaitingBreaks(this.pool, mode, timestamp(nowMs)).catch(noneYet),
      this.#days(mode, nowMs).catch(noneYet),
      findWaitingDisputes(this.pool, mode),
    ]);
    const files = breaks.filter(({ is_file_missing }) => is_file_missing);
    const isCut = countOf(breaks) === BREAKS_COUNTED_MAX;
    return [
      waiting('APPROVALS', approvals.map(partOf), approvals.length === WAITING_MAX),
      waiting('BREAKS', breaks, isCut),
      waiting('FILES', files, isCut),
      { kind: 'DAYS', count: days.length, has_more: false, amounts: [], since: null, due_by: null, day: days.sort()[0] ?? null },
      waiting('DISPUTES', disputes, false),
    ];
  }

  /** The next day of each bank that can be closed. */
  async #days(mode: Mode, nowMs: number): Promise<string[]> {
    const sources = await findSources(this.pool, { limit: SOURCES_MAX });
    const banks = sources.filter(({ settings }) => settings.kind === 'BANK' && settings.mode === mode);
    const next = await Promise.all(banks.map(({ id }) => findNextDay(this.pool, id)));
    return next.flatMap((each, at) => {
      const today = daysIn(banks[at]!.settings.time_zone)(nowMs);
      return each?.has_statements === true && each.day < today ? [each.day] : [];
    });
  }
}

function partOf(entry: QueueEntry): WaitingPart {
  if (entry.kind === 'PAYOUT') {
    const { currency, amount, created_on: since, approve_by: due_by } = entry.payout;
    return { count: 1, currency, amount: BigInt(amount), since, due_by };
  }
  const { made_on: since, approve_by: due_by } = entry.proposal;
  const { currency = null, amount = 0 } = movedBy(entry.proposal) ?? {};
  return { count: 1, currency, amount: BigInt(Math.abs(amount)), since, due_by };
}

/** Nothing waits before the first tables of reconciliation exist. */
function noneYet(error: unknown): never[] {
  if (isMissingTable(error)) return [];
  throw error;
}

const countOf = (parts: readonly WaitingPart[]): number => parts.reduce((sum, { count }) => sum + count, 0);
const earliest = (moments: readonly (string | null)[]): string | null =>
  moments.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first), null);

function waiting(kind: Waiting['kind'], parts: readonly WaitingPart[], has_more: boolean): Waiting {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of parts) if (currency !== null) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return {
    kind,
    count: countOf(parts),
    has_more,
    amounts: [...sums].sort().map(([currency, amount]) => ({ currency, amount: exactNumber(amount) })),
    since: earliest(parts.map(({ since }) => since)),
    due_by: earliest(parts.map(({ due_by }) => due_by)),
    day: null,
  };
}
