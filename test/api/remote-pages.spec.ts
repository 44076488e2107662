import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FPX_BANK_NAMES } from '../../src/web/checkout/banks.js';
import { chargeStream, type ChargeCreated } from '../../src/ledger/events/charge.events.js';
import { FPX_BANKS } from '../../src/rails/xendit/channels.js';
import { eventually } from '../support/eventually.js';
import { CALLBACK_TOKEN, MemoryProvider, MemoryRoutes } from '../support/memory-provider.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let provider: MemoryProvider;
let live: TestMerchant;
let malaysian: TestMerchant;

beforeAll(async () => {
  provider = new MemoryProvider();
  service = await startTestService({}, new MemoryRoutes(provider));
  live = await service.newMerchant({ mode: 'live' });
  malaysian = await service.newMerchant({ mode: 'live', country: 'MY' });
});
afterAll(() => service.stop());

const OVO = { channel_code: 'wallet_ovo', action_flow: 'redirection', amount: 20_000 };
const FPX = { channel_code: 'bank_redirect_fpx', action_flow: 'redirection', currency: 'MYR' };
const create = (order: object = {}, headers = newIdempotencyKey(), { key }: TestMerchant = live): Promise<Answer> =>
  service.call('POST', '/v1/charges', { key, headers, body: { ...CHARGE_ORDER, ...order } });
const urlOf = ({ body }: Answer): string => body.action.embedded_url as string;
const page = async (charge: Answer, language = 'en'): Promise<string> => (await service.call('GET', `${urlOf(charge)}?Lang=${language}`)).text;
const press = (charge: Answer, form: Record<string, string>, language = 'en'): Promise<Answer> =>
  service.call('POST', `${urlOf(charge)}/start?Lang=${language}`, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const typesOf = async ({ body }: Answer): Promise<string[]> => (await service.stores.eventStore.read(chargeStream(body.id))).map(({ type }) => type);

describe('the page of an incomplete charge', () => {
  it('continues the creation, and shows the provider’s code', async () => {
    provider.faults.create = ['unknown', 'unknown', 'retryable'];
    const reference_id = `left-${randomUUID()}`;
    expect((await create({ reference_id })).status).toBe(503);
    const [{ id }] = (await service.call('GET', `/v1/charges?SearchText=${reference_id}`, { key: live.key })).body.items;
    const [created] = await service.stores.eventStore.read(chargeStream(id));
    const url = (created!.data as ChargeCreated).action.embedded_url;
    expect((await service.call('GET', url)).status).toBe(503);
    const opened = await service.call('GET', url);
    expect(opened.status).toBe(200);
    expect(opened.text).toContain('class="qr"');
  });
});

describe('the page of a charge by OVO', () => {
  it('asks for the number, and passes it to the provider alone', async () => {
    const charge = await create(OVO);
    for (const [language, label] of [
      ['en', 'Mobile number of your OVO account'],
      ['id', 'Nomor ponsel akun OVO Anda'],
      ['ms', 'Nombor telefon bimbit akaun OVO anda'],
    ] as const) {
      expect(await page(charge, language)).toContain(label);
    }
    const pressed = await press(charge, { phone: '0812 3456-7890' }, 'id');
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `../${urlOf(charge).split('/').at(-1)!}?Lang=id`]);
    expect(provider.inputs.at(-1)).toBe('081234567890');
    expect(await typesOf(charge)).toEqual(['ChargeCreated', 'ChargeInstructing', 'ChargeInstructed']);
    expect(await page(charge)).toContain('approve the payment there');
    const stored = (await service.stores.eventStore.read(chargeStream(charge.body.id))).map(({ data }) => JSON.stringify(data)).join();
    expect(stored).not.toContain('1234567890');
  });

  it('reports a faulty number, and permits another try after a definite refusal', async () => {
    const charge = await create(OVO);
    const calls = provider.count('create');
    const unusable = await press(charge, { phone: 'my phone' });
    expect(unusable.status).toBe(422);
    expect(unusable.text).toContain('Please check what you have entered.');
    expect(provider.count('create')).toBe(calls);
    provider.faults.create = [{ no: 'INVALID_PHONE' }];
    const refused = await press(charge, { phone: '081200000000' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('you have not been charged');
    expect((await service.call('GET', `/v1/charges/${charge.body.id}`, { key: live.key })).body.status).toBe('PENDING');
    expect((await press(charge, { phone: '081234567890' })).status).toBe(303);
    expect(await typesOf(charge)).toEqual(['ChargeCreated', 'ChargeInstructing', 'ChargeInstructionClosed', 'ChargeInstructing', 'ChargeInstructed']);
  });

  it('sends no second push after an unknown outcome; the payment is found by our reference', async () => {
    const charge = await create(OVO);
    provider.faults.create = ['lost'];
    const calls = provider.count('create');
    const unknown = await press(charge, { phone: '081234567890' });
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await press(charge, { phone: '081234567890' })).status).toBe(503);
    expect(provider.count('create')).toBe(calls + 1);
    provider.pay(provider.of(charge.body.id)[0]!);
    await service.call('POST', '/v1/rails/memory-live/notifications', {
      headers: { 'x-callback-token': CALLBACK_TOKEN },
      body: { about: 'charge', charge_id: charge.body.id, processor_reference: null },
    });
    await eventually(async () => (await service.call('GET', `${urlOf(charge)}/status`)).body.state === 'SUCCEEDED');
  });

  it('permits another try after the provider reports an expired push', async () => {
    const charge = await create(OVO);
    await press(charge, { phone: '081234567890' });
    const [known] = provider.of(charge.body.id);
    known!.status = 'EXPIRED';
    await service.call('POST', '/v1/rails/memory-live/notifications', {
      headers: { 'x-callback-token': CALLBACK_TOKEN },
      body: { about: 'charge', charge_id: charge.body.id, processor_reference: known!.reference },
    });
    await eventually(async () => (await typesOf(charge)).at(-1) === 'ChargeInstructionClosed');
    expect((await press(charge, { phone: '081234567890' })).status).toBe(303);
  });

  it('a program can start the payment by JSON', async () => {
    const charge = await create(OVO);
    const begun = await service.call('POST', `${urlOf(charge)}/start`, { body: { phone: '+6281234567890' } });
    expect([begun.status, begun.body]).toEqual([200, { state: 'PENDING' }]);
    const faulty = await service.call('POST', `${urlOf(await create(OVO))}/start`, { body: { phone: '1' } });
    expect([faulty.status, String(faulty.body.type).split('/').at(-1)]).toEqual([400, 'validation-failed']);
    expect((await service.call('POST', `${urlOf(charge).slice(0, -1)}_/start`, { body: { phone: '+6281234567890' } })).status).toBe(404);
  });
});

describe('the page of a charge by FPX', () => {
  it('asks for the bank, and links to it', async () => {
    const charge = await create(FPX, newIdempotencyKey(), malaysian);
    expect(await page(charge)).toContain('<option value="MAYB2U">Maybank2u</option>');
    expect((await press(charge, { bank: 'NOBODY' })).status).toBe(422);
    expect((await press(charge, { bank: 'MAYB2U' })).status).toBe(303);
    expect(provider.inputs.at(-1)).toBe('MAYB2U');
    const { reference } = provider.of(charge.body.id)[0]!;
    expect(await page(charge)).toContain(`href="https://provider.test/${reference}"`);
  });

  it('offers exactly the banks of the provider', () => {
    expect([...FPX_BANK_NAMES.keys()].sort()).toEqual([...FPX_BANKS].sort());
  });
});
