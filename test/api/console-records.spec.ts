import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setFee } from '../../src/domain/merchants/merchant.commands.js';
import { DISPUTE_STATUSES } from '../../projections/disputes/disputes.js';
import { REFUND_STATUSES } from '../../projections/refunds/refunds.js';
import { toneOf } from '../../src/web/console/shared/tones.js';
import { ConsoleVisitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const DISPUTE_FEE = 2_500;
const EVIDENCE = 'Surat Ibu Sari.txt';
const CONTENT = 'Dear Mrs Sari, it was delivered.';

let service: TestService;
let merchant: TestMerchant;
let finance: string;
let visitor: ConsoleVisitor;

const words = ({ text }: Pick<Answer, 'text'>): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const audited = async (list: 'disputes' | 'refunds'): Promise<any[]> =>
  (await service.call('GET', `/audit/${list}?Limit=1000`, { key: finance })).body.items;

interface PaidCharge {
  readonly id: string;
  readonly code: string;
  readonly play: (outcome: string, more?: object) => Promise<Answer>;
}

async function paidCharge(): Promise<PaidCharge> {
  const { body } = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
  const play = async (outcome: string, more: object = {}): Promise<Answer> => {
    const answer = await service.call('POST', body.action.simulation_url, { body: { outcome, ...more } });
    expect([outcome, answer.status]).toEqual([outcome, 200]);
    return answer;
  };
  await play('succeed');
  return { id: body.id, code: body.code, play };
}

const asMerchant = (path: string): Promise<Answer> => service.call('POST', path, { key: merchant.key });

/** Opens a dispute and plays these outcomes. */
async function played(open: object, ...outcomes: readonly (readonly [string, object?])[]): Promise<{ charge: PaidCharge; id: string }> {
  const charge = await paidCharge();
  const { body } = await charge.play('dispute-open', open);
  for (const [outcome, more] of outcomes) await charge.play(outcome, more);
  return { charge, id: body.dispute.id };
}

async function challenged(): Promise<string> {
  const { id } = await played({});
  const query = new URLSearchParams({ Name: EVIDENCE, Category: 'shipping' }).toString();
  const sent = { key: merchant.key, body: Buffer.from(CONTENT), headers: { 'content-type': 'text/plain' } };
  expect((await service.call('POST', `/v1/disputes/${id}/evidence?${query}`, sent)).status).toBe(201);
  expect((await asMerchant(`/v1/disputes/${id}/challenge`)).status).toBe(200);
  return id;
}

async function refund(amount: number, metadata: object = {}): Promise<{ charge: PaidCharge; id: string }> {
  const charge = await paidCharge();
  const { status, body } = await service.call('POST', `/v1/charges/${charge.id}/refunds`, {
    ...{ key: merchant.key, headers: newIdempotencyKey() },
    body: { amount, reason: 'DUPLICATE', reference_id: `R-${amount}`, metadata },
  });
  expect(status).toBe(201);
  return { charge, id: body.id };
}

beforeAll(async () => {
  // Without a worker only the played outcomes happen.
  service = await startTestService({ ROLES: 'api,projector' });
  merchant = await service.newMerchant({ name: 'Toko Melati' });
  finance = (await newFinanceKey(service)).key;
  await setFee(service.deps, merchant.merchant_id, { kind: 'dispute', currency: 'IDR' }, { type: 'FIXED', value: DISPUTE_FEE });
  await played({ stage: 'INQUIRY', reason: '<b>not received</b>' });
  await played({ amount: 4_000, due_in_seconds: 3 * 86_400 + 60 });
  await challenged();
  await played({}, ['dispute-win']);
  await played({}, ['dispute-lose']);
  await played({}, ['dispute-lose'], ['dispute-win']);
  await played({}, ['dispute-win', { final: false }], ['dispute-reopen'], ['dispute-lose']);
  await played({}, ['settle']);
  const accepted = await played({});
  expect((await asMerchant(`/v1/disputes/${accepted.id}/accept`)).status).toBe(200);
  await refund(1_000);
  await asMerchant(`/v1/refunds/${(await refund(2_000)).id}/cancel`);
  for (const [amount, ...outcomes] of [
    [3_000, 'refund-succeed'],
    [4_000, 'refund-fail'],
    [5_000, 'refund-succeed', 'refund-bounce'],
  ] as const) {
    const { charge, id } = await refund(amount);
    for (const outcome of outcomes) await charge.play(outcome, { refund_id: id });
  }
  visitor = await ConsoleVisitor.signIn(service, finance);
  await eventually(async () => (await audited('refunds')).length === 5);
});
afterAll(() => service.stop());

describe('the page of a dispute', () => {
  it('the history has disputes of every state', async () => {
    const states = new Set((await audited('disputes')).map(({ dispute_status }) => dispute_status));
    expect([...states].sort()).toEqual([...DISPUTE_STATUSES].sort());
  });

  it('shows the same figures as /audit, and links to the charge, the merchant and the events', async () => {
    for (const dispute of await audited('disputes')) {
      const { id, charge_id, currency, amount, held_amount, excess_amount, refunded_amount, fee_amount } = dispute;
      const { status, text } = await visitor.page(`disputes/${id}`);
      expect([id, status]).toEqual([id, 200]);
      const details = /<dl class="facts">.*?<\/dl>/s.exec(text)![0];
      for (const figure of [amount, held_amount, excess_amount, refunded_amount, fee_amount]) expect(details).toContain(`value="${figure}"`);
      for (const moment of [dispute.due_by, dispute.opened_on, dispute.challenged_on, dispute.submitted_on, dispute.won_on, dispute.lost_on])
        if (moment !== null) expect(details).toContain(`datetime="${moment}"`);
      for (const word of [dispute.stage, dispute.reason_code, dispute.reference, currency === 'IDR' ? 'Rp' : currency])
        expect(details).toContain(word);
      expect(details).toContain(`<span class="status ${toneOf(dispute.dispute_status)}">${dispute.dispute_status}</span>`);
      expect(details).toContain(`/console/history/charge-${charge_id}"`);
      expect(details).toContain(`/console/merchants/${merchant.merchant_id}"`);
      const events = (await service.call('GET', `/audit/events?Stream=charge-${charge_id}`, { key: finance })).body.items;
      const own = events.filter(({ data }: any) => data.dispute_id === id);
      expect(own.length).toBeGreaterThan(0);
      for (const { position } of own) expect(text).toContain(`id="event-${position}"`);
      expect(text).not.toContain('>Charge created<');
    }
  });

  it('the costs of a dispute equal the amounts that the journal moved', async () => {
    const file = await service.call('GET', '/audit/journal', { key: finance, headers: { accept: 'application/x-ndjson' } });
    const lines = file.text.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
    const costs = new Set<number>();
    for (const { id, charge_id } of await audited('disputes')) {
      const events = (await service.call('GET', `/audit/events?Stream=charge-${charge_id}`, { key: finance })).body.items;
      const own = new Set(events.filter(({ data }: any) => data.dispute_id === id).map((event: any) => event.id));
      const moved = (account: string): number =>
        lines
          .filter((line) => own.has(line.event_id) && line.account === account)
          .reduce((sum, line) => sum + Number(line.credit) - Number(line.debit), 0);
      const text = words(await visitor.page(`disputes/${id}`));
      const shown = (await visitor.page(`disputes/${id}`)).text;
      const valueOf = (term: string): number => Number(new RegExp(`<dt>${term}</dt>\\s*<dd>\\s*<data[^>]* value="(-?\\d+)"`).exec(shown)![1]);
      const [net, fee] = [valueOf('The merchant has lost'), valueOf('Lost by the platform, of the charge’s fee')];
      expect([id, net + fee, fee]).toEqual([id, Math.abs(moved('processor')), Math.abs(moved('fees'))]);
      const lost = events.some(({ type, data }: any) => type === 'ChargeDisputeLost' && data.dispute_fee_amount > 0);
      expect(valueOf('The merchant pays for the dispute')).toBe(lost ? DISPUTE_FEE : 0);
      expect(text.includes('Nothing was held.')).toBe(!events.some(({ type }: any) => type === 'ChargeDisputeHeld'));
      costs.add(net);
    }
    expect(costs.size).toBeGreaterThan(1);
  });

  it('shows the category, size and hash of evidence, and neither its name nor its content', async () => {
    const dispute = (await audited('disputes')).find(({ evidence }) => evidence.length > 0);
    const [file] = dispute.evidence;
    const { text } = await visitor.page(`disputes/${dispute.id}`);
    const evidence = /<section aria-labelledby="evidence">.*?<\/section>/s.exec(text)![0];
    for (const word of ['SHIPPING', 'text/plain', String(CONTENT.length), file.sha256, file.added_on]) expect(evidence).toContain(word);
    expect(evidence).toContain('Toko Melati');
    for (const secret of [EVIDENCE, 'Surat', CONTENT, 'Dear Mrs']) expect(text).not.toContain(secret);
  });

  it('shows the time left for an answer, only while the dispute takes one', async () => {
    for (const { id, dispute_status, amount } of await audited('disputes')) {
      const [, left = ''] = /<dt>Left<\/dt>\s*<dd>([^]*?)<\/dd>/.exec((await visitor.page(`disputes/${id}`)).text)!;
      expect([dispute_status, left !== '–']).toEqual([dispute_status, dispute_status === 'INQUIRY' || dispute_status === 'ACTION_REQUIRED']);
      if (amount === 4_000) expect(left).toContain('3 days');
    }
  });

  it('escapes the processor’s texts, and returns 404 for unknown and malformed ids', async () => {
    const { id } = (await audited('disputes')).find(({ dispute_status }) => dispute_status === 'INQUIRY');
    const { text } = await visitor.page(`disputes/${id}`);
    expect(text).toContain('&lt;b&gt;not received');
    expect(text).not.toContain('<b>');
    for (const path of [`disputes/${randomUUID()}`, 'disputes/me', `refunds/${id}`, 'refunds/me'])
      expect((await visitor.page(path)).status).toBe(404);
  });
});

describe('the page of a refund', () => {
  it('shows the same figures as /audit, and links to the charge and the events', async () => {
    const refunds = await audited('refunds');
    const states = new Set(refunds.map(({ refund_status }) => refund_status));
    expect(REFUND_STATUSES.filter((state) => !states.has(state))).toEqual(['PROCESSING']);
    for (const each of refunds) {
      const { id, charge_id, amount, fee_amount, net_amount, refund_status, reference_id, source } = each;
      const { status, text } = await visitor.page(`refunds/${id}`);
      expect([id, status]).toEqual([id, 200]);
      const details = /<dl class="facts">.*?<\/dl>/s.exec(text)![0];
      const flow = [.../<ol class="flow".*?<\/ol>/s.exec(text)![0].matchAll(/value="(\d+)"/g)].map(([, value]) => Number(value));
      expect(flow).toEqual([net_amount, fee_amount, amount]);
      for (const word of [reference_id, source, 'DUPLICATE', `/console/history/charge-${charge_id}"`, 'Toko Melati', `${refund_status}</span>`])
        expect(details).toContain(word);
      const events = (await service.call('GET', `/audit/events?Stream=charge-${charge_id}`, { key: finance })).body.items;
      for (const { position } of events.filter(({ data }: any) => data.refund_id === id)) expect(text).toContain(`id="event-${position}"`);
    }
  });
});

describe('disputes and refunds in the console', () => {
  it.each(['refunds', 'disputes'] as const)('%s: lists, charges and the search link to their pages', async (section) => {
    const records = await audited(section);
    const list = await visitor.page(section);
    for (const { id, charge_id } of records) {
      expect(list.text).toContain(`href="/console/${section}/${id}"`);
      expect((await visitor.page(`history/charge-${charge_id}`)).text).toContain(`href="/console/${section}/${id}"`);
      const found = await visitor.page(`search?Text=${id}`);
      expect([found.status, found.headers.get('location')]).toEqual([303, `/console/${section}/${id}`]);
      expect((await visitor.page(`search?Text=${id.slice(0, 13)}`)).text).toContain(`href="/console/${section}/${id}"`);
    }
  });

  it('exceptions link to the disputes that are due soon', async () => {
    const { id } = (await audited('disputes')).find(({ amount }) => amount === 4_000);
    await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    const soon = await played({ due_in_seconds: 3_600 });
    await eventually(async () => (await visitor.page('exceptions')).text.includes(`href="/console/disputes/${soon.id}"`));
    expect((await visitor.page('exceptions')).text).not.toContain(`href="/console/disputes/${id}"`);
  });

  it('an open dispute replaces the green SUCCEEDED of its charge on every page, until the dispute ends', async () => {
    const search = `search?Text=CHG_&MerchantId=${merchant.merchant_id}`;
    const pages = ['charges', `charges?MerchantId=${merchant.merchant_id}`, `merchants/${merchant.merchant_id}`, search];
    const texts = await Promise.all(pages.map(async (path) => (await visitor.page(path)).text));
    let shown = 0;
    for (const { id, charge_id, dispute_status } of await audited('disputes')) {
      const isOpen = dispute_status !== 'WON' && dispute_status !== 'LOST';
      const details = /<dl class="facts">.*?<\/dl>/s.exec((await visitor.page(`history/charge-${charge_id}`)).text)![0];
      const rows = texts.flatMap((text) =>
        [...text.matchAll(/<tr[^>]*>[^]*?<\/tr>/g)].map(([row]) => row).filter((row) => row.includes(`charge-${charge_id}"`)),
      );
      for (const part of [details, ...rows]) {
        expect([dispute_status, part.includes('<span class="status good">SUCCEEDED</span>')]).toEqual([dispute_status, !isOpen]);
        expect([dispute_status, new RegExp(`href="/console/disputes/${id}"\\s*>DISPUTED`).test(part)]).toEqual([dispute_status, isOpen]);
      }
      shown += rows.length;
    }
    expect(shown).toBeGreaterThan(20);
  });
});
