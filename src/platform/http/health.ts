import { Controller, Get, Inject, Injectable, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { timeLimit, unlessAborted } from '../async/waiting.js';
import { Public } from './edge/access.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';

/** Public details of a check: figures and states, no addresses or messages of drivers. */
type HealthDetails = Readonly<Record<string, unknown>>;

/** A failed check with public figures. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  constructor(
    message: string,
    readonly details: HealthDetails,
  ) {
    super(message);
  }
}

/** Rejects when the service cannot run without the checked part. The reason is logged, not shown, except the details of CheckFailed. */
export type HealthCheck = () => HealthDetails | Promise<HealthDetails>;

type CheckResult = HealthDetails & { readonly status: 'ok' | 'failing' };

export interface HealthReport {
  readonly status: 'ready' | 'failing' | 'draining';
  readonly checks: Readonly<Record<string, CheckResult>>;
}

const CHECK_MS = 2_000;

/** Register a check in `onModuleInit`. A check that only reports (lag) never rejects. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<string, HealthCheck>();
  private running: Promise<HealthReport> | null = null;
  private draining = false;

  constructor(
    private readonly terminus: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** The service is not ready from now on: it is about to stop. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** Runs all checks, each for 2 s at most; concurrent callers receive the same report. */
  async report(): Promise<HealthReport> {
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async run(): Promise<HealthReport> {
    const { details } = await this.terminus
      .check(
        [...this.checks].map(
          ([name, check]) =>
            () =>
              this.indicate(name, check),
        ),
      )
      .catch(resultIn);
    // In the order of registration, and with this interface's words: Terminus lists failures last, and uses "up" and "down".
    const results = [...this.checks.keys()].map((name): [string, CheckResult] => {
      const { status, ...found } = details[name]!;
      return [name, { status: status === 'up' ? 'ok' : 'failing', ...found }];
    });
    const failing = results.some(([, { status }]) => status === 'failing');
    return { status: this.draining ? 'draining' : failing ? 'failing' : 'ready', checks: Object.fromEntries(results) };
  }

  private async indicate(name: string, check: HealthCheck): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      return indicator.up(await unlessAborted(async () => check(), timeLimit(CHECK_MS)));
    } catch (error) {
      this.options.logger.warn({ err: error, check: name }, 'health check failed');
      return indicator.down(error instanceof CheckFailed ? error.details : {});
    }
  }
}

/** Terminus throws its result when a check has failed. */
function resultIn(error: unknown): HealthCheckResult {
  if (error instanceof ServiceUnavailableException) return error.getResponse() as HealthCheckResult;
  throw error;
}

@ApiExcludeController()
@Public({ unlimited: true })
@Controller('health')
export class HealthController {
  constructor(private readonly checks: HealthChecks) {}

  /** The process answers; no database is queried. */
  @Get('live')
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  /** Returns whether requests should be sent here. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    const report = await this.checks.report();
    if (report.status !== 'ready') void reply.code(503).header('retry-after', '1');
    return report;
  }
}
