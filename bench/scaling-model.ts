/**
 * What an installation carries and how it grows, from costs that were measured. Pure arithmetic: `test/unit/scaling.spec.ts` holds it to
 * simple cases. Rates are per second, costs µs of CPU, sizes bytes.
 */

/** CPU of one create, µs. */
export interface CreateCpu {
  readonly api: number;
  /** Projector, workers and sealing, which are one process. */
  readonly background: number;
  readonly postgres: number;
}

/** Clients that each wait for an answer before they ask again. */
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
  /** That were busy: service, Postgres and load. */
  readonly cores: number;
}

/** A log, and everything that follows from it, on the disk. */
export interface LogSize {
  readonly charges: number;
  readonly events: number;
  /** Of `event_store`, indexes included. */
  readonly log_bytes: number;
  readonly read_model_bytes: number;
  /** Of `chain`. */
  readonly sealed_bytes: number;
}

const SECONDS_PER_MONTH = (365.25 / 12) * 86_400;
const SECONDS_PER_DAY = 86_400;
const US = 1e6;
/** Times in a queue with random arrivals are spread exponentially: one of a hundred takes this many times the mean. */
const P99_OF_MEAN = Math.log(100);

export const sumOf = ({ api, background, postgres }: CreateCpu): number => api + background + postgres;

export interface Capacity {
  readonly per_second: number;
  readonly limit: 'cores' | 'projector';
}

/**
 * Of an installation whose cores, Postgres's included, are busy for `share` of the time. Its background process uses one core.
 * @param events of a request: each costs the background process and Postgres what the one event of a create does
 */
export function capacity(cores: number, cpu: CreateCpu, share: number, events = 1): Capacity {
  const byCores = (share * cores * US) / (cpu.api + events * (cpu.background + cpu.postgres));
  const byProjector = (share * US) / (events * cpu.background);
  return byCores <= byProjector ? { per_second: byCores, limit: 'cores' } : { per_second: byProjector, limit: 'projector' };
}

/** Mean time of a request, ms, when clients wait for their answers (Little's law). */
export const meanOfClosed = ({ in_flight, per_second }: Pick<ClosedLoad, 'in_flight' | 'per_second'>): number => (in_flight * 1_000) / per_second;

/** Mean time of a request, ms, when clients do not wait for each other, and alone it takes `aloneMs`. */
export const meanOfOpen = (aloneMs: number, utilisation: number): number => aloneMs / (1 - utilisation);

export const p99Of = (meanMs: number): number => P99_OF_MEAN * meanMs;

export const bytesOf = ({ log_bytes, read_model_bytes, sealed_bytes }: Omit<LogSize, 'charges' | 'events'>): number =>
  log_bytes + read_model_bytes + sealed_bytes;

/** After so many months. */
export function growth(chargesPerMonth: number, months: number, log: LogSize): LogSize & { readonly bytes: number } {
  const charges = chargesPerMonth * months;
  const each = (total: number): number => (total / log.charges) * charges;
  const sizes = { log_bytes: each(log.log_bytes), read_model_bytes: each(log.read_model_bytes), sealed_bytes: each(log.sealed_bytes) };
  return { charges, events: each(log.events), ...sizes, bytes: bytesOf(sizes) };
}

export const eventsPerCharge = ({ events, charges }: LogSize): number => events / charges;

/** On average, of charges that are spread over the whole month. */
export const perSecondOf = (perMonth: number): number => perMonth / SECONDS_PER_MONTH;

export const secondsFor = (events: number, eventsPerSecond: number): number => events / eventsPerSecond;

/** So many that what goes through the whole log of each is done within `seconds`. */
export const cellsFor = (events: number, eventsPerSecond: number, seconds: number): number => Math.ceil(events / eventsPerSecond / seconds);

/**
 * Events a second when all of the log is read by one, and what is done with it is shared out (Amdahl).
 * @param alone events a second of one process that does everything, reading included
 * @param reading events a second of a process that only reads
 */
export function sharedOut(processes: number, alone: number, reading: number): number {
  return 1 / (1 / reading + (1 / alone - 1 / reading) / processes);
}

/** When each group of read models has a process: as fast as the slowest. */
export const slowestOf = (rates: readonly number[]): number => Math.min(...rates);

/** A process each, and as many as Postgres takes for the events. */
export const coresFor = (processes: number, eventsPerSecond: number, postgresUs: number): number =>
  processes + Math.ceil((eventsPerSecond * postgresUs) / US);

/** Seconds until a projector that was away is up to date, while events keep coming; Infinity when they come faster than it works. */
export function catchUpSeconds(eventsPerSecond: number, awaySeconds: number, catchesUpPerSecond: number): number {
  return eventsPerSecond >= catchesUpPerSecond ? Infinity : (eventsPerSecond * awaySeconds) / (catchesUpPerSecond - eventsPerSecond);
}

/** A base backup is copied back, and what came since is projected. */
export function restoreSeconds(bytes: number, bytesPerSecond: number, eventsSince: number, catchesUpPerSecond: number): number {
  return bytes / bytesPerSecond + eventsSince / catchesUpPerSecond;
}

export const eventsOfDay = (chargesPerMonth: number, log: LogSize): number => perSecondOf(chargesPerMonth) * SECONDS_PER_DAY * eventsPerCharge(log);
