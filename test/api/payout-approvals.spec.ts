import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountStream } from '../../src/ledger/events/account.events.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { issueOperatorKey, switchOperator } from '../../src/domain/operators/operator.commands.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const PAYOUT = { currency: 'IDR', bank_account_name: 'Toko Melati', bank_account_number: '1234567890', bank_name: 'Bank Central Asia' } as const;
const reason = 'as in the payroll';

describe('payouts that require approvals', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let siti: { person_id: string; key: string; key_id: string };
  let budi: typeof siti;
  let ani: typeof siti;

  beforeAll(async () => {
    service = await startTestService();
    [{ key: finance }, siti, budi, ani] = await Promise.all([
      newFinanceKey(service),
      newOperator(service, 'Siti', ['approver']),
      newOperator(service, 'Budi', ['approver']),
      newOperator(service, 'Ani', ['preparer', 'controller']),
    ]);
    merchant = await newMerchantWithMoney();
    const asker = await newMerchantWithMoney();
    const tiers = [
      { currency: 'IDR', above: 1_000_000, approvals: 1 },
      { currency: 'IDR', above: 2_000_000, approvals: 2 },
    ] as const;
    const policy = { payouts: tiers, payouts_day: [], merchants: {}, adjustments: [], settings: 0, expires_hours: 24 } as const;
    await setApprovalPolicy(service.deps, { mode: 'test', ...policy }, randomUUID(), 'key_1');
    // Another merchant requests payouts until the process has the policy, so that the tested merchant has few events.
    await eventually(async () => (await request(1_500_000, newIdempotencyKey(), asker)).body.approval !== undefined);
  });
  afterAll(() => service.stop());

  async function newMerchantWithMoney(): Promise<TestMerchant> {
    const one = await service.newMerchant();
    const body = { ...CHARGE_ORDER, amount: 20_000_000 };
    const created = await service.call('POST', '/v1/charges', { key: one.key, headers: newIdempotencyKey(), body });
    for (const outcome of ['succeed', 'settle']) await service.call('POST', created.body.action.simulation_url, { body: { outcome } });
    return one;
  }

  const request = (amount: number, headers = newIdempotencyKey(), { key } = merchant): Promise<Answer> =>
    service.call('POST', '/v1/payouts', { key, headers, body: { ...PAYOUT, amount } });
  const read = async (id: string): Promise<any> => (await service.call('GET', `/v1/payouts/${id}`, { key: merchant.key })).body;
  const shown = (id: string, key: string): Promise<Answer> => service.call('GET', `/audit/payouts/${id}`, { key });
  const digestOf = async (id: string): Promise<string> => (await shown(id, siti.key)).body.digest;
  const act = (id: string, what: 'approve' | 'decline', key: string, digest: string): Promise<Answer> =>
    service.call('POST', `/audit/payouts/${id}/${what}`, { key, body: { digest, reason } });
  const code = ({ status, body }: Answer): [number, string] => [status, body.code];

  it('responses, lists and events show the missing approval, and the bank receives no request', async () => {
    const headers = newIdempotencyKey();
    const created = await request(2_500_000, headers);
    const { id, created_on } = created.body;
    const approve_by = new Date(Date.parse(created_on) + 86_400_000).toISOString().replace('Z', '+00:00');
    const approval = { required: 2, given: 0, approve_by };
    expect(created.body).toMatchObject({ payout_status: 'PENDING', pending_reason: 'approval', approval });
    expect(await read(id)).toMatchObject({ payout_status: 'PENDING', pending_reason: 'approval', approval });
    const { items } = (await service.call('GET', '/audit/payouts?PendingReason=approval', { key: finance })).body;
    expect(items.map((item: any) => item.id)).toContain(id);
    await act(id, 'approve', siti.key, await digestOf(id));
    expect(await read(id)).toMatchObject({ approval: { ...approval, given: 1 } });
    expect((await request(2_500_000, headers)).text).toBe(created.text);
    await eventually(async () => (await service.call('GET', '/v1/events', { key: merchant.key })).text.includes(id));
    const events: any[] = (await service.call('GET', '/v1/events', { key: merchant.key })).body;
    expect(events.find(({ type, data }) => type === 'payout.created' && data.id === id).data).toMatchObject({ approval });
    // A later payout that needs no approval succeeds meanwhile; an earlier payout would have reached the bank before it.
    const free = await request(900_000);
    expect(free.body).not.toHaveProperty('approval');
    await eventually(async () => (await read(free.body.id)).payout_status === 'SUCCEEDED');
    expect(await read(id)).toMatchObject({ payout_status: 'PENDING' });
    const cancelled = await service.call('POST', `/v1/payouts/${id}/cancel`, { key: merchant.key });
    expect(cancelled.body).toMatchObject({ payout_status: 'CANCELLED', approval: { ...approval, given: 1 } });
    expect((await shown(id, finance)).body).toMatchObject({ cancel_cause: 'merchant', approvals: [{ name: 'Siti' }] });
  });

  it('the history of a payout names its approvers to finance, and not to its merchant', async () => {
    const { id } = (await request(2_500_000)).body;
    const digest = await digestOf(id);
    await act(id, 'approve', siti.key, digest);
    expect((await act(id, 'decline', budi.key, digest)).status).toBe(200);
    const seen = await service.call('GET', `/v1/payouts/${id}/events`, { key: merchant.key });
    expect(seen.body.map(({ type }: any) => type)).toEqual(['PayoutRequested', 'PayoutApproved', 'PayoutCancelled']);
    expect(seen.body.slice(1).map(({ actor }: any) => actor)).toEqual(['Operator', 'Operator']);
    expect(seen.body[2].data).toMatchObject({ cause: 'declined', amount: 2_500_000 });
    for (const secret of [siti.person_id, budi.person_id, digest, reason]) expect(seen.text).not.toContain(secret);
    const all = await service.call('GET', `/audit/payouts/${id}/events`, { key: finance });
    expect(all.body.items.map(({ type }: any) => type).sort()).toEqual(['PayoutApproved', 'PayoutCancelled', 'PayoutRegistered', 'PayoutRequested']);
    expect(all.body.items.find(({ type }: any) => type === 'PayoutApproved').data).toMatchObject({ person_id: siti.person_id, reason });
    expect(all.text).not.toContain(PAYOUT.bank_account_number);
  });

  it('only approvers see the bank account, with the digest of the shown payout', async () => {
    const { id } = (await request(1_500_000)).body;
    const whole = (await shown(id, siti.key)).body;
    expect(whole).toMatchObject({ ...PAYOUT, id, amount: 1_500_000, approval: { required: 1, given: 0 }, approvals: [], cancel_cause: null });
    expect(whole.digest).toMatch(/^[0-9a-f]{64}$/);
    for (const key of [finance, ani.key]) {
      const { body, text } = await shown(id, key);
      expect(body).toEqual({
        ...whole,
        usual_seconds: body.usual_seconds,
        arrives_by: body.arrives_by,
        bank_account_name: null,
        bank_account_number: null,
        digest: null,
      });
      expect(text).not.toContain(PAYOUT.bank_account_number);
    }
    expect((await shown(randomUUID(), siti.key)).status).toBe(404);
    const { digest } = (await shown((await request(1_500_000)).body.id, siti.key)).body;
    expect(digest).not.toBe(whole.digest);
    expect(code(await act(id, 'approve', siti.key, digest))).toEqual([409, 'digest-mismatch']);
    expect(code(await act(id, 'decline', siti.key, digest))).toEqual([409, 'digest-mismatch']);
  });

  it('a payout is paid after the approvals of two distinct persons; other keys cannot approve', async () => {
    const { id } = (await request(2_500_000)).body;
    const digest = await digestOf(id);
    const second = await issueOperatorKey({ ...service.deps, by: 'cli:budi' }, siti.person_id, undefined);
    for (const key of [finance, ani.key]) expect(code(await act(id, 'approve', key, digest))).toEqual([403, 'insufficient-role']);
    expect(code(await act(id, 'approve', merchant.key, digest))).toEqual([403, 'insufficient-scope']);
    expect(code(await act(id, 'approve', siti.key, 'x'))).toEqual([400, 'validation-failed']);
    const first = await act(id, 'approve', siti.key, digest);
    expect([first.status, first.body.approval.given, first.body.approvals]).toMatchObject([200, 1, [{ name: 'Siti', reason, key_id: siti.key_id }]]);
    const again = await act(id, 'approve', second.key, digest);
    expect([again.status, again.body.approval.given]).toEqual([200, 1]);
    const queued = (await service.call('GET', '/audit/desk/queue', { key: finance })).body.items;
    expect(queued.find((item: any) => item.id === id)).toMatchObject({ kind: 'PAYOUT', required: 2, given: 1, approved_by: [siti.person_id] });
    expect(queued.map((item: any) => item.created_on)).toEqual(queued.map((item: any) => item.created_on).sort());
    await switchOperator(service.deps, budi.person_id, 'suspend', 'lost the laptop');
    await eventually(async () => (await shown(id, budi.key)).status === 401);
    expect(code(await act(id, 'approve', budi.key, digest))).toEqual([401, 'unauthenticated']);
    await switchOperator(service.deps, budi.person_id, 'restore', 'has it back');
    await eventually(async () => (await act(id, 'approve', budi.key, digest)).status === 200);
    await eventually(async () => (await read(id)).payout_status === 'SUCCEEDED');
    expect(code(await act(id, 'approve', siti.key, digest))).toEqual([409, 'state-conflict']);
    expect(code(await act(id, 'decline', siti.key, digest))).toEqual([409, 'state-conflict']);
    const stream = await service.stores.eventStore.read(accountStream(merchant.merchant_id, 'IDR'));
    const events = stream.filter(({ data }) => (data as { payout_id?: string }).payout_id === id);
    expect(events.map(({ type, metadata }) => [type, metadata.actor])).toEqual([
      ['PayoutRequested', merchant.key_id],
      ['PayoutApproved', siti.key_id],
      ['PayoutApproved', budi.key_id],
      ['PayoutSubmitted', 'System'],
      ['PayoutSucceeded', 'System'],
    ]);
    expect(events[1]!.data).toMatchObject({ person_id: siti.person_id, key_id: siti.key_id, digest, reason });
  });

  it('a declined payout returns its money', async () => {
    const before = (await service.call('GET', '/v1/balances/IDR', { key: merchant.key })).body.available_amount;
    const { id } = (await request(1_500_000)).body;
    const digest = await digestOf(id);
    const declined = await act(id, 'decline', siti.key, digest);
    expect(declined.body).toMatchObject({ payout_status: 'CANCELLED', cancel_cause: 'declined', pending_reason: null });
    expect(await read(id)).toMatchObject({ payout_status: 'CANCELLED', approval: { required: 1, given: 0 } });
    expect((await service.call('GET', '/v1/balances/IDR', { key: merchant.key })).body.available_amount).toBe(before);
    expect(code(await act(id, 'approve', budi.key, digest))).toEqual([409, 'state-conflict']);
    expect((await service.call('GET', '/audit/desk/queue', { key: finance })).text).not.toContain(id);
  });
});
