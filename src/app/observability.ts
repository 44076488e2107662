import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';
import { countEvents } from '../../projections/audit/event-index.js';
import type { SealingState, SealingWatch } from '../audit/sealing-watch.js';
import type { Config } from './config.js';
import type { MerchantDirectory } from '../merchants/merchant-directory.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { findSettlementStops } from '../audit/settlement-stops.js';
import type { ClockGuard } from '../platform/event-store/clock-guard.js';
import { CheckFailed, HealthChecks } from '../platform/http/health.js';
import { MetricsRegistry } from '../platform/http/metrics.js';
import type { DiskWatch } from '../platform/postgres/disk-watch.js';
import type { ProjectionWatch } from '../platform/projector/projection-watch.js';
import { timestamp } from '../ledger/time.js';

/** A projection that has stood still for longer while events wait is not slow: nobody follows the log. A standby takes over in 10 s. */
const STANDSTILL_MAX_SECONDS = 15;

/**
 * What an operator looks at: the stores and what the process knows of merchants decide whether it is ready; how far the
 * projections are is reported and changes nothing, because reads say themselves how old they are. One exception: whose role it is
 * to project is not ready while events wait and a projection stands still without having said why. The sealing of the log is reported
 * in the same way; where it stands still, requests are served as before.
 * A process that cannot write for want of room is not ready, and goes on answering reads.
 */
export function observe(
  app: NestFastifyApplication,
  parts: {
    readonly config: Config;
    readonly eventStore: EventStore;
    readonly readPool: Pool;
    readonly primaryPool: Pool;
    readonly watch: ProjectionWatch;
    readonly directory: MerchantDirectory;
    readonly sealing: SealingWatch;
    readonly clockGuard: ClockGuard;
    readonly disk: DiskWatch;
  },
  projections: readonly string[],
): void {
  const { config, eventStore, readPool, primaryPool, watch, directory, sealing, clockGuard, disk } = parts;
  const health = app.get(HealthChecks);
  const databases = { postgres: primaryPool, ...(config.readDatabaseUrl !== undefined && { postgres_replica: readPool }) };
  for (const [name, pool] of Object.entries(databases)) {
    health.register(name, async () => {
      await pool.query('select 1');
      return {};
    });
  }
  health.register('event_store', async () => {
    await eventStore.head();
    const { last } = directory.timesWentBack;
    return last === null ? {} : { went_back_on: timestamp(last) };
  });
  health.register('clock', async () => {
    const mayDecide = await clockGuard.mayDecide();
    const details = { skew_seconds: Number((clockGuard.skewMs / 1_000).toFixed(3)), ...(clockGuard.isBehind && { alarm: 'behind' }) };
    if (!mayDecide) throw new CheckFailed("the process's clock is ahead of the database's, or cannot be compared", details);
    return details;
  });
  health.register('merchants', () => {
    if (directory.isReadingAgain) throw new Error('the event store was put back to an older state; everything is read again');
    if (!directory.isFresh()) throw new Error('the facts of merchants cannot be followed', { cause: directory.stoppedBy() });
    return {};
  });
  for (const name of projections) {
    health.register(`projection_${name}`, async () => {
      const stop = watch.stop(name);
      const standstill = watch.standstillSeconds(name);
      const isStill = stop === null && standstill > STANDSTILL_MAX_SECONDS && !(await watch.isRebuilding(name));
      if (isStill && config.roles.has('projector')) {
        throw new Error(`events wait, and projection ${name} has not moved for ${Math.round(standstill)} s`);
      }
      return {
        position: watch.current(name)?.ordinal ?? 0,
        lag_seconds: Number(watch.lagSeconds(name).toFixed(3)),
        ...(isStill && { standstill_seconds: Math.round(standstill) }),
        ...(stop && {
          stopped_since: stop.since,
          stopped_at: stop.event && { position: stop.event.ordinal, id: stop.event.id, type: stop.event.type },
          // A raised version whose rows are not what the former one's were: that one's tables stay.
          ...(stop.differing && { stopped_by_differences: stop.differing }),
        }),
      };
    });
  }
  health.register('disk', () => {
    const { free_bytes, low, full } = disk.state;
    if (full) throw new CheckFailed('the disk of the database is full', { full, ...(free_bytes !== null && { free_bytes }) });
    return { ...(free_bytes !== null && { free_bytes }), ...(low && { low }) };
  });
  health.register('sealing', () => ({ ...sealing.state() }));

  health.register('settlements', async () => {
    // The read models may not be there yet: then nothing is open.
    const stops = await findSettlementStops(readPool).catch(() => []);
    return { stopped: stops.length, ...(stops[0] && { stopped_since: stops[0].since, settlement_number: stops[0].settlement_number }) };
  });

  const registers = [app.get(MetricsRegistry)];
  new Gauge({
    name: 'event_store_went_back',
    help: 'How often the event store was found to have been put back to an older state since this process began.',
    registers,
    collect() {
      this.set(directory.timesWentBack.times);
    },
  });
  new Gauge({
    name: 'clock_skew_seconds',
    help: "By how much the process's clock is ahead of the database's; negative: behind.",
    registers,
    collect() {
      this.set(clockGuard.skewMs / 1_000);
    },
  });
  new Counter({
    name: 'facts_ahead_of_clock_total',
    help: "Facts that were read and lay more than five seconds ahead of the database's clock.",
    registers,
    collect() {
      this.reset();
      this.inc(clockGuard.eventsAhead);
    },
  });
  new Gauge({
    name: 'disk_full',
    help: '1 while the database has no room to write.',
    registers,
    collect() {
      this.set(disk.state.full ? 1 : 0);
    },
  });
  if (disk.state.free_bytes !== null) {
    new Gauge({
      name: 'disk_free_bytes',
      help: 'What is free beside the embedded database.',
      registers,
      collect() {
        const { free_bytes } = disk.state;
        if (free_bytes !== null) this.set(free_bytes);
      },
    });
  }
  const labelNames = ['projection'];
  new Gauge({
    name: 'projection_position',
    help: 'Ordinal of the last event that is projected.',
    labelNames,
    registers,
    collect() {
      for (const name of projections) this.set({ projection: name }, watch.current(name)?.ordinal ?? 0);
    },
  });
  new Gauge({
    name: 'settlements_stopped',
    help: 'Accounts whose settlement waits for a line that its own stream does not give.',
    registers,
    async collect() {
      const stops = await findSettlementStops(readPool).catch(() => undefined);
      if (stops !== undefined) this.set(stops.length);
    },
  });
  new Gauge({
    name: 'payout_outcomes_contradicted',
    help: 'Times that the bank has said of a payout what contradicts how it ended; each is a matter for people.',
    registers,
    async collect() {
      // What cannot be counted now keeps its figure.
      const counted = await countEvents(readPool, 'PayoutOutcomeContradicted').catch(() => undefined);
      if (counted !== undefined) this.set(counted);
    },
  });
  new Gauge({
    name: 'projection_lag_seconds',
    help: 'For how long the projection has been behind the event store.',
    labelNames,
    registers,
    collect() {
      for (const name of projections) this.set({ projection: name }, watch.lagSeconds(name));
    },
  });
  new Gauge({
    name: 'projection_standstill_seconds',
    help: 'For how long events have waited and the projection has not moved at all.',
    labelNames,
    registers,
    collect() {
      for (const name of projections) this.set({ projection: name }, watch.standstillSeconds(name));
    },
  });
  new Gauge({
    name: 'projection_stopped',
    help: '1 while it does not go on: an event cannot be applied, or a raised version differs from the former one.',
    labelNames,
    registers,
    collect() {
      for (const name of projections) this.set({ projection: name }, watch.stop(name) ? 1 : 0);
    },
  });
  const sealingGauges: Readonly<Record<keyof SealingState, readonly [name: string, help: string]>> = {
    position: ['chain_sealed_position', 'Ordinal of the last event that is sealed into the chain.'],
    unsealed_events: ['chain_unsealed_events', 'Events that are not sealed into the chain yet.'],
    oldest_unsealed_seconds: ['chain_oldest_unsealed_seconds', 'For how long the oldest of them has been waiting.'],
  };
  for (const [figure, [name, help]] of Object.entries(sealingGauges)) {
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(sealing.state()[figure as keyof SealingState]);
      },
    });
  }
}
