import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { measureRails, RailMetrics } from '../../src/app/metrics/rail-metrics.js';
import { eventually } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let api: string;
let background: string;
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
}
/** The spans received as a collector, and the headers received as a receiver of webhooks, at the same address. */
const spans: Span[] = [];
const received: IncomingHttpHeaders[] = [];
const collector = createServer((request, response) => {
  void text(request).then((body) => {
    if (request.url === '/hooks') received.push(request.headers);
    else for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const scope of scopeSpans) spans.push(...(scope.spans as Span[]));
    response.end('{}');
  });
});
const collectorUrl = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const scraped = async (url: URL | string): Promise<string> => (await fetch(url)).text();

beforeAll(async () => {
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
  service = await startTestService({
    ...{ METRICS_PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '3600' },
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(),
  });
  const { key } = await service.newMerchant();
  // No server listens there.
  const web_hook_uri = 'http://127.0.0.1:1/hooks';
  await service.call('POST', '/v1/merchants/me/web-hook', { key, body: { web_hook_uri, signature_key: 'x'.repeat(16), events: ['charge.created'] } });
  const charge = async (channel_code: string) => {
    const body = { ...CHARGE_ORDER, amount: 1_000_000, channel_code, action_flow: 'embedded' };
    return (await service.call('POST', '/v1/charges', { key, body, headers: newIdempotencyKey() })).body;
  };
  await charge('wallet_ovo');
  const paid = await charge('qr_qris');
  for (const outcome of ['succeed', 'settle']) await service.call('POST', paid.action.simulation_url as string, { body: { outcome } });
  const due = await charge('qr_qris');
  await service.call('POST', due.action.simulation_url as string, { body: { outcome: 'succeed' } });
  const account = { bank_account_name: 'Sari', bank_account_number: '12340003', bank_name: 'Bank' };
  const body = { amount: 500_000, currency: 'IDR', ...account };
  await service.call('POST', '/v1/payouts', { key, body, headers: newIdempotencyKey() });
  await eventually(async () => {
    const { body: payouts } = await service.call('GET', '/v1/payouts', { key });
    const { body: deliveries } = await service.call('GET', '/v1/merchants/me/web-hook/deliveries', { key });
    const isTried = deliveries.length === 3 && deliveries.every((each: { total_attempts: number }) => each.total_attempts === 1);
    return payouts[0].payout_status === 'PROCESSING' && isTried;
  });
  await eventually(async () => {
    background = await scraped(new URL('/metrics', service.metricsUrl));
    return [...background.matchAll(/^worker_leads\{work="(settlement|payout rail|expiry|sealing)"\} 1$/gm)].length === 4;
  });
  api = await scraped(new URL('/metrics', service.url));
});
afterAll(async () => {
  await service.stop();
  collector.close();
});

/** Returns the value of a series; undefined without the series. */
function figure(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('/metrics of the API', () => {
  it.each([
    ['charges_by_status{channel="QR_QRIS",status="SUCCEEDED"}', 2],
    ['charges_by_status{channel="WALLET_OVO",status="PENDING"}', 1],
    ['charges_by_status{channel="WALLET_OVO",status="SUCCEEDED"}', 0],
    ['payouts_by_status{currency="IDR",status="PROCESSING"}', 1],
    ['settlement_accounts_due', 0],
    ['settlement_oldest_due_seconds', 0],
    ['settlement_oldest_open_seconds', 0],
    ['webhook_deliveries_pending', 3],
    ['webhook_endpoints_failing', 1],
    ['webhook_overdue_seconds', 0],
    ['account_queue_waiting', 0],
    ['payouts_held', 0],
  ])('the business metric %s is %d', (series, expected) => {
    expect([series, figure(api, series)]).toEqual([series, expected]);
  });

  it('ages are in seconds', () => {
    for (const series of ['payout_oldest_open_seconds', 'webhook_oldest_failing_seconds']) {
      expect(figure(api, series)).toBeGreaterThan(0);
      expect(figure(api, series)).toBeLessThan(60);
    }
  });
});

describe('the port of projector and worker', () => {
  it('reports that the processes live and are ready, and the leader of each kind of work', async () => {
    const live = await fetch(new URL('/health/live', service.metricsUrl));
    expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await fetch(new URL('/health/ready', service.metricsUrl));
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'ready',
      checks: {
        postgres: { status: 'ok' },
        event_store: { status: 'ok' },
        clock: { status: 'ok' },
        projector: { leads: true, projections: { ledger: { phase: 'live' } } },
        workers: { settlement: 'leads', 'payout rail': 'leads', expiry: 'leads', sealing: 'leads' },
      },
    });
    expect((await fetch(new URL('/v1/charges', service.metricsUrl))).status).toBe(404);
  });

  it('metrics count the work of each worker and projector', () => {
    expect(figure(background, 'worker_leads{work="settlement"}')).toBe(1);
    expect(figure(background, 'worker_passes_total{work="payout rail"}')).toBeGreaterThan(0);
    // The first pass may run before the read model exists.
    expect(figure(background, 'worker_failed_passes_total{work="payout rail"}')).toBeGreaterThanOrEqual(0);
    expect(figure(background, 'worker_last_pass_timestamp_seconds{work="settlement"}')).toBeGreaterThan(Date.now() / 1_000 - 60);
    expect(figure(background, 'projector_leads')).toBe(1);
    expect(figure(background, 'projector_position{projection="ledger"}')).toBeGreaterThan(5);
    expect(figure(background, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });
});

describe('traces', () => {
  const ofTrace = (traceId: string, name: string): Span | undefined => spans.find((span) => span.traceId === traceId && span.name === name);

  it('link a request with its append, its projection and the webhook, which continues the trace', async () => {
    const { key } = await service.newMerchant();
    await service.call('POST', '/v1/merchants/me/web-hook', {
      key,
      body: { web_hook_uri: `${collectorUrl()}/hooks`, signature_key: 'x'.repeat(16), events: ['charge.created'] },
    });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const caller = '00f067aa0ba902b7';
    const headers = { ...newIdempotencyKey(), traceparent: `00-${traceId}-${caller}-01` };
    await service.call('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers });
    const names = ['POST /v1/charges', 'append ChargeCreated', 'project ledger', 'webhook charge.created'] as const;
    await eventually(() => names.every((name) => ofTrace(traceId, name)));
    const [request, append, projection, webhook] = names.map((name) => ofTrace(traceId, name)!) as [Span, Span, Span, Span];
    expect(request.parentSpanId).toBe(caller);
    expect(append.parentSpanId).toBe(request.spanId);
    expect([projection.parentSpanId, webhook.parentSpanId]).toEqual([append.spanId, append.spanId]);
    expect(received.at(-1)!.traceparent).toBe(`00-${traceId}-${webhook.spanId}-01`);
    for (const span of [request, append, projection, webhook]) {
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      expect(span.status.code ?? 0).toBe(0);
    }
    expect(BigInt(append.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
  });

  it('begin with the request when the caller has no trace, and contain failures', async () => {
    // The failed delivery is that of the merchant with an endpoint where no server listens.
    await eventually(() => spans.some(({ name, status }) => name === 'webhook charge.created' && status.code === 2));
    const failed = spans.find(({ name, status }) => name === 'webhook charge.created' && status.code === 2)!;
    const request = ofTrace(failed.traceId, 'POST /v1/charges')!;
    expect([request.parentSpanId ?? '', request.spanId]).toEqual(['', failed.traceId.slice(0, 16)]);
    expect(ofTrace(failed.traceId, 'append ChargeCreated')?.spanId).toBe(failed.parentSpanId);
    expect(spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([]);
  });
});

describe('the dashboard and the alert rules in deploy', () => {
  const RULES = 'deploy/prometheus/chargebook.rules.yml';
  const dashboard = JSON.parse(readFileSync('deploy/grafana/chargebook.json', 'utf8')) as {
    panels: { id: number; title: string; targets?: { expr: string }[] }[];
  };
  const { groups } = parse(readFileSync(RULES, 'utf8')) as {
    groups: { rules: { alert: string; expr: string; annotations: Readonly<Record<string, string>> }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  /** Metrics that this process does not export: `disk_free_bytes` needs the embedded Postgres, and Prometheus adds `up`. */
  const elsewhere = ['disk_free_bytes', 'up'];

  it('use existing metrics only', async () => {
    const exported = new Set([...`${api}\n${background}\n${await ofARail()}`.matchAll(/^([a-z]\w*)/gm)].map(([, name]) => name!));
    const asked = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))];
    expect(asked.length).toBeGreaterThan(50);
    for (const expr of asked) {
      const names = metricsIn(expr);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names.filter((each) => !elsewhere.includes(each))) expect(exported).toContain(name);
    }
  });

  it('rail alerts use existing labels only, in balanced brackets', async () => {
    const samples = [...(await ofARail()).matchAll(/^(\w+)\{([^}]*)\}/gm)].map(([, name, labels]) => [name!, labels!] as const);
    const ofRails = rules.filter(({ expr }) => /\brail_/.test(expr));
    expect(ofRails.length).toBeGreaterThan(4);
    for (const { expr } of ofRails) {
      const labelsOf = (name: string) =>
        new Set(samples.filter(([each]) => each === name).flatMap(([, all]) => [...all.matchAll(/(\w+)="/g)].map(([, label]) => label)));
      const wanted = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, ?/));
      const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, all]) => [...all!.matchAll(/(\w+)[=!~]+"/g)].map(([, label]) => label!));
      for (const name of metricsIn(expr))
        for (const label of [...wanted, ...matched]) expect([name, [...labelsOf(name)]]).toEqual([name, expect.arrayContaining([label])]);
      for (const [opening, closing] of ['()', '{}', '[]'] as const) expect(expr.split(opening!).length).toBe(expr.split(closing!).length);
    }
  });

  it('names and ids are unique', () => {
    for (const names of [rules.map(({ alert }) => alert), dashboard.panels.map(({ title }) => title), dashboard.panels.map(({ id }) => id)]) {
      expect(new Set<unknown>(names).size).toBe(names.length);
    }
    for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'description']);
  });

  it('texts that the test of the rules expects are those of the rules', () => {
    const { tests } = parse(readFileSync(RULES.replace('.yml', '.test.yml'), 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: { exp_annotations: Readonly<Record<string, string>> }[] }[] }[];
    };
    const expected = tests.flatMap(({ alert_rule_test }) =>
      alert_rule_test.flatMap(({ alertname, exp_alerts }) => exp_alerts.map(({ exp_annotations }) => ({ alertname, exp_annotations }))),
    );
    expect(expected.length).toBeGreaterThan(3);
    for (const { alertname, exp_annotations } of expected) {
      const { annotations } = rules.find(({ alert }) => alert === alertname)!;
      for (const [name, text] of Object.entries(exp_annotations)) {
        const parts = annotations[name]!.split(/\{\{.*?\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        expect(text).toMatch(new RegExp(`^${parts.join('.+')}$`));
      }
    }
  });

  const promtool = [process.env.PROMTOOL_PATH, '/usr/bin/promtool'].find((path) => path !== undefined && existsSync(path));
  (promtool === undefined ? it.skip : it)(`pass promtool${promtool === undefined ? ' (skipped: PROMTOOL_PATH names none)' : ''}`, async () => {
    expect((await promisify(execFile)(promtool!, ['check', 'rules', RULES])).stdout).toContain('SUCCESS');
    expect((await promisify(execFile)(promtool!, ['test', 'rules', RULES.replace('.yml', '.test.yml')])).stdout).toContain('SUCCESS');
  });
});

/** Returns the metrics that a process exports after its first call of a rail. */
async function ofARail(): Promise<string> {
  const registry = new Registry();
  const metrics = new RailMetrics();
  metrics.registerOn(registry);
  measureRails([registry], {
    states: () => Promise.resolve([{ rail: 'x', mode: 'live', state: 'green', reasons: [] }]),
    payouts: () => Promise.resolve([{ rail: 'x', held: 1, oldest_on: '2026-11-22T00:00:00.000+00:00' }]),
    unconfirmed: () => Promise.resolve(new Map([['x', 2]])),
    now: Date.now,
  });
  const observer = metrics.observer('x');
  observer.called('create', 'accepted', 0.2);
  observer.circuit('create', 'open');
  observer.clockSkew(1);
  return registry.metrics();
}

/** Returns the names of the metrics in a PromQL expression. */
function metricsIn(expr: string): string[] {
  const bare = expr.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, ' ').replaceAll(/\bby \([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b([a-z]\w*)\b(?!\s*\()/g)].map(([, name]) => name!);
}
