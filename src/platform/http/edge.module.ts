import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthChecks, HealthController } from './health.js';
import { HttpMetrics, MetricsController, MetricsRegistry } from './metrics.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { OpenStreams } from './edge/open-streams.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { OpenApiDocuments } from './openapi/openapi.js';
import { ProblemsController } from './problems.controller.js';

/** Provides HealthChecks, MetricsRegistry, OpenStreams and HTTP_OPTIONS to every module, and serves the service's own pages. */
@Global()
@Module({})
export class EdgeModule {
  static around(module: Type | DynamicModule, options: HttpOptions): DynamicModule {
    return {
      module: EdgeModule,
      // HealthChecks logs a failed check, with its reason.
      imports: [module, TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController, MetricsController, ProblemsController, OpenApiController],
      providers: [{ provide: HTTP_OPTIONS, useValue: options }, HealthChecks, MetricsRegistry, HttpMetrics, OpenApiDocuments, OpenStreams],
      exports: [HTTP_OPTIONS, HealthChecks, MetricsRegistry, OpenStreams],
    };
  }
}
