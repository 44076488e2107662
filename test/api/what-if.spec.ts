import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { everyPage } from '../support/console-pages.js';
import { ConsoleVisitor, location } from '../support/console.js';
import { collect } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { runCli, type Run } from '../support/run-cli.js';
import { startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { nameOf } from '../../src/web/console/approvals/proposal-form-fields.js';

const ZONE = 'Asia/Jakarta';
const NAME = 'QRIS at 0,6 % & “more”';
const ADDRESS = 'qris-at-0-6-more';
const fee = (value: number) => ({ name: NAME, charge_fees: [{ channel: 'qr_qris', fee: { type: 'PERCENTAGE', value } }] });
const ofForm = (typed: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(typed).map(([at, value]) => [nameOf(at), value]));

describe('the service at other fees', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let visitor: ConsoleVisitor;
  let folder: string;
  let charge: string;
  let moment: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-what-if-'));
    service = await startTestService({ POINT_IN_TIME_MAX: '2', BOOKS_TIMEZONE: ZONE });
    merchant = await service.newMerchant();
    finance = (await newFinanceKey(service)).key;
    visitor = await ConsoleVisitor.signIn(service, (await newOperator(service, 'Siti', ['preparer'])).key);
    const body = { amount: 10_000, currency: 'IDR', channel_code: 'QR_QRIS', action_flow: 'PAYLOAD', reference_id: 'order-1' };
    const created = await service.call('POST', '/v1/charges', { key: merchant.key, body, headers: { 'idempotency-key': 'order-1' } });
    charge = created.body.id;
    for (const outcome of ['succeed', 'settle'])
      expect((await service.call('POST', created.body.action.simulation_url, { body: { outcome } })).status).toBeLessThan(300);
    const opened = await whatIf(fee(0.6), '--open', '--json');
    expect(opened).toMatchObject({ code: 0, stderr: '' });
    const answer = JSON.parse(opened.stdout);
    expect(answer.moment).toMatchObject({ position: answer.position, name: ADDRESS, scenario: NAME, state: 'READY', reason: null });
    moment = `${answer.position}~${ADDRESS}`;
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function whatIf(scenario: object, ...args: readonly string[]): Promise<Run> {
    const file = join(folder, 'scenario.json');
    await writeFile(file, JSON.stringify(scenario));
    return runCli(['what-if', file, ...args], { DATABASE_URL: service.stores.databaseUrl, BOOKS_TIMEZONE: ZONE });
  }
  const visit = (path: string): Promise<Answer> => service.call('GET', path, { headers: { cookie: visitor.cookie } });
  const alertOf = ({ text }: Answer): string | undefined => /role="alert"[^>]*>\s*(?:<p>)?\s*([^<]*?)\s*</.exec(text)?.[1];

  it('merchants and finance read the other fees in every record', async () => {
    const path = `/v1/charges/${charge}`;
    const [now, then] = [path, `/at/${moment}${path}`].map((each) => service.call('GET', each, { key: merchant.key }));
    expect(await now).toMatchObject({ status: 200, body: { fee_amount: 70, net_amount: 9_930 } });
    const priced = await then!;
    expect(priced).toMatchObject({ status: 200, body: { fee_amount: 60, net_amount: 9_940, amount: 10_000 } });
    expect(['as-of-position', 'as-of-scenario', 'as-of-head'].map((name) => priced.headers.get(name))).toEqual([moment.split('~')[0], ADDRESS, null]);
    const balances = await service.call('GET', `/at/${moment}/v1/balances`, { key: merchant.key });
    expect(balances.body.find(({ currency }: any) => currency === 'IDR')).toMatchObject({ available_amount: 9_940 });
    const events = await service.call('GET', `/at/${moment}/audit/events?Stream=charge-${charge}`, { key: finance });
    const fees = events.body.items.map(({ type, data }: any) => [type, data.fee?.value, data.fee_amount]);
    expect(fees).toEqual([
      ['ChargeCreated', 0.6, 60],
      ['ChargePaid', undefined, 60],
      ['ChargeSettlementClaimed', undefined, 60],
    ]);
    const trial = await service.call('GET', `/at/${moment}/audit/trial-balance?Mode=test`, { key: finance });
    expect(trial.body.currencies.find(({ currency }: any) => currency === 'IDR')).toMatchObject({ difference: 0 });
  });

  it('nothing is written: neither to the log nor by a request', async () => {
    const before = await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
    const body = { amount: 10_000, currency: 'IDR', channel_code: 'QR_QRIS', action_flow: 'PAYLOAD', reference_id: 'order-2' };
    const refused = await service.call('POST', `/at/${moment}/v1/charges`, { key: merchant.key, body });
    expect(refused).toMatchObject({ status: 405, body: { code: 'read-only-moment' } });
    expect(await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp)).toEqual(before);
  });

  it('the console has the answer, and the scenario on every page', async () => {
    const answer = await visit(`/at/${moment}/console/what-if`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<h1><bdi>QRIS at 0,6 % &amp; “more”</bdi></h1>');
    for (const minorUnits of [10_000, 70, 60, -10, 9_940]) expect(answer.text).toContain(`value="${minorUnits}"`);
    expect(answer.text).toContain('Every payout and refund would have been covered.');
    const pages = await everyPage(`/at/${moment}/console`, visit);
    expect(pages.size).toBeGreaterThan(30);
    for (const [address, { status, text, headers }] of pages) {
      expect([address, status === 200 || status === 303]).toEqual([address, true]);
      if (status !== 200 || !headers.get('content-type')!.startsWith('text/html')) continue;
      const bar = /<section class="moment"[^]*?<\/section>/.exec(text)![0];
      expect([address, bar]).toEqual([address, expect.stringContaining(`href="/at/${moment}/console/what-if"`)]);
      expect([address, bar]).toEqual([address, expect.stringContaining('· other fees · read only')]);
      expect([address, /<title>([^<]*)/.exec(text)![1]]).toEqual([address, expect.stringContaining(', what if: QRIS at 0,6 %')]);
    }
    expect(/class="now" href="([^"]*)"/.exec(answer.text)![1]).toBe('/console');
  });

  it('there is no answer in the present, at recorded fees, or at an unknown name', async () => {
    const position = moment.split('~')[0]!;
    expect((await visitor.page('what-if')).status).toBe(404);
    expect(await service.call('POST', '/audit/moments', { key: finance, body: { position: Number(position) } })).toMatchObject({ status: 202 });
    await eventually(async () => (await visit(`/at/${position}/console`)).status === 200);
    expect((await visit(`/at/${position}/console/what-if`)).status).toBe(404);
    for (const name of ['x', 'qris', `${ADDRESS}-2`]) {
      const unknown = await service.call('GET', `/at/${position}~${name}/v1/charges`, { key: merchant.key });
      expect(unknown).toMatchObject({ status: 404, body: { code: 'moment-not-open', detail: expect.stringContaining('chargebook what-if --open') } });
      const [status, to] = location(await visit(`/at/${position}~${name}/console/charges`));
      expect([status, to]).toEqual([303, `/console/moments/${position}~${name}?Page=charges`]);
      const page = await visit(to!);
      expect([page.status, page.text.includes('chargebook what-if --open')]).toEqual([404, true]);
    }
    for (const name of ['', 'X', 'a b', '-', 'a'.repeat(41)])
      expect((await service.call('GET', `/at/${position}~${encodeURI(name)}/v1/charges`, { key: merchant.key })).status).toBe(404);
    expect((await service.call('DELETE', `/audit/moments/${position}`, { key: finance })).status).toBe(204);
    expect((await service.call('GET', `/at/${moment}/v1/charges`, { key: merchant.key })).status).toBe(200);
  });

  it('lists of moments have its name and scenario, and a name has one scenario', async () => {
    const listed = await service.call('GET', '/audit/moments', { key: finance });
    expect(listed.body.items).toMatchObject([{ position: Number(moment.split('~')[0]), name: ADDRESS, scenario: NAME }]);
    expect(await service.call('GET', `/audit/moments/${moment}`, { key: finance })).toMatchObject({ status: 200, body: { name: ADDRESS } });
    expect((await service.call('GET', `/audit/moments?After=${moment}`, { key: finance })).body.items).toEqual([]);
    const csv = await service.call('GET', '/audit/moments', { key: finance, headers: { accept: 'text/csv' } });
    expect(csv.text).toMatch(/^position,time,.*,name,scenario\r\n\d+,.*,qris-at-0-6-more,"QRIS at 0,6 %/);
    const page = await visitor.page('moments');
    expect(page.text).toContain(`href="/console/moments/${moment}?Page=what-if"`);
    const at = (...args: string[]) => runCli(['at', ...args], { DATABASE_URL: service.stores.databaseUrl });
    expect((await at('list')).stdout).toContain(moment);
    // The same scenario again is the same moment.
    expect(JSON.parse((await whatIf(fee(0.6), '--open', '--json')).stdout).moment.opened_on).toBe(listed.body.items[0].opened_on);
    const taken = await whatIf(fee(0.5), '--open');
    expect(taken).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`The name ${ADDRESS} belongs to another scenario`) });
  });

  it('a form of a fee leads to last month at that fee, and proposes nothing', async () => {
    const path = 'desk/propose/fee-charge';
    const typed = { merchant_id: merchant.merchant_id, 'of.channel_code': 'QR_QRIS', 'fee.type': 'PERCENTAGE', 'fee.value': '0.55' };
    const send = async (more: Readonly<Record<string, string>>) =>
      visitor.post(path, { ...(await visitor.hidden(path)), ...ofForm({ ...typed, ...more }), act: 'what-if' });
    const before = await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
    const [status, progress] = location(await send({}));
    expect([status, progress]).toEqual([303, expect.stringMatching(/^\/console\/moments\/\d+~qr-qris-at-0-55-[0-9a-f]{8}\?Page=what-if$/)]);
    let to: string | null = null;
    await eventually(async () => ([, to] = location(await visit(progress!)))[1] !== null);
    const answer = await visit(to!);
    expect(answer.text).toContain('QR_QRIS at 0.55 % for Kopi Kita');
    expect(answer.text).toContain('No record of the period has moved money.');
    const invalid = await send({ 'fee.value': '101', merchant_id: '' });
    expect([invalid.status, alertOf(invalid)]).toEqual([400, expect.stringContaining('Nothing was proposed.')]);
    const full = await send({ 'fee.value': '0.4' });
    expect([full.status, full.text]).toEqual([400, expect.stringContaining('2 moments are open, which is the maximum.')]);
    expect(await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp)).toEqual(before);
    for (const other of ['channel', 'suspense-top-up']) expect((await visitor.page(`desk/propose/${other}`)).text).not.toContain('value="what-if"');
  });
});
