import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APPROVAL_POLICY_STREAM } from '../../src/ledger/events/approval-policy.events.js';
import { OPERATORS_STREAM } from '../../src/ledger/events/operator.events.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { loadApprovalPolicies } from '../../src/domain/operators/approval-policy.commands.js';
import { setRoles, switchOperator } from '../../src/domain/operators/operator.commands.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { houseStream, suspenseStream } from '../../src/ledger/events/adjustment.events.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const KEY = randomBytes(32);
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
  let wati: Person;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: KEY.toString('base64') });
    [{ key: finance }, siti] = await Promise.all([newFinanceKey(service), newOperator(service, 'Siti', ['preparer', 'controller'])]);
    wati = await newOperator(service, 'Wati', ['approver']);
    budi = await newOperator(service, 'Budi', ['preparer', 'controller', 'approver']);
    [ani, dewi] = [await newOperator(service, 'Ani'), await newOperator(service, 'Dewi')];
    await eventually(async () => (await service.call('GET', '/audit/proposals', { key: dewi.key })).status === 200);
  });
  afterAll(() => service.stop());

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

  it('give persons roles after the command line alone may no longer do so', async () => {
    await expect(setRoles({ ...service.deps, by: 'cli:budi' }, ani.person_id, ['approver'], reason)).rejects.toThrow('proposal of kind ROLES');
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

  it('set a policy, and later proposals follow it', async () => {
    const made = await make(budi.key, 'policy', POLICY);
    expect(made.body).toMatchObject({
      kind: 'POLICY',
      content: { ...POLICY, payouts: [{ currency: 'IDR', above: 1_000_000, approvals: 1 }], settings: 0 },
    });
    expect((await approve(siti.key, made.body)).body).toMatchObject({ status: 'EXECUTED', target: APPROVAL_POLICY_STREAM });
    expect((await loadApprovalPolicies(service.stores.eventStore)).live).toMatchObject({ proposal_id: made.body.id, expires_hours: 24 });
    const next = (await make(budi.key, 'POLICY', { mode: 'live' })).body;
    expect(Date.parse(next.approve_by) - Date.parse(next.created_on)).toBe(24 * 3_600_000);
    await act(next.id, 'withdraw', budi.key);
  });

  it('set fees, channels and rails of a merchant, after an approver’s approval', async () => {
    const { merchant_id, key } = await service.newMerchant();
    const fee = { type: 'PERCENTAGE', value: 0.5 };
    const of = { kind: 'charge', channel_code: 'qr_qris' };
    const proposed = [
      ['FEE', { merchant_id, of, fee }, { of: { kind: 'charge', channel_code: 'QR_QRIS' }, fee }],
      ['CHANNEL', { merchant_id, channel_code: 'qr_qris', max_amount: 500_000 }, { channel_code: 'QR_QRIS', max_amount: 500_000 }],
      // The merchant has no such route already; the proposal appends an event all the same.
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
  });

  describe('proposals of adjustments', () => {
    let merchant: TestMerchant;
    let charge: string;
    let items: any[];

    beforeAll(async () => {
      merchant = await service.newMerchant();
      charge = (await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() })).body.id;
      const simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
      for (const payment_reference of ['FIRST', 'SECOND', 'THIRD', 'FOURTH']) {
        const of = { notification_id: `ntf-${randomUUID()}`, charge_id: charge, occurred_on: new Date().toISOString() };
        const { body, headers } = simulator.sign({ kind: 'paid', ...of, amount: 10_000, payment_reference }, Date.now());
        const answer = await service.call('POST', '/processors/simulator/notifications', { body: body.toString(), headers: headers as any });
        expect(answer.status).toBe(200);
      }
      items = (await list('suspense')).items;
    });

    const list = async (what: string, query = ''): Promise<any> =>
      (await service.call('GET', `/audit/${what}?MerchantId=${merchant.merchant_id}${query}`, { key: finance })).body;
    const available = async (): Promise<number> => (await service.call('GET', '/v1/balances/IDR', { key: merchant.key })).body.available_amount;
    const propose = async (content: object) =>
      (await make(siti.key, 'ADJUSTMENT', { merchant_id: merchant.merchant_id, currency: 'IDR', amount: 10_000, ...content })).body;
    const house = async (content: object) => (await make(siti.key, 'ADJUSTMENT', { mode: 'test', currency: 'IDR', amount: 10_000, ...content })).body;

    it('give an unmatched payment to its merchant, who can read the adjustment', async () => {
      expect(items).toMatchObject([
        { status: 'OPEN', reason: 'SECOND_PAYMENT', mode: 'test', charge_id: charge, payment_reference: 'SECOND', amount: 10_000, age_days: 0 },
        { payment_reference: 'THIRD' },
        { payment_reference: 'FOURTH' },
      ]);
      const made = await propose({ kind: 'UNMATCHED_TO_MERCHANT', item_id: items[0].id, relates_to: '2026-01' });
      expect(made).toMatchObject({ approvals_required: 1, controllers_required: 0, content: { kind: 'UNMATCHED_TO_MERCHANT', amount: 10_000 } });
      const target = `account-${merchant.merchant_id}-IDR`;
      expect((await approve(wati.key, made)).body).toMatchObject({ status: 'EXECUTED', target });
      expect(await available()).toBe(9_930);
      const of = { kind: 'UNMATCHED_TO_MERCHANT', charge_id: charge, fee_amount: 70, available_change: 9_930, relates_to: '2026-01' };
      const own = await service.call('GET', '/v1/adjustments', { key: merchant.key });
      expect([own.headers.get('x-total-count'), own.body]).toMatchObject(['1', [{ id: made.id, currency: 'IDR', ...of }]]);
      expect((await service.call('GET', '/v1/adjustments', { key: (await service.newMerchant()).key })).body).toEqual([]);
      expect((await list('adjustments')).items).toMatchObject([{ id: made.id, mode: 'test', item_id: items[0].id, amount: 10_000, ...of }]);
      expect((await list('suspense', '&Status=RESOLVED')).items).toMatchObject([
        { id: items[0].id, proposal_id: made.id, resolved_as: 'UNMATCHED_TO_MERCHANT' },
      ]);
      const [, movement] = (await service.call('GET', '/v1/statements/IDR', { key: merchant.key })).body.items;
      expect(movement).toMatchObject({ kind: 'ADJUSTMENT', charge_id: charge, available_change: 9_930, fee_change: 70 });
      await eventually(async () => {
        const { body } = await service.call('GET', '/v1/events?PageSize=100', { key: merchant.key });
        return body.at(-1).type === 'balance.updated';
      });
      const journal = await service.call('GET', `/audit/journal?MerchantId=${merchant.merchant_id}&Limit=100`, { key: finance });
      expect(journal.body.items.filter(({ proposal_id }: any) => proposal_id === made.id)).toMatchObject([
        { account: 'suspense', debit: 10_000, relates_to: '2026-01' },
        { account: 'available', credit: 9_930 },
        { account: 'fees', credit: 70 },
      ]);
      const explained = await service.call('GET', '/v1/balances/IDR/explain?Bucket=AVAILABLE', { key: merchant.key });
      expect(explained.body.buckets).toMatchObject([{ amount: 9_930, items: [{ kind: 'ADJUSTMENT', id: made.id, amount: 9_930 }] }]);
    });

    it('resolve an item once: of two approved proposals one fails, and a third is rejected', async () => {
      const both = [
        await propose({ kind: 'UNMATCHED_TO_MERCHANT', item_id: items[1].id, waive_fee: true }),
        await house({ kind: 'UNMATCHED_SENT_BACK', item_id: items[1].id }),
      ];
      const before = await available();
      const done = await Promise.all(both.map((made) => approve(wati.key, made)));
      const statuses = done.map(({ body }) => body.status);
      expect(statuses.toSorted()).toEqual(['EXECUTED', 'FAILED']);
      expect(done.find(({ body }) => body.status === 'FAILED')!.body.refusal).toBe('item-resolved');
      expect(await available()).toBe(before + (statuses[0] === 'EXECUTED' ? 10_000 : 0));
      expect((await service.stores.eventStore.read(suspenseStream(items[1].id))).map(({ type }) => type)).toEqual(['SuspenseItemClaimed']);
      const third = await propose({ kind: 'TOP_UP', item_id: items[1].id });
      expect(third.errors).toMatchObject([{ pointer: '/content', code: 'item-resolved' }]);
    });

    it('claw back and cover with two approvals, and correct fees only within the balance', async () => {
      const before = await available();
      const made = await propose({ kind: 'CLAWBACK', amount: before + 1 });
      expect(made.approvals_required).toBe(2);
      expect((await approve(wati.key, made)).body.status).toBe('PENDING');
      expect((await approve(budi.key, made)).body.status).toBe('EXECUTED');
      expect(await available()).toBe(-1);
      const refused = await propose({ kind: 'FEE_CORRECTION', amount: 1, direction: 'back' });
      expect(refused.errors).toMatchObject([{ pointer: '/content', code: 'insufficient-balance' }]);
      const cover = await propose({ kind: 'COVER', amount: 1 });
      for (const { key } of [wati, budi]) await approve(key, cover);
      expect(await available()).toBe(0);
    });

    it('adjustments with wrong or unknown items, amounts and fields are rejected with their pointers', async () => {
      const faults = async (answer: Promise<any>) => (await answer).errors.map((fault: any) => `${fault.pointer} ${fault.code}`);
      const item_id = items[2].id;
      expect(await faults(propose({ kind: 'UNMATCHED_TO_MERCHANT', item_id, amount: 1 }))).toEqual(['/content item-amount-differs']);
      expect(await faults(propose({ kind: 'UNMATCHED_TO_MERCHANT', item_id: randomUUID() }))).toEqual(['/content item-not-found']);
      expect(await faults(propose({ kind: 'COVER', merchant_id: randomUUID() }))).toEqual(['/content merchant-not-found']);
      expect(await faults(house({ kind: 'GAIN', item_id }))).toEqual(['/content item-too-young']);
      expect(await faults(house({ kind: 'LOSS', item_id }))).toEqual(['/content item-not-of-kind']);
      expect(await faults(house({ kind: 'WRITE_OFF', item_id: randomUUID() }))).toEqual(['/content item-not-found']);
      expect(await faults(house({ kind: 'OPENING', source: 'test-none' }))).toEqual(['/content source-not-found']);
      expect(await faults(house({ kind: 'UNMATCHED_SENT_BACK', item_id, mode: 'live' }))).toEqual(['/content item-of-another']);
      // Two people who mistype a currency would open a balance that no page expects.
      expect(await faults(propose({ kind: 'COVER', currency: 'USD' }))).toEqual(['/content/currency unknown-currency']);
      expect(await faults(propose({ kind: 'COVER', relates_to: '2999-01' }))).toEqual(['/content month-ahead']);
      expect(await faults(propose({ kind: 'COVER', item_id, waive_fee: true, mode: 'test' }))).toEqual([
        '/content/mode unknown-field',
        '/content/item_id unknown-field',
        '/content/waive_fee unknown-field',
      ]);
      expect(await faults(house({ kind: 'OPENING' }))).toEqual(['/content/source required']);
    });

    it('write off an open item at its processor once', async () => {
      const { items: events } = (await service.call('GET', `/audit/events?Type=ChargePaid&MerchantId=${merchant.merchant_id}`, { key: finance }))
        .body;
      const content = { kind: 'WRITE_OFF', item_id: events[0].id };
      let made: any;
      await eventually(async () => (made = await house(content)).id !== undefined);
      expect((await approve(wati.key, made)).body).toMatchObject({ status: 'EXECUTED', target: 'house-test-IDR' });
      expect((await house(content)).errors).toMatchObject([{ code: 'item-written-off' }]);
      const { body } = await service.call('GET', '/audit/adjustments?Mode=test&Kind=WRITE_OFF', { key: finance });
      expect(body.items).toMatchObject([{ merchant_id: null, mode: 'test', kind: 'WRITE_OFF', amount: 10_000, available_change: 0 }]);
      const books = (await service.call('GET', '/audit/trial-balance', { key: finance })).body.currencies;
      expect(books.every(({ difference }: any) => difference === 0)).toBe(true);
      const [ofTest, ofLive] = await Promise.all(
        ['test', 'live'].map(
          async (mode) => (await service.call('GET', `/audit/proposals?Kind=ADJUSTMENT&Mode=${mode}`, { key: finance })).body.items,
        ),
      );
      expect([ofTest.length > 0, ofLive]).toEqual([true, []]);
    });
  });

  describe('proposals of months', () => {
    /** Returns a moment in the middle of the month `count` months ago. */
    const monthBefore = (count: number): string =>
      new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - count, 15)).toISOString();
    const [older, newer, now] = [2, 1, 0].map((count) => monthBefore(count).slice(0, 7)) as [string, string, string];
    const close = (month: string, mode = 'test') => make(siti.key, 'MONTH_CLOSE', { mode, month });
    const refusal = async (answer: Promise<Answer>) => ((await answer).body.errors ?? []).map(({ code: why }: any) => why);
    const get = async (path: string) => (await service.call('GET', `/audit/periods${path}`, { key: finance })).body;
    /** Records an entry now that is booked in the middle of the older month. */
    const record = async (source: string, amount: number): Promise<void> => {
      const moment = timestamp(Date.parse(monthBefore(2)));
      const about = { source, item_id: null, charge_id: null, processor: null, position: null, items: null, relates_to: older, adjusted_on: moment };
      const data = {
        merchant_id: null,
        mode: 'test' as const,
        currency: 'MYR',
        proposal_id: randomUUID(),
        kind: 'OPENING' as const,
        amount,
        ...about,
      };
      const event = newEvent({ type: 'HouseAdjusted', data }, { ...systemContext(), now: moment });
      const stream = houseStream('test', 'MYR');
      const [newest] = await service.stores.eventStore.read(stream, { direction: 'backwards', limit: 1 });
      await service.stores.eventStore.append(stream, newest ?? 'no-stream', [event]);
    };

    it('months close in order, and later records appear as corrections beside the closed books', async () => {
      await record('test-one', 500);
      // The bookings of this month are out of order as well: the older month counts once its line has arrived in the read model.
      await eventually(async () => (await close(newer)).body.errors?.[0].detail.includes(`is ${older}`));
      expect(await refusal(close(newer))).toEqual(['month-out-of-order']);
      expect(await refusal(close(now))).toEqual(['month-not-over']);
      expect(await refusal(close(older, 'live'))).toEqual(['nothing-booked']);
      const { body: made } = await close(older);
      expect(made).toMatchObject({ kind: 'MONTH_CLOSE', content: { mode: 'test', month: older }, approvals_required: 1, controllers_required: 1 });
      expect(['APPROVED', 'EXECUTED']).toContain((await approve(budi.key, made)).body.status);
      await eventually(async () => (await read(made.id)).status === 'EXECUTED');
      expect(await refusal(close(older))).toEqual(['month-closed']);

      const { items } = await get('?Mode=test');
      expect(items).toMatchObject([{ mode: 'test', month: older, time_zone: 'UTC', proposal_id: made.id, breaks: [], suspense: [] }]);
      expect([items[0].head.position, await get('?Mode=live')]).toEqual([items[0].position, { items: [], next_after: null }]);
      const consistent = await service.call('GET', `/audit/chain/consistency?First=${items[0].position}`, { key: finance });
      expect(consistent.body.first.hash).toBe(items[0].head.hash);
      const ringgit = (books: any[]) =>
        books.find(({ currency }) => currency === 'MYR').accounts.find(({ account }: any) => account === 'bank').balance;
      const before = await get(`/${older}?Mode=test`);
      expect([before.digest_holds, before.digest_now, ringgit(before.as_closed), ringgit(before.as_corrected)]).toEqual([
        ...[true, items[0].digest, -500, -500],
      ]);

      await record('test-two', 7);
      await eventually(async () => ringgit((await get(`/${older}?Mode=test`)).as_corrected) === -507);
      const after = await get(`/${older}?Mode=test`);
      expect([after.as_closed, after.digest_holds]).toEqual([before.as_closed, true]);
      const corrections = (await get(`/${older}/corrections?Mode=test`)).items.filter(({ currency }: any) => currency === 'MYR');
      expect(corrections).toMatchObject([
        { account: 'bank', debit: 7, relates_to: older },
        { account: 'equity', credit: 7 },
      ]);
      // One of the adjustments above relates to an earlier month.
      const earlier = await get(`/${older}/corrections?Mode=test&Limit=1`);
      expect(earlier).toMatchObject({ items: [{ relates_to: '2026-01', account: 'suspense' }], next_after: expect.any(String) });
      expect((await service.call('GET', `/audit/periods/${newer}?Mode=test`, { key: finance })).status).toBe(404);
      expect((await service.call('GET', `/audit/periods/${older}`, { key: finance })).status).toBe(400);
    });
  });

  it('one Idempotency-Key makes one proposal; malformed contents and keys without the role are rejected', async () => {
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

  it('approval requires another person with the role, and the digest of the shown contents', async () => {
    const made = (await make(siti.key, 'ROLES', roles(dewi.person_id))).body;
    expect(code(await approve(siti.key, made))).toEqual([403, 'own-proposal']);
    for (const key of [finance, ani.key]) expect(code(await approve(key, made))).toEqual([403, 'insufficient-role']);
    expect(code(await approve(budi.key, { ...made, digest: '0'.repeat(64) }))).toEqual([409, 'digest-mismatch']);
    expect(code(await approve(budi.key, { ...made, digest: 'x' }))).toEqual([400, 'validation-failed']);
    expect(code(await approve(budi.key, { ...made, id: randomUUID() }))).toEqual([404, 'not-found']);
    await switchOperator({ ...service.deps, by: 'cli:budi' }, budi.person_id, 'suspend', reason);
    expect(code(await approve(budi.key, made))).toEqual([401, 'unauthenticated']);
    await switchOperator({ ...service.deps, by: 'cli:budi' }, budi.person_id, 'restore', reason);
    await eventually(async () => (await act(made.id, 'reject', budi.key)).body.status === 'REJECTED');
    expect(await read(made.id)).toMatchObject({ status: 'REJECTED', ended_by: budi.person_id, end_reason: reason });
    expect(code(await approve(budi.key, made))).toEqual([409, 'state-conflict']);
  });

  it('only the author withdraws a proposal', async () => {
    const { id } = (await make(siti.key, 'ROLES', roles(dewi.person_id))).body;
    expect(code(await act(id, 'withdraw', budi.key))).toEqual([403, 'insufficient-role']);
    expect(code(await act(id, 'reject', siti.key))).toEqual([403, 'own-proposal']);
    expect((await act(id, 'withdraw', siti.key)).body).toMatchObject({ status: 'WITHDRAWN', ended_by: siti.person_id });
    expect(code(await act(id, 'reject', budi.key))).toEqual([409, 'state-conflict']);
  });

  it('the list begins with the oldest, with filters and pages', async () => {
    const list = async (query = '') => (await service.call('GET', `/audit/proposals${query}`, { key: finance })).body;
    const { items } = await list();
    expect(items.map(({ created_on }: any) => created_on)).toEqual(items.map(({ created_on }: any) => created_on).sort());
    expect((await list('?Status=withdrawn&Kind=ROLES')).items).toMatchObject([{ status: 'WITHDRAWN', kind: 'ROLES' }]);
    const page = await list('?Limit=2');
    expect([page.items.length, page.next_after]).toEqual([2, items[1].id]);
    expect((await list(`?Limit=1&After=${page.next_after}`)).items).toEqual([items[2]]);
    expect((await list(`?After=${randomUUID()}`)).code).toBe('validation-failed');
  });

  it('an approved proposal is resumed by another process, and one without approval expires', async () => {
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
  });
});
