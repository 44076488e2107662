/**
 * Computes the capacity and growth of an installation from measured costs. Pure arithmetic; `test/unit/scaling.spec.ts` tests simple cases.
 * Rates are per second, costs µs of CPU, sizes bytes.
 */

/** CPU of one create, µs. */
export interface CreateCpu {
  readonly api: number;
  /** Projector, workers and sealing, which run in one process. */
  readonly background: number;
  readonly postgres: number;
}

/** Clients that each wait for a response before the next request. */
export interface ClosedLoad {
  readonly in_flight: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_us: CreateCpu & { readonly load: number };
}

/** Clients that do not wait for each other. */
export interface PacedLoad {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Mean number of busy cores: service, Postgres and load. */
  readonly cores: number;
}

/** Disk usage of a log and of all data derived from it. */
export interface LogSize {
  readonly charges: number;
  readonly events: number;
  /** Size of the schema `event_store`, indexes included. */
  readonly log_bytes: number;
  readonly read_model_bytes: number;
  /** Size of the schema `chain`. */
  readonly sealed_bytes: number;
}

const SECONDS_PER_MONTH = (365.25 / 12) * 86_400;
const SECONDS_PER_DAY = 86_400;
const US = 1e6;
/** Response times of a queue with random arrivals are distributed exponentially: their p99 is this multiple of the mean. */
const P99_OF_MEAN = Math.log(100);

export const sumOf = ({ api, background, postgres }: CreateCpu): number => api + background + postgres;

export interface Capacity {
  readonly per_second: number;
  readonly limit: 'cores' | 'projector';
}

/**
 * Returns the rate at which an installation's cores, Postgres's included, are busy for `share` of the time. The background process uses one
 * core.
 * @param events events per request; each costs the background process and Postgres as much as the single event of a create
 */
export function capacity(cores: number, cpu: CreateCpu, share: number, events = 1): Capacity {
  const byCores = (share * cores * US) / (cpu.api + events * (cpu.background + cpu.postgres));
  const byProjector = (share * US) / (events * cpu.background);
  return byCores <= byProjector ? { per_second: byCores, limit: 'cores' } : { per_second: byProjector, limit: 'projector' };
}

/** Mean time of a request, ms, when clients wait for their responses (Little's law). */
export const meanOfClosed = ({ in_flight, per_second }: Pick<ClosedLoad, 'in_flight' | 'per_second'>): number => (in_flight * 1_000) / per_second;

/** Mean time of a request, ms, when clients do not wait for each other. A request takes `aloneMs` on an idle installation. */
export const meanOfOpen = (aloneMs: number, utilisation: number): number => aloneMs / (1 - utilisation);

export const p99Of = (meanMs: number): number => P99_OF_MEAN * meanMs;

export const bytesOf = ({ log_bytes, read_model_bytes, sealed_bytes }: Omit<LogSize, 'charges' | 'events'>): number =>
  log_bytes + read_model_bytes + sealed_bytes;

/** Returns the sizes after `months`, in proportion to those of a measured log. */
export function growth(chargesPerMonth: number, months: number, log: LogSize): LogSize & { readonly bytes: number } {
  const charges = chargesPerMonth * months;
  const each = (total: number): number => (total / log.charges) * charges;
  const sizes = { log_bytes: each(log.log_bytes), read_model_bytes: each(log.read_model_bytes), sealed_bytes: each(log.sealed_bytes) };
  return { charges, events: each(log.events), ...sizes, bytes: bytesOf(sizes) };
}

export const eventsPerCharge = ({ events, charges }: LogSize): number => events / charges;

/** Mean rate of charges that are spread evenly over the month. */
export const perSecondOf = (perMonth: number): number => perMonth / SECONDS_PER_MONTH;

export const secondsFor = (events: number, eventsPerSecond: number): number => events / eventsPerSecond;

/** Number of cells with which a pass through the whole log of each cell ends within `seconds`. */
export const cellsFor = (events: number, eventsPerSecond: number, seconds: number): number => Math.ceil(events / eventsPerSecond / seconds);

/**
 * Events per second when each of `processes` reads the whole log and applies its share of the events (Amdahl's law).
 * @param alone events per second of one process that does everything, reading included
 * @param reading events per second of a process that only reads
 */
export function sharedOut(processes: number, alone: number, reading: number): number {
  return 1 / (1 / reading + (1 / alone - 1 / reading) / processes);
}

/** Rate when each group of read models has its own process: that of the slowest. */
export const slowestOf = (rates: readonly number[]): number => Math.min(...rates);

/** One core per process, and the cores that Postgres needs for the events. */
export const coresFor = (processes: number, eventsPerSecond: number, postgresUs: number): number =>
  processes + Math.ceil((eventsPerSecond * postgresUs) / US);

/** Seconds until a projector is up to date after a pause, while events keep arriving; Infinity when they arrive faster than it projects. */
export function catchUpSeconds(eventsPerSecond: number, awaySeconds: number, catchesUpPerSecond: number): number {
  return eventsPerSecond >= catchesUpPerSecond ? Infinity : (eventsPerSecond * awaySeconds) / (catchesUpPerSecond - eventsPerSecond);
}

/** Seconds to copy a base backup back and to project the events since then. */
export function restoreSeconds(bytes: number, bytesPerSecond: number, eventsSince: number, catchesUpPerSecond: number): number {
  return bytes / bytesPerSecond + eventsSince / catchesUpPerSecond;
}

export const eventsOfDay = (chargesPerMonth: number, log: LogSize): number => perSecondOf(chargesPerMonth) * SECONDS_PER_DAY * eventsPerCharge(log);
