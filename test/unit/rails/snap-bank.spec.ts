import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ProviderResult } from '../../../src/ledger/ports/provider-result.js';
import type { StatementPage } from '../../../src/domain/payouts/transfer/remote-bank.js';
import { readSnapAnswer } from '../../../src/rails/snap/answer.js';
import { SnapBank } from '../../../src/rails/snap/snap-bank.js';
import { isAsymmetricSignature, isSymmetricSignature, readPublicKey, stringToSign } from '../../../src/rails/snap/signature.js';
import { railFacts, railFixture, railFixtureNames, RESULT_OF_WORD } from '../../support/rail-facts.js';
import { ScriptedRail, type Scripted } from '../../support/scripted-rail.js';
import { ATTEMPT, BENEFICIARY, NOON, SNAP_CREDENTIALS, snapOptions } from '../../support/snap.js';

const TOKEN = { http: 200, body: railFixture('snap-token-b2b').response.body };
const TOKEN_VALUE: string = TOKEN.body.accessToken;

/** A rail whose bank gives a token and answers everything else with `answer`. */
function bankOf(answer: Scripted | ((nth: number) => Scripted), profile = 'standard') {
  let nth = 0;
  const rail = new ScriptedRail(({ endpoint }) => (endpoint === 'token' ? TOKEN : typeof answer === 'function' ? answer(++nth) : answer));
  return { rail, bank: new SnapBank(snapOptions(profile, rail)) };
}
const printed = (name: string): Scripted => railFixture(name).response;
const error = (service: string, http: number, caseCode: string): Scripted => ({
  http,
  body: { responseCode: `${http}${service}${caseCode}`, responseMessage: 'words of the bank' },
});
const own = { ...BENEFICIARY, bank_code: 'CENAIDJA' };
const bri = { ...BENEFICIARY, bank_code: 'BRINIDJA' };
const rupiah = (value: string, currency = 'IDR') => ({ value, currency });

describe('inquiry of an account holder', () => {
  it.each([
    ['standard', BENEFICIARY, 'snap-account-inquiry-external'],
    ['bca', bri, 'snap-bca-account-inquiry-external-switcher'],
  ])('%s: asks for the holder as printed', async (profile, to, name) => {
    const { bank, rail } = bankOf(printed(name), profile);
    await expect(bank.inquireName(to, '7'.repeat(19))).resolves.toEqual({
      is: 'accepted',
      value: { name: 'Yories Yolanda', reference: '2020102977770000000009' },
    });
    const { request } = railFixture(name);
    const call = rail.calls.at(-1)!;
    expect(call.path).toBe(request.path);
    const { additionalInfo, ...body } = request.body;
    const more = profile === 'bca' ? { additionalInfo } : {};
    expect(rail.bodies('name')).toEqual([{ ...body, ...more, partnerReferenceNo: '7'.repeat(19) }]);
    expect(call.headers['x-external-id']).toBe('7'.repeat(19));
  });

  it('asks for a holder at the own bank by the internal inquiry', async () => {
    const { bank, rail } = bankOf({ http: 200, body: railFixture('snap-account-inquiry-internal').response.body }, 'bca');
    await expect(bank.inquireName(own, '1')).resolves.toMatchObject({ is: 'accepted', value: { name: 'Yories Yolanda' } });
    expect(rail.calls.at(-1)!.path).toBe('/openapi/v1.0/account-inquiry-internal');
    expect(rail.bodies('name')).toEqual([{ partnerReferenceNo: '1', beneficiaryAccountNo: '888801000157508' }]);
  });

  it.each<[string, Scripted, ProviderResult<never>]>([
    ['nobody', error('16', 404, '11'), { is: 'rejected', code: '4041611', detail: 'the account does not exist' }],
    ['a bank beyond the switch', error('16', 404, '03'), { is: 'rejected', code: '4041603', detail: 'the bank is not supported by the switch' }],
    ['another error', printed('snap-bca-account-inquiry-external-4001601'), { is: 'retryable', code: '4001601' }],
    [
      'an answer about another account',
      { http: 200, body: { responseCode: '2001600', beneficiaryAccountName: 'A', beneficiaryAccountNo: '1' } },
      { is: 'unknown', code: 'another-account' },
    ],
    [
      'a name with U+0000',
      { http: 200, body: { responseCode: '2001600', beneficiaryAccountName: 'A\0' } },
      { is: 'unknown', code: 'unreadable-answer' },
    ],
    [
      'an answer without a name',
      { http: 200, body: { responseCode: '2001600', beneficiaryAccountName: ' ' } },
      { is: 'unknown', code: 'unreadable-answer' },
    ],
  ])('name inquiry: %s', async (_, answer, outcome) => {
    await expect(bankOf(answer).bank.inquireName(BENEFICIARY, '1')).resolves.toEqual(outcome);
  });
});

describe('payment', () => {
  const interbank = { ...ATTEMPT, ...bri };

  it('sends the printed request, optional fields left out', async () => {
    const { bank, rail } = bankOf(printed('snap-bca-transfer-interbank-switcher'), 'bca');
    await expect(bank.pay(interbank)).resolves.toEqual({ is: 'accepted', value: { reference: '2020102977770000000009' } });
    const { body, path } = railFixture('snap-bca-transfer-interbank-switcher').request;
    const { beneficiaryEmail: _, ...wanted } = body;
    expect(rail.bodies('pay')).toEqual([{ ...wanted, transactionDate: '2026-11-22T11:00:00+07:00' }]);
    expect(rail.calls.at(-1)).toMatchObject({
      path,
      endpoint: 'pay',
      priority: 'act',
      totalMs: 25_000,
      ids: { payout_id: ATTEMPT.payout_id, partner_reference: ATTEMPT.partner_reference, external_id: ATTEMPT.external_id },
    });
  });

  it('pays accounts of the own bank by the internal transfer', async () => {
    const { bank, rail } = bankOf(printed('snap-bca-transfer-intrabank'), 'bca');
    await expect(bank.pay({ ...ATTEMPT, ...own })).resolves.toMatchObject({ is: 'accepted' });
    expect(rail.calls.at(-1)!.path).toBe('/openapi/v1.0/transfer-intrabank');
    expect(Object.keys(rail.bodies('pay')[0]).sort()).toEqual(
      ['partnerReferenceNo', 'amount', 'beneficiaryAccountNo', 'sourceAccountNo', 'transactionDate'].sort(),
    );
  });

  it('accepts the standard’s own answers', async () => {
    const paid = { ...ATTEMPT, net_amount: 1_234_567_800 };
    for (const name of ['snap-transfer-interbank', 'snap-transfer-intrabank']) {
      const { http, body } = railFixture(name).response;
      const answer = { http, body: { ...body, responseCode: '2001800' } };
      await expect(bankOf(answer).bank.pay(paid)).resolves.toEqual({ is: 'accepted', value: { reference: '2020102977770000000009' } });
    }
  });

  const errors = [
    '2021800',
    '4011801',
    '4031802',
    '4031806',
    '4031814',
    '4031815',
    '4031815-name',
    '4041802',
    '4041803',
    '4041811',
    '4041818',
    '4091800',
    '4091801',
    '4291800',
    '5001801',
    '5041800',
  ];
  it.each(errors)('judges the printed answer %s as outcomes.json lists it', async (name) => {
    const fixture = railFixture(`snap-error-${name}`);
    const outcome = await bankOf(fixture.response).bank.pay(ATTEMPT);
    const { responseCode } = fixture.response.body;
    const pay = railFacts('outcomes').snap.pay as Record<string, string>;
    const [http, caseCode] = [responseCode.slice(0, 3), responseCode.slice(5)];
    const wanted = RESULT_OF_WORD[(pay[`${http}:${caseCode}`] ?? pay[`${http}:*`])!.split(/[^a-z-]/)[0]!];
    expect(outcome).toMatchObject({ is: wanted, code: responseCode });
    expect(JSON.stringify(outcome)).not.toContain(fixture.response.body.responseMessage);
  });

  it('judges every pair of the table, whatever else the bank answers', async () => {
    for (const [key, verdict] of Object.entries(railFacts('outcomes').snap.pay as Record<string, string>)) {
      const [http, caseCode] = key.replace('*', '99').split(':') as [string, string];
      const outcome = await bankOf(error('18', Number(http), caseCode)).bank.pay(ATTEMPT);
      const wanted = RESULT_OF_WORD[key === '200:00' ? 'done' : verdict.split(/[^a-z-]/)[0]!];
      expect([key, outcome.is]).toEqual([key, wanted]);
    }
  });

  it.each<[string, Scripted]>([
    ['is no JSON', { http: 200, body: '<html>' }],
    ['is cut off', { http: 200, body: '{"responseCode":"2001800","referen' }],
    ['has no code', { http: 404, body: {} }],
    ['has a code of another service', { http: 404, body: { responseCode: '4041711' } }],
    ['has a code of another status', { http: 200, body: { responseCode: '4041811' } }],
    ['has a refusal that is no JSON', { http: 429, body: 'slow down' }],
    ['has two codes', { http: 404, body: '{"responseCode":"4041811","ResponseCode ":"2001800"}' }],
    ['is a list', { http: 404, body: ['4041811'] }],
    ['is about another transfer', { http: 200, body: { responseCode: '2001800', partnerReferenceNo: '1' } }],
    ['is about another amount', { http: 200, body: { responseCode: '2001800', amount: rupiah('1.00') } }],
    ['is about another currency', { http: 200, body: { responseCode: '2001800', amount: rupiah('10000.00', 'USD') } }],
    ['has an exponent', { http: 200, body: { responseCode: '2001800', amount: rupiah('1e4') } }],
    ['was lost', { is: 'unknown', code: 'timeout' }],
  ])('returns unknown when the answer %s', async (_, answer) => {
    await expect(bankOf(answer).bank.pay(ATTEMPT)).resolves.toMatchObject({ is: 'unknown' });
  });

  it('sends no payment in other currencies or fractions of a rupiah', async () => {
    const { bank, rail } = bankOf(error('18', 500, '00'));
    await expect(bank.pay({ ...ATTEMPT, currency: 'MYR' })).resolves.toMatchObject({ is: 'rejected', code: 'currency-not-supported' });
    await expect(bank.pay({ ...ATTEMPT, net_amount: 1_000_001 })).resolves.toMatchObject({ is: 'rejected', code: 'amount-not-whole' });
    expect(rail.calls).toEqual([]);
  });

  it('returns retryable without a token, whatever the outcome of the token request', async () => {
    for (const answer of [error('73', 401, '00'), { http: 200, body: 'x' }, { is: 'unknown', code: 'timeout' }] satisfies Scripted[]) {
      const rail = new ScriptedRail(() => answer);
      await expect(new SnapBank(snapOptions('standard', rail)).pay(ATTEMPT)).resolves.toMatchObject({ is: 'retryable' });
      expect(rail.calls.map(({ endpoint }) => endpoint)).toEqual(['token']);
    }
  });

  it('sends one request: the next attempt renews a rejected token', async () => {
    const { bank, rail } = bankOf((nth) => (nth === 1 ? error('18', 401, '01') : printed('snap-error-2021800')));
    await expect(bank.pay(ATTEMPT)).resolves.toEqual({ is: 'retryable', code: '4011801' });
    await expect(bank.pay({ ...ATTEMPT, external_id: '2' })).resolves.toEqual({ is: 'unknown', code: '2021800' });
    expect(rail.calls.map(({ endpoint }) => endpoint)).toEqual(['token', 'pay', 'token', 'pay']);
    expect(rail.calls.filter(({ endpoint }) => endpoint === 'pay').map(({ headers }) => headers['x-external-id'])).toEqual([
      ATTEMPT.external_id,
      '2',
    ]);
  });
});

describe('inquiry of a transfer', () => {
  it.each([
    ['snap-bca-transfer-status-success', 'paid'],
    ['snap-bca-transfer-status-pending', 'paying'],
    ['snap-error-4043601', 'not-found'],
  ])('reads the printed answer %s', async (name, status) => {
    await expect(bankOf(printed(name), 'bca').bank.status({ ...ATTEMPT, ...bri }, '9')).resolves.toEqual({ is: 'accepted', value: status });
  });

  it('accepts the standard’s own answer', async () => {
    const attempt = { ...ATTEMPT, net_amount: 1_234_567_800, bank_account_number: '888801000003301' };
    await expect(bankOf(printed('snap-transfer-status')).bank.status(attempt, '9')).resolves.toEqual({ is: 'accepted', value: 'paid' });
  });

  it('sends the printed request', async () => {
    const { bank, rail } = bankOf(printed('snap-bca-transfer-status-success'), 'bca');
    await bank.status({ ...ATTEMPT, ...own }, '9');
    const { body, path } = railFixture('snap-bca-transfer-status-success').request;
    expect(rail.bodies('status')).toEqual([{ ...body, transactionDate: '2026-11-22T00:00:00+07:00' }]);
    expect(rail.calls.at(-1)).toMatchObject({ path, isInquiry: true, headers: { 'x-external-id': '9' } });
  });

  const answered = (latestTransactionStatus: unknown, more: object = {}): Scripted => ({
    http: 200,
    body: {
      responseCode: '2003600',
      originalPartnerReferenceNo: ATTEMPT.partner_reference,
      amount: rupiah('10000.00'),
      latestTransactionStatus,
      ...more,
    },
  });
  const statuses = railFacts('outcomes').snap.status as Record<string, string>;

  it('returns unknown for every status and code that is not listed', async () => {
    const listed = new Map(
      Object.entries(statuses).flatMap(([key, value]) =>
        key
          .replace(/^200 .* /, '')
          .split('|')
          .map((one) => [one, value] as const),
      ),
    );
    for (let number = 0; number < 100; number += 1) {
      const status = String(number).padStart(2, '0');
      const outcome = await bankOf(answered(status)).bank.status(ATTEMPT, '9');
      const value = listed.get(status);
      expect(outcome).toEqual(value ? { is: 'accepted', value } : { is: 'unknown', code: 'another-status' });
    }
    for (const [http, caseCode] of [
      [401, '00'],
      [403, '06'],
      [404, '00'],
      [404, '02'],
      [404, '11'],
      [409, '01'],
      [500, '01'],
      [504, '00'],
    ] as const) {
      await expect(bankOf(error('36', http, caseCode)).bank.status(ATTEMPT, '9')).resolves.toMatchObject({ is: 'unknown' });
    }
  });

  it.each<[string, object]>([
    ['another transfer', { originalPartnerReferenceNo: '1' }],
    ['another amount', { amount: rupiah('10000.01') }],
    ['a smaller amount', { amount: rupiah('9999.00') }],
    ['another currency', { amount: rupiah('10000.00', 'IDR?') }],
    ['another account', { beneficiaryAccountNo: '1' }],
    ['no transfer', { originalPartnerReferenceNo: null }],
    ['no amount', { amount: undefined }],
    ['an amount with an exponent', { amount: rupiah('1E4') }],
  ])('rejects "paid" about %s', async (_, more) => {
    await expect(bankOf(answered('00', more)).bank.status(ATTEMPT, '9')).resolves.toMatchObject({ is: 'unknown' });
  });

  it('ends a transfer only on an answer about this transfer and this amount', async () => {
    const amounts = fc.constantFrom('10000.00', '10000', '10000.000', '9999.00', '10000.01', '1e4', '', '-10000.00', ' 10000.00 ');
    const answers = fc.record(
      {
        responseCode: fc.constantFrom('2003600', '2003601', '4043601', '2001800', '2023600'),
        originalPartnerReferenceNo: fc.constantFrom(ATTEMPT.partner_reference, `${ATTEMPT.partner_reference} `, '1', '', null),
        beneficiaryAccountNo: fc.constantFrom(ATTEMPT.bank_account_number, '1', null),
        amount: fc.oneof(fc.record({ value: amounts, currency: fc.constantFrom('IDR', 'USD', 'idr') }), fc.constantFrom(null, 10_000, '10000.00')),
        latestTransactionStatus: fc.oneof(fc.constantFrom('00', '04', '06', '03', '07', 0, '0', '000'), fc.string()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(200, 202, 404), answers, async (http, body) => {
        const outcome = await bankOf({ http, body }).bank.status(ATTEMPT, '9');
        if (outcome.is !== 'accepted' || outcome.value === 'paying') return;
        const {
          responseCode,
          originalPartnerReferenceNo: reference,
          amount,
          latestTransactionStatus: status,
          beneficiaryAccountNo: account,
        } = body as Record<string, any>;
        if (outcome.value === 'not-found' && http === 404) return expect(responseCode).toBe('4043601');
        expect([http, responseCode]).toEqual([200, '2003600']);
        expect([ATTEMPT.bank_account_number, null, undefined]).toContain(account);
        expect({ '00': 'paid', '04': 'returned', '06': 'failed', '05': 'failed', '07': 'not-found' }[String(status).trim()]).toBe(outcome.value);
        if (outcome.value === 'not-found') return;
        expect(reference.trim()).toBe(ATTEMPT.partner_reference);
        expect(Number(amount.value)).toBe(10_000);
        expect(amount.currency).toBe('IDR');
      }),
      { seed: 20261122, numRuns: 2_000 },
    );
  });

  it('reads keys despite spaces and case, amounts without decimals and as numbers', async () => {
    const odd =
      '{"ResponseCode ":"2003600","OriginalPartnerReferenceNo":"2020102900000000000001","Amount ":{"Value":10000,"CURRENCY":"IDR"},"LatestTransactionStatus ":"00"}';
    await expect(bankOf({ http: 200, body: odd }, 'mandiri').bank.status(ATTEMPT, '9')).resolves.toEqual({ is: 'accepted', value: 'paid' });
    await expect(bankOf(answered('00', { amount: rupiah('10000') })).bank.status(ATTEMPT, '9')).resolves.toMatchObject({ value: 'paid' });
  });

  it('renews a rejected token once, under another external id', async () => {
    const refusedOnce = bankOf((nth) => (nth === 1 ? error('36', 401, '01') : answered('00')));
    await expect(refusedOnce.bank.status(ATTEMPT, '9')).resolves.toEqual({ is: 'accepted', value: 'paid' });
    const ids = refusedOnce.rail.calls.filter(({ endpoint }) => endpoint === 'status').map(({ headers }) => headers['x-external-id']);
    expect(ids).toEqual(['9', '10000000000000000000000000000001']);
    const always = bankOf(error('36', 401, '01'));
    await expect(always.bank.status(ATTEMPT, '9')).resolves.toEqual({ is: 'unknown', code: '4013601' });
    expect(always.rail.calls.map(({ endpoint }) => endpoint)).toEqual(['token', 'status', 'token', 'status']);
  });
});

/** @throws when there is none */
function pageOf(outcome: ProviderResult<StatementPage>): StatementPage {
  if (outcome.is !== 'accepted') throw new Error(outcome.code);
  return outcome.value;
}

describe('balance and statement', () => {
  it('reads the cash balance of a list, and the only balance of a bank without a list', async () => {
    await expect(bankOf(printed('snap-balance-inquiry')).bank.balance()).resolves.toEqual({
      is: 'accepted',
      value: { amount: 13_000_000, currency: 'IDR' },
    });
    const bca = bankOf(printed('snap-bca-balance-inquiry'), 'bca');
    await expect(bca.bank.balance()).resolves.toEqual({ is: 'accepted', value: { amount: 20_000_000, currency: 'IDR' } });
    expect(bca.rail.bodies('balance')).toEqual([{ partnerReferenceNo: '1000000000000000001', accountNo: '0123456789' }]);
  });

  it('reads lines with their sign, and asks BCA for one day after another', async () => {
    const { bank, rail } = bankOf(printed('snap-bca-bank-statement'), 'bca');
    const [from, to] = ['2020-12-18T01:00:00.000+00:00', '2020-12-19T01:00:00.000+00:00'];
    const first = await bank.statement(from, to);
    expect(first).toEqual({
      is: 'accepted',
      value: {
        lines: [
          expect.objectContaining({
            amount: -1_000_000,
            currency: 'IDR',
            booked_on: '2020-12-18T09:03:45.000+00:00',
            reference: null,
            partner_reference: null,
          }),
          expect.objectContaining({ amount: -1_000_000 }),
        ],
        // Printed as "IDR?", which is no currency that could be reckoned with.
        stated: {
          opening: 'unreadable',
          closing: 'unreadable',
          credits: { count: 10, amount: 50_000_000 },
          debits: { count: 10, amount: 50_000_000 },
        },
        next: expect.any(String),
      },
    });
    const second = await bank.statement(from, to, (first as { value: { next: string } }).value.next);
    expect(second).toMatchObject({ is: 'accepted', value: { lines: [{}, {}] } });
    expect((second as { value: object }).value).not.toHaveProperty('next');
    expect(rail.bodies('statement').map(({ fromDateTime, toDateTime }) => [fromDateTime, toDateTime])).toEqual([
      ['2020-12-18T00:00:00+07:00', '2020-12-18T00:00:00+07:00'],
      ['2020-12-19T00:00:00+07:00', '2020-12-19T00:00:00+07:00'],
    ]);
  });

  it('continues behind the last line while there are more, and counts no line twice', async () => {
    const line = (second: number, transactionId: string) => ({
      amount: rupiah('1.00'),
      transactionDate: `2026-11-21T10:00:0${second}+07:00`,
      type: 'CREDIT',
      transactionId,
    });
    const page = (hasMore: string, ...detailData: ReturnType<typeof line>[]): Scripted => ({
      http: 200,
      body: { responseCode: '2001400', hasMore, lastRecordDateTime: detailData.at(-1)!.transactionDate, detailData },
    });
    const { bank, rail } = bankOf((nth) =>
      nth === 1 ? page('Y', line(1, 'a'), line(2, 'b'), line(2, 'c')) : page('N', line(2, 'b'), line(2, 'c'), line(2, 'd'), line(3, 'e')),
    );
    const [from, to] = ['2026-11-21T00:00:00.000+00:00', '2026-11-22T00:00:00.000+00:00'];
    const first = pageOf(await bank.statement(from, to));
    const second = pageOf(await bank.statement(from, to, first.next));
    expect([...first.lines, ...second.lines].map(({ reference }) => reference)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(second.next).toBeUndefined();
    expect(rail.bodies('statement')[1].fromDateTime).toBe('2026-11-21T10:00:02+07:00');
  });

  it.each<[string, string, object]>([
    [
      'more of a day than the bank lists',
      'bca',
      { detailData: Array.from({ length: 9_000 }, () => ({ amount: rupiah('1.00'), transactionDate: '2026-11-21T10:00:00+07:00', type: 'C' })) },
    ],
    ['further pages that never come', 'standard', { hasMore: 'Y', lastRecordDateTime: '2026-11-20T10:00:00+07:00', detailData: [] }],
    [
      'a line in another currency',
      'standard',
      { detailData: [{ amount: rupiah('1.00', 'USD'), transactionDate: '2026-11-21T10:00:00+07:00', type: 'C' }] },
    ],
    [
      'a line that is neither credit nor debit',
      'standard',
      { detailData: [{ amount: rupiah('1.00'), transactionDate: '2026-11-21T10:00:00+07:00', type: 'X' }] },
    ],
  ])('drops nothing silently: %s', async (_, profile, body) => {
    const { bank } = bankOf({ http: 200, body: { responseCode: '2001400', ...body } }, profile);
    await expect(bank.statement('2026-11-20T17:00:00.000+00:00', '2026-11-21T17:00:00.000+00:00')).resolves.toMatchObject({ is: 'unknown' });
  });

  it('reads the standard’s own answer, and the reference in the words of a line', async () => {
    const { response } = railFixture('snap-bank-statement');
    const body = { ...response.body, hasMore: 'N', detailData: [{ ...response.body.detailData[0], remark: 'TRF 1763780000123456789 OUT' }] };
    await expect(bankOf({ http: 200, body }).bank.statement('2009-07-03T00:00:00.000+00:00', '2009-07-04T00:00:00.000+00:00')).resolves.toMatchObject(
      {
        value: {
          lines: [{ amount: 1_234_567_800, reference: '20200801198230912830091123', partner_reference: '1763780000123456789' }],
          stated: {
            opening: 1_234_567_800,
            closing: 1_234_567_800,
            credits: { count: 10, amount: 1_000_000 },
            debits: { count: 10, amount: 1_000_000 },
          },
        },
      },
    );
  });

  const unreadable = { opening: 'unreadable', closing: 'unreadable' };
  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['null and empty lists', { balance: null, totalCreditEntries: null }, {}],
    ['no balances', { balance: [] }, {}],
    [
      'one without a list',
      { balance: { startingBalance: rupiah('1.00'), endingBalance: rupiah('90071992547409.00') } },
      { opening: 100, closing: 9_007_199_254_740_900 },
    ],
    ['half of them', { balance: [{ startingBalance: rupiah('1.00') }] }, { opening: 100 }],
    ['a negative one', { balance: [{ startingBalance: rupiah('-1.00'), endingBalance: rupiah('1.00') }] }, { opening: 'unreadable', closing: 100 }],
    ['parts of a rupiah', { balance: [{ startingBalance: rupiah('1.00'), endingBalance: rupiah('1.50') }] }, { opening: 100, closing: 'unreadable' }],
    ['more than is safe', { balance: [{ startingBalance: rupiah('999999999999999.00') }] }, { opening: 'unreadable' }],
    ['those of two accounts', { balance: [{ startingBalance: rupiah('1.00') }, { startingBalance: rupiah('1.00') }] }, unreadable],
    ['words', { balance: 'none', totalDebitEntries: 'none' }, { ...unreadable, debits: { count: 'unreadable', amount: 'unreadable' } }],
    ['a count that is none', { totalCreditEntries: { numberOfEntries: '1e1' } }, { credits: { count: 'unreadable' } }],
    ['a count in digits', { totalCreditEntries: { numberOfEntries: 7, amount: rupiah('1') } }, { credits: { count: 7, amount: 100 } }],
  ])('reads the figures that the bank states: %s', async (_, body, stated) => {
    const { bank } = bankOf({ http: 200, body: { responseCode: '2001400', ...body } });
    const page = pageOf(await bank.statement('2026-11-20T17:00:00.000+00:00', '2026-11-21T17:00:00.000+00:00'));
    expect(page).toEqual({ lines: [], stated });
  });

  it('asks BRI with nine digits, and for nothing of the last fifteen minutes', async () => {
    const { bank, rail } = bankOf({ http: 200, body: { responseCode: '2001400' } }, 'bri');
    const at = (minutes: number): string => new Date(NOON - minutes * 60_000).toISOString();
    await expect(bank.statement(at(14), at(0))).resolves.toEqual({ is: 'accepted', value: { lines: [], stated: {} } });
    expect(rail.calls).toEqual([]);
    await bank.statement(at(30), at(0));
    expect(rail.calls.at(-1)!.headers['x-external-id']).toMatch(/^\d{9}$/);
    expect(rail.bodies('statement')[0].toDateTime).toBe('2026-11-22T11:44:59+07:00');
  });

  it('rejects a page token of another issuer', async () => {
    await expect(
      bankOf(error('14', 500, '00')).bank.statement('2026-11-20T17:00:00.000+00:00', '2026-11-21T17:00:00.000+00:00', 'x'),
    ).rejects.toThrow(RangeError);
  });
});

describe('signature and token of a call', () => {
  it('signs with the token and the symmetric key, over the path behind the host', async () => {
    const rail = new ScriptedRail(({ endpoint }) => (endpoint === 'token' ? TOKEN : printed('snap-error-4043601')));
    const bank = new SnapBank(snapOptions('bri', rail, { base: 'https://partner.example/snap/' }));
    await bank.status(ATTEMPT, '9');
    const [token, status] = rail.calls;
    expect(token!.headers).toMatchObject({ 'x-client-key': SNAP_CREDENTIALS.client_key, 'x-timestamp': '2026-11-22T12:00:00+07:00' });
    const publicKey = readPublicKey(SNAP_CREDENTIALS.public_key);
    const ofToken = token!.headers['x-signature']!;
    expect(isAsymmetricSignature(publicKey, `${SNAP_CREDENTIALS.client_key}|2026-11-22T12:00:00+07:00`, 'hex', ofToken)).toBe(true);
    const { headers, body } = status!;
    expect(headers).toMatchObject({
      authorization: `Bearer ${TOKEN_VALUE}`,
      'x-partner-id': 'KBBABCINDO',
      'channel-id': '95221',
      'x-external-id': '9',
    });
    const text = stringToSign({
      method: 'POST',
      path: '/snap/v1.0/transfer/status',
      token: TOKEN_VALUE,
      body: Buffer.from(body!),
      timestamp: headers['x-timestamp']!,
    });
    expect(isSymmetricSignature(SNAP_CREDENTIALS.client_secret, text, 'hex', headers['x-signature']!)).toBe(true);
  });

  it('signs with our private key and without a token where the provider requires that', async () => {
    const rail = new ScriptedRail(() => printed('snap-error-4043601'));
    await new SnapBank(snapOptions('faspay', rail)).status(ATTEMPT, '9');
    expect(rail.calls.map(({ endpoint }) => endpoint)).toEqual(['status']);
    const { headers, body, path } = rail.calls[0]!;
    expect(headers).not.toHaveProperty('authorization');
    const text = stringToSign({ method: 'POST', path, body: Buffer.from(body!), timestamp: headers['x-timestamp']! });
    expect(isAsymmetricSignature(readPublicKey(SNAP_CREDENTIALS.public_key), text, 'hex', headers['x-signature']!)).toBe(true);
  });

  it('uses one token for many calls at once, and renews it a minute early', async () => {
    let now = NOON;
    const rail = new ScriptedRail(({ endpoint }) => (endpoint === 'token' ? TOKEN : printed('snap-error-4043601')));
    const bank = new SnapBank(snapOptions('standard', rail, { clock: () => now }));
    const tokens = (): number => rail.calls.filter(({ endpoint }) => endpoint === 'token').length;
    await Promise.all(Array.from({ length: 20 }, (_, n) => bank.status(ATTEMPT, String(n))));
    expect(tokens()).toBe(1);
    now = NOON + 839_999;
    await bank.status(ATTEMPT, '21');
    expect(tokens()).toBe(1);
    now = NOON + 840_000;
    await bank.status(ATTEMPT, '22');
    expect(tokens()).toBe(2);
  });

  it('requests another token after a failed request', async () => {
    let nth = 0;
    const rail = new ScriptedRail(({ endpoint }) =>
      endpoint !== 'token' ? printed('snap-error-4043601') : ++nth === 1 ? error('73', 500, '00') : TOKEN,
    );
    const bank = new SnapBank(snapOptions('standard', rail));
    await expect(bank.status(ATTEMPT, '1')).resolves.toEqual({ is: 'retryable', code: 'token:5007300' });
    await expect(bank.status(ATTEMPT, '2')).resolves.toEqual({ is: 'accepted', value: 'not-found' });
  });
});

describe('reports to operators', () => {
  const reports = async (script: (endpoint: string) => Scripted, act: (bank: SnapBank) => Promise<unknown>) => {
    const told: unknown[] = [];
    const rail = new ScriptedRail(({ endpoint }) => script(endpoint));
    await act(new SnapBank(snapOptions('standard', rail, { report: (report) => told.push(report) })));
    return told;
  };
  const after = (answer: Scripted) => (endpoint: string) => (endpoint === 'token' ? TOKEN : answer);

  it.each<[string, (endpoint: string) => Scripted, unknown[]]>([
    ['the house account is short', after(printed('snap-error-4031814')), [{ rail: 'bank-a', level: 'alarm', endpoint: 'pay', code: '4031814' }]],
    ['the bank does not know us', after(error('18', 404, '16')), [{ rail: 'bank-a', level: 'red', endpoint: 'pay', code: '4041816' }]],
    ['it gives no token', () => printed('snap-error-4017300'), [{ rail: 'bank-a', level: 'red', endpoint: 'token', code: '4017300' }]],
    [
      'it answers about another amount',
      after({ http: 200, body: { responseCode: '2001800', amount: rupiah('1.00') } }),
      [{ rail: 'bank-a', level: 'amber', endpoint: 'pay', code: 'another-transfer' }],
    ],
    [
      'it sends an unreadable answer',
      after({ http: 200, body: '<html>' }),
      [{ rail: 'bank-a', level: 'amber', endpoint: 'pay', code: 'unreadable-answer' }],
    ],
    ['nothing, when an account is wrong', after(printed('snap-error-4041811')), []],
    ['nothing, when an answer is lost', after({ is: 'unknown', code: 'timeout' }), []],
    ['nothing, when the token has run out', after(printed('snap-error-4011801')), []],
  ])('%s', async (_, script, wanted) => {
    await expect(reports(script, (bank) => bank.pay(ATTEMPT))).resolves.toEqual(wanted);
  });
});

describe('printed answers', () => {
  it.each(railFixtureNames('snap-').filter((name) => railFixture(name).response))('reads the printed answer %s', (name) => {
    const { service, response } = railFixture(name);
    const answer = readSnapAnswer(service, { status: response.http, headers: {}, body: Buffer.from(JSON.stringify(response.body)) });
    expect(answer?.code).toBe(response.body.responseCode);
  });
});

describe('terms', () => {
  it('terms follow the profile; options that need the provider’s consent are off until an operator sets them', () => {
    const { terms } = bankOf(error('36', 500, '00'), 'bri').bank;
    expect(terms).toEqual({
      settle_after: { next_day_at: '08:00' },
      quiet_hours: [{ from: '21:00', to: '08:00' }],
      inquiry_window_days: 7,
      reference_window_days: 0,
      pay_again: false,
      on_name_difference: 'wait',
      whole_units_only: true,
    });
    const options = snapOptions('midtrans', new ScriptedRail(() => TOKEN));
    expect(new SnapBank({ ...options, pay_again: true, on_name_difference: 'pay' }).terms).toMatchObject({
      pay_again: true,
      on_name_difference: 'pay',
    });
  });

  it('rejects a provider without payouts, and an unknown provider', () => {
    const rail = new ScriptedRail(() => TOKEN);
    expect(() => new SnapBank(snapOptions('doku', rail))).toThrow(RangeError);
    expect(() => new SnapBank(snapOptions('dana', rail))).toThrow(RangeError);
  });
});

describe('checking a rail', () => {
  const date = (ms: number) => ({ date: new Date(NOON + ms).toUTCString() });
  const levels = async (script: (endpoint: string) => Scripted, more: object = {}) => {
    const rail = new ScriptedRail(({ endpoint }) => script(endpoint));
    const findings = await new SnapBank(snapOptions('bca', rail, more)).check();
    for (const { level, todo } of findings) expect(level === 'ok').toBe(todo === undefined);
    return Object.fromEntries(findings.map(({ check, level }) => [check, level]));
  };
  const well = (endpoint: string): Scripted =>
    endpoint === 'token'
      ? { ...TOKEN, headers: date(0) }
      : endpoint === 'balance'
        ? printed('snap-bca-balance-inquiry')
        : printed('snap-error-4043601');

  it('reports no fault of a good rail', async () => {
    await expect(levels(well)).resolves.toEqual({ address: 'ok', token: 'ok', balance: 'ok', 'unknown reference': 'ok', clock: 'ok' });
  });

  it('reports faults of address, token, clock, status and balance', async () => {
    await expect(levels(() => ({ is: 'retryable', code: 'dns' }))).resolves.toEqual({ address: 'ok', token: 'error', clock: 'warn' });
    await expect(levels((endpoint) => (endpoint === 'status' ? printed('snap-bca-transfer-status-success') : well(endpoint)))).resolves.toMatchObject(
      {
        'unknown reference': 'error',
      },
    );
    await expect(levels((endpoint) => ({ ...well(endpoint), headers: date(-70_000) }))).resolves.toMatchObject({ clock: 'error' });
    await expect(levels((endpoint) => (endpoint === 'balance' ? error('11', 403, '01') : well(endpoint)))).resolves.toMatchObject({
      balance: 'error',
    });
    await expect(levels(well, { mode: 'live', base: 'https://sandbox.bca.co.id' })).resolves.toMatchObject({ address: 'error' });
  });
});
