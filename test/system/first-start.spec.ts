import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, daysFromTo, daysIn, isBankingDay } from '../../src/ledger/days.js';
import { eventually } from '../support/eventually.js';
import { itAtNight } from '../support/nightly.js';
import { createTestDatabase } from '../support/postgres.js';
import { runCli } from '../support/run-cli.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callUntilShown, CHARGE_ORDER, newIdempotencyKey, startTestService } from '../support/service.js';

const dayOf = daysIn('Asia/Jakarta');
const LISTS = ['charges', 'balances', 'customers', 'payouts', 'settlements', 'events'];

type Closing = (() => Promise<unknown>)[];

async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** @param closing receives the steps that stop the service and remove its data */
async function firstStart(closing: Closing, ...args: readonly string[]) {
  const database = await createTestDatabase();
  closing.push(() => database.drop());
  const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-first-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const start = async (...again: readonly string[]): Promise<ServiceProcess> => {
    const started = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url }, again);
    closing.push(() => started.stop());
    return started;
  };
  const service = await start(...args);
  const printed = (key: RegExp): string => key.exec(service.lines.join('\n'))![0];
  return { service, start, database, dataDir, key: printed(/sk_test_[0-9A-Za-z]{36}/), financeKey: printed(/fk_[0-9A-Za-z]{36}/) };
}

interface Proposal {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly digest: string;
}

interface TrialBalanceCurrency {
  readonly difference: number;
  readonly accounts: readonly { readonly account: string; readonly balance: number }[];
}

/** Every event, each looked at: none has a time that has not come yet. */
async function exported(url: string, key: string): Promise<{ readonly type: string; readonly occurred_on: string }[]> {
  const { text } = await call('GET', `${url}/audit/events`, { key, headers: { accept: 'application/x-ndjson' } });
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; occurred_on: string });
  expect(events.filter(({ occurred_on }) => Date.parse(occurred_on) > Date.now())).toEqual([]);
  return events;
}

describe('the first start', () => {
  const closing: Closing = [];
  afterEach(() => closeAll(closing));

  it('the first start reports that it listens once everything can be read, prints keys for the API and the console, and has a start page with links', async () => {
    const { service, key, financeKey } = await firstStart(closing);
    const statuses = await Promise.all(LISTS.map(async (list) => (await call('GET', `${service.url}/v1/${list}`, { key })).status));
    expect(statuses).toEqual(LISTS.map(() => 200));
    expect(service.lines).toContain(`The console of finance is at ${service.url}/console`);
    expect((await call('GET', `${service.url}/v1/merchants/me`, { key })).body.name).toBe('Demo Store');
    expect((await call('GET', `${service.url}/audit/merchants`, { key: financeKey })).status).toBe(200);

    const page = await call('GET', `${service.url}/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/Development · version \d+\.\d+\.\d+/);
    const doors = [...page.text.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, path]) => path!);
    expect(doors).toEqual(expect.arrayContaining(['console', 'docs', 'openapi.json', 'problems', 'health/ready', 'metrics']));
    for (const path of doors) expect([path, (await fetch(`${service.url}/${path}`)).status]).toEqual([path, 200]);
  });

  itAtNight('--demo adds its month to a ledger in use, whose own merchants stay as they are', async () => {
    const { service, financeKey, start } = await firstStart(closing);
    await service.stop();
    const demo = await start('--demo');
    const { items } = (await call('GET', `${demo.url}/audit/merchants`, { key: financeKey })).body;
    expect(items.slice(0, 2)).toMatchObject([{ name: 'Demo Store' }, { name: 'Kopi Senja' }]);
    expect(items).toHaveLength(9);
  });

  it('logs short lines on request, and JSON without a terminal', async () => {
    const logged = async (environment: Record<string, string>): Promise<string[]> => {
      const database = await createTestDatabase();
      const service = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...environment });
      closing.push(
        () => database.drop(),
        () => service.stop(),
      );
      return service.lines.filter((line) => line.includes('projection ledger'));
    };
    const [asText, asJson] = [await logged({ LOG_FORMAT: 'text' }), await logged({})];
    expect(asText).toHaveLength(1);
    expect(asText[0]).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: projection ledger [a-z ]+\w+[a-z ]+\d+$/);
    expect(asJson.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['info']);
  });

  it('records holidays.json once, before its first payment, and later reports a file that differs', async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-holidays-'));
    closing.push(
      () => rm(dataDir, { recursive: true, force: true }),
      () => database.drop(),
    );
    const startWith = async (days: readonly string[]): Promise<ServiceProcess> => {
      await writeFile(join(dataDir, 'holidays.json'), JSON.stringify({ ID: days }));
      const started = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
      closing.push(() => started.stop());
      return started;
    };
    const weekdays = daysFromTo(addDays(dayOf(Date.now()), 1), addDays(dayOf(Date.now()), 14)).filter(isBankingDay);
    const service = await startWith(weekdays);
    const printed = (key: RegExp): string => key.exec(service.lines.join('\n'))![0];
    const [key, financeKey] = [printed(/sk_test_[0-9A-Za-z]{36}/), printed(/fk_[0-9A-Za-z]{36}/)];
    const inForce = async (url: string) =>
      ((await call('GET', `${url}/audit/calendar`, { key: financeKey })).body.items as { days: string[]; set_by: string }[]).flatMap(
        ({ days, set_by }) => days.map((day) => `${day} ${set_by}`),
      );
    const recorded = weekdays.map((day) => `${day} holidays.json`);
    expect(await inForce(service.url)).toEqual(recorded);
    const { body: charge } = await call('POST', `${service.url}/v1/charges`, { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    await call('POST', charge.action.simulation_url, { body: { outcome: 'SUCCEED' } });
    const { body: paid } = await callUntilShown('GET', new URL(`/v1/charges/${charge.id}`, service.url), { key });
    expect(paid.settlement_date > weekdays.at(-1)!).toBe(true);
    const differs = (lines: readonly string[]): string[] => lines.filter((line) => line.includes('file of holidays differs'));
    expect(differs(service.lines)).toEqual([]);
    await service.stop();
    const again = await startWith(['2027-12-25']);
    expect(differs(again.lines)).toHaveLength(1);
    expect(await inForce(again.url)).toEqual(recorded);
  });

  it('a process without projections answers reads with 503 until another process projects', async () => {
    const service = await startTestService({ ROLES: 'api' }, undefined, undefined, createTestDatabase);
    closing.push(() => service.stop());
    const { key } = await service.newMerchant();
    const charge = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    expect(charge.status).toBe(200);
    // One read each, since no process projects.
    for (const list of LISTS) {
      const answer = await call('GET', `${service.url}/v1/${list}`, { key });
      expect([list, answer.status, answer.body.code]).toEqual([list, 503, 'unavailable']);
    }
    const page = await call('GET', charge.body.action.simulation_url);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  });
});

describe('the first start with --demo', () => {
  const closing: Closing = [];
  let demo: Awaited<ReturnType<typeof firstStart>>;
  beforeAll(async () => {
    demo = await firstStart(closing, '--demo');
  });
  afterAll(() => closeAll(closing));
  const read = async (path: string, key = demo.financeKey) => (await call('GET', `${demo.service.url}${path}`, { key })).body;

  it('creates a month with every state and no event in the future', async () => {
    const { service, key, financeKey, start } = demo;
    // Reads show the demo data as soon as it is projected.
    await eventually(async () => (await read('/v1/payouts', key)).length > 8);
    for (const status of ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'])
      expect([status, (await read(`/v1/charges?Status=${status}`, key)).total_item_count > 0]).toEqual([status, true]);
    const payouts = (await read('/audit/payouts?Limit=1000')).items as { payout_status: string }[];
    expect(new Set(payouts.map(({ payout_status }) => payout_status))).toEqual(
      new Set(['SUCCEEDED', 'FAILED', 'REVERSED', 'CANCELLED', 'PROCESSING', 'PENDING']),
    );
    const types = new Set((await exported(service.url, financeKey)).map(({ type }) => type));
    expect([...types]).toEqual(
      expect.arrayContaining(['ChargePaymentUnmatched', 'ChargeReversalClaimed', 'CustomerDeleted', 'WebHookSet', 'PayoutReturnClaimed']),
    );

    // The month is in the books as it went, not at the moment when it was made up.
    const availableThen = await Promise.all(
      [25, 20, 15, 10, 5].map(async (days) => {
        const asOf = new Date(Date.now() - days * 86_400_000).toISOString();
        return (await read(`/v1/balances/IDR?AsOf=${asOf}`, key)).available_amount as number;
      }),
    );
    expect(new Set(availableThen).size).toBe(5);
    // The last event of the month is the one that takes that account below zero: a busy machine may not have projected it yet.
    await eventually(async () => {
      const { currencies } = (await read('/audit/trial-balance')) as { currencies: TrialBalanceCurrency[] };
      expect(currencies.map(({ difference }) => difference)).toEqual([0, 0, 0]);
      const available = currencies.flatMap(({ accounts }) => accounts.filter(({ account }) => account === 'available'));
      return available.filter(({ balance }) => balance < 0).length === 1;
    });

    // A service that runs would settle the month while it is made up.
    await expect(start('--demo')).rejects.toThrow('--demo: a service is running on this ledger');
  });

  it('creates a desk with waiting items, and closes books as far as possible', async () => {
    const { service, database, dataDir } = demo;
    const [preparer, controller] = [...service.lines.join('\n').matchAll(/: (ok_[0-9A-Za-z]{36})/g)].map(([, key]) => key!) as [string, string];
    const proposals = async (): Promise<Proposal[]> => (await read('/audit/proposals?Limit=100')).items ?? [];
    // It is proposed last.
    await eventually(async () => (await proposals()).some(({ kind }) => kind === 'MATCH_DIFFERENCE'));
    const made = await proposals();
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['PENDING', 'EXECUTED', 'REJECTED', 'WITHDRAWN']));
    expect(new Set(made.filter(({ status }) => status === 'PENDING').map(({ kind }) => kind))).toEqual(
      new Set(['CHANNEL', 'ADJUSTMENT', 'POLICY', 'BREAK_ACCEPT', 'MATCH_DIFFERENCE']),
    );
    const queue = (await read('/audit/desk/queue', controller)).items as { kind: string; required: number; given: number }[];
    expect(queue.filter(({ kind }) => kind === 'PAYOUT')).toContainEqual(expect.objectContaining({ required: 2, given: 1 }));
    expect((await read('/audit/desk/alarms')).items).toEqual([]);
    expect((await read('/audit/operators')).items).toHaveLength(4);

    const days = (await read('/audit/recon/days?Limit=100')).items as { status: string; figures: { residual: number | null }[] }[];
    expect(days.length).toBeGreaterThan(15);
    expect(days.filter(({ status, figures }) => status !== 'COMPLETE' || figures.some(({ residual }) => residual !== 0))).toEqual([]);
    const breaks = (await read('/audit/recon/breaks?Status=open&Limit=100')).items as { kind: string; owner: string | null }[];
    expect(new Set(breaks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
    expect(breaks.filter(({ owner }) => owner !== null)).toHaveLength(1);
    const items = (await read('/audit/suspense?Limit=100')).items as { status: string; reason: string }[];
    expect(new Set(items.map(({ reason }) => reason))).toEqual(new Set(['SECOND_PAYMENT', 'OTHER_AMOUNT', 'BANK_UNKNOWN', 'REMITTED_UNKNOWN']));
    expect(items.filter(({ status }) => status === 'RESOLVED')).toHaveLength(1);
    // A demo that is made up on the last day of a month of 31 days has nothing of the month before.
    const before = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 7);
    const closed = (await read('/audit/periods?Mode=test')).items as { month: string }[];
    if (before < new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 7)) expect(closed.map(({ month }) => month)).toEqual([before]);

    // Each of the two approves the proposals of the other, and neither approves their own.
    const { id, digest } = made.find(({ kind, status }) => kind === 'CHANNEL' && status === 'PENDING')!;
    const approve = (key: string) => call('POST', `${service.url}/audit/proposals/${id}/approve`, { key, body: { digest, reason: 'as agreed' } });
    expect((await approve(preparer)).body.code).toBe('own-proposal');
    expect((await approve(controller)).body.status).toBe('EXECUTED');

    const { currencies } = (await read('/audit/trial-balance')) as { currencies: TrialBalanceCurrency[] };
    expect(currencies.map(({ difference }) => difference)).toEqual([0, 0, 0]);
    for (const command of ['projections verify', 'audit verify', 'recon verify']) {
      const { code, stderr } = await runCli(command.split(' '), { DATABASE_URL: database.url, DATA_DIR: dataDir });
      expect([command, code, stderr]).toEqual([command, 0, expect.any(String)]);
    }
  });

  it('creates nothing when the month exists', async () => {
    const { service, financeKey, start } = demo;
    await service.stop();
    const again = await start('--demo');
    expect(again.lines.join('\n')).not.toContain('making up a month');
    expect((await call('GET', `${again.url}/audit/merchants`, { key: financeKey })).body.items).toHaveLength(8);
  });
});
