import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { profileNamed } from '../../src/domain/reconciliation/formats/shipped-profiles.js';
import { ConsoleVisitor, location } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newOperator } from '../support/finance.js';
import { startTestService, type Answer, type TestService } from '../support/service.js';

const SOURCE = {
  ...{ mode: 'test', name: 'midtrans', kind: 'PROCESSOR', currencies: ['IDR'], format: 'csv', profile: 'midtrans', processor: 'MIDTRANS' },
  ...{ time_zone: 'Asia/Jakarta', reason: 'remits what customers pay' },
};

describe('shipped profiles over the interface', () => {
  let service: TestService;
  let siti: string;
  let ani: string;
  let sample: string;

  beforeAll(async () => {
    service = await startTestService();
    const [preparer, controller] = await Promise.all([newOperator(service, 'Siti', ['preparer']), newOperator(service, 'Ani', ['controller'])]);
    [siti, ani] = [preparer.key, controller.key];
    sample = await readFile(new URL('../golden/remittances/midtrans.csv', import.meta.url), 'utf8');
    await eventually(async () => (await service.call('GET', '/audit/recon/sources', { key: ani })).status === 200);
  });
  afterAll(() => service.stop());

  const set = (body: object): Promise<Answer> => service.call('POST', '/audit/recon/sources', { key: ani, body });
  const send = async (file: string, query: string): Promise<[number, string | undefined]> => {
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `/audit/recon/sources/test-midtrans/statements${query}`;
    const { status, body } = await service.call('POST', path, { key: siti, body: Buffer.from(file), headers });
    return [status, body.detail];
  };

  it('a source records the profile that it names, whole', async () => {
    expect(await set(SOURCE)).toMatchObject({ status: 200, body: { id: 'test-midtrans', version: 1, profile: profileNamed('midtrans') } });
    const [event] = (await service.call('GET', '/audit/events?Type=ReconSourceSet', { key: ani })).body.items;
    expect(event).toMatchObject({ data: { profile: profileNamed('midtrans') } });
    const { status, body } = await set({ ...SOURCE, profile: { ...profileNamed('midtrans'), dates: 'YYYY-MM-DD hh:mm:ss' } });
    expect([status, body.detail]).toEqual([
      400,
      'The profile cannot be used: dates have the letter h, which is part of no YYYY, MM, MMM, DD, HH, mm, ss or Z.',
    ]);
  });

  it('a batch is given with the file, and the file keeps it', async () => {
    expect(await send(sample, '')).toEqual([400, 'Files of test-midtrans name no batch: give the batch together with the file.']);
    expect((await send(sample, '?Batch=%20PAYOUT'))[0]).toBe(400);
    expect(await send(sample, '?Batch=PAYOUT-1')).toEqual([201, undefined]);
    expect(await send(sample, '?Batch=PAYOUT-1')).toEqual([200, undefined]);
    expect(await send(sample, '?Batch=PAYOUT-2')).toEqual([409, 'The file was imported as batch PAYOUT-1, and keeps it.']);
    const lines = async () => (await service.call('GET', '/audit/recon/lines?Source=test-midtrans', { key: ani })).body.items;
    await eventually(async () => (await lines()).length === 3);
    expect((await lines()).map(({ batch }: { batch: string }) => batch)).toEqual(['PAYOUT-1', 'PAYOUT-1', 'PAYOUT-1']);
  });

  it('the console asks for the batch of a file, and replaces a file within its batch', async () => {
    const visitor = await ConsoleVisitor.signIn(service, siti);
    const page = 'recon/sources/test-midtrans';
    expect((await visitor.page(page)).text).toMatch(/<input id="import-batch" name="batch" required[^]*<input id="import-file"/);
    const form = await visitor.hidden(page, `${page}/import`);
    const other = sample.replaceAll('2026-11-20', '2026-11-19');
    expect((await visitor.send(`${page}/import`, form, other)).status).toBe(400);
    const [status, path] = location(await visitor.send(`${page}/import`, { ...form, batch: 'PAYOUT-0' }, other));
    const file = path!.replace('/console/', '').replace(/\?.*/, '');
    expect(status).toBe(303);
    await eventually(async () => (await visitor.page(file)).text.includes('PAYOUT-0'));
    const replacing = { ...(await visitor.hidden(file, `${file}/replace`)), reason: 'issued again' };
    const [replaced, next] = location(await visitor.send(`${file}/replace`, replacing, other.replaceAll('order-2', 'order-3')));
    expect(replaced).toBe(303);
    await eventually(async () => (await visitor.page(next!.replace('/console/', ''))).text.includes('PAYOUT-0'));
  });
});
