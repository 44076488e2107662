import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { setFee } from '../../src/domain/merchants/merchant.commands.js';
import { collect } from '../support/events.js';
import { writeHistory } from '../support/finance.js';
import { runCli, type Run } from '../support/run-cli.js';
import { startTestService, type TestMerchant, type TestService } from '../support/service.js';

const QRIS = { name: 'QRIS at 0.6 %', charge_fees: [{ merchant: '*', channel: 'qr_qris', fee: { type: 'PERCENTAGE', value: 0.6 } }] };

describe('scenarios on the command line', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let folder: string;
  let began: string;
  let ended: string;

  beforeAll(async () => {
    [service, folder] = [await startTestService(), await mkdtemp(join(tmpdir(), 'chargebook-what-if-'))];
    merchant = await service.newMerchant({ name: 'Kopi\tKita' });
    const { key } = merchant;
    const create = async (amount: number, channel_code: string, action_flow: string, ...outcomes: object[]): Promise<void> => {
      const body = { amount, currency: 'IDR', channel_code, action_flow, reference_id: `order-${amount}` };
      const charge = await service.call('POST', '/v1/charges', { key, body, headers: { 'idempotency-key': `order-${amount}` } });
      for (const outcome of outcomes)
        expect((await service.call('POST', charge.body.action.simulation_url, { body: outcome })).status).toBeLessThan(300);
    };
    began = new Date().toISOString();
    await create(10_000, 'QR_QRIS', 'PAYLOAD', { outcome: 'succeed' }, { outcome: 'settle' });
    await create(40_000, 'QR_QRIS', 'PAYLOAD', { outcome: 'succeed' });
    await create(90_000, 'QR_QRIS', 'PAYLOAD');
    await create(20_000, 'WALLET_OVO', 'REDIRECTION', { outcome: 'succeed' });
    ended = new Date(Date.now() + 1).toISOString();
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function whatIf(scenario: unknown, ...args: readonly string[]): Promise<Run> {
    const file = join(folder, 'scenario.json');
    await writeFile(file, typeof scenario === 'string' ? scenario : JSON.stringify(scenario));
    return runCli(['what-if', file, ...args], { DATABASE_URL: service.stores.databaseUrl, BOOKS_TIMEZONE: 'Asia/Jakarta' });
  }

  it('prices the charges anew as a document, as CSV and in words, and writes nothing', async () => {
    const log = () => collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
    const before = await log();
    const { code, stdout, stderr } = await whatIf(QRIS, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const month = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format(new Date(began)).slice(0, 7);
    const of = { mode: 'test', currency: 'IDR' };
    const kopi = { kind: 'CHARGE', merchant_id: merchant.merchant_id, merchant_name: 'Kopi\tKita', month, ...of };
    const figures = (gross: number, fees_was: number, fees_would_be: number) => ({
      ...{ gross, fees_was, fees_would_be, fees_difference: fees_would_be - fees_was },
      ...{ net_was: gross - fees_was, net_would_be: gross - fees_would_be, net_difference: fees_was - fees_would_be },
    });
    const charges = [
      { ...kopi, channel_code: 'QR_QRIS', ...figures(10_000, 70, 60) },
      { ...kopi, channel_code: 'QR_QRIS', ...figures(40_000, 280, 240) },
      { ...kopi, channel_code: 'WALLET_OVO', ...figures(20_000, 300, 300) },
    ].map((charge) => ({ ...charge, id: expect.any(String), code: expect.stringMatching(/^CHG_/) }));
    const answer = JSON.parse(stdout);
    expect(answer).toEqual({
      ...{ name: 'QRIS at 0.6 %', from: null, to: null, moment: null, position: before.length, uncovered: [], charges, payouts: [], disputes: [] },
      rows: [
        { ...kopi, channel_code: 'QR_QRIS', count: 2, ...figures(50_000, 350, 300) },
        { ...kopi, channel_code: 'WALLET_OVO', count: 1, ...figures(20_000, 300, 300) },
      ],
      totals: [{ kind: 'CHARGE', ...of, count: 3, ...figures(70_000, 650, 600) }],
    });
    const csv: Record<string, string>[] = parse((await whatIf(QRIS, '--format', 'csv')).stdout, { columns: true });
    const asText = (record: object) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));
    expect(csv).toEqual(answer.charges.map(asText));
    const { stdout: words } = await whatIf(QRIS, '--from', began, '--to', ended);
    expect(words).toMatch(/^QRIS at 0\.6 %: charges, payouts and disputes created from .*Z?\+00:00 until /);
    expect(words).toMatch(/Kopi Kita +test +QR_QRIS +IDR +\d{4}-\d\d +2 +50000 +350 +300 +-50 +49700\n/);
    expect(words).toMatch(/all +test +charges +IDR +– +3 +70000 +650 +600 +-50 +69400\n/);
    expect(words).toContain('Every payout and refund would have been covered.');
    expect(await log()).toEqual(before);
  });

  it('the priced fees are those that new charges have once they are agreed', async () => {
    const other = await service.newMerchant({ name: 'Other' });
    await setFee(service.deps, other.merchant_id, { kind: 'charge', channel_code: 'QR_QRIS' }, { type: 'PERCENTAGE', value: 0.6 });
    // A process that knows a newer key knows the fee.
    const key = await service.newKey(other.merchant_id, ['*']);
    const body = { amount: 40_000, currency: 'IDR', channel_code: 'QR_QRIS', action_flow: 'PAYLOAD', reference_id: 'order-1' };
    const agreed = await service.call('POST', '/v1/charges', { key, body, headers: { 'idempotency-key': 'order-1' } });
    await service.call('POST', agreed.body.action.simulation_url, { body: { outcome: 'succeed' } });
    const { rows, charges } = JSON.parse((await whatIf(QRIS, '--json')).stdout);
    expect(rows.find((row: any) => row.merchant_name === 'Other')).toMatchObject({ fees_was: 240, fees_would_be: 240, fees_difference: 0 });
    expect(charges.find((charge: any) => charge.gross === 40_000 && charge.merchant_name !== 'Other').fees_would_be).toBe(240);
  });

  it('days are those of the books, and --to is the first one that does not count', async () => {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format(new Date(began));
    const counted = async (...args: string[]) => JSON.parse((await whatIf(QRIS, '--json', ...args)).stdout);
    expect(await counted('--to', today)).toMatchObject({ to: new Date(`${today}T00:00:00+07:00`).toISOString().replace('Z', '+00:00'), rows: [] });
    expect((await counted('--from', today)).rows).not.toEqual([]);
    expect(await counted('--from', ended)).toMatchObject({ rows: [{ merchant_name: 'Other' }] });
  });

  it.each<[string, unknown, string[], RegExp]>([
    ['an unknown member', { ...QRIS, fees: [] }, [], /scenario\.json: \/fees: There is no such field\./],
    ['101 %', { name: 'x', charge_fees: [{ fee: { type: 'PERCENTAGE', value: 101 } }] }, [], /: \/charge_fees\/0\/fee\/value: Must be 0 to 100 %/],
    ['an unknown channel', { name: 'x', charge_fees: [{ ...QRIS.charge_fees[0], channel: 'qr_x' }] }, [], /: \/charge_fees\/0\/channel: /],
    [
      'an unknown merchant',
      { name: 'x', charge_fees: [{ ...QRIS.charge_fees[0], merchant: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' }] },
      [],
      /: \/charge_fees\/0\/merchant: There is no such merchant\./,
    ],
    ['no object', '[]', [], /: \/: Must be an object\./],
    ['a period of 0', QRIS, ['--from', '2026-01-31', '--to', '2026-01-31'], /--from must be before --to/],
    ['a period that ends before it begins', QRIS, ['--from', '2026-01-31', '--to', '2026-01-30'], /--from must be before --to/],
    ['a period in the future', QRIS, ['--from', '2999-01-31'], /--from must be before now/],
    ['a period that ends in the future', QRIS, ['--to', '2999-01-31'], /--to must not be in the future/],
    ['a day that does not exist', QRIS, ['--to', '2026-02-30'], /Must be a day that exists/],
    ['a time without an offset', QRIS, ['--from', '2026-01-31T10:00:00'], /with an offset/],
    ['another format', QRIS, ['--format', 'xml'], /Allowed choices are csv/],
  ])('refuses %s', async (_, scenario, args, message) => {
    expect(await whatIf(scenario, ...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('refuses a file that is no JSON or not there, and a log whose amounts are not those of its terms', async () => {
    expect(await whatIf('{')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not valid JSON') });
    expect(await runCli(['what-if', join(folder, 'none')], {})).toMatchObject({ code: 1, stderr: expect.stringContaining('no such file') });
    await writeHistory(service, [merchant], 5, 1);
    const refused = await whatIf({ name: 'empty' });
    expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: event \d+ \(ChargeCreated\) cannot be priced anew: /) });
  });
});
