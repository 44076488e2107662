import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';
import { countEvents } from '../../../projections/audit/event-index.js';
import { countSurges } from '../../../projections/reconciliation/as-of.js';
import type { AccountQueue } from '../../domain/accounts/account-queue.js';
import type { TransparencyLogState, TransparencyLogWatch } from '../../transparency-log/transparency-log-watch.js';
import { measureBusiness } from './business-metrics.js';
import type { Config } from '../config.js';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { findSettlementStops } from '../../domain/settlements/settlement-stops.js';
import type { ClockGuard } from '../../platform/event-store/clock-guard.js';
import { CheckFailed, HealthChecks } from '../../platform/http/health.js';
import { MetricsRegistry } from '../../platform/http/metrics.js';
import type { DiskWatch } from '../../platform/postgres/disk-watch.js';
import type { ProjectionWatch } from '../../platform/projector/projection-watch.js';
import { timestamp } from '../../ledger/time.js';

/** A projection that has not moved for longer while events wait is not slow: no projector follows the log. A standby takes over in 10 s. */
const STANDSTILL_MAX_SECONDS = 15;

interface Observed {
  readonly config: Config;
  readonly store: EventStore;
  readonly accounts: AccountQueue;
  readonly readPool: Pool;
  readonly pool: Pool;
  readonly watch: ProjectionWatch;
  readonly directory: MerchantDirectory;
  readonly transparencyLog: TransparencyLogWatch;
  readonly clockGuard: ClockGuard;
  readonly disk: DiskWatch;
}

/**
 * Registers readiness and metrics. Readiness depends on the stores, the clock, the loaded merchants and the free space of the disk; a process without
 * space still serves reads. The positions of projections and of the transparency log are only reported, because each read returns its own age. One
 * exception: a process with the role projector is not ready while events wait and a projection stays at its position without a recorded failure.
 */
export function observe(app: NestFastifyApplication, observed: Observed, projections: readonly string[]): void {
  const health = app.get(HealthChecks);
  checkStores(health, observed);
  checkClock(health, observed);
  checkMerchants(health, observed);
  for (const name of projections) checkProjection(health, observed, name);
  checkDisk(health, observed);
  health.register('sealing', () => {
    const { stopped_at, ...figures } = observed.transparencyLog.state();
    return { ...figures, ...(stopped_at && { stopped_at }) };
  });
  checkSettlements(health, observed);

  const registers = [app.get(MetricsRegistry)];
  measureStoreAndClock(registers, observed);
  measureDisk(registers, observed);
  measureMoney(registers, observed);
  measureProjections(registers, observed, projections);
  measureTransparencyLog(registers, observed);
  measureBusiness(registers, observed.readPool, observed.clockGuard.common);
}

function checkStores(health: HealthChecks, { config, store, readPool, pool, directory }: Observed): void {
  const databases = { postgres: pool, ...(config.readDatabaseUrl !== undefined && { postgres_replica: readPool }) };
  for (const [name, pool] of Object.entries(databases)) {
    health.register(name, async () => {
      await pool.query('select 1');
      return {};
    });
  }
  health.register('event_store', async () => {
    await store.head();
    const { last } = directory.restores;
    return last === null ? {} : { went_back_on: timestamp(last) };
  });
}

function checkClock(health: HealthChecks, { clockGuard }: Observed): void {
  health.register('clock', async () => {
    const mayDecide = await clockGuard.mayDecide();
    const details = { skew_seconds: Number((clockGuard.skewMs / 1_000).toFixed(3)), ...(clockGuard.isBehind && { alarm: 'behind' }) };
    if (!mayDecide) throw new CheckFailed("the process's clock is ahead of the database's clock, or the two cannot be compared", details);
    return details;
  });
}

function checkMerchants(health: HealthChecks, { directory }: Observed): void {
  health.register('merchants', () => {
    if (directory.isReadingAgain) throw new Error('the event store was restored to an older state; the directory is reading all events again');
    if (!directory.isFresh()) throw new Error('the events of merchants cannot be read', { cause: directory.stoppedBy() });
    return {};
  });
}

function checkProjection(health: HealthChecks, { config, watch }: Observed, name: string): void {
  health.register(`projection_${name}`, async () => {
    const stop = watch.stop(name);
    const standstill = watch.standstillSeconds(name);
    const isStill = stop === null && standstill > STANDSTILL_MAX_SECONDS && !(await watch.isRebuilding(name));
    if (isStill && config.roles.has('projector')) {
      throw new Error(`projection ${name} has made no progress for ${Math.round(standstill)} s while events wait`);
    }
    return {
      position: watch.current(name)?.ordinal ?? 0,
      lag_seconds: Number(watch.lagSeconds(name).toFixed(3)),
      ...(isStill && { standstill_seconds: Math.round(standstill) }),
      ...(stop && {
        stopped_since: stop.since,
        stopped_at: stop.event && { position: stop.event.ordinal, id: stop.event.id, type: stop.event.type },
        // The rows of a raised version differ from those of the previous one, whose tables stay live.
        ...(stop.differing && { stopped_by_differences: stop.differing }),
      }),
    };
  });
}

function checkDisk(health: HealthChecks, { disk }: Observed): void {
  health.register('disk', () => {
    const { free_bytes, low, full } = disk.state;
    if (full) throw new CheckFailed('the disk of the database is full', { full, ...(free_bytes !== null && { free_bytes }) });
    return { ...(free_bytes !== null && { free_bytes }), ...(low && { low }) };
  });
}

function checkSettlements(health: HealthChecks, { readPool }: Observed): void {
  health.register('settlements', async () => {
    // The read models may not exist yet: then no settlement is open.
    const stops = await findSettlementStops(readPool).catch(() => []);
    return { stopped: stops.length, ...(stops[0] && { stopped_since: stops[0].since, settlement_number: stops[0].settlement_number }) };
  });
}

/** Registers a gauge of one figure; undefined keeps the last value. */
function gauge(registers: MetricsRegistry[], name: string, help: string, figure: () => number | undefined | Promise<number | undefined>): void {
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      const value = await figure();
      if (value !== undefined) this.set(value);
    },
  });
}

function measureStoreAndClock(registers: MetricsRegistry[], { directory, clockGuard }: Observed): void {
  gauge(
    registers,
    'event_store_went_back',
    'Restores of the event store to an older state that this process detected since it started.',
    () => directory.restores.times,
  );
  gauge(
    registers,
    'clock_skew_seconds',
    "Seconds by which the process's clock is ahead of the database's; negative when it is behind.",
    () => clockGuard.skewMs / 1_000,
  );
  new Counter({
    name: 'facts_ahead_of_clock_total',
    help: "Events read with a time more than five seconds ahead of the database's clock.",
    registers,
    collect() {
      this.reset();
      this.inc(clockGuard.eventsAhead);
    },
  });
}

function measureDisk(registers: MetricsRegistry[], { disk }: Observed): void {
  gauge(registers, 'disk_full', '1 while the disk of the database is too full for writes.', () => (disk.state.full ? 1 : 0));
  if (disk.state.free_bytes === null) return;
  gauge(registers, 'disk_free_bytes', 'Free bytes on the disk of the embedded database.', () => disk.state.free_bytes ?? undefined);
}

function measureMoney(registers: MetricsRegistry[], { readPool, accounts }: Observed): void {
  gauge(registers, 'account_queue_waiting', 'Payouts and settlements that are queued for an account in this process.', () => accounts.waiting);
  // A figure that cannot be counted now keeps its last value.
  gauge(registers, 'settlements_stopped', 'Accounts whose settlement waits for a line that the stream of the line does not confirm.', async () => {
    const stops = await findSettlementStops(readPool).catch(() => undefined);
    return stops?.length;
  });
  gauge(registers, 'recon_break_surges', 'Files and runs of the last day with more than 200 new breaks each.', () =>
    countSurges(readPool).catch(() => undefined),
  );
  gauge(registers, 'payout_outcomes_contradicted', 'Bank results that contradict how a payout ended; an operator must examine each one.', () =>
    countEvents(readPool, 'PayoutOutcomeContradicted').catch(() => undefined),
  );
}

function measureProjections(registers: MetricsRegistry[], { watch }: Observed, projections: readonly string[]): void {
  const ofEach = (name: string, help: string, figure: (projection: string) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['projection'],
      registers,
      collect() {
        for (const projection of projections) this.set({ projection }, figure(projection));
      },
    });
  };
  ofEach('projection_position', 'Ordinal of the last projected event.', (name) => watch.current(name)?.ordinal ?? 0);
  ofEach('projection_lag_seconds', 'Time for which the projection has been behind the event store.', (name) => watch.lagSeconds(name));
  ofEach('projection_standstill_seconds', 'Time for which events have waited without any progress of the projection.', (name) =>
    watch.standstillSeconds(name),
  );
  ofEach(
    'projection_stopped',
    '1 while the projection is stopped: an event cannot be applied, or a raised version differs from the previous one.',
    (name) => (watch.stop(name) ? 1 : 0),
  );
}

function measureTransparencyLog(registers: MetricsRegistry[], { transparencyLog }: Observed): void {
  type Figure = Exclude<keyof TransparencyLogState, 'stopped_at'>;
  const figures: Readonly<Record<Figure, readonly [name: string, help: string]>> = {
    position: ['chain_sealed_position', 'Ordinal of the last event sealed into the chain.'],
    unsealed_events: ['chain_unsealed_events', 'Events not yet sealed into the chain.'],
    oldest_unsealed_seconds: ['chain_oldest_unsealed_seconds', 'Time for which the oldest unsealed event has waited.'],
  };
  for (const [figure, [name, help]] of Object.entries(figures)) {
    gauge(registers, name, help, () => transparencyLog.state()[figure as Figure]);
  }
  gauge(registers, 'chain_stopped', '1 while sealing is stopped: this build does not know the type of the next event and cannot seal it.', () =>
    transparencyLog.state().stopped_at ? 1 : 0,
  );
}
