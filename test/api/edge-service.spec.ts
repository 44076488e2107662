import { type ChildProcess, spawn } from 'node:child_process';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { HealthChecks } from '../../src/platform/http/health.js';
import { MetricsRegistry } from '../../src/platform/http/metrics.js';
import { eventually, within } from '../support/eventually.js';
import { type EdgeApp, startEdge } from '../support/edge-app.js';
import { built } from '../support/built.js';

/** Undici's `request` does not decompress the body. */
async function rawGet(url: string, headers: Record<string, string>) {
  const answer = await request(url, { headers });
  return {
    status: answer.statusCode,
    headers: answer.headers as Readonly<Record<string, string | undefined>>,
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

let edge: EdgeApp;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.app.close());

describe('readiness', () => {
  it('a failing check makes the service not ready, and its error text is only in the log', async () => {
    const health = edge.app.get(HealthChecks);
    health.register('projections', () => ({ lag_seconds: 900 }));
    expect(await ready()).toEqual([200, { status: 'ready', checks: { projections: { status: 'ok', lag_seconds: 900 } } }]);
    health.register('postgres', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.8:5432')));
    const [status, body] = await ready();
    expect([status, body]).toEqual([
      503,
      { status: 'failing', checks: { projections: { status: 'ok', lag_seconds: 900 }, postgres: { status: 'failing' } } },
    ]);
    expect(edge.log.join('')).toContain('10.0.0.8');
    health.register('postgres', () => ({}));
    expect((await ready())[0]).toBe(200);
    expect((await fetch(`${edge.url}/health/live`)).status).toBe(200);
  });

  it('a check that hangs makes readiness fail within two seconds', async () => {
    edge.app.get(HealthChecks).register('store', () => new Promise(() => {}));
    expect((await within(2_000, ready))[0]).toBe(503);
    edge.app.get(HealthChecks).register('store', () => ({}));
  });

  async function ready(): Promise<[number, unknown]> {
    const response = await fetch(`${edge.url}/health/ready`);
    return [response.status, await response.json()];
  }
});

it('metrics include gauges that other modules register', async () => {
  const { Gauge } = await import('prom-client');
  new Gauge({ name: 'chargebook_lag_events', help: 'Events behind.', registers: [edge.app.get(MetricsRegistry)] }).set(7);
  expect(await (await fetch(`${edge.url}/metrics`)).text()).toContain('chargebook_lag_events 7');
});

describe('OpenAPI', () => {
  interface Document {
    openapi: string;
    info: { version: string };
    servers: { url: string }[];
    paths: Record<
      string,
      Record<
        string,
        {
          operationId: string;
          security?: unknown[];
          parameters?: { name: string; in: string; required?: boolean }[];
          responses: Record<string, { content?: Record<string, unknown>; headers?: object }>;
        }
      >
    >;
    components: { schemas: Record<string, { properties: Record<string, unknown>; required?: string[] }> };
  }
  let document: Document;
  beforeAll(async () => {
    document = (await (await fetch(`${edge.url}/openapi.json`)).json()) as Document;
  });

  it('the document is OpenAPI 3.1 with the version of the service', () => {
    expect([document.openapi, document.info.version, document.servers]).toEqual(['3.1.0', '1.0.0', [{ url: edge.url }]]);
  });

  it('every operation describes its problems, key and scope', () => {
    const create = document.paths['/v1/orders']?.['post'];
    expect(Object.keys(create?.responses ?? {})).toEqual(['200', '400', '401', '403', '413', '415', '422', '429', '500', '503']);
    expect(create?.security).toEqual([{ 'merchant-key': ['orders:write'] }]);
    expect(create?.responses['400']?.content).toHaveProperty(['application/problem+json', 'examples', 'idempotency-key-missing']);
    expect(create?.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: true }));
    expect(document.paths['/v1/orders/{id}']?.['get']?.responses).toHaveProperty('404');
    expect(create?.responses['200']?.headers).toHaveProperty('Ledger-Position');
    expect(document.paths['/health/live']).toBeUndefined();
  });

  it('fields have the same bounds as the validation', () => {
    expect(document.components.schemas['OrderBody']?.required).toEqual(['amount', 'currency', 'channel_code', 'reference_id']);
    expect(document.components.schemas['OrderBody']?.properties).toMatchObject({
      amount: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      metadata: { type: ['object', 'null'], maxProperties: 50, additionalProperties: { type: 'string', maxLength: 500 } },
      events: { type: ['array', 'null'], items: { type: 'string', enum: ['order.created', 'order.paid'] } },
    });
    expect(document.paths['/v1/orders']?.['get']?.parameters?.map(({ name, required }) => [name, required])).toContainEqual(['PageSize', false]);
  });

  it('the page of the documentation loads nothing from other origins', async () => {
    const page = await fetch(`${edge.url}/docs`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect(html).not.toMatch(/https?:\/\//);
    for (const [, address] of html.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g)) {
      const asset = await fetch(new URL(address ?? '', `${edge.url}/docs`));
      expect([address, asset.status, (await asset.arrayBuffer()).byteLength > 50]).toEqual([address, 200, true]);
    }
    expect((await fetch(`${edge.url}/docs/package.json`)).status).toBe(404);
    expect((await fetch(`${edge.url}/docs/..%2fpackage.json`)).status).toBe(404);
  });

  it.each(['openapi.json', 'docs/start.js', 'docs/scalar.js'])('sends %s compressed, and only once to a client that caches it', async (path) => {
    const url = `${edge.url}/${path}`;
    const plain = await rawGet(url, { 'accept-encoding': 'identity' });
    const { etag } = plain.headers;
    expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([200, undefined, 'accept-encoding']);
    for (const [asked, used, decompress] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const answer = await rawGet(url, { 'accept-encoding': asked });
      expect([answer.headers['content-encoding'], answer.headers.etag, answer.headers.vary]).toEqual([used, etag, 'accept-encoding']);
      expect(answer.body.length).toBeLessThan(plain.body.length);
      expect(decompress(answer.body).equals(plain.body)).toBe(true);
    }
    const again = await rawGet(url, { 'accept-encoding': 'br', 'if-none-match': `"another", ${etag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    expect((await rawGet(url, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('responses of the API are not compressed, because lengths would reveal secrets', async () => {
    for (const path of ['v1/orders', 'health/ready', 'metrics', 'docs']) {
      const { headers, body } = await rawGet(`${edge.url}/${path}`, { 'accept-encoding': 'br, gzip' });
      expect([path, headers['content-encoding'], body.length > 0]).toEqual([path, undefined, true]);
    }
  });
});

describe('stopping', () => {
  it('SIGTERM makes readiness fail, completes open requests and exits with 0', async () => {
    const { child, url, headers, exited } = await start();
    const slow = fetch(`${url}/v1/faults/slow`, { method: 'POST', headers });
    await eventually(async () => (await (await fetch(`${url}/metrics`)).text()).includes('http_request_duration_seconds'));
    child.kill('SIGTERM');
    await eventually(async () => (await fetch(`${url}/health/ready`)).status === 503);
    const during = await fetch(`${url}/health/live`);
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    const answer = await slow;
    expect([answer.status, await answer.json()]).toEqual([201, { done: true }]);
    expect(await exited).toBe(0);
  });

  it('a second SIGINT ends the process', async () => {
    const { child, exited } = await start();
    child.kill('SIGINT');
    child.kill('SIGINT');
    const code = await exited;
    expect([130, 0]).toContain(code);
  });

  async function start() {
    const child: ChildProcess = spawn(process.execPath, [built('test/support/edge-process.js')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
    const line = await new Promise<string>((resolve) => {
      let text = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('\n')) resolve(text.trim());
      });
    });
    const [url = '', key = ''] = line.split(' ');
    return { child, url, headers: { authorization: `Bearer ${key}` }, exited };
  }
});
