import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RemoteOrder, RemoteRefund } from '../../../src/domain/charges/remote/remote-processor.js';
import { channelByCode } from '../../../src/ledger/channels.js';
import { chargeOfReference, qrisReference } from '../../../src/rails/snap/qris-reference.js';
import { SnapProcessor } from '../../../src/rails/snap/snap-processor.js';
import { railFacts, railFixture, RESULT_OF_WORD } from '../../support/rail-facts.js';
import { ScriptedRail, type Scripted } from '../../support/scripted-rail.js';
import { snapOptions } from '../../support/snap.js';

const TOKEN = { http: 200, body: railFixture('snap-token-b2b').response.body };
const CHARGE = '0194fdc2-0000-7000-8000-00000000000a';
const REFERENCE = '0194fdc200007000800000000000000a01';

const ORDER: RemoteOrder = {
  charge_id: CHARGE,
  merchant_id: 'm',
  merchant_name: 'Baso Malang',
  merchant_name_id: null,
  channel: channelByCode('QR_QRIS')!,
  amount: 5_000_000,
  description: null,
  return_url: null,
  expires_on: '2026-11-22T05:30:00.000+00:00',
  attempt: 1,
};
const REFUND: RemoteRefund = {
  refund_id: '0194fdc2-0000-7000-8000-00000000000b',
  charge_id: CHARGE,
  processor_reference: REFERENCE,
  payment_reference: '43057a74-e179-49ed-b119-b004a3d522ec',
  amount: 1_000_000,
  currency: 'IDR',
};

function processorOf(answer: Scripted | ((service: string, nth: number) => Scripted), profile = 'bca') {
  let nth = 0;
  const rail = new ScriptedRail(({ endpoint }) => (endpoint === 'token' ? TOKEN : typeof answer === 'function' ? answer(endpoint, ++nth) : answer));
  return { rail, processor: new SnapProcessor(snapOptions(profile, rail)) };
}
/** A printed answer, about our reference. */
const printed = (name: string, more: object = {}): Scripted => {
  const { http, body } = railFixture(name).response;
  const about =
    'originalPartnerReferenceNo' in body
      ? { originalPartnerReferenceNo: REFERENCE }
      : 'partnerReferenceNo' in body
        ? { partnerReferenceNo: REFERENCE }
        : {};
  return { http, body: { ...body, ...about, ...more } };
};
const error = (service: string, http: number, caseCode: string): Scripted => ({ http, body: { responseCode: `${http}${service}${caseCode}` } });
const notFound = error('51', 404, '01');
const paid = (more: object = {}) => printed('snap-bca-qr-mpm-query-paid', more);

describe('references of QR codes', () => {
  it('references find their charge, by letters and digits only', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: 99 }), (charge, attempt) => {
        const reference = qrisReference(charge, attempt);
        expect(reference).toMatch(/^[0-9a-f]{32}\d\d$/);
        expect(chargeOfReference(reference)).toBe(charge);
      }),
      { seed: 20261122, numRuns: 200 },
    );
    expect(qrisReference(CHARGE, 1)).toBe(REFERENCE);
  });

  it('rejects every other charge, attempt and reference', () => {
    for (const [charge, attempt] of [
      ['x', 1],
      [CHARGE, 0],
      [CHARGE, 100],
      [CHARGE, 1.5],
    ] as const) {
      expect(() => qrisReference(charge, attempt)).toThrow(RangeError);
    }
    for (const reference of ['', '2024090100000000000001', `${REFERENCE}1`, CHARGE]) expect(chargeOfReference(reference)).toBeUndefined();
  });
});

describe('a QR code', () => {
  it('sends the printed request, optional fields left out', async () => {
    const { processor, rail } = processorOf(printed('snap-qr-mpm-generate'));
    await expect(processor.create(ORDER)).resolves.toEqual({
      is: 'accepted',
      value: { processor_reference: REFERENCE, action: { qr_string: 'xxxxxxxxxxxxxxxx' }, valid_until: ORDER.expires_on },
    });
    expect(rail.bodies('create')).toEqual([
      {
        partnerReferenceNo: REFERENCE,
        amount: { value: '50000.00', currency: 'IDR' },
        merchantId: '00007100010926',
        terminalId: 'A1234567',
        validityPeriod: '2026-11-22T12:30:00+07:00',
      },
    ]);
    expect(rail.calls.at(-1)).toMatchObject({ path: '/openapi/v1.0/qr/qr-mpm-generate', headers: { 'channel-id': '95251' } });
  });

  it('sends the merchant’s own id below ours', async () => {
    const { processor, rail } = processorOf(printed('snap-qr-mpm-generate'));
    await processor.create({ ...ORDER, merchant_name_id: '310928924949487', attempt: 2 });
    expect(rail.bodies('create')[0]).toMatchObject({
      merchantId: '00007100010926',
      subMerchantId: '310928924949487',
      partnerReferenceNo: qrisReference(CHARGE, 2),
    });
  });

  it.each<[string, Scripted, string]>([
    ['without content', printed('snap-qr-mpm-generate', { qrContent: '' }), 'unknown'],
    ['of another reference', printed('snap-qr-mpm-generate', { partnerReferenceNo: '1' }), 'unknown'],
    ['for a wrong field', error('47', 400, '01'), 'rejected'],
    ['beyond a limit', error('47', 429, '00'), 'retryable'],
    ['of a reference that was used', error('47', 409, '01'), 'unknown'],
    ['of an error', error('47', 500, '00'), 'unknown'],
  ])('creation %s', async (_, answer, is) => {
    await expect(processorOf(answer).processor.create(ORDER)).resolves.toMatchObject({ is });
  });

  it('offers QRIS alone, and refunds where the profile has a service for them', () => {
    const { processor } = processorOf(notFound);
    expect(processor.describe('QR_QRIS')).toEqual({ min_amount: 100, max_amount: 1_000_000_000, life_ms: null, push: false, refund: true });
    expect(processor.describe('WALLET_DANA')).toBeUndefined();
  });

  it('sends no request for another channel or for fractions of a rupiah', async () => {
    const { processor, rail } = processorOf(notFound);
    await expect(processor.create({ ...ORDER, amount: 5_000_050 })).resolves.toMatchObject({ is: 'rejected', code: 'amount-not-whole' });
    await expect(processor.create({ ...ORDER, channel: channelByCode('QR_PAYNOW')! })).resolves.toMatchObject({
      is: 'rejected',
      code: 'channel-not-offered',
    });
    expect(rail.calls).toEqual([]);
  });
});

describe('status of a QR code', () => {
  it('reads the printed answers', async () => {
    const payment = { payment_reference: '43057a74-e179-49ed-b119-b004a3d522ec', amount: 5_000_000, currency: 'IDR' };
    await expect(processorOf(paid()).processor.query(REFERENCE)).resolves.toEqual({ is: 'accepted', value: { status: 'PAID', payment } });
    const standard = processorOf(printed('snap-qr-mpm-query'), 'standard');
    await expect(standard.processor.query(REFERENCE)).resolves.toMatchObject({
      is: 'accepted',
      value: { status: 'PAID', payment: { amount: 1_234_567_800 } },
    });
    expect(standard.rail.bodies('query')).toEqual([{ originalPartnerReferenceNo: REFERENCE, serviceCode: '47', merchantId: '00007100010926' }]);
  });

  it.each([
    ['01', { status: 'WAITING' }],
    ['02', { status: 'WAITING' }],
    ['03', { status: 'WAITING' }],
    ['04', { status: 'PAID' }],
    ['05', { status: 'CANCELLED' }],
    ['06', { status: 'FAILED', code: 'failed-at-provider' }],
  ])('reads the status %s', async (latestTransactionStatus, value) => {
    await expect(processorOf(paid({ latestTransactionStatus })).processor.query(REFERENCE)).resolves.toMatchObject({ is: 'accepted', value });
  });

  it.each<[string, Scripted]>([
    ['a status that is not listed', paid({ latestTransactionStatus: '07' })],
    ['no reference of the payment', paid({ originalReferenceNo: '' })],
    ['U+0000 in the reference of the payment', paid({ originalReferenceNo: 'A\u00001' })],
    ['half of a surrogate pair in the reference of the payment', paid({ originalReferenceNo: 'A\ud83d' })],
    ['a reference of the payment that no index holds', paid({ originalReferenceNo: '7'.repeat(8_000) })],
    ['a control character in the name of the issuer', paid({ additionalInfo: { issuerName: 'Bank\u0000' } })],
    ['no amount', paid({ amount: null })],
    ['another currency', paid({ amount: { value: '50000.00', currency: 'USD' } })],
    ['an exponent', paid({ amount: { value: '5e4', currency: 'IDR' } })],
    ['another reference', paid({ originalPartnerReferenceNo: qrisReference(CHARGE, 2) })],
    ['that it is not found', notFound],
    ['an error', error('51', 500, '00')],
  ])('returns unknown with %s', async (_, answer) => {
    await expect(processorOf(answer).processor.query(REFERENCE)).resolves.toMatchObject({ is: 'unknown' });
  });

  it('finds a payment by its charge, over each instruction that the charge may have had', async () => {
    const { processor, rail } = processorOf((_, nth) => (nth === 2 ? paid({ originalPartnerReferenceNo: qrisReference(CHARGE, 2) }) : notFound));
    await expect(processor.find(CHARGE)).resolves.toMatchObject({ is: 'accepted', value: [{ amount: 5_000_000 }] });
    expect(rail.bodies('query').map(({ originalPartnerReferenceNo }) => originalPartnerReferenceNo)).toEqual(
      [1, 2, 3, 4, 5].map((nth) => qrisReference(CHARGE, nth)),
    );
    await expect(processorOf(notFound).processor.find(CHARGE)).resolves.toEqual({ is: 'accepted', value: [] });
    await expect(processorOf((_, nth) => (nth === 3 ? error('51', 504, '00') : notFound)).processor.find(CHARGE)).resolves.toMatchObject({
      is: 'unknown',
    });
  });
});

describe('cancelling a QR code', () => {
  it('sends the printed request', async () => {
    const { processor, rail } = processorOf(printed('snap-qr-mpm-cancel'), 'standard');
    await expect(processor.cancel(REFERENCE)).resolves.toEqual({ is: 'accepted', value: { status: 'CANCELLED' } });
    expect(rail.bodies('cancel')).toEqual([{ originalPartnerReferenceNo: REFERENCE, merchantId: '00007100010926', reason: 'cancelled' }]);
  });

  it('queries the status when the provider does not cancel, or cannot', async () => {
    const { processor } = processorOf((endpoint) => (endpoint === 'cancel' ? error('77', 403, '15') : paid()));
    await expect(processor.cancel(REFERENCE)).resolves.toMatchObject({ is: 'accepted', value: { status: 'PAID' } });
    const doku = processorOf(paid({ latestTransactionStatus: '03' }), 'doku');
    await expect(doku.processor.cancel(REFERENCE)).resolves.toEqual({ is: 'accepted', value: { status: 'WAITING' } });
    expect(doku.rail.bodies('cancel')).toEqual([]);
    await expect(processorOf({ http: 200, body: 'x' }).processor.cancel(REFERENCE)).resolves.toMatchObject({ is: 'unknown' });
  });
});

describe('refunds', () => {
  const refunded = (more: object = {}): Scripted =>
    printed('snap-bca-qr-mpm-refund', { partnerRefundNo: REFUND.refund_id.replaceAll('-', ''), ...more });

  it('sends BCA the payment, and reads the printed answer', async () => {
    const { processor, rail } = processorOf((endpoint) => (endpoint === 'query' ? paid() : refunded()));
    await expect(processor.refund(REFUND)).resolves.toEqual({ is: 'accepted', value: { status: 'REFUNDED' } });
    expect(rail.bodies('refund')).toEqual([
      {
        merchantId: '00007100010926',
        originalPartnerReferenceNo: REFERENCE,
        originalReferenceNo: REFUND.payment_reference,
        partnerRefundNo: '0194fdc200007000800000000000000b',
        refundAmount: { value: '10000.00', currency: 'IDR' },
        additionalInfo: { terminalId: 'A1234567', transactionDate: '2024-09-01T08:43:11+07:00', issuerName: 'BCA' },
      },
    ]);
  });

  it('sends no refund when the payment cannot be queried', async () => {
    const { processor, rail } = processorOf(error('51', 500, '00'));
    await expect(processor.refund(REFUND)).resolves.toEqual({ is: 'retryable', code: '5005100' });
    expect(rail.bodies('refund')).toEqual([]);
  });

  it('sends one call to other providers, as the standard prints it', async () => {
    const { processor, rail } = processorOf(printed('snap-qr-mpm-refund', { partnerRefundNo: null }), 'standard');
    await expect(processor.refund(REFUND)).resolves.toMatchObject({ is: 'accepted' });
    expect(rail.calls.map(({ endpoint }) => endpoint)).toEqual(['token', 'refund']);
    expect(rail.bodies('refund')[0]).not.toHaveProperty('additionalInfo');
  });

  it.each(Object.entries(railFacts('outcomes').snap['refund 78'] as Record<string, string>))(
    'judges a refund answered with %s',
    async (key, wanted) => {
      const [http, caseCode] = (key === '*' ? '500:00' : key).split(':') as [string, string];
      const answer = key === '200:00' ? refunded() : error('78', Number(http), caseCode);
      const outcome = await processorOf(answer, 'standard').processor.refund(REFUND);
      expect(outcome.is).toBe(RESULT_OF_WORD[wanted.split(':')[0]!]);
    },
  );

  it('sends no refund again by itself after a rejected token', async () => {
    const { processor, rail } = processorOf(error('78', 401, '01'), 'standard');
    await expect(processor.refund(REFUND)).resolves.toMatchObject({ is: 'unknown' });
    expect(rail.bodies('refund')).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another amount', { refundAmount: { value: '1.00', currency: 'IDR' } }],
    ['another refund', { partnerRefundNo: '1' }],
    ['no number', { refundNo: '' }],
  ])('returns unknown for a refund with %s', async (_, more) => {
    await expect(processorOf(refunded(more), 'standard').processor.refund(REFUND)).resolves.toMatchObject({ is: 'unknown' });
  });

  it('finds a refund only when the whole amount has gone back', async () => {
    const whole = { ...REFUND, amount: 5_000_000 };
    const gone = processorOf(paid({ latestTransactionStatus: '04' })).processor;
    await expect(gone.findRefund(whole)).resolves.toEqual({ is: 'accepted', value: { status: 'REFUNDED' } });
    await expect(gone.findRefund(REFUND)).resolves.toMatchObject({ is: 'unknown' });
    await expect(processorOf(paid()).processor.findRefund(whole)).resolves.toMatchObject({ is: 'unknown' });
    await expect(processorOf(notFound).processor.findRefund(whole)).resolves.toMatchObject({ is: 'unknown' });
  });
});

describe('checking a rail for QRIS', () => {
  it('asks for a reference that was never used', async () => {
    const findings = await processorOf(notFound).processor.check();
    expect(findings.find(({ check }) => check === 'unknown reference')).toMatchObject({ level: 'ok' });
    const wrong = await processorOf(paid({ originalPartnerReferenceNo: null, latestTransactionStatus: '03' })).processor.check();
    expect(wrong.find(({ check }) => check === 'unknown reference')).toMatchObject({ level: 'error' });
  });
});
