import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { houseStream } from '../../src/ledger/events/adjustment.events.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import { ConsoleVisitor, location } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { remittance, SIMULATOR_SOURCE } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

type Form = Readonly<Record<string, string>>;
interface Proposal {
  readonly id: string;
  readonly kind: string;
  readonly digest: string;
  readonly status: string;
  readonly content: Form;
  readonly reason: string;
}

const KEY = randomBytes(32);

describe('proposals from pages of the console', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let preparer: { key: string };
  let controller: { key: string };
  let siti: ConsoleVisitor;
  let budi: ConsoleVisitor;
  let reader: ConsoleVisitor;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: KEY.toString('base64') });
    merchant = await service.newMerchant();
    [preparer, controller] = await Promise.all([newOperator(service, 'Siti', ['preparer']), newOperator(service, 'Ani', ['controller', 'approver'])]);
    await eventually(async () => (await get('/audit/recon/sources')).status === 200);
    siti = await ConsoleVisitor.signIn(service, preparer.key);
    budi = await ConsoleVisitor.signIn(service, (await newOperator(service, 'Budi', ['preparer'])).key);
    reader = await ConsoleVisitor.signIn(service, (await newFinanceKey(service)).key);
  });
  afterAll(() => service.stop());

  const get = (path: string): Promise<Answer> => service.call('GET', path, { key: preparer.key });
  const proposals = async (kind: string): Promise<Proposal[]> => (await get(`/audit/proposals?Kind=${kind}`)).body.items;
  const approve = async (answer: Pick<Answer, 'status' | 'headers'>): Promise<Proposal> => {
    const [status, path] = location(answer);
    expect(status).toBe(303);
    const id = /desk\/proposals\/([0-9a-f-]{36})/.exec(path!)![1]!;
    const { digest } = (await get(`/audit/proposals/${id}`)).body;
    const { body } = await service.call('POST', `/audit/proposals/${id}/approve`, { key: controller.key, body: { digest, reason: 'as agreed' } });
    if (body.status !== 'EXECUTED') await eventually(async () => (await get(`/audit/proposals/${id}`)).body.status === 'EXECUTED');
    return (await get(`/audit/proposals/${id}`)).body;
  };

  /**
   * A form makes one proposal when sent twice, and none when altered, without a reason, or of another session. A reader gets no form. While the
   * proposal is open, the page shows it and offers no other, and a form that was opened before makes none.
   */
  async function heldToItsForm(page: string, action: string, given: Form, kind: string): Promise<Answer> {
    const form = { ...(await siti.hidden(page, action)), act: 'propose', reason: 'their portal shows it', ...given };
    const before = await proposals(kind);
    const opened = { ...form, ...(await budi.hidden(page, action)) };
    const { form_token: _, ...tokenless } = form as Form & { readonly form_token?: string };
    for (const [broken, status] of [
      [tokenless, 403],
      [{ ...form, form_token: '' }, 403],
      [{ ...form, form_token: 'ab'.repeat(32) }, 403],
      [{ ...form, digest: 'ab'.repeat(32) }, 403],
      [{ ...form, reason: '' }, 400],
      [{ ...form, act: 'approve' }, 400],
    ] as const)
      expect([broken, (await siti.post(action, broken)).status]).toEqual([broken, status]);
    expect((await reader.post(action, form)).status).toBe(403);
    expect((await siti.post(action, form, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await reader.hidden(page, action)).toEqual({});
    const [made, again] = [await siti.post(action, form), await siti.post(action, form)];
    expect(location(made)).toEqual(location(again));
    expect(made.headers.get('location')).toMatch(new RegExp(`^/console/desk/proposals/[0-9a-f-]{36}\\?Done=${encodeURIComponent(page)}$`));
    expect(await proposals(kind)).toHaveLength(before.length + 1);
    const shown = (await budi.page(page)).text;
    expect([shown.includes('Proposed by'), shown.includes('It waits for 1 approval')]).toEqual([true, true]);
    expect([await siti.hidden(page, action), await budi.hidden(page, action)]).toEqual([{}, {}]);
    const late = await budi.post(action, opened);
    expect([late.status, late.text.includes('Another proposal about this record was made meanwhile')]).toEqual([409, true]);
    expect(await proposals(kind)).toHaveLength(before.length + 1);
    return made;
  }

  it('an item in suspense is given to its merchant, sent back, or topped up', async () => {
    const order = { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() };
    const charge = (await service.call('POST', '/v1/charges', order)).body.id;
    const simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
    for (const payment_reference of ['FIRST', 'SECOND', 'THIRD', 'FOURTH']) {
      const of = { notification_id: `ntf-${randomUUID()}`, charge_id: charge, occurred_on: new Date().toISOString() };
      const { body, headers } = simulator.sign({ kind: 'paid', ...of, amount: 10_000, payment_reference }, Date.now());
      await service.call('POST', '/processors/simulator/notifications', { body: body.toString(), headers: headers as Form });
    }
    const items: { id: string }[] = (await get('/audit/suspense?Status=OPEN')).body.items;
    expect(items).toHaveLength(3);
    expect((await siti.page('suspense')).text).toContain(`/console/suspense/${items[0]!.id}`);
    const path = `suspense/${items[0]!.id}`;
    const { text } = await siti.page(path);
    for (const words of ['SECOND', 'UNMATCHED_TO_MERCHANT', 'UNMATCHED_SENT_BACK', 'TOP_UP']) expect(text).toContain(words);
    // An item can be a gain only after 180 days. It has arrived, so it is no cost and no loss.
    for (const words of ['GAIN', 'value="COST"', 'value="LOSS"']) expect(text).not.toContain(words);
    const given = { kind: 'UNMATCHED_TO_MERCHANT', waive_fee: 'yes', relates_to: '' };
    const sentAbout = await heldToItsForm(path, path, given, 'ADJUSTMENT');
    const about = async (query: string): Promise<string[]> => (await get(`/audit/suspense?${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect([await about('Proposal=pending'), await about('Proposal=none')]).toEqual([[items[0]!.id], [items[1]!.id, items[2]!.id]]);
    const proposed = (await siti.page('suspense?Proposal=pending')).text;
    expect([proposed.includes(items[0]!.id), proposed.includes('PROPOSED'), proposed.includes(items[1]!.id)]).toEqual([true, true, false]);
    const made = await approve(sentAbout);
    expect(made.content).toEqual({
      ...{ kind: 'UNMATCHED_TO_MERCHANT', merchant_id: merchant.merchant_id, currency: 'IDR', amount: 10_000 },
      ...{ item_id: items[0]!.id, waive_fee: true },
    });
    const done = await siti.page(path);
    expect([done.text.includes('RESOLVED'), done.text.includes('form_token')]).toEqual([true, false]);
    const month = new Date().toISOString().slice(0, 7);
    const form = async (n: number): Promise<Form> => ({ ...(await siti.hidden(`suspense/${items[n]!.id}`)), act: 'propose', reason: 'why' });
    const sent = await siti.post(`suspense/${items[1]!.id}`, {
      ...(await form(1)),
      kind: 'UNMATCHED_SENT_BACK',
      waive_fee: 'yes',
      relates_to: month,
    });
    expect((await approve(sent)).content).toMatchObject({ kind: 'UNMATCHED_SENT_BACK', mode: 'test', relates_to: month, item_id: items[1]!.id });
    const old = await form(2);
    expect((await approve(await siti.post(`suspense/${items[2]!.id}`, { ...old, kind: 'TOP_UP' }))).content).toMatchObject({ kind: 'TOP_UP' });
    // The form's item is resolved by now.
    expect((await siti.post(`suspense/${items[2]!.id}`, { ...old, kind: 'TOP_UP', reason: 'once more' })).status).toBe(409);
    expect((await siti.page(`suspense/${randomUUID()}`)).status).toBe(404);
  });

  it('a break is accepted until a day, and the persons in a file are forgotten', async () => {
    const body = { ...SIMULATOR_SOURCE, time_zone: 'Asia/Jakarta', due_days: 3, reason: 'as the contract says' };
    expect((await service.call('POST', '/audit/recon/sources', { key: controller.key, body })).status).toBe(200);
    const file = (
      await service.call('POST', '/audit/recon/sources/test-sim/statements', {
        key: preparer.key,
        body: Buffer.from(remittance([{ batch: 'B1', reference: 'nobody', gross: 7 }])),
        headers: { 'content-type': 'application/octet-stream' },
      })
    ).body.id;
    let found: { id: string } | undefined;
    await eventually(async () => (found = (await get('/audit/recon/breaks?Kind=PROCESSOR_ONLY')).body.items[0]) !== undefined);
    const path = `recon/breaks/${found!.id}`;
    const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const made = await heldToItsForm(path, `${path}/accept`, { until }, 'BREAK_ACCEPT');
    const [proposal] = await proposals('BREAK_ACCEPT');
    const about = async (query: string): Promise<unknown> =>
      (await get(`/audit/recon/breaks?Kind=PROCESSOR_ONLY&${query}`)).body.items.map((each: { id: string; pending_proposal_id: string }) => [
        each.id,
        each.pending_proposal_id,
      ]);
    expect(await about('Proposal=pending')).toEqual([[found!.id, proposal!.id]]);
    expect(await about('Proposal=none')).toEqual([]);
    expect(await about(`AsOf=${encodeURIComponent(new Date().toISOString())}`)).toEqual([[found!.id, null]]);
    const both = await get('/audit/recon/breaks?Proposal=pending&AsOf=0');
    expect([both.status, both.body.errors]).toEqual([400, [{ parameter: 'Proposal', code: 'unexpected-field', detail: 'Not together with AsOf.' }]]);
    const csv = { key: preparer.key, headers: { accept: 'text/csv' } };
    const exported = (await service.call('GET', '/audit/recon/breaks?Kind=PROCESSOR_ONLY', csv)).text;
    expect(parse(exported, { columns: true })).toMatchObject([{ id: found!.id, pending_proposal_id: proposal!.id }]);
    const listed = (await siti.page('recon?Proposal=pending')).text;
    expect([listed.includes(found!.id), listed.includes(`desk/proposals/${proposal!.id}`)]).toEqual([true, true]);
    expect((await siti.page('recon?Proposal=none')).text).not.toContain(found!.id);
    expect((await approve(made)).content).toEqual({ break_id: found!.id, until });
    expect(await about('Proposal=none')).toEqual([[found!.id, null]]);
    expect((await get(`/audit/recon/breaks/${found!.id}`)).body).toMatchObject({ status: 'ACCEPTED', accepted_until: until });
    const past = { ...(await siti.hidden(path, `${path}/accept`)), act: 'propose', reason: 'why', until: '2026-01-01' };
    const refused = await siti.post(`${path}/accept`, past);
    expect([refused.status, refused.text.includes('2026-01-01 is past')]).toEqual([400, true]);

    const filePath = `recon/files/${file}`;
    expect((await approve(await heldToItsForm(filePath, `${filePath}/forget`, {}, 'FORGET_FILE'))).content).toEqual({ statement_id: file });
    await eventually(async () => (await siti.page(filePath)).text.includes('forgotten on'));
    expect(await siti.hidden(filePath, `${filePath}/forget`)).toEqual({});
  });

  it('a line with another amount is matched with its payment, and the difference is booked', async () => {
    const create = { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() };
    const charge_id = (await service.call('POST', '/v1/charges', create)).body.id;
    const simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
    const told = { notification_id: `ntf-${randomUUID()}`, charge_id, occurred_on: new Date().toISOString() };
    const { body, headers } = simulator.sign({ kind: 'paid', ...told, amount: 10_000, payment_reference: 'SHORT' }, Date.now());
    await service.call('POST', '/processors/simulator/notifications', { body: body.toString(), headers: headers as Form });
    const source = { ...SIMULATOR_SOURCE, time_zone: 'Asia/Jakarta', due_days: 3, reason: 'as the contract says' };
    expect((await service.call('POST', '/audit/recon/sources', { key: controller.key, body: source })).status).toBe(200);
    await service.call('POST', '/audit/recon/sources/test-sim/statements', {
      key: preparer.key,
      body: Buffer.from(remittance([{ batch: 'B2', reference: 'SHORT', gross: 99.97 }])),
      headers: { 'content-type': 'application/octet-stream' },
    });
    let found: { id: string; item: { event_id: string } } | undefined;
    await eventually(async () => (found = (await get('/audit/recon/breaks?Kind=AMOUNT')).body.items[0]) !== undefined);
    const path = `recon/breaks/${found!.id}`;
    const { text } = await siti.page(path);
    for (const words of ['losses: it is lost, or gained', 'Book the difference of', 'The line belongs to another item'])
      expect(text).toContain(words);
    // The line cannot be matched with its own item: the form for work offers no match.
    expect(text.slice(text.indexOf('id="work"'), text.indexOf('The line belongs to another item'))).not.toContain('value="match"');
    const sent = await heldToItsForm(path, `${path}/difference`, { account: 'losses' }, 'MATCH_DIFFERENCE');
    const proposal = location(sent)[1]!.replace('/console/', '');
    for (const words of ['<strong><bdi>losses</bdi></strong>', 'value="-3"', 'book_amount', found!.item.event_id])
      expect((await siti.page(proposal)).text).toContain(words);
    expect((await approve(sent)).content).toMatchObject({ break_id: found!.id, account: 'losses', line_amount: 9_997, amount: -3 });
    await eventually(async () => (await siti.page(path)).text.includes('It is matched by an operator'));
    const shown = (await siti.page(path)).text;
    expect([shown.includes('to losses'), shown.includes('value="-3"'), shown.includes('unmatch')]).toEqual([true, true, true]);
    // The page of a matched line has no form for another proposal.
    expect(await siti.hidden(path, `${path}/difference`)).toEqual({});
    await service.call('POST', '/audit/recon/sources/test-sim/run', { key: preparer.key, body: { reason: 'it was approved' } });
    await eventually(async () => (await get(`/audit/recon/breaks/${found!.id}`)).body.status === 'RESOLVED');
  });

  it('the page of a break names a proposal of a kind that only a newer build knows', async () => {
    const { id } = (await get('/audit/recon/breaks')).body.items[0];
    const [proposal_id, now] = [randomUUID(), timestamp(Date.now())];
    const by = { merchant_id: null, proposal_id, person_id: randomUUID(), key_id: 'key_1', reason: 'as agreed' };
    const takes = { approvals_required: 1, controllers_required: 0, approve_by: timestamp(Date.now() + 3_600_000), made_on: now };
    const made = { ...by, kind: 'LATER', content: { break_id: id }, digest: 'ab'.repeat(32), evidence: [], ...takes };
    const event = newEvent({ type: 'ProposalMade', data: made }, { ...systemContext(), now });
    await service.stores.eventStore.append(proposalStream(proposal_id), 'no-stream', [event]);
    await eventually(async () => (await get(`/audit/recon/breaks/${id}`)).body.pending_proposal_id === proposal_id);
    const { status, text } = await siti.page(`recon/breaks/${id}`);
    expect([status, text.includes(`/console/desk/proposals/${proposal_id}`), text.includes('LATER')]).toEqual([200, true, true]);
  });

  it('months are closed in order, and a closed month shows its books as closed beside those as corrected', async () => {
    const ago = (months: number): string => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - months, 15)).toISOString();
    const [month, next] = [ago(2).slice(0, 7), ago(1).slice(0, 7)];
    const record = async (source: string, amount: number): Promise<void> => {
      const moment = timestamp(Date.parse(ago(2)));
      const about = { source, item_id: null, charge_id: null, processor: null, position: null, items: null, relates_to: month, adjusted_on: moment };
      const of = { merchant_id: null, mode: 'test', currency: 'MYR', proposal_id: randomUUID(), kind: 'OPENING', amount } as const;
      const event = newEvent({ type: 'HouseAdjusted', data: { ...of, ...about } }, { ...systemContext(), now: moment });
      const stream = houseStream('test', 'MYR');
      const [newest] = await service.stores.eventStore.read(stream, { direction: 'backwards', limit: 1 });
      await service.stores.eventStore.append(stream, newest ?? 'no-stream', [event]);
    };
    await record('test-one', 500);
    await eventually(async () => (await siti.page('months')).text.includes(`Propose to close ${month}`));
    const made = await approve(await heldToItsForm('months', 'months', {}, 'MONTH_CLOSE'));
    expect(made.content).toEqual({ mode: 'test', month });
    const months = (await siti.page('months')).text;
    for (const words of [`/console/months/${month}`, `/console/desk/proposals/${made.id}`, `Propose to close ${next}`])
      expect(months).toContain(words);

    await record('test-two', 7);
    await eventually(async () => (await siti.page(`months/${month}`)).text.includes('Lines that are in the corrected books'));
    const { text } = await siti.page(`months/${month}`);
    const closed = (await get(`/audit/periods/${month}?Mode=test`)).body;
    for (const words of ['has the digest that it was closed with', closed.digest, closed.head.hash, 'value="-500"', 'value="-507"', 'value="-7"'])
      expect(text).toContain(words);
    for (const none of [next, '2026-13', 'x']) expect((await siti.page(`months/${none}`)).status).toBe(404);
    expect((await reader.page('months')).text).toContain('needs an operator’s own key with the role preparer');
  });
});
