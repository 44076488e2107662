import { afterEach, describe, expect, it } from '@jest/globals';
import { newSnapAgreement } from '../../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../../tools/provider-simulators/snap.js';
import { XenditSimulator } from '../../../tools/provider-simulators/xendit.js';
import type { Outbound } from '../../../src/rails/calls/outbound.js';
import { driftOf } from '../../../tools/provider-recording/drift.js';
import { recordRail, type Recording, type RecordOptions } from '../../../tools/provider-recording/record-rail.js';
import { Scrub } from '../../../tools/provider-recording/scrub.js';
import type { Rail } from '../../../src/rails/settings/rails.decider.js';
import { XENDIT_CREDENTIALS } from '../../support/rail-credentials.js';
import { outboundTo } from '../../support/rail-calls.js';
import { railFixture, railFixtureNames } from '../../support/rail-facts.js';

const NOW = Date.UTC(2026, 10, 22, 12);
const HOLDER = 'Siti Aminah Binti Rahman';
const ACCOUNT = { bank_code: '014', bank_account_number: '9988776655', bank_account_name: HOLDER };
const PRINTED = new Set(railFixtureNames(''));

const railOf = (name: string, change: Partial<Rail>): Rail => ({
  ...{ name, kind: 'xendit', profile: null, mode: 'sandbox', base_url: 'https://sandbox.example', allow_private: true, tls: '1.3' },
  ...{ on_name_difference: 'wait', paused: null, previous_credentials: null, allowed: new Map() },
  ...{ credentials: { version: 1, fingerprints: [] } },
  ...change,
});

describe('a recording of a sandbox', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  function record(calls: Outbound, rail: Rail, credentials: RecordOptions['credentials'], given: Pick<RecordOptions, 'account' | 'phone'> = {}) {
    open.push(calls);
    let ids = 100_000;
    return recordRail({
      ...{ rail, credentials, calls, ...given },
      pause: async () => undefined,
      printed: (id) => (PRINTED.has(id) ? railFixture(id).response : undefined),
      around: {
        clock: rail.kind === 'snap' ? Date.now : () => NOW,
        resolve: async () => ['127.0.0.1'],
        log: { info: () => undefined, warn: () => undefined },
        newExternalId: async () => String((ids += 1)).padStart(32, '0'),
        returnUrl: () => 'https://example.com/',
        observe: () => ({ called: () => undefined, circuit: () => undefined, clockSkew: () => undefined }),
        report: () => undefined,
      },
    });
  }
  const named = ({ fixtures }: Recording, id: string): any => fixtures.find((fixture) => fixture.id === id);
  const textOf = ({ fixtures }: Recording): string => JSON.stringify(fixtures);

  it('recording of Xendit has every channel, a payment and its refund, and no key, phone or reference of ours', async () => {
    const { secret_key, callback_token } = XENDIT_CREDENTIALS;
    const common = { port: 0, seed: 1, faults: {}, slowMs: 0, lateMs: 0, perMinute: 10_000, refundsAfterMs: null, callbackUrl: null };
    const simulator = await XenditSimulator.listen({ ...common, secretKey: secret_key, callbackToken: callback_token });
    open.push(simulator);
    const recording = await record(outboundTo(simulator.url), railOf('in', {}), XENDIT_CREDENTIALS, { phone: '081234567890' });
    const ids = recording.fixtures.map(({ id }) => id);
    for (const channel of ['qris', 'dana', 'shopeepay', 'ovo', 'touchngo', 'grabpay', 'fpx', 'paynow'])
      expect(ids).toContain(`xendit-create-${channel}`);
    expect(ids).toEqual(expect.arrayContaining(['xendit-balance', 'xendit-cancel', 'xendit-query-paid', 'xendit-refund', 'xendit-transactions']));
    expect(named(recording, 'xendit-query-paid')).toMatchObject({
      response: { http: 200, body: { status: 'SUCCEEDED' } },
      outcome: { is: 'accepted' },
    });

    const { request, response } = named(recording, 'xendit-create-qris');
    expect(request.headers).toEqual({
      authorization: '<authorization>',
      'api-version': '2024-11-11',
      'content-type': 'application/json',
      'idempotency-key': '<idempotency-key>',
    });
    expect(request.body).toMatchObject({ channel_code: 'QRIS', request_amount: 10_000, country: 'ID' });
    expect(response.body.reference_id).toBe(request.body.reference_id);
    expect(named(recording, 'xendit-transactions').request.path).toContain(response.body.reference_id);
    const text = textOf(recording);
    for (const secret of [secret_key, callback_token, '81234567890', Buffer.from(`${secret_key}:`).toString('base64')])
      expect(text).not.toContain(secret);
    const truth = (await (await fetch(`${simulator.url}/control/truth`, { method: 'POST' })).json()) as { requests: { reference_id: string }[] };
    expect(truth.requests.length).toBeGreaterThanOrEqual(8);
    for (const { reference_id } of truth.requests) expect(text).not.toContain(reference_id);
  });

  it('recording of a SNAP bank has a transfer and its status, and no token, name or number', async () => {
    const agreement = newSnapAgreement();
    const common = { port: 0, seed: 1, faults: {}, slowMs: 0, lateMs: 0, callbackUrl: null, perSecond: 1_000, settlesAfterMs: 0 };
    const simulator = await SnapSimulator.listen({ ...common, profile: 'standard', agreement, holder: HOLDER });
    open.push(simulator);
    const rail = railOf('out', { kind: 'snap', profile: 'standard', base_url: simulator.url });
    const recording = await record(outboundTo(simulator.url), rail, agreement.credentials as never, { account: ACCOUNT });
    const ids = recording.fixtures.map(({ id }) => id);
    for (const name of [
      'token-b2b',
      'balance-inquiry',
      'error-4043601',
      'bank-statement',
      'account-inquiry-external',
      'transfer-interbank',
      'transfer-status',
    ])
      expect(ids).toContain(`snap-${name}`);
    expect(named(recording, 'snap-error-4043601').response).toMatchObject({ http: 404, body: { responseCode: '4043601' } });
    expect(named(recording, 'snap-transfer-status')).toMatchObject({ outcome: { is: 'accepted' } });
    const { request, response } = named(recording, 'snap-transfer-interbank');
    expect(request.body).toMatchObject({ amount: { value: '10000.00', currency: 'IDR' }, beneficiaryBankCode: '014' });
    expect(response.body.partnerReferenceNo).toBe(request.body.partnerReferenceNo);
    const text = textOf(recording);
    const { private_key: _, public_key: __, channel_id: ___, ...secrets } = agreement.credentials;
    for (const secret of [...Object.values(secrets), HOLDER, 'Siti', ACCOUNT.bank_account_number]) expect(text).not.toContain(secret);
  });

  it('rejects a live rail', async () => {
    const calls = outboundTo('http://127.0.0.1:1');
    await expect(record(calls, railOf('in', { mode: 'live' }), XENDIT_CREDENTIALS)).rejects.toThrow('only sandboxes');
  });
});

describe('values that must not be kept', () => {
  const scrub = () => new Scrub(Buffer.alloc(32, 1), ['Siti Aminah', '9988776655']);

  it('replaces a value by the same substitute everywhere, in its original form', () => {
    const both = scrub();
    const first = both.body('{"partnerReferenceNo":"2026112200001","note":"Toko Melati"}') as Record<string, string>;
    expect(first['partnerReferenceNo']).toMatch(/^\d{13}$/);
    expect(first['partnerReferenceNo']).not.toBe('2026112200001');
    expect(first['note']).toMatch(/^[A-Z][a-z]{3} [A-Z][a-z]{5}$/);
    expect(both.body('{"originalPartnerReferenceNo":"2026112200001"}')).toEqual({ originalPartnerReferenceNo: first['partnerReferenceNo'] });
    expect(both.text('/v3/payment_requests/2026112200001')).toBe(`/v3/payment_requests/${first['partnerReferenceNo']}`);
  });

  it('removes values from messages, too, and keeps the rest', () => {
    const { message } = scrub().body('{"message":"Account 9988776655 of Siti Aminah is closed","status":"FAILED"}') as Record<string, string>;
    expect(message).toMatch(/^Account \d{10} of [A-Z][a-z]{3} [A-Z][a-z]{5} is closed$/);
    expect(message).not.toMatch(/9988776655|Siti/);
  });

  it('replaces the whole of an answer that is not JSON', () => {
    expect(scrub().body('<html>Siti Aminah</html>')).not.toContain('Siti');
  });
});

describe('drift of an answer from the printed one', () => {
  const printed = { http: 200, body: { status: 'OK', actions: [{ type: 'A', value: 'x' }], fee: 1 } };

  it('compares members and their types, not values', () => {
    expect(driftOf('a', printed, { http: 200, body: { status: 'NO', actions: [{ type: 'B', value: 'y' }], fee: 2 } })).toEqual([]);
    expect(driftOf('a', printed, { http: 201, body: { status: 'OK', actions: [{ type: 'B' }], fee: '1', more: { deep: 1 } } })).toEqual([
      { name: 'a', what: 'http', detail: '200, now 201' },
      { name: 'a', what: 'missing', detail: 'actions[].value' },
      { name: 'a', what: 'new', detail: 'more' },
      { name: 'a', what: 'type', detail: 'fee: number, now string' },
    ]);
  });
});
