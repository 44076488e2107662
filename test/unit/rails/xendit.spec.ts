import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RemoteOrder, RemoteRefund } from '../../../src/domain/charges/remote/remote-processor.js';
import { CHANNELS, channelByCode } from '../../../src/ledger/channels.js';
import { jsonNumber, minorUnits } from '../../../src/platform/text/amounts.js';
import type { RailReport } from '../../../src/rails/calls/rail-report.js';
import { FPX_BANKS, XENDIT_CHANNELS } from '../../../src/rails/xendit/channels.js';
import { XENDIT_PER_SECOND, XenditProcessor, type XenditOptions } from '../../../src/rails/xendit/xendit-processor.js';
import { outboundTo, Replay, type Replayed } from '../../support/rail-calls.js';
import { railFacts, railFixture, RESULT_OF_WORD } from '../../support/rail-facts.js';
import type { Outbound } from '../../../src/rails/calls/outbound.js';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const CREDENTIALS = { secret_key: 'xnd_development_secret', callback_token: 'callback-token-of-now' };
const FIXTURES = readdirSync('test/golden/rails/fixtures')
  .filter((name) => name.startsWith('xendit-'))
  .map((name) => name.replace('.json', ''));

let replay: Replay;
let calls: Outbound;
beforeAll(async () => {
  replay = await Replay.listen();
});
afterAll(() => replay.close());
// Circuits remember: each test has separate calls.
beforeEach(async () => {
  await calls?.close();
  calls = outboundTo(replay.url);
  replay.asked.length = 0;
  reports.length = 0;
});
afterAll(() => calls.close());

const reports: RailReport[] = [];
const processor = (options: Partial<XenditOptions> = {}): XenditProcessor =>
  new XenditProcessor({
    name: 'xendit-test',
    mode: 'sandbox',
    calls,
    credentials: () => ({ current: CREDENTIALS, previous: { secret_key: 'xnd_development_old', callback_token: 'callback-token-of-then' } }),
    allowedChannels: () => new Set(['WALLET_OVO', 'QR_PAYNOW']),
    returnUrl: (chargeId) => `https://pay.example.com/pay/${chargeId}`,
    clock: () => NOW,
    report: (report) => reports.push(report),
    ...options,
  });

/** Our channel by Xendit's code. */
const channelOf = (code: string) => channelByCode(Object.entries(XENDIT_CHANNELS).find(([, channel]) => channel.code('MAYB2U') === code)![0])!;

const INPUT: Readonly<Record<string, string>> = { WALLET_OVO: '081234567890', BANK_REDIRECT_FPX: 'MAYB2U' };

/** The order that would send the request of a fixture. */
function orderOf({ body }: { body: any }): RemoteOrder {
  const channel = channelOf(body.channel_code);
  return {
    charge_id: body.reference_id,
    merchant_id: 'merchant',
    merchant_name: 'Warung',
    merchant_name_id: null,
    channel,
    amount: Math.round(body.request_amount * 100),
    description: body.description,
    return_url: body.channel_properties.success_return_url ?? null,
    expires_on: '2026-11-22T10:30:00.000+00:00',
    attempt: 1,
    ...(INPUT[channel.code] === undefined ? {} : { input: INPUT[channel.code]! }),
  };
}

const QRIS = railFixture('xendit-create-qris');
const ORDER = orderOf(QRIS.request);
const REFUND_FIXTURE = railFixture('xendit-refund');
const REFUND: RemoteRefund = {
  refund_id: REFUND_FIXTURE.request.body.reference_id,
  charge_id: 'charge',
  processor_reference: REFUND_FIXTURE.request.body.payment_request_id,
  payment_reference: 'py-1',
  amount: 1_000_000,
  currency: 'IDR',
};

const answerOf = (fixture: any): Replayed => ({
  status: fixture.response.http,
  body: fixture.response.body,
  headers: fixture.response.headers ?? {},
});
const seen = new Set<string>();
const fixture = (name: string): any => (seen.add(name), railFixture(name));

describe('answers that Xendit prints', () => {
  it.each(FIXTURES.filter((name) => name.startsWith('xendit-create-') && name !== 'xendit-create-redirect'))(
    '%s: sends the printed request, and reads the answer',
    async (name) => {
      const { request, response } = fixture(name);
      replay.answers = [{ status: response.http, body: response.body }];
      const order = orderOf(request);
      const outcome = await processor().create(order);
      const [asked] = replay.asked;
      expect([asked!.method, asked!.path]).toEqual([request.method, request.path]);
      expect(asked!.headers).toMatchObject({
        authorization: `Basic ${Buffer.from('xnd_development_secret:').toString('base64')}`,
        'api-version': request.headers['api-version'],
        'content-type': request.headers['content-type'],
        'idempotency-key': expect.any(String),
      });
      const expiry = name === 'xendit-create-paynow' ? { channel_properties: { expires_at: '2026-11-22T10:30:00.000Z' } } : {};
      expect(JSON.parse(asked!.body)).toEqual({ ...request.body, ...expiry });
      const [action] = response.body.actions;
      expect(outcome).toEqual({
        is: 'accepted',
        value: {
          processor_reference: response.body.payment_request_id,
          action: action === undefined ? {} : { [action.descriptor === 'QR_STRING' ? 'qr_string' : 'redirect_url']: action.value },
          valid_until: expect.stringMatching(/^2026-11-2[234]T/),
        },
      });
    },
  );

  it('xendit-create-redirect: an address without https is a fault', async () => {
    const printed = fixture('xendit-create-redirect');
    const dana = railFixture('xendit-create-dana');
    const withActions = (actions: unknown): Replayed => ({ status: 201, body: { ...dana.response.body, actions } });
    const [action] = printed.response.body.actions;
    const secure = { ...action, value: 'https://xendit.co/example' };
    for (const actions of [
      [action],
      [secure, { ...action, descriptor: 'DEEPLINK_URL' }],
      [{ ...secure, value: 'https://u:p@xendit.co/' }],
      [],
      null,
      undefined,
    ]) {
      replay.answers = [withActions(actions)];
      expect(await processor().create(orderOf(dana.request))).toEqual({ is: 'unknown', code: 'no-usable-action' });
      calls = outboundTo(replay.url);
    }
    replay.answers = [withActions([{ descriptor: 'MOBILE_APP', value: 7 }, { descriptor: 'DEEPLINK_URL', value: 'https://d.example/' }, secure])];
    expect(await processor().create(orderOf(dana.request))).toMatchObject({ is: 'accepted', value: { action: { redirect_url: secure.value } } });
  });

  it.each([
    ['xendit-get-requires-action', { status: 'WAITING' }],
    ['xendit-get-expired', { status: 'EXPIRED' }],
    ['xendit-get-failed', { status: 'FAILED', code: 'INSUFFICIENT_BALANCE' }],
    [
      'xendit-get-succeeded',
      { status: 'PAID', payment: { payment_reference: 'py-1402feb0-bb79-47ae-9d1e-e69394d3949c', amount: 1_000_000, currency: 'IDR' } },
    ],
  ])('%s: reads the printed status', async (name, value) => {
    const { request, response } = fixture(name);
    replay.answers = [answerOf({ response })];
    expect(await processor().query(response.body.payment_request_id)).toEqual({ is: 'accepted', value });
    expect(replay.asked[0]).toMatchObject({ method: request.method, path: request.path });
  });

  it('xendit-cancel: the printed rupiah with sen decide nothing', async () => {
    const { request, response } = fixture('xendit-cancel');
    replay.answers = [answerOf({ response })];
    expect(await processor().cancel(response.body.payment_request_id)).toEqual({ is: 'accepted', value: { status: 'CANCELLED' } });
    expect(replay.asked[0]).toMatchObject({ method: request.method, path: request.path, body: '' });
  });

  it('xendit-refund: sends the printed request, and reads the answer', async () => {
    const { request, response } = fixture('xendit-refund');
    replay.answers = [answerOf({ response })];
    expect(await processor().refund(REFUND)).toEqual({ is: 'accepted', value: { status: 'PROCESSING' } });
    expect(replay.asked[0]).toMatchObject({ method: request.method, path: request.path });
    expect(JSON.parse(replay.asked[0]!.body)).toEqual(request.body);
  });

  it('xendit-transactions: finds payments by our reference', async () => {
    const { response } = fixture('xendit-transactions');
    replay.answers = [answerOf({ response })];
    expect(await processor().find('payref-123456')).toEqual({
      is: 'accepted',
      value: [{ payment_reference: 'py-123e4567-e89b-12d3-a456-426614174000', amount: 10_000_000, currency: 'IDR' }],
    });
    expect(replay.asked[0]!.path).toBe('/transactions?types=PAYMENT&reference_id=payref-123456&limit=50');
  });

  it('xendit-balance: reports key, token, balance and clock as ok', async () => {
    const { request, response } = fixture('xendit-balance');
    replay.answers = [answerOf({ response })];
    expect(await processor().check()).toEqual([
      { check: 'key', level: 'ok', detail: expect.any(String) },
      { check: 'token', level: 'ok', detail: expect.any(String) },
      { check: 'balance', level: 'ok', detail: 'IDR 100000' },
      { check: 'clock', level: 'ok', detail: 'the clocks differ by 0 s' },
    ]);
    expect(replay.asked[0]).toMatchObject({ method: request.method, path: request.path });
  });

  it.each([
    ['xendit-callback-payment-authorization', 'charge'],
    ['xendit-callback-payment-capture', 'charge'],
    ['xendit-callback-payment-failure', 'charge'],
    ['xendit-callback-payment-request-expiry', 'charge'],
    ['xendit-callback-refund-failed', 'refund'],
    ['xendit-callback-refund-succeeded', 'refund'],
  ])('%s names its subject', (name, about) => {
    const { body } = fixture(name).request;
    const refund = body.data.data ?? body.data;
    expect(processor().parse(Buffer.from(JSON.stringify(body)), { 'x-callback-token': CREDENTIALS.callback_token }, '', NOW)).toEqual(
      about === 'refund'
        ? { about, refund_id: refund.reference_id }
        : { about, charge_id: body.data.reference_id, processor_reference: body.data.payment_request_id },
    );
  });

  it.each([
    ['xendit-error-400-api-validation', 'create', 'rejected'],
    ['xendit-error-400-invalid-value', 'create', 'rejected'],
    ['xendit-error-400-rate-limited', 'create', 'retryable'],
    ['xendit-error-403-merchant-settings', 'create', 'rejected'],
    ['xendit-error-404', 'query', 'unknown'],
    ['xendit-error-409-duplicate', 'create', 'unknown'],
    ['xendit-error-429', 'create', 'retryable'],
    ['xendit-error-500', 'create', 'unknown'],
    ['xendit-error-503-channel', 'create', 'unknown'],
    ['xendit-error-refund-balance', 'refund', 'retryable'],
    ['xendit-error-refund-exceeded', 'refund', 'rejected'],
    ['xendit-error-refund-in-progress', 'refund', 'retryable'],
    ['xendit-error-refund-not-supported', 'refund', 'rejected'],
  ] as const)('%s: %s is %s', async (name, call, is) => {
    const printed = fixture(name);
    replay.answers = [answerOf(printed)];
    const after = printed.response.headers?.['Rate-Limit-Reset'];
    expect(await made(call)).toMatchObject({ is, code: printed.response.body.error_code, ...(after && { after_ms: after * 1000 }) });
  });

  it.each(['xendit-error-cancel-inactive', 'xendit-error-cancel-ineligible'])('%s: the query decides', async (name) => {
    const { payment_request_id } = railFixture('xendit-get-succeeded').response.body;
    replay.answers = [answerOf(fixture(name)), answerOf(railFixture('xendit-get-succeeded'))];
    expect(await processor().cancel(payment_request_id)).toMatchObject({ is: 'accepted', value: { status: 'PAID' } });
    expect(replay.asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('no printed fixture is unread', () => {
    // The simulator uses the fixture that only the sandbox has.
    expect(FIXTURES.filter((name) => !seen.has(name))).toEqual(['xendit-simulate']);
  });
});

const made = (call: string) =>
  call === 'create'
    ? processor().create(ORDER)
    : call === 'refund'
      ? processor().refund(REFUND)
      : call === 'cancel'
        ? processor().cancel('pr-1')
        : processor().query('pr-1');

describe('outcomes.json', () => {
  const facts = railFacts('outcomes').xendit as Record<string, Record<string, string>>;
  /** `400 A|B` and `401`: each code for itself. */
  const rows = ['create', 'query', 'cancel', 'refund'].flatMap((call) =>
    Object.entries(facts[call]!).flatMap(([key, words]) => {
      const [statuses = '', codes = '*'] = key.split(' ');
      return statuses.split('|').flatMap((status) => codes.split('|').map((code) => ({ call, status, code, words })));
    }),
  );
  const errors = rows.filter(({ status }) => /^[45]\d\d$/.test(status));

  it('lists the 27 known errors', () => expect(errors.length).toBe(27));

  it.each(errors.map((row) => [`${row.call} ${row.status} ${row.code}`, row] as const))('outcome of %s', async (_, { call, status, code, words }) => {
    const body = { error_code: code === '*' ? 'SOME_CODE' : code, message: 'x' };
    replay.answers = [
      { status: Number(status), body },
      { status: 500, body: {} },
    ];
    const expected = /^(no\b|not-now|unknown|held|query decides)/.exec(words)![1]!;
    const { is } = await made(call);
    expect(is).toBe(RESULT_OF_WORD[expected]);
    if (expected === 'query decides') expect(replay.asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
    const level = /rail red|rail amber|alarm|reported|held/.exec(words)?.[0];
    expect(reports.map((report) => report.level)).toEqual(
      level === undefined ? [] : [{ 'rail red': 'red', 'rail amber': 'amber', alarm: 'alarm', reported: 'alarm', held: 'alarm' }[level]],
    );
  });

  it.each(['create', 'query', 'cancel', 'refund'])('%s: a code that is not listed is unknown, or is asked again', async (call) => {
    for (const answer of [
      { status: 400, body: { error_code: 'NEW_CODE' } },
      { status: 418, body: { error_code: 'API_VALIDATION_ERROR' } },
      { status: 400, body: { error_code: 'api validation error\nfaked' } },
      { status: 502, body: '<html>' },
      { status: 204, body: '' },
    ]) {
      replay.answers = [answer];
      expect(await made(call)).toMatchObject({ is: 'unknown', code: expect.stringMatching(/^(NEW_CODE|API_VALIDATION_ERROR|http-\d+)$/) });
      calls = outboundTo(replay.url);
    }
  });

  const printed = railFixture('xendit-get-succeeded').response.body;
  it.each(Object.entries(facts.status!).flatMap(([codes, words]) => codes.split('|').map((code) => [code, words] as const)))(
    'status %s: %s',
    async (code, words) => {
      replay.answers = [{ status: 200, body: { ...printed, status: code } }];
      const value = { pay: 'PAID', fail: 'FAILED', wait: 'WAITING' }[words] ?? (code === 'CANCELED' ? 'CANCELLED' : code);
      expect(await processor().query(printed.payment_request_id)).toMatchObject({ is: 'accepted', value: { status: value } });
    },
  );

  it.each(Object.entries(facts.refund_status!))('refund status %s: %s', async (code, words) => {
    replay.answers = [{ status: 200, body: { ...REFUND_FIXTURE.response.body, status: code, failure_code: null } }];
    const status = { done: 'REFUNDED', no: 'FAILED', wait: 'PROCESSING' }[words];
    expect(await processor().refund(REFUND)).toEqual({ is: 'accepted', value: status === 'FAILED' ? { status, code } : { status } });
  });
});

describe('malformed answers', () => {
  const dana = railFixture('xendit-create-dana');
  const good = QRIS.response.body;
  const paid = railFixture('xendit-get-succeeded').response.body;

  it.each([
    ['another reference', { ...good, reference_id: 'other' }],
    ['another amount', { ...good, request_amount: 10_001 }],
    ['an amount as text with an exponent', JSON.stringify(good).replace('"request_amount":10000', '"request_amount":"1e4"')],
    ['an amount with an exponent', JSON.stringify(good).replace('"request_amount":10000', '"request_amount":1e4')],
    ['another currency', { ...good, currency: 'MYR' }],
    ['no amount', { ...good, request_amount: undefined }],
    ['no id', { ...good, payment_request_id: undefined }],
    ['an id with a line in it', { ...good, payment_request_id: 'pr-1\r\nx' }],
    ['a status that ends it', { ...good, status: 'FAILED' }],
    ['no QR code', { ...good, actions: dana.response.body.actions }],
    ['half of it', JSON.stringify(good).slice(0, 200)],
    ['a list', [good]],
    ['words', '"OK"'],
    ['nothing', ''],
    ['no UTF-8', Buffer.from(JSON.stringify({ ...good, channel_code: 'QRISé' }), 'latin1')],
  ])('creation with %s is unknown', async (_, body) => {
    replay.answers = [{ status: 201, body }];
    expect(await processor().create(ORDER)).toMatchObject({ is: 'unknown' });
  });

  it('accepts 10000.00 for 10000, and unknown members', async () => {
    const body = JSON.stringify({ ...good, surprise: [{ of: 1e300 }] }).replace('"request_amount":10000', '"request_amount":"10000.00"');
    replay.answers = [{ status: 200, body }];
    expect(await processor().create(ORDER)).toMatchObject({ is: 'accepted' });
  });

  it.each([
    ['of another request', { ...paid, payment_request_id: 'pr-other' }],
    ['without a payment', { ...paid, latest_payment_id: undefined }],
    ['of rupiah with sen', { ...paid, request_amount: 10_000.5 }],
    ['of dollars', { ...paid, currency: 'USD' }],
    ['with more digits than money has', { ...paid, request_amount: 10_000.001 }],
    ['with a status nobody knows', { ...paid, status: 'PAID' }],
  ])('a payment %s is unknown, and reported', async (_, body) => {
    replay.answers = [{ status: 200, body }];
    expect(await processor().query(paid.payment_request_id)).toMatchObject({ is: 'unknown' });
    expect(reports).toEqual([{ rail: 'xendit-test', level: 'amber', endpoint: 'query', code: expect.any(String) }]);
  });

  it('a refund of another amount, or by another reference, is unknown', async () => {
    for (const change of [{ amount: 9_999 }, { currency: 'MYR' }, { reference_id: 'x' }, { status: 'NEW' }]) {
      replay.answers = [{ status: 200, body: { ...REFUND_FIXTURE.response.body, ...change } }];
      expect(await processor().refund(REFUND)).toMatchObject({ is: 'unknown' });
    }
  });
});

describe('finding payments by our reference', () => {
  const [entry] = railFixture('xendit-transactions').response.body.data;
  const listed = (...data: unknown[]): Replayed => ({ status: 200, body: { has_more: false, data, links: [] } });
  const REFERENCE = 'payref-123456';

  it('ignores other references, other kinds, and payments that did not succeed', async () => {
    replay.answers = [
      listed(
        { ...entry, reference_id: `${REFERENCE}7` },
        { ...entry, type: 'REFUND' },
        ...['PENDING', 'FAILED', 'VOIDED', 'REVERSED'].map((status) => ({ ...entry, status })),
        entry,
      ),
    ];
    expect(await processor().find(REFERENCE)).toMatchObject({ is: 'accepted', value: [{ payment_reference: entry.product_id }] });
  });

  it('reads further pages, up to four', async () => {
    const page = (id: string, has_more: boolean): Replayed => ({ status: 200, body: { has_more, data: [{ ...entry, id, product_id: `py-${id}` }] } });
    replay.answers = [page('a', true), page('b', true), page('c', false)];
    expect(await processor().find(REFERENCE)).toMatchObject({ is: 'accepted', value: [{}, {}, {}] });
    expect(replay.asked.map(({ path }) => /after_id=(.*)/.exec(path)?.[1])).toEqual([undefined, 'a', 'b']);
    replay.answers = [page('a', true)];
    expect(await processor().find(REFERENCE)).toEqual({ is: 'unknown', code: 'too-many-transactions' });
    replay.answers = [{ status: 200, body: { has_more: true, data: [] } }];
    expect(await processor().find(REFERENCE)).toMatchObject({ is: 'unknown' });
  });

  it('returns unknown for an answer that it cannot read', async () => {
    for (const change of [{ status: 'NEW' }, { currency: null }, { amount: -1 }]) {
      replay.answers = [listed({ ...entry, ...change })];
      expect(await processor().find(REFERENCE)).toMatchObject({ is: 'unknown' });
    }
    for (const body of [{ data: [entry] }, { has_more: false }]) {
      replay.answers = [{ status: 200, body }];
      expect(await processor().find(REFERENCE)).toMatchObject({ is: 'unknown', code: 'unreadable-answer' });
      calls = outboundTo(replay.url);
    }
  });

  it('finds a refund, or reports that there is none', async () => {
    const refunded = { ...entry, type: 'REFUND', reference_id: REFUND.refund_id, amount: 10_000 };
    const found = async (...data: unknown[]) => {
      replay.answers = [listed(...data)];
      return processor().findRefund(REFUND);
    };
    expect(await found()).toEqual({ is: 'accepted', value: undefined });
    expect(await found(refunded)).toEqual({ is: 'accepted', value: { status: 'REFUNDED' } });
    expect(await found({ ...refunded, status: 'PENDING' })).toEqual({ is: 'accepted', value: { status: 'PROCESSING' } });
    expect(await found({ ...refunded, status: 'FAILED' })).toEqual({ is: 'accepted', value: { status: 'FAILED', code: 'FAILED' } });
    expect(await found({ ...refunded, status: 'VOIDED' })).toMatchObject({ is: 'unknown' });
    calls = outboundTo(replay.url);
    expect(await found({ ...refunded, amount: 1 })).toMatchObject({ is: 'unknown', code: 'other-amount' });
    expect(await found(refunded, refunded)).toMatchObject({ is: 'unknown', code: 'several-refunds' });
    expect(replay.asked[0]!.path).toBe(`/transactions?types=REFUND&reference_id=${REFUND.refund_id}&limit=50`);
  });
});

describe('callbacks', () => {
  const raw = Buffer.from(JSON.stringify(railFixture('xendit-callback-payment-capture').request.body));
  const parse = (body: Buffer, token: string | string[] | undefined) => processor().parse(body, { 'x-callback-token': token }, '', NOW);

  it('accepts the current token or the previous one, and no other', () => {
    for (const token of ['callback-token-of-now', 'callback-token-of-then']) expect(parse(raw, token)).toMatchObject({ about: 'charge' });
    for (const token of ['callback-token-of-no', '', undefined, ['callback-token-of-now']]) expect(parse(raw, token)).toBeUndefined();
    const current = processor({ credentials: () => ({ current: CREDENTIALS }) });
    expect(current.parse(raw, { 'x-callback-token': 'callback-token-of-then' }, '', NOW)).toBeUndefined();
  });

  it('returns "nothing" for an authentic callback without a known subject', () => {
    for (const body of [
      '',
      '{',
      '[]',
      '{"event":"payout.done","data":{}}',
      '{"event":"payment.capture"}',
      '{"event":"payment.capture","data":{}}',
      '{"event":"refund.failed","data":{}}',
      '{"event":"payment.capture","data":{"payment_request_id":"pr-\\u0000"}}',
      '{"event":"refund.failed","data":{"reference_id":"\\ud83d"}}',
    ])
      expect(parse(Buffer.from(body), CREDENTIALS.callback_token)).toEqual({ about: 'nothing' });
  });

  it('reads a flat callback of a refund, too', () => {
    const flat = { event: 'refund.succeeded', data: { reference_id: 'r-1', status: 'SUCCEEDED' } };
    expect(parse(Buffer.from(JSON.stringify(flat)), CREDENTIALS.callback_token)).toEqual({ about: 'refund', refund_id: 'r-1' });
  });
});

describe('requests to Xendit', () => {
  it('never sends a wrong request: rupiah with sen, an unknown bank, a wrong telephone number, a channel that is not offered', async () => {
    const fpx = orderOf(railFixture('xendit-create-fpx').request);
    const ovo = orderOf(railFixture('xendit-create-ovo').request);
    const { input: _, ...withoutBank } = fpx;
    const refused = await Promise.all([
      processor().create({ ...ORDER, amount: 1_000_050 }),
      processor().refund({ ...REFUND, amount: 50 }),
      processor().create({ ...fpx, input: 'BNP' }),
      processor().create({ ...fpx, input: '__proto__' }),
      processor().create(withoutBank),
      processor().create({ ...ovo, input: '+6512345678' }),
      processor().create({ ...ORDER, channel: channelByCode('WALLET_GRABPAY_SG')! }),
      processor({ allowedChannels: () => new Set() }).create(ovo),
    ]);
    expect(refused.map((outcome) => [outcome.is, 'code' in outcome && outcome.code])).toEqual([
      ['rejected', 'amount-not-whole'],
      ['rejected', 'amount-not-whole'],
      ...Array.from({ length: 4 }, () => ['rejected', 'input-not-usable']),
      ...Array.from({ length: 2 }, () => ['rejected', 'channel-not-offered']),
    ]);
    expect(replay.asked).toEqual([]);
  });

  it('stays below the documented rate: 60 calls a minute in the sandbox, 600 live', () => {
    expect(XENDIT_PER_SECOND.sandbox * 60).toBeLessThan(60);
    expect(XENDIT_PER_SECOND.live * 60).toBeLessThan(600);
  });

  it('returns payers to this service where the merchant has no address', async () => {
    replay.answers = [answerOf(railFixture('xendit-create-dana'))];
    await processor().create({ ...orderOf(railFixture('xendit-create-dana').request), return_url: null });
    const { channel_properties } = JSON.parse(replay.asked[0]!.body);
    expect(new Set(Object.values(channel_properties))).toEqual(new Set([`https://pay.example.com/pay/${ORDER.charge_id}`]));
  });

  it('writes amounts as numbers by their digits', () => {
    for (const [minor, text] of [
      [1_000_000, '10000'],
      [1_050, '10.5'],
      [1_005, '10.05'],
      [100, '1'],
      [1, '0.01'],
      [999_999_999_999, '9999999999.99'],
      [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
    ] as const)
      expect([jsonNumber(minor), minorUnits(text)]).toEqual([text, minor]);
  });
});

describe('channels', () => {
  it('offers bounds within ours, and the unconfirmed channels when an operator allows them', () => {
    const xendit = processor();
    for (const { code, min_amount, max_amount, refund } of CHANNELS.filter(({ code }) => code !== 'WALLET_GRABPAY_SG')) {
      const offered = xendit.describe(code)!;
      expect(offered.min_amount).toBeGreaterThanOrEqual(min_amount);
      expect(offered.max_amount).toBeLessThanOrEqual(max_amount);
      if (refund === null) expect([code, offered.refund]).toEqual([code, false]);
    }
    for (const none of ['WALLET_GRABPAY_SG', 'toString', '__proto__', '']) expect(xendit.describe(none)).toBeUndefined();
    const strict = processor({ allowedChannels: () => new Set() });
    expect(CHANNELS.filter(({ code }) => strict.describe(code) === undefined).map(({ code }) => code)).toEqual([
      'QR_PAYNOW',
      'WALLET_OVO',
      'WALLET_GRABPAY_SG',
    ]);
    expect([xendit.describe('WALLET_OVO')!.push, xendit.describe('WALLET_OVO')!.input, xendit.describe('BANK_REDIRECT_FPX')!.input]).toEqual([
      true,
      'phone',
      'bank',
    ]);
    expect(FPX_BANKS.size).toBe(20);
  });
});

describe('rail check', () => {
  const levels = async (answer: Replayed, options: Partial<XenditOptions> = {}) => {
    replay.answers = [answer];
    return (await processor(options).check()).map(({ check, level, todo }) => [check, level, todo === undefined ? '' : 'todo']);
  };

  it('reports each fault with its remedy', async () => {
    expect(await levels({ status: 200, body: { balance: 5 } }, { mode: 'live' })).toEqual([
      ['key', 'error', 'todo'],
      ['token', 'ok', ''],
      ['balance', 'ok', ''],
      ['clock', 'ok', ''],
    ]);
    const ahead = { date: new Date(Date.now() + 60_000).toUTCString() };
    expect((await levels({ status: 200, body: { balance: 5 }, headers: ahead }))[3]).toEqual(['clock', 'warn', 'todo']);
    expect((await levels({ status: 401, body: {} }))[1]).toEqual(['token', 'error', 'todo']);
    expect((await levels({ status: 403, body: {} }))[1]).toEqual(['token', 'warn', 'todo']);
    expect((await levels({ status: 500, body: {} }))[1]).toEqual(['token', 'error', 'todo']);
    expect((await levels({ status: 200, body: { balance: -5 } }))[2]).toEqual(['balance', 'warn', 'todo']);
    expect((await levels({ status: 200, body: '<html>' }))[1]).toEqual(['connection', 'error', 'todo']);
  });
});
