import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { countExceptionalPayments, findExceptionalPayments, type ExceptionalPayment } from '../../../../projections/audit/exceptional-payments.js';
import { findNegativeBalances, type NegativeBalance } from '../../../../projections/balances/balance-reads.js';
import { findChargeCodes } from '../../../../projections/charges/charge-reads.js';
import { findDisputesDueSoon, type Dispute } from '../../../../projections/disputes/dispute-reads.js';
import { findHeldPayouts, findLongProcessing, type HeldPayout, type ProcessingPayout } from '../../../../projections/payouts/payouts-at-bank.js';
import { findAlarms, type Alarm } from '../../../../projections/approvals/alarms.js';
import { HTTP_OPTIONS, type HttpOptions } from '../../../platform/http/http-options.js';
import { HealthChecks } from '../../../platform/http/health.js';
import { RailStates, type RailView } from '../../../rails/registry/rail-view.js';
import { leftOut } from '../shared/left-out.js';
import { serviceAlarms, type ServiceAlarm } from './service-alarms.js';
import { findLongRefunds, type LongRefund } from '../../../../projections/refunds/refund-reads.js';
import { findOpenSettlements, type Settlement } from '../../../../projections/settlements/settlements.js';
import type { Mode } from '../../../ledger/mode.js';
import { COMMON_CLOCK, CONFIG, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { readFailures, type Stop } from '../../../platform/projector/failures.js';
import { findEndpointStates, type EndpointState } from '../../../domain/webhooks/delivery-log.js';

/** Maximum number of shown items per kind. Queries read one more to detect that there are more. */
export const SHOWN_MAX = 20;
/** A bank executes a payout within minutes, or by the end of its day; a settlement takes seconds. */
const PAYOUT_LONG_MS = 3_600_000;
/** A processor executes a refund within minutes. */
const REFUND_LONG_MS = 3_600_000;
const SETTLEMENT_LONG_MS = 60_000;

/** Used part of the service's settings. */
interface ExceptionSettings {
  readonly disputeReminderSeconds: readonly number[];
}

/** Records of one mode that need an operator's action or attention. Lists have at most SHOWN_MAX + 1 items. */
export interface Exceptions {
  /** Reference time for ages, milliseconds since the epoch. */
  readonly now: number;
  /** Unmatched payments that are not resolved. */
  readonly unmatched: { readonly count: number; readonly newest: readonly ExceptionalPayment[] };
  /** Payments that arrived after the end of their charge. */
  readonly late: { readonly count: number; readonly newest: readonly ExceptionalPayment[] };
  readonly refunds: readonly LongRefund[];
  /** Disputes that can still be answered and are due within the time of the first reminder to the merchant. */
  readonly disputes: readonly Dispute[];
  readonly disputeSoonSeconds: number;
  readonly payouts: readonly ProcessingPayout[];
  /** Payouts that no rule decides. */
  readonly held: readonly HeldPayout[];
  readonly settlements: readonly Settlement[];
  readonly balances: readonly NegativeBalance[];
  /** Alarms of proposals, sources and files of both modes. */
  readonly stuck: readonly Alarm[];
  /** null as of a past moment: these do not follow from the events. */
  readonly machines: MachineExceptions | null;
  /** Codes of the charges of refunds and disputes, by charge. */
  readonly codes: ReadonlyMap<string, string>;
}

/** Exceptions of the service itself. */
export interface MachineExceptions {
  /** Alarms of this process. */
  readonly service: readonly ServiceAlarm[];
  /** Rails that are not green. */
  readonly rails: readonly RailView[];
  readonly projections: readonly Stop[];
  readonly endpoints: readonly EndpointState[];
}

@Injectable()
export class ExceptionReads {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly settings: ExceptionSettings,
    @Inject(HTTP_OPTIONS) private readonly http: Pick<HttpOptions, 'past'>,
    private readonly health: HealthChecks,
    private readonly railStates: RailStates,
  ) {}

  async find(mode: Mode): Promise<Exceptions> {
    const now = this.clock();
    const [found, stuck, machines] = await Promise.all([
      findRecords(this.pool, mode, now, this.settings),
      findStuck(this.pool, now),
      this.http.past ? null : this.#machines(mode),
    ]);
    return { ...found, stuck, machines };
  }

  async #machines(mode: Mode): Promise<MachineExceptions> {
    const [service, rails, projections, endpoints] = await Promise.all([
      this.health.report().then(serviceAlarms),
      this.railStates.view(),
      readFailures(this.pool),
      findEndpointStates(this.pool, { mode, isFailing: true, limit: SHOWN_MAX + 1 }),
    ]);
    return { service, rails: rails.filter(({ state }) => state !== 'green'), projections, endpoints };
  }
}

/** Returns the desk's alarms except stopped projections, which are a separate kind. Returns none before the read models exist. */
async function findStuck(pool: Pool, now: number): Promise<Alarm[]> {
  const alarms = await findAlarms(pool, timestamp(now)).catch(leftOut);
  return (alarms ?? []).filter(({ kind }) => kind !== 'PROJECTION_STOPPED');
}

type FoundRecords = Omit<Exceptions, 'stuck' | 'machines'>;

async function findRecords(pool: Pool, mode: Mode, now: number, { disputeReminderSeconds }: ExceptionSettings): Promise<FoundRecords> {
  const disputeSoonSeconds = Math.max(...disputeReminderSeconds);
  const limit = SHOWN_MAX + 1;
  const [counts, unmatched, late, refunds, disputes, payouts, held, open, balances] = await Promise.all([
    countExceptionalPayments(pool, mode),
    findExceptionalPayments(pool, { mode, kind: 'open', limit }),
    findExceptionalPayments(pool, { mode, kind: 'late', limit }),
    findLongRefunds(pool, mode, timestamp(now - REFUND_LONG_MS), limit),
    findDisputesDueSoon(pool, mode, timestamp(now + disputeSoonSeconds * 1_000), limit),
    findLongProcessing(pool, mode, timestamp(now - PAYOUT_LONG_MS), limit),
    findHeldPayouts(pool, limit, mode),
    findOpenSettlements(pool, limit, mode),
    findNegativeBalances(pool, mode, limit),
  ]);
  const settlements = open.filter(({ opened_on }) => Date.parse(opened_on) <= now - SETTLEMENT_LONG_MS);
  return {
    now,
    unmatched: { count: counts.unmatched, newest: unmatched },
    late: { count: counts.late, newest: late },
    refunds,
    disputes,
    disputeSoonSeconds,
    payouts,
    held,
    settlements,
    balances,
    codes: await findChargeCodes(pool, [...refunds, ...disputes]),
  };
}
