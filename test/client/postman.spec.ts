import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR_ROLES } from '../../src/ledger/events/operator.events.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { startTestService, type TestService } from '../support/service.js';

const COLLECTION = 'docs/chargebook.postman_collection.json';
const NEWMAN = createRequire(import.meta.url).resolve('newman/bin/newman.js');

interface Report {
  readonly run: {
    readonly stats: { readonly requests: { readonly total: number }; readonly tests: { readonly failed: number } };
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number; readonly stream: { readonly data: readonly number[] } };
      readonly assertions?: readonly { readonly error?: { readonly message: string } }[];
    }[];
    readonly failures: readonly { readonly error: { readonly message: string }; readonly source?: { readonly name: string } }[];
  };
}

describe('the Postman collection', () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), 'chargebook-postman-'));
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('newman runs each request from the first to the last, and each is accepted', async () => {
    const keys = {
      merchantKey: (await service.newMerchant()).key,
      financeKey: (await newFinanceKey(service)).key,
      operatorKey: (await newOperator(service, 'Budi Santoso', OPERATOR_ROLES)).key,
      approverKey: (await newOperator(service, 'Siti Rahma', OPERATOR_ROLES)).key,
    };
    const file = join(folder, 'report.json');
    const variables = Object.entries({ url: service.url, ...keys }).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    const ended = await promisify(execFile)(process.execPath, [
      ...[NEWMAN, 'run', COLLECTION, ...variables, '--reporters', 'json', '--reporter-json-export', file],
    ]).catch((error: unknown) => error as { readonly code: number; readonly stderr: string });
    const { run } = JSON.parse(await readFile(file, 'utf8').catch(() => Promise.reject(new Error(JSON.stringify(ended))))) as Report;
    const faulty = run.executions.flatMap(({ item, response, assertions = [] }) =>
      assertions.some(({ error }) => error !== undefined)
        ? [`${item.name}: ${response?.code} ${Buffer.from(response?.stream.data ?? []).toString()}`]
        : [],
    );
    expect(faulty).toEqual([]);
    expect(run.failures.map(({ error, source }) => `${source?.name}: ${error.message}`)).toEqual([]);
    const collection = JSON.parse(await readFile(COLLECTION, 'utf8')) as { readonly item: readonly { readonly item: readonly { name: string }[] }[] };
    const sent = new Set(run.executions.map(({ item }) => item.name));
    const requests = collection.item.flatMap(({ item }) => item.map(({ name }) => name));
    expect(requests.filter((name) => !sent.has(name))).toEqual([]);
    expect(requests.length).toBeGreaterThan(100);
  });
});
