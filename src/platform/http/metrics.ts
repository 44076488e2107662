import cluster from 'node:cluster';
import { Controller, Get, Header, Inject, Injectable } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { Public } from './edge/access.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { addProcessMetrics } from '../process/process-metrics.js';

/** The process's metrics for Prometheus; inject it to add your own. */
@Injectable()
export class MetricsRegistry extends Registry {
  constructor() {
    super();
    if (cluster.worker) {
      // A sum over workers would decrease when one of them dies, so each has its own series.
      this.setDefaultLabels({ worker: String(cluster.worker.id) });
      // Sends this worker's metrics to the process that gathers those of all workers.
      new AggregatorRegistry();
      AggregatorRegistry.setRegistries(this);
    }
    addProcessMetrics(this);
  }
}

/** Time to answer by route, method and status. The route is a pattern, so that paths do not create series. */
@Injectable()
export class HttpMetrics {
  private readonly duration: Histogram<'route' | 'method' | 'status'>;

  constructor(registry: MetricsRegistry) {
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
  }

  observe(http: FastifyInstance): void {
    // prom-client hashes the labels at every observation; the series of one route are few and permanent.
    const series = new Map<string, Histogram.Internal<'route' | 'method' | 'status'>>();
    http.addHook('onResponse', (request, reply, done) => {
      const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
      const name = `${request.method} ${route} ${reply.statusCode}`;
      let observer = series.get(name);
      if (observer === undefined) {
        // The client chooses the method; without a route it is an arbitrary text.
        observer = this.duration.labels({ route, method: request.is404 ? 'other' : request.method, status: String(reply.statusCode) });
        series.set(name, observer);
      }
      observer.observe(reply.elapsedTime / 1000);
      if (http.logger.isLevelEnabled('debug')) {
        http.logger.debug(
          {
            request_id: request.id,
            correlation_id: request.correlationId,
            key_id: request.keyId,
            method: request.method,
            route,
            status: reply.statusCode,
            ms: Math.round(reply.elapsedTime),
          },
          'request answered',
        );
      }
      done();
    });
  }
}

@ApiExcludeController()
@Public({ unlimited: true })
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly registry: MetricsRegistry,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  metrics(): Promise<string> {
    return this.options.metrics?.() ?? this.registry.metrics();
  }
}
