import type { HealthReport } from '../../../platform/http/health.js';

/** A warning of one of this process's health checks. */
export interface ServiceAlarm {
  /** Name of the check in health and metrics. */
  readonly check: string;
  readonly detail: string;
}

type Check = HealthReport['checks'][string];

/** Warnings of checks while the process keeps serving. docs/operations.md explains them. */
const WARNINGS: readonly ((check: Check) => string | false)[] = [
  ({ went_back_on: since }) =>
    typeof since === 'string' && `The event store was restored to an older state (found ${since}): events recorded after that state are lost.`,
  ({ alarm, skew_seconds: skew }) =>
    alarm === 'behind' && `The clock of this process is behind the database’s by ${Math.round(Math.abs(Number(skew)))} seconds.`,
  ({ low }) => low === true && 'The disk of the database is almost full.',
  ({ standstill_seconds: seconds }) => typeof seconds === 'number' && `Events wait, and the projection has not moved for ${seconds} seconds.`,
];

/** Returns warnings of the health checks, without those of sealing, settlements and projections, which the pages show elsewhere. */
export function serviceAlarms({ checks }: HealthReport): ServiceAlarm[] {
  return Object.entries(checks).flatMap(([check, found]) => {
    const warnings = WARNINGS.flatMap((warning) => warning(found) || []);
    const details = found.status === 'failing' ? ['The check fails: this process accepts no requests that need it.', ...warnings] : warnings;
    return details.map((detail) => ({ check, detail }));
  });
}
