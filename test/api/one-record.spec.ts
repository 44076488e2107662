import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { openDispute } from '../support/disputes.js';
import { eventually } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';

type Body = Readonly<Record<string, any>>;

const PAYOUT = { currency: 'IDR', bank_account_name: 'Toko Melati', bank_account_number: '1234567890', bank_name: 'Bank Central Asia' } as const;
const APPROVED_ABOVE = 1_000_000;

/** Fields that change only with the event that changes the record's status. */
const MOVES = ['payout_status', 'refund_status', 'submitted_on', 'updated_by', 'updated_on', 'last_modified_by', 'last_modified_on'];

/** Requires equal values of all fields that both bodies have, except those in MOVES after a change of the status. */
function expectSame(earlier: Body, later: Body): void {
  const hasMoved = ['payout_status', 'refund_status'].some((name) => earlier[name] !== later[name]);
  const shared = Object.keys(earlier).filter((name) => name in later && !(hasMoved && MOVES.includes(name)));
  const of = (body: Body) => Object.fromEntries(shared.map((name) => [name, body[name]]));
  expect(shared).toContain('id');
  expect(of(later)).toEqual(of(earlier));
}

describe('one record is the same in every response', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startTestService({ SETTLEMENT_INTERVAL_SECONDS: '3600' });
    ({ key } = await service.newMerchant());
    const { action } = (await post('/v1/charges', { ...CHARGE_ORDER, amount: 50_000_000 })).body;
    for (const outcome of ['succeed', 'settle']) await service.call('POST', action.simulation_url, { body: { outcome } });
    const policy = { payouts: [{ currency: 'IDR', above: APPROVED_ABOVE, approvals: 1 as const }], payouts_day: [], merchants: {}, adjustments: [] };
    await setApprovalPolicy(service.deps, { mode: 'test', ...policy, settings: 0, expires_hours: 24 }, randomUUID(), 'key_1');
    await eventually(async () => (await post('/v1/payouts', { ...PAYOUT, amount: APPROVED_ABOVE + 100 })).body.approval !== undefined);
  });
  afterAll(() => service.stop());

  const get = async (path: string) => (await service.call('GET', path, { key })).body;
  const post = (path: string, body: object, headers = newIdempotencyKey()): Promise<Answer> => service.call('POST', path, { key, headers, body });
  const listed = async (path: string, id: string): Promise<Body> => {
    const page = await get(path);
    return (page.items ?? page).find((item: Body) => item['id'] === id);
  };
  const message = async (type: string, id: string): Promise<Body> => {
    const find = async (): Promise<any> => (await get(`/v1/events?Type=${type}&PageSize=100`)).find(({ data }: any) => data.id === id);
    await eventually(async () => (await find()) !== undefined);
    return (await find()).data;
  };
  const paidCharge = async (): Promise<string> => {
    const { id, action } = (await post('/v1/charges', CHARGE_ORDER)).body;
    await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
    return id;
  };

  const everything = { description: 'of January', metadata: { table: '7' }, reference_id: 'order-7' };
  it.each([
    ['charge', '/v1/charges', { ...CHARGE_ORDER, return_url: 'https://shop.example.com/done' }],
    ['charge', '/v1/charges', { ...CHARGE_ORDER, description: null, metadata: null, return_url: null }],
    ['customer', '/v1/customers', { name: 'Siti', email: 'siti@example.com', phone: '+62 812', address: { line1: 'Jl. Melati 1', country: 'id' } }],
    ['customer', '/v1/customers', { name: 'Siti' }],
    ['payout', '/v1/payouts', { ...PAYOUT, ...everything, amount: 500_000, bank_code: '014' }],
    ['payout', '/v1/payouts', { ...PAYOUT, amount: APPROVED_ABOVE + 500_000 }],
    ['refund', '/v1/charges/{paid}/refunds', { amount: 4_000, reason: 'duplicate', ...everything, metadata: { simulate: 'stick' } }],
    ['refund', '/v1/charges/{paid}/refunds', { metadata: { simulate: 'stick' } }],
  ] as const)('a %s of POST %s (%j) is the same in repeats, single reads, lists and messages', async (kind, template, body) => {
    const path = template.includes('{paid}') ? template.replace('{paid}', await paidCharge()) : template;
    const headers = newIdempotencyKey();
    const created = await post(path, body, headers);
    expect([200, 201]).toContain(created.status);
    const { id } = created.body;
    expect((await post(path, body, headers)).text).toBe(created.text);
    const detail = await get(`/v1/${kind}s/${id}`);
    const item = await listed(`/v1/${kind}s?PageSize=100&IsDescending=true`, id);
    const sent = await message(`${kind}.created`, id);
    expectSame(created.body, detail);
    expectSame(created.body, item);
    expectSame(detail, item);
    expectSame(created.body, sent);
    expectSame(sent, detail);
    // Later messages change neither the replay of the request nor the first message.
    expect((await post(path, body, headers)).text).toBe(created.text);
    expect(await message(`${kind}.created`, id)).toEqual(sent);
  });

  it('a payout that was cancelled before its approval is the same in every response and message', async () => {
    const { id } = (await post('/v1/payouts', { ...PAYOUT, amount: APPROVED_ABOVE + 500_000 })).body;
    const cancelled = (await post(`/v1/payouts/${id}/cancel`, {})).body;
    expect(await get(`/v1/payouts/${id}`)).toEqual(cancelled);
    expect(await listed('/v1/payouts?PageSize=100&IsDescending=true', id)).toEqual(cancelled);
    expect(await message('payout.cancelled', id)).toEqual(cancelled);
    expect(await message('payout.created', id)).toMatchObject({ payout_status: 'PENDING', pending_reason: 'approval' });
  });

  it('a dispute is the same in single reads, lists and messages, which precede its hold', async () => {
    const id = await openDispute(service.stores.eventStore, await paidCharge());
    await eventually(async () => (await service.call('GET', `/v1/disputes/${id}`, { key })).status === 200);
    const detail = await get(`/v1/disputes/${id}`);
    expect(await listed('/v1/disputes?PageSize=100', id)).toEqual(detail);
    // The hold is a separate event after the one that opens the dispute.
    expect(detail.held_amount).toBe(10_000);
    expect(await message('dispute.opened', id)).toEqual({ ...detail, held_amount: 0 });
  });

  it('a balance and a settlement are the same in single reads and lists', async () => {
    // A payout below the policy, or requested before it was in force, is paid a second later: between the two reads, the balance would change.
    const isAtRest = ({ payout_status, approval }: Body): boolean => approval !== undefined || !['PENDING', 'PROCESSING'].includes(payout_status);
    await eventually(async () => (await get('/v1/payouts?PageSize=100')).every(isAtRest));
    const balances: Body[] = await get('/v1/balances');
    expect(balances).toContainEqual(await get('/v1/balances/IDR'));
    const [settlement] = await get('/v1/settlements');
    expectSame(settlement, await get(`/v1/settlements/${settlement.id}`));
  });

  it('a webhook’s settings are the same when set, read and shown with the merchant', async () => {
    const body = { web_hook_uri: 'https://shop.example.com/hooks', signature_key: 'long-enough-signing-key', events: [] };
    const { verification_secret: _, ...set } = (await post('/v1/merchants/me/web-hook', body, {})).body;
    expect(await get('/v1/merchants/me/web-hook')).toEqual(set);
    const { web_hook } = await get('/v1/merchants/me');
    expect(set).toMatchObject(web_hook);
  });
});
