import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import type { FinishedSpan, Tracing } from './tracing.js';

export interface TracingOptions {
  /** Address of a collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** 0 … 1: the part of traces that is sent, selected by their ids, so that every process sends the same ones. */
  readonly ratio: number;
  /** Attributes of the process. */
  readonly attributes: Readonly<Record<string, string>>;
}

const KINDS: Readonly<Record<FinishedSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
};

/** Maximum spans that wait to be sent; further ones are dropped, because a slow collector must not exhaust the service's memory. */
const WAITING_MAX = 16_384;
const SENT_AT_ONCE = 2_048;
const SENT_EVERY_MS = 1_000;

/** Sends spans with OpenTelemetry's SDK, in OTLP over HTTP; the exporter itself reads `OTEL_EXPORTER_OTLP_HEADERS`. */
export function startOpenTelemetry({ endpoint, ratio, attributes }: TracingOptions): Tracing {
  let next = { traceId: '', spanId: '' };
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'chargebook', ...attributes }),
    sampler,
    // Ids are given, not random: they are derived from those of requests and events.
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: WAITING_MAX, maxExportBatchSize: SENT_AT_ONCE, scheduledDelayMillis: SENT_EVERY_MS }),
    ],
  });
  const tracer = provider.getTracer('chargebook');
  return {
    samples: (traceId) => sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED,
    record({ name, kind, traceId, spanId, parentId, beganMs, endedMs, attributes, failed }) {
      next = { traceId, spanId };
      const parent =
        parentId === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
      const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: beganMs, attributes }, parent);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedMs);
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}
