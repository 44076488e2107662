import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFinanceKey } from '../support/finance.js';
import { AnswerCheck, type AnswerToCheck } from '../support/openapi.js';
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
}, 60_000);
afterAll(() => service.stop());

/** `npm run openapi:lint` is this file. */
describe('/openapi.json', () => {
  it('has no fault by the rules of redocly.yaml', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      const document = JSON.parse((await service.call('GET', '/openapi.json')).text) as object;
      await writeFile(file, JSON.stringify(document, null, 2));
      expect(await lint(file)).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);
});

describe('the check that every answer of the API tests goes through', () => {
  let check: AnswerCheck;
  let charge: Answer;
  let merchant: TestMerchant;
  beforeAll(async () => {
    check = new AnswerCheck(JSON.parse((await service.call('GET', '/openapi.json')).text) as ConstructorParameters<typeof AnswerCheck>[0]);
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

  it('has nothing to say of an answer as it is sent', () => {
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
    ['what is no date', () => bent((body) => (body.created_on = 'today')), /\/created_on must match format "date-time"/],
  ])('finds %s that the document does not have', (_, found, fault) => {
    expect(found().join('\n')).toMatch(fault);
  });

  it('finds a line of NDJSON that is no item', async () => {
    const key = (await newFinanceKey(service)).key;
    const answer = await service.call('GET', '/audit/merchants', { key, headers: { accept: 'application/x-ndjson' } });
    const faultsOf = (text: string) => check.faults({ method: 'GET', path: '/audit/merchants', ...answer, text });
    expect(faultsOf(answer.text)).toEqual([]);
    expect(faultsOf(`${answer.text}{"items":[],"next_after":null}\n`).join('\n')).toMatch(/additional properties .*items/);
  });

  it('throws where a test calls', async () => {
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

/** What redocly complains about; it calls nobody. */
async function lint(file: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    await promisify(execFile)(
      process.execPath,
      [createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js'), 'lint', file, '--config', 'redocly.yaml', '--format', 'stylish'],
      { env },
    );
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}${stdout === undefined ? String(error) : ''}`;
  }
}
