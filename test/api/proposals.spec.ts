import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DESK_STREAM } from '../../src/ledger/events/desk.events.js';
import { OPERATORS_STREAM } from '../../src/ledger/events/operator.events.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { newEvent, systemContext } from '../../src/ledger/new-event.js';
import { loadDeskPolicies } from '../../src/merchants/desk-policy.handlers.js';
import { setRoles, switchOperator } from '../../src/merchants/operator.handlers.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';

type Person = Awaited<ReturnType<typeof newOperator>>;

const reason = 'as agreed';
const POLICY = { mode: 'live', payouts: [{ currency: 'idr', above: 1_000_000, approvals: 1 }], expires_hours: 24 };

describe('proposals', () => {
  let service: TestService;
  let finance: string;
  let siti: Person;
  let budi: Person;
  let ani: Person;
  let dewi: Person;

  beforeAll(async () => {
    service = await startTestService();
    [{ key: finance }, siti] = await Promise.all([newFinanceKey(service), newOperator(service, 'Siti', ['preparer', 'controller'])]);
    budi = await newOperator(service, 'Budi', ['preparer', 'controller', 'approver']);
    [ani, dewi] = [await newOperator(service, 'Ani'), await newOperator(service, 'Dewi')];
    await eventually(async () => (await service.call('GET', '/audit/proposals', { key: dewi.key })).status === 200);
  }, 60_000);
  afterAll(() => service.stop(), 30_000);

  const make = (key: string, kind: string, content: object, more: object = {}, headers = newIdempotencyKey()): Promise<Answer> =>
    service.call('POST', '/audit/proposals', { key, headers, body: { kind, content, reason, ...more } });
  const roles = (person_id: string, given: readonly string[] = ['approver']) => ({ person_id, roles: given });
  const act = (id: string, what: 'approve' | 'reject' | 'withdraw', key: string, body: object = { reason }): Promise<Answer> =>
    service.call('POST', `/audit/proposals/${id}/${what}`, { key, body });
  const approve = (key: string, { id, digest }: { id: string; digest: string }) => act(id, 'approve', key, { digest, reason });
  const read = async (id: string): Promise<any> => (await service.call('GET', `/audit/proposals/${id}`, { key: finance })).body;
  const code = ({ status, body }: Answer): [number, string] => [status, body.code];
  const rolesOf = async ({ person_id }: Person): Promise<string[]> =>
    (await service.call('GET', `/audit/operators/${person_id}`, { key: finance })).body.roles;
  const queued = async (): Promise<any[]> => (await service.call('GET', '/audit/desk/queue', { key: finance })).body.items;

  it('give persons roles where the command line alone does not any more', async () => {
    await expect(setRoles({ ...service.shell, by: 'cli:budi' }, ani.person_id, ['approver'], reason)).rejects.toThrow('proposal of kind ROLES');
    const evidence = [{ name: 'contract.pdf', sha256: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2' }];
    const made = await make(siti.key, 'ROLES', roles(ani.person_id), { evidence });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/audit/proposals/${made.body.id}`);
    expect(made.body).toMatchObject({
      ...{ kind: 'ROLES', content: roles(ani.person_id), status: 'PENDING', reason, evidence, proposed_by: siti.person_id, proposed_by_name: 'Siti' },
      ...{ key_id: siti.key_id, approvals_required: 1, controllers_required: 1, approvals: [], target: null, age_days: 0 },
    });
    expect(Date.parse(made.body.approve_by) - Date.parse(made.body.created_on)).toBe(72 * 3_600_000);
    expect(await queued()).toMatchObject([
      { kind: 'PROPOSAL', proposal_kind: 'ROLES', id: made.body.id, merchant_id: null, amount: null, required: 1, given: 0, approved_by: [] },
    ]);
    const done = await approve(budi.key, made.body);
    expect([done.status, done.body]).toMatchObject([
      200,
      {
        status: 'EXECUTED',
        target: OPERATORS_STREAM,
        approvals: [{ person_id: budi.person_id, name: 'Budi', role: 'CONTROLLER', key_id: budi.key_id, reason }],
      },
    ]);
    await eventually(async () => (await rolesOf(ani)).join() === 'APPROVER');
    expect(await queued()).toEqual([]);
    const target = (await service.stores.eventStore.read(OPERATORS_STREAM)).at(-1)!;
    expect(target).toMatchObject({ type: 'OperatorRolesSet', data: { proposal_id: made.body.id, reason }, metadata: { actor: budi.key_id } });
    const stream = await service.stores.eventStore.read(proposalStream(made.body.id));
    expect(stream.map(({ type }) => type)).toEqual(['ProposalMade', 'ProposalApproved', 'ProposalClaimed', 'ProposalExecuted']);
    expect(stream.map(({ data }) => (data as any).revision ?? (data as any).mark ?? null)).toEqual([
      null,
      null,
      target.revision - 1,
      target.revision,
    ]);
    expect(code(await approve(siti.key, made.body))).toEqual([403, 'own-proposal']);
    expect((await approve(budi.key, made.body)).body).toEqual(await read(made.body.id));
  });

  it('set a policy, which a later proposal is made by', async () => {
    const made = await make(budi.key, 'policy', POLICY);
    expect(made.body).toMatchObject({
      kind: 'POLICY',
      content: { ...POLICY, payouts: [{ currency: 'IDR', above: 1_000_000, approvals: 1 }], settings: 0 },
    });
    expect((await approve(siti.key, made.body)).body).toMatchObject({ status: 'EXECUTED', target: DESK_STREAM });
    expect((await loadDeskPolicies(service.stores.eventStore)).live).toMatchObject({ proposal_id: made.body.id, expires_hours: 24 });
    const next = (await make(budi.key, 'POLICY', { mode: 'live' })).body;
    expect(Date.parse(next.approve_by) - Date.parse(next.created_on)).toBe(24 * 3_600_000);
    await act(next.id, 'withdraw', budi.key);
  });

  it('set fees, channels and rails of a merchant, approved by an approver', async () => {
    const { merchant_id, key } = await service.newMerchant();
    const fee = { type: 'PERCENTAGE', value: 0.5 };
    const of = { kind: 'charge', channel_code: 'qr_qris' };
    const proposed = [
      ['FEE', { merchant_id, of, fee }, { of: { kind: 'charge', channel_code: 'QR_QRIS' }, fee }],
      ['CHANNEL', { merchant_id, channel_code: 'qr_qris', max_amount: 500_000 }, { channel_code: 'QR_QRIS', max_amount: 500_000 }],
      // As it is: what a proposal says is an event all the same.
      ['RAIL', { merchant_id, use: 'payout.idr' }, { use: 'payout.IDR', rail: null, merchant_name_id: null }],
    ] as const;
    for (const [kind, content, recorded] of proposed) {
      const made = await make(siti.key, kind, content);
      expect(made.body).toMatchObject({ kind, content: { merchant_id, ...recorded }, approvals_required: 1, controllers_required: 0 });
      expect(code(await approve(siti.key, made.body))).toEqual([403, 'own-proposal']);
      const done = (await approve(budi.key, made.body)).body;
      expect(done).toMatchObject({ status: 'EXECUTED', target: `merchant-${merchant_id}`, approvals: [{ role: 'APPROVER' }] });
      const { data } = (await service.stores.eventStore.read(`merchant-${merchant_id}`)).at(-1)!;
      expect(data).toMatchObject({ ...recorded, proposal_id: made.body.id, set_by: `proposal ${made.body.id}` });
    }
    await eventually(async () => {
      const { body } = await service.call('GET', '/v1/merchants/me/channels', { key });
      return body.find((channel: any) => channel.code === 'qr_qris')?.max_amount === 500_000;
    });
    const faults = async (kind: string, content: object) =>
      (await make(siti.key, kind, content)).body.errors.map((fault: any) => `${fault.pointer} ${fault.code}`);
    expect(await faults('FEE', { merchant_id, of: { kind: 'payout', channel_code: 'X' }, fee: { type: 'FIXED', value: -1 } })).toEqual([
      '/content/fee/value out-of-range',
    ]);
    expect(await faults('FEE', { merchant_id, of: { kind: 'payout', channel_code: 'X' }, fee: { type: 'FIXED', value: 1 } })).toEqual([
      '/content/of/currency required',
      '/content/of/channel_code unknown-field',
    ]);
    expect(await faults('FEE', { merchant_id, of: { kind: 'charge', currency: 'IDR' }, fee: { type: 'FIXED', value: 1 } })).toEqual([
      '/content/of/channel_code required',
      '/content/of/currency unknown-field',
    ]);
    expect(await faults('FEE', { merchant_id, of: { kind: 'charge', channel_code: 'none' }, fee })).toEqual(['/content channel-unknown']);
    expect(await faults('CHANNEL', { merchant_id, channel_code: 'QR_QRIS', enabled: 'yes' })).toEqual(['/content/enabled not-a-boolean']);
    expect(await faults('CHANNEL', { merchant_id: randomUUID(), channel_code: 'QR_QRIS' })).toEqual(['/content merchant-not-found']);
    expect(await faults('RAIL', { merchant_id, use: 'payout.IDR', rail: 'none-such' })).toEqual(['/content rail-not-found']);
  }, 30_000);

  it('are made once for each key, of what can be', async () => {
    const headers = newIdempotencyKey();
    const [first, again] = [
      await make(siti.key, 'ROLES', roles(dewi.person_id), {}, headers),
      await make(siti.key, 'ROLES', roles(dewi.person_id), {}, headers),
    ];
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    expect(code(await make(siti.key, 'ROLES', roles(ani.person_id), {}, headers))).toEqual([422, 'idempotency-key-reused']);
    expect((await make(budi.key, 'ROLES', roles(dewi.person_id), {}, headers)).body.id).not.toBe(first.body.id);
    const faults = async (...asked: Parameters<typeof make>) =>
      (await make(...asked)).body.errors.map((fault: any) => `${fault.pointer} ${fault.code}`);
    expect(await faults(siti.key, 'ROLES', { roles: ['owner'], x: 1 })).toEqual([
      '/content/person_id required',
      '/content/roles/0 unknown-value',
      '/content/x unknown-field',
    ]);
    expect(await faults(siti.key, 'NOTHING', {})).toEqual(['/kind unknown-value']);
    expect(await faults(siti.key, 'POLICY', [])).toEqual(['/content wrong-type']);
    expect(await faults(siti.key, 'POLICY', { mode: 'live', payouts: [{}] }, { evidence: [{ name: 'x', sha256: 'y' }] })).toEqual([
      '/evidence/0/sha256 too-short',
    ]);
    expect(await faults(siti.key, 'ROLES', roles(randomUUID()))).toEqual(['/content operator-not-found']);
    expect(code(await make(siti.key, 'ROLES', roles(dewi.person_id), {}, {}))).toEqual([400, 'idempotency-key-missing']);
    for (const key of [finance, ani.key]) expect(code(await make(key, 'ROLES', roles(dewi.person_id)))).toEqual([403, 'insufficient-role']);
  });

  it('are approved by another person who may, as they were shown', async () => {
    const made = (await make(siti.key, 'ROLES', roles(dewi.person_id))).body;
    expect(code(await approve(siti.key, made))).toEqual([403, 'own-proposal']);
    for (const key of [finance, ani.key]) expect(code(await approve(key, made))).toEqual([403, 'insufficient-role']);
    expect(code(await approve(budi.key, { ...made, digest: '0'.repeat(64) }))).toEqual([409, 'digest-mismatch']);
    expect(code(await approve(budi.key, { ...made, digest: 'x' }))).toEqual([400, 'validation-failed']);
    expect(code(await approve(budi.key, { ...made, id: randomUUID() }))).toEqual([404, 'not-found']);
    await switchOperator({ ...service.shell, by: 'cli:budi' }, budi.person_id, 'suspend', reason);
    expect(code(await approve(budi.key, made))).toEqual([401, 'unauthenticated']);
    await switchOperator({ ...service.shell, by: 'cli:budi' }, budi.person_id, 'restore', reason);
    await eventually(async () => (await act(made.id, 'reject', budi.key)).body.status === 'REJECTED');
    expect(await read(made.id)).toMatchObject({ status: 'REJECTED', ended_by: budi.person_id, end_reason: reason });
    expect(code(await approve(budi.key, made))).toEqual([409, 'state-conflict']);
  });

  it('are withdrawn by who has made them', async () => {
    const { id } = (await make(siti.key, 'ROLES', roles(dewi.person_id))).body;
    expect(code(await act(id, 'withdraw', budi.key))).toEqual([403, 'insufficient-role']);
    expect(code(await act(id, 'reject', siti.key))).toEqual([403, 'own-proposal']);
    expect((await act(id, 'withdraw', siti.key)).body).toMatchObject({ status: 'WITHDRAWN', ended_by: siti.person_id });
    expect(code(await act(id, 'reject', budi.key))).toEqual([409, 'state-conflict']);
  });

  it('are listed, the oldest first', async () => {
    const list = async (query = '') => (await service.call('GET', `/audit/proposals${query}`, { key: finance })).body;
    const { items } = await list();
    expect(items.map(({ created_on }: any) => created_on)).toEqual(items.map(({ created_on }: any) => created_on).sort());
    expect((await list('?Status=withdrawn&Kind=ROLES')).items).toMatchObject([{ status: 'WITHDRAWN', kind: 'ROLES' }]);
    const page = await list('?Limit=2');
    expect([page.items.length, page.next_after]).toEqual([2, items[1].id]);
    expect((await list(`?Limit=1&After=${page.next_after}`)).items).toEqual([items[2]]);
    expect((await list(`?After=${randomUUID()}`)).code).toBe('validation-failed');
  });

  it('are resumed by a process that finds them approved, and expire when nobody approves them', async () => {
    const now = timestamp(Date.now());
    const [approved, late] = [randomUUID(), randomUUID()];
    const begin = async (proposal_id: string, more: readonly object[]) => {
      const of = { merchant_id: null, proposal_id };
      const made = {
        ...{ ...of, kind: 'ROLES', content: roles(dewi.person_id, ['preparer']), digest: 'digest', reason, evidence: [] },
        ...{ approvals_required: 1, controllers_required: 1, approve_by: now, person_id: siti.person_id, key_id: siti.key_id, made_on: now },
      };
      const context = { ...systemContext(), now };
      const events = [{ type: 'ProposalMade' as const, data: made }, ...(more as never[])];
      await service.stores.eventStore.append(
        proposalStream(proposal_id),
        'no-stream',
        events.map((event) => newEvent(event as never, context)),
      );
    };
    const by = {
      merchant_id: null,
      proposal_id: approved,
      person_id: budi.person_id,
      key_id: budi.key_id,
      role: 'controller',
      digest: 'digest',
      reason,
    };
    await begin(approved, [{ type: 'ProposalApproved', data: { ...by, approved_on: now } }]);
    await begin(late, []);
    await eventually(async () => (await read(approved)).status === 'EXECUTED' && (await read(late)).status === 'EXPIRED');
    await eventually(async () => (await rolesOf(dewi)).join() === 'PREPARER');
  }, 30_000);
});
