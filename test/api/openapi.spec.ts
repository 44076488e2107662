import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INTERFACE } from '../../src/app/interface.js';
import { EVENT_KINDS } from '../../src/ledger/published/outbox-messages.js';
import { newFinanceKey } from '../support/finance.js';
import { AnswerCheck, documentsOf, wholeDocumentOf, type AnswerToCheck } from '../support/openapi.js';
import {
  call,
  CHARGE_ORDER,
  checkAnswersOf,
  newIdempotencyKey,
  startTestService,
  type Answer,
  type TestMerchant,
  type TestService,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const FILES = INTERFACE.documents.map(({ file }) => file);

describe('the OpenAPI documents', () => {
  let documents: ReadonlyMap<string, any>;
  const operationsOf = (document: any): any[] =>
    [...Object.values<any>(document.paths), ...Object.values<any>(document.webhooks ?? {})].flatMap((item) => Object.values<any>(item));
  beforeAll(async () => {
    documents = await documentsOf(service.url);
  });

  it.each(FILES)('%s describes every property and parameter, with an example', (file) => {
    const { count, gaps } = gapsOf(documents.get(file), '');
    // Describe a missing property in its class, or all properties of that name in src/app/glossary.ts.
    expect(gaps).toEqual([]);
    expect(count).toBeGreaterThan(10);
  });

  it.each(FILES)('%s has operation names that are valid function names, and a description for each tag', (file) => {
    const document = documents.get(file);
    const operations = operationsOf(document);
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z]+([A-Z][a-z0-9]+)+$/);
    expect(new Set(operations.map(({ operationId }) => operationId as string)).size).toBe(operations.length);
    const tags = document.tags.map(({ name }: { name: string }) => name) as string[];
    expect(new Set(operations.flatMap((operation) => operation.tags as string[]))).toEqual(new Set(tags));
  });

  it('contain each path once: of merchants, of finance, of processors', () => {
    const paths = (file: string) => Object.keys(documents.get(file).paths as object);
    expect(new Set(paths('openapi.json').map((path) => path.split('/')[1]))).toEqual(new Set(['v1', 'simulate']));
    expect(new Set(paths('openapi/audit.json').map((path) => path.split('/')[1]))).toEqual(new Set(['audit']));
    expect(new Set(paths('openapi/processors.json').map((path) => path.split('/')[1]))).toEqual(new Set(['processors']));
    expect(Object.keys(documents.get('openapi.json').components.securitySchemes as object)).toEqual(['merchant-key']);
    expect(JSON.stringify(documents.get('openapi.json'))).not.toContain('Audit');
  });

  it('every path with a trailing slash returns 404', async () => {
    const { key } = await service.newMerchant();
    const finance = await newFinanceKey(service);
    const asked = [...documents.values()].flatMap((document: any) =>
      Object.entries<any>(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => ({ path, method }))),
    );
    expect(asked.length).toBeGreaterThan(80);
    const answers = await Promise.all(
      asked.map(async ({ path, method }) => {
        const target = `${path.replaceAll(/\{\w+\}/g, randomUUID())}/?PageSize=1`;
        const options = { key: path.startsWith('/audit') ? finance.key : key, ...(method === 'post' || method === 'put' ? { body: {} } : {}) };
        const { status, body } = await call(method.toUpperCase(), new URL(target, service.url), options);
        return [method, path, status, body?.detail];
      }),
    );
    expect(answers).toEqual(asked.map(({ path, method }) => [method, path, 404, 'There is nothing at this path: paths end without a slash.']));
  });

  it('every path with an empty id returns 404', async () => {
    const { key } = await service.newMerchant();
    const asked = [...documents.values()].flatMap((document: any) => Object.keys(document.paths).filter((path) => path.includes('{')));
    const answers = await Promise.all(
      asked.map(async (path) => (await call('GET', new URL(`${path.replaceAll(/\{\w+\}/g, '')}?PageSize=1`, service.url), { key })).status),
    );
    expect(answers).toEqual(asked.map(() => 404));
  });

  it('describe the data of every kind of webhook', () => {
    const { webhooks } = documents.get('openapi.json');
    expect(Object.keys(webhooks as object)).toEqual([...EVENT_KINDS, 'test']);
    const schema = webhooks['payout.failed'].post.requestBody.content['application/json'].schema;
    expect(schema.properties.data).toMatchObject({ $ref: '#/components/schemas/PayoutDto' });
  });

  it('an unknown name returns 404', async () => {
    expect((await service.call('GET', '/openapi/nothing.json')).status).toBe(404);
  });
});

/** Returns the properties and parameters without a description, and those without an example in them. */
function gapsOf(part: any, at: string): { count: number; gaps: string[] } {
  const found = { count: 0, gaps: [] as string[] };
  if (typeof part !== 'object' || part === null) return found;
  const look = (described: any, schema: any, place: string): void => {
    found.count += 1;
    if (typeof described.description !== 'string') found.gaps.push(`${place} has no description`);
    const tellsItself = JSON.stringify(schema ?? {}).includes('"$ref"') || schema?.properties !== undefined;
    if (described.example === undefined && schema?.example === undefined && !tellsItself) found.gaps.push(`${place} has no example`);
  };
  if (typeof part.properties === 'object')
    for (const [name, property] of Object.entries<any>(part.properties)) look(property, property, `${at}.${name}`);
  if (part.in !== undefined && part.name !== undefined) look(part, part.schema, `${at} ${part.name}`);
  for (const [key, value] of Object.entries(part)) {
    if (key === 'example' || key === 'examples') continue;
    const inside = gapsOf(value, `${at}/${key}`);
    found.count += inside.count;
    found.gaps.push(...inside.gaps);
  }
  return found;
}

describe('the check of every response in API tests', () => {
  let check: AnswerCheck;
  let charge: Answer;
  let merchant: TestMerchant;
  beforeAll(async () => {
    check = new AnswerCheck(await wholeDocumentOf(service.url));
    merchant = await service.newMerchant();
    charge = await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
  });
  const faults = (changes: Partial<AnswerToCheck> = {}): string[] => check.faults({ method: 'POST', path: '/v1/charges', ...charge, ...changes });
  const bent = (change: (body: any) => void): string[] => {
    const body = structuredClone(charge.body);
    change(body);
    return faults({ text: JSON.stringify(body) });
  };
  const withHeader = (name: string, value: string): Headers => {
    const headers = new Headers(charge.headers);
    headers.set(name, value);
    return headers;
  };

  it('accepts an unchanged response', () => {
    expect(faults()).toEqual([]);
    expect(faults({ path: '/metrics', method: 'GET', text: '' })).toEqual([]);
  });

  it.each<[string, () => string[], RegExp]>([
    ['a status', () => faults({ status: 201 }), /there is no such status/],
    ['a type of content', () => faults({ headers: withHeader('content-type', 'text/csv') }), /no content of type text\/csv/],
    ['a header', () => faults({ headers: withHeader('etag', '"1"') }), /there is no header etag/],
    ['a method', () => faults({ method: 'PATCH', status: 200 }), /there is no such operation/],
    ['a property', () => bent((body) => (body.surprise = 1)), /the body must NOT have additional properties .*surprise/],
    ['a property of a nested object', () => bent((body) => (body.action.surprise = 1)), /\/action must NOT have additional properties/],
    ['the lack of a property', () => bent((body) => delete body.code), /required property 'code'/],
    ['another type', () => bent((body) => (body.amount = '10000')), /\/amount must be integer/],
    ['null', () => bent((body) => (body.currency = null)), /\/currency must be string/],
    ['a word that is not in an enumeration', () => bent((body) => (body.status = 'paid')), /\/status must be equal to one of the allowed values/],
    ['a malformed date', () => bent((body) => (body.created_on = 'today')), /\/created_on must match format "date-time"/],
  ])('reports %s that the document does not contain', (_, found, fault) => {
    expect(found().join('\n')).toMatch(fault);
  });

  it('reports a line of NDJSON that is not an item', async () => {
    const key = (await newFinanceKey(service)).key;
    const answer = await service.call('GET', '/audit/merchants', { key, headers: { accept: 'application/x-ndjson' } });
    const faultsOf = (text: string) => check.faults({ method: 'GET', path: '/audit/merchants', ...answer, text });
    expect(faultsOf(answer.text)).toEqual([]);
    expect(faultsOf(`${answer.text}{"items":[],"next_after":null}\n`).join('\n')).toMatch(/additional properties .*items/);
  });

  it('a faulty response makes the call in the test throw', async () => {
    const other = createServer((_, response) => response.writeHead(418).end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      expect((await call('GET', `${url}/v1/balances`)).status).toBe(418);
      checkAnswersOf(url, check);
      await expect(call('GET', `${url}/v1/balances`)).rejects.toThrow('GET /v1/balances 418: there is no such status');
    } finally {
      other.close();
    }
  });
});
