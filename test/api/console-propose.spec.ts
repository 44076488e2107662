import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { contentOf, fieldsOf, nameOf, namesOf } from '../../src/web/console/approvals/proposal-form-fields.js';
import { PROPOSAL_FORMS, type ProposalForm } from '../../src/web/console/approvals/proposal-form-list.js';
import { PROPOSAL_KINDS } from '../../src/domain/approvals/proposal-kind.js';
import { houseStream } from '../../src/ledger/events/adjustment.events.js';
import { transferStream } from '../../src/ledger/events/transfer.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { recordFailure } from '../../src/platform/projector/failures.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import { ConsoleVisitor, location } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { remittance, SIMULATOR_SOURCE } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

type Texts = Readonly<Record<string, string>>;
interface Case {
  /** Texts that a person types, by the names of the form's fields. */
  readonly typed: Texts;
  /** Content that a program sends. */
  readonly content: object;
  /** Field for which both are refused; absent: both are accepted. */
  readonly refused?: string;
}

const KEY = Buffer.alloc(32, 7);
const HASH = 'ab'.repeat(32);
const REASON = 'agreed with the bank in May';
const NONSENSE = 'x < "y" & z';
const escaped = (text: string): string =>
  text.replace(/[&<>"'`]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' })[sign]!);
const THIS_MONTH = new Date().toISOString().slice(0, 7);
const IN_FIVE_DAYS = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);

describe('forms for every kind of proposal', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let siti: { person_id: string; key: string };
  let rudi: { person_id: string; key: string };
  let visitor: ConsoleVisitor;
  let cases: Readonly<Record<string, Case>>;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: KEY.toString('base64') });
    merchant = await service.newMerchant();
    [siti, rudi] = await Promise.all([newOperator(service, 'Siti', ['preparer']), newOperator(service, 'Rudi', ['preparer', 'controller'])]);
    visitor = await ConsoleVisitor.signIn(service, siti.key);
    await eventually(async () => (await get('/audit/recon/sources')).status === 200);
    cases = casesOf(await whatThereIs());
  });
  afterAll(() => service.stop());

  const get = (path: string): Promise<Answer> => service.call('GET', path, { key: siti.key });
  const post = (body: object): Promise<Answer> => service.call('POST', '/audit/proposals', { key: rudi.key, headers: newIdempotencyKey(), body });
  const proposals = async (): Promise<{ id: string }[]> => (await get('/audit/proposals?Limit=1000')).body.items;

  /** Creates two payments of a charge, the second of them in suspense; a break of each kind that forms refer to; a stopped projection; a held payout. */
  async function whatThereIs() {
    const { body: charge } = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    const simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
    for (const payment_reference of ['FIRST', 'SECOND']) {
      const told = { notification_id: `ntf-${randomUUID()}`, charge_id: charge.id, occurred_on: new Date().toISOString() };
      const { body, headers } = simulator.sign({ kind: 'paid', ...told, amount: 10_000, payment_reference }, Date.now());
      await service.call('POST', '/processors/simulator/notifications', { body: body.toString(), headers: headers as Texts });
    }
    const source = { ...SIMULATOR_SOURCE, time_zone: 'Asia/Jakarta', due_days: 3, reason: 'as the contract says' };
    await service.call('POST', '/audit/recon/sources', { key: rudi.key, body: source });
    const bank = {
      mode: 'live',
      name: 'bank',
      kind: 'BANK',
      currencies: ['IDR'],
      account: '1234567890',
      format: 'camt053',
      time_zone: 'Asia/Jakarta',
    };
    await service.call('POST', '/audit/recon/sources', { key: rudi.key, body: { ...bank, due_days: 1, reason: 'our account' } });
    const file = await service.call('POST', '/audit/recon/sources/test-sim/statements', {
      key: siti.key,
      body: Buffer.from(
        remittance([
          { batch: 'B1', reference: 'FIRST', gross: 99.97 },
          { batch: 'B1', reference: 'nobody', gross: 7 },
        ]),
      ),
      headers: { 'content-type': 'application/octet-stream' },
    });
    const payout_id = randomUUID();
    const of = { payout_id, merchant_id: merchant.merchant_id, currency: 'IDR' };
    const now = timestamp(Date.now());
    const context = { ...systemContext(), now };
    const attempt = { attempt: 1, rail: 'bca', partner_reference: '177', external_id: '1', bank_code: '014', day: now.slice(0, 10), at: now };
    await service.stores.eventStore.append(transferStream(payout_id), 'no-stream', [
      newEvent({ type: 'PayoutAttempted', data: { ...of, ...attempt } }, context),
      newEvent({ type: 'PayoutHeld', data: { ...of, reason: 'no-answer', evidence: 'it is silent', held_on: now } }, context),
    ]);
    const stopped = randomUUID();
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', maxConnections: 1 });
    const event = { ordinal: 1, id: stopped, type: 'ChargePaid', stream: 'charge-1', revision: 0 };
    await recordFailure(pool, { projection: 'made_up', since: now, attempts: 9, retry_on: null, error: 'broken', event, differing: null });
    await pool.end();
    const booked = timestamp(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 15));
    const opening = {
      mode: 'test',
      merchant_id: null,
      kind: 'OPENING',
      proposal_id: randomUUID(),
      amount: 5,
      currency: 'MYR',
      item_id: null,
    } as const;
    const about = {
      charge_id: null,
      processor: null,
      source: 'test-one',
      position: null,
      items: null,
      relates_to: booked.slice(0, 7),
      adjusted_on: booked,
    };
    await service.stores.eventStore.append(houseStream('test', 'MYR'), 'no-stream', [
      newEvent({ type: 'HouseAdjusted', data: { ...opening, ...about } }, { ...systemContext(), now: booked }),
    ]);
    const first = async (path: string): Promise<string> => {
      let id: string | undefined;
      await eventually(async () => (id = (await get(path)).body.items[0]?.id) !== undefined);
      return id!;
    };
    return {
      ...{ payout_id, stopped, statement_id: file.body.id as string, month: booked.slice(0, 7) },
      item: await first('/audit/suspense?Status=OPEN'),
      paid: await first(`/audit/events?Type=ChargePaid&MerchantId=${merchant.merchant_id}`),
      amountBreak: await first('/audit/recon/breaks?Kind=AMOUNT'),
      otherBreak: await first('/audit/recon/breaks?Kind=PROCESSOR_ONLY'),
    };
  }

  function casesOf(there: Awaited<ReturnType<typeof whatThereIs>>): Readonly<Record<string, Case>> {
    const { item, paid, amountBreak, otherBreak, statement_id, payout_id, stopped, month } = there;
    const { merchant_id } = merchant;
    const amount = { currency: 'idr', amount: 'Rp 100,00' };
    const ofAmount = { currency: 'IDR', amount: 10_000 };
    const tier = { currency: 'IDR', above: 1_000_000, approvals: 2 };
    return {
      'policy-live': {
        typed: {
          ...{ 'payouts.0.currency': 'IDR', 'payouts.0.above': '10.000,00', 'payouts.0.approvals': '2' },
          // An empty row between two tiers, and spaces, change nothing.
          ...{ 'payouts.1.currency': '', 'payouts.1.above': ' ', 'payouts.2.currency': 'SGD', 'payouts.2.above': ' 0 ', 'payouts.2.approvals': '1' },
          ...{ 'payouts_day.0.currency': 'IDR', 'payouts_day.0.above': '90000', 'payouts_day.0.approvals': '1' },
          merchants: `${merchant_id} payouts none\n${merchant_id} payouts_day IDR 10.000 2`,
          ...{ settings: '1', expires_hours: '24' },
        },
        content: {
          ...{
            mode: 'live',
            payouts: [tier, { currency: 'SGD', above: 0, approvals: 1 }],
            payouts_day: [{ currency: 'IDR', above: 9_000_000, approvals: 1 }],
          },
          ...{ merchants: { [merchant_id]: { payouts: [], payouts_day: [tier] } }, settings: 1, expires_hours: 24 },
        },
      },
      'policy-test': {
        typed: { 'adjustments.0.currency': 'idr', 'adjustments.0.above': '10.000,00', 'adjustments.0.approvals': '2' },
        content: { mode: 'test', adjustments: [tier] },
      },
      roles: {
        typed: { person_id: siti.person_id, 'roles.preparer': 'yes', 'roles.approver': 'yes' },
        content: { person_id: siti.person_id, roles: ['preparer', 'approver'] },
      },
      'fee-charge': {
        typed: { merchant_id, 'of.channel_code': 'QR_QRIS', 'fee.type': 'PERCENTAGE', 'fee.value': '0.9' },
        content: { merchant_id, of: { kind: 'charge', channel_code: 'QR_QRIS' }, fee: { type: 'PERCENTAGE', value: 0.9 } },
      },
      'fee-payout': {
        typed: { merchant_id, 'of.currency': 'IDR', 'fee.type': 'FIXED', 'fee.value': '25,00' },
        content: { merchant_id, of: { kind: 'payout', currency: 'IDR' }, fee: { type: 'FIXED', value: 2_500 } },
      },
      'fee-dispute': {
        typed: { merchant_id, 'of.currency': 'IDR', 'fee.value': '75' },
        content: { merchant_id, of: { kind: 'dispute', currency: 'IDR' }, fee: { type: 'FIXED', value: 7_500 } },
      },
      channel: {
        typed: { merchant_id, channel_code: 'QR_QRIS', enabled: 'no', min_amount: '2,00', max_amount: '', settlement_cycle: 'T+1' },
        content: { merchant_id, channel_code: 'QR_QRIS', enabled: false, min_amount: 200, settlement_cycle: 'T+1' },
      },
      rail: {
        typed: { merchant_id, use: 'payout.idr', merchant_name_id: 'KOPI KITA' },
        content: { merchant_id, use: 'payout.idr', merchant_name_id: 'KOPI KITA' },
      },
      calendar: {
        typed: { country: 'ID', year: '2027', days: '2027-08-17\r\n2027-01-01, 2027-12-25' },
        content: { country: 'ID', year: 2027, days: ['2027-08-17', '2027-01-01', '2027-12-25'] },
      },
      'adjustment-unmatched-to-merchant': {
        typed: { ...amount, merchant_id, item_id: item, waive_fee: 'yes', relates_to: THIS_MONTH },
        content: { kind: 'UNMATCHED_TO_MERCHANT', ...ofAmount, merchant_id, item_id: item, waive_fee: true, relates_to: THIS_MONTH },
      },
      'adjustment-top-up': { typed: { ...amount, merchant_id, item_id: item }, content: { kind: 'TOP_UP', ...ofAmount, merchant_id, item_id: item } },
      'adjustment-fee-correction': { typed: { ...amount, merchant_id }, content: { kind: 'FEE_CORRECTION', ...ofAmount, merchant_id } },
      'adjustment-clawback': { typed: { ...amount, merchant_id }, content: { kind: 'CLAWBACK', ...ofAmount, merchant_id } },
      'adjustment-cover': { typed: { ...amount, merchant_id }, content: { kind: 'COVER', ...ofAmount, merchant_id } },
      'adjustment-unmatched-sent-back': {
        typed: { ...amount, mode: 'test', item_id: item },
        content: { kind: 'UNMATCHED_SENT_BACK', ...ofAmount, mode: 'test', item_id: item },
      },
      // The item is a payment of an hour ago: it is no cost, no loss, and not yet a gain.
      'adjustment-cost': {
        ...{ typed: { ...amount, mode: 'test', item_id: item }, content: { kind: 'COST', ...ofAmount, mode: 'test', item_id: item } },
        refused: 'item_id',
      },
      'adjustment-loss': {
        ...{ typed: { ...amount, mode: 'test', item_id: item }, content: { kind: 'LOSS', ...ofAmount, mode: 'test', item_id: item } },
        refused: 'item_id',
      },
      'adjustment-gain': {
        ...{ typed: { ...amount, mode: 'test', item_id: item }, content: { kind: 'GAIN', ...ofAmount, mode: 'test', item_id: item } },
        refused: 'item_id',
      },
      'adjustment-write-off': {
        typed: { ...amount, mode: 'test', item_id: paid },
        content: { kind: 'WRITE_OFF', ...ofAmount, mode: 'test', item_id: paid },
      },
      'adjustment-opening': {
        typed: { ...amount, mode: 'live', source: 'live-bank' },
        content: { kind: 'OPENING', ...ofAmount, mode: 'live', source: 'live-bank' },
      },
      'break-accept': { typed: { break_id: otherBreak, until: IN_FIVE_DAYS }, content: { break_id: otherBreak, until: IN_FIVE_DAYS } },
      'match-difference': { typed: { break_id: amountBreak, account: 'losses' }, content: { break_id: amountBreak, account: 'losses' } },
      'forget-file': { typed: { statement_id }, content: { statement_id } },
      'payout-resolve': {
        typed: { payout_id, outcome: 'not-paid', final_statement: 'yes' },
        content: { payout_id, outcome: 'not-paid', final_statement: true },
      },
      'set-aside': { typed: { projection: 'made_up', event_id: stopped }, content: { projection: 'made_up', event_id: stopped } },
      'month-close': { typed: { mode: 'test', month }, content: { mode: 'test', month } },
      'accept-differences': { typed: { projection: 'ledger', digest: HASH }, content: { projection: 'ledger', digest: HASH } },
    };
  }

  const path = ({ name }: ProposalForm): string => `desk/propose/${name}`;
  /** Returns a form as a browser sends it: every field, with the typed text in place of its initial value. */
  const filled = async (form: ProposalForm, typed: Texts, own: Texts = {}): Promise<Texts> => ({
    ...Object.fromEntries(
      form.fields
        .filter(({ input }) => input.kind !== 'words')
        .flatMap(namesOf)
        .map((name) => [name, '']),
    ),
    ...(await visitor.hidden(path(form))),
    ...{ act: 'propose', reason: REASON, evidence: `${HASH}  minutes of May.pdf\r\n` },
    ...Object.fromEntries(Object.entries(typed).map(([at, text]) => [nameOf(at), text])),
    ...own,
  });

  it('every kind has a form with every field of its contents', () => {
    const asked = (kind: string): Set<string> =>
      new Set(
        PROPOSAL_FORMS.filter((form) => form.kind === kind).flatMap(({ fields, fixed }) => [...fields.map(({ at }) => at), ...fixedWays(fixed)]),
      );
    for (const kind of PROPOSAL_KINDS)
      expect([kind, [...asked(kind)].sort()]).toEqual([
        kind,
        fieldsOf(kind)
          .map(({ at }) => at)
          .sort(),
      ]);
  });

  it.each(PROPOSAL_FORMS.map((form) => [form.name, form] as const))('%s makes the same proposal as the API', async (name, form) => {
    const { typed, content, refused } = cases[name]!;
    const body = { kind: form.kind, content, reason: REASON, evidence: [{ name: 'minutes of May.pdf', sha256: HASH }] };
    const byProgram = await post(body);
    const sent = await filled(form, typed);
    const byOperator = await visitor.post(path(form), sent);
    if (refused !== undefined) {
      expect([byProgram.status, byOperator.status]).toEqual([400, 400]);
      expect(faultOf(byOperator, refused)).toContain(byProgram.body.errors[0].detail);
      return;
    }
    expect([byProgram.status, byProgram.body.errors, byOperator.status]).toEqual([201, undefined, 303]);
    const id = /\/console\/desk\/proposals\/([0-9a-f-]{36})$/.exec(location(byOperator)[1]!)![1]!;
    const made = (await get(`/audit/proposals/${id}`)).body;
    expect(made).toEqual({
      ...byProgram.body,
      ...{ id, proposed_by: siti.person_id, proposed_by_name: 'Siti', key_id: made.key_id },
      ...{ created_on: made.created_on, approve_by: made.approve_by, updated_on: made.updated_on },
    });
    expect((await visitor.page(`desk/proposals/${id}`)).status).toBe(200);
    // The same form sent twice makes one proposal; a newly opened form makes another.
    expect(location(await visitor.post(path(form), sent))).toEqual(location(byOperator));
    const another = await visitor.post(path(form), await filled(form, typed));
    expect([another.status, location(another)[1] === location(byOperator)[1]]).toEqual([303, false]);
  });

  it.each(PROPOSAL_FORMS.map((form) => [form.name, form] as const))(
    '%s shows each fault beside its field, keeps the typed values, and makes no proposal',
    async (_, form) => {
      const before = (await proposals()).length;
      const empty = await visitor.post(path(form), await filled(form, {}, { reason: '', evidence: '' }));
      expect([empty.status, empty.text.includes('Nothing was proposed')]).toEqual([400, true]);
      expect(faultOf(empty, 'reason')).toContain('Must not be empty.');
      for (const { at, isRequired } of form.fields)
        if (isRequired && !isWords(form, at)) expect([at, faultOf(empty, at)]).toEqual([at, 'This field is required.']);

      const names = form.fields.filter(({ input }) => input.kind !== 'words').flatMap(namesOf);
      const typed = Object.fromEntries(names.map((name) => [name, NONSENSE]));
      const own = { ...typed, reason: NONSENSE, evidence: `${HASH}\n${NONSENSE}` };
      const wrong = await visitor.post(path(form), await filled(form, {}, own));
      expect(wrong.status).toBe(400);
      const { body } = await post({ kind: form.kind, content: contentOf(form.fixed, form.fields, typed), reason: NONSENSE, evidence: [] });
      expect(body.errors.length).toBeGreaterThan(0);
      for (const { detail } of body.errors) expect(wrong.text).toContain(escaped(detail));
      expect(faultOf(wrong, 'evidence')).toContain('Line 2, sha256: ');
      // Browsers drop a line break at the start of a text area, so the typed text follows one.
      expect(wrong.text).toContain(`>\n${HASH}\n`);
      // Each control shows the text, and never as markup.
      expect(wrong.text.split(escaped(NONSENSE)).length - 1).toBeGreaterThanOrEqual(names.length + 2);
      expect(wrong.text).not.toContain(NONSENSE);
      expect(wrong.text).not.toContain('<script');
      expect(await proposals()).toHaveLength(before);
    },
  );

  it('faults of a proposal from another page appear in the form of its kind', async () => {
    const about = cases['break-accept']!.typed['break_id'];
    // The page offers a form again when no proposal about the break is open.
    for (let open: string | null; (open = (await get(`/audit/recon/breaks/${about}`)).body.pending_proposal_id) !== null;)
      for (const { key } of [siti, rudi]) await service.call('POST', `/audit/proposals/${open}/withdraw`, { key, body: { reason: 'as agreed' } });
    const page = `recon/breaks/${about}`;
    const sent = { ...(await visitor.hidden(page, `${page}/accept`)), act: 'propose', reason: 'as they say', until: '2026-01-01' };
    const refused = await visitor.post(`${page}/accept`, sent);
    expect([refused.status, faultOf(refused, 'until')]).toEqual([400, '2026-01-01 is past.']);
    for (const words of ['value="2026-01-01"', 'value="as they say"', 'action="/console/desk/propose/break-accept"'])
      expect(refused.text).toContain(words);
  });

  it('a policy form begins with the policy in force, and is rejected when the policy has changed meanwhile', async () => {
    const tiers = [{ currency: 'IDR', above: 5, approvals: 1 }] as const;
    const policy = { mode: 'test', payouts: tiers, payouts_day: [], merchants: {}, adjustments: [], settings: 0, expires_hours: 48 } as const;
    const form = PROPOSAL_FORMS.find(({ name }) => name === 'policy-test')!;
    const old = await filled(form, {});
    await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
    await eventually(async () => (await visitor.page(path(form))).text.includes('value="0,05"'));
    expect((await visitor.page(path(form))).text).toContain('value="48"');
    expect((await visitor.post(path(form), old)).status).toBe(409);
  });

  it('only preparers see the forms; altered forms and forms of other sessions or sites return 403', async () => {
    const form = PROPOSAL_FORMS.find(({ name }) => name === 'fee-payout')!;
    const sent = await filled(form, cases[form.name]!.typed);
    const before = (await proposals()).length;
    const others = await Promise.all(
      [await newOperator(service, 'Wati', ['approver', 'controller']), await newFinanceKey(service)].map(({ key }) =>
        ConsoleVisitor.signIn(service, key),
      ),
    );
    for (const other of others) {
      for (const page of ['desk/propose', ...PROPOSAL_FORMS.map(path)]) {
        const { status, text } = await other.page(page);
        expect([page, status, text.includes('form_token')]).toEqual([page, 403, false]);
      }
      expect((await other.post(path(form), sent)).status).toBe(403);
    }
    for (const broken of [{ form_token: '' }, { form_token: HASH }, { digest: HASH }, { form_id: randomUUID() }])
      expect([broken, (await visitor.post(path(form), { ...sent, ...broken })).status]).toEqual([broken, 403]);
    expect((await visitor.post(path(form), sent, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await proposals()).toHaveLength(before);
    const index = await visitor.page('desk/propose');
    for (const each of PROPOSAL_FORMS) expect(index.text).toContain(`/console/${path(each)}"`);
    expect((await visitor.page('desk')).text).toContain('/console/desk/propose"');
    expect((await visitor.page('desk/propose/none')).status).toBe(404);
  });
});

const isWords = ({ fields }: ProposalForm, at: string): boolean => fields.some((field) => field.at === at && field.input.kind === 'words');

/** Returns the fault that the page shows beside a field. */
function faultOf({ text }: Answer, at: string): string | undefined {
  const fault = new RegExp(`<p class="fault" id="field-${at.replaceAll('.', '-')}-fault">([^]*?)</p>`).exec(text)?.[1];
  return fault?.replace(/<[^>]*>/g, '').trim();
}

/** Returns the paths of a form's fixed values. */
const fixedWays = (fixed: object, before = ''): string[] =>
  Object.entries(fixed).flatMap(([name, value]) =>
    typeof value === 'object' ? fixedWays(value as object, `${before}${name}.`) : [`${before}${name}`],
  );
