import { createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHANNELS, channelByCode } from '../../../src/ledger/channels.js';
import { MalformedNotification, UnverifiedNotification, type Notification, type PaymentOrder } from '../../../src/domain/charges/processor.js';
import { SimulatedBankRail } from '../../../src/rails/simulator/simulated-bank-rail.js';
import { Simulator } from '../../../src/rails/simulator/simulator.js';
import { timestamp } from '../../../src/ledger/time.js';
import { readTlv } from '../../support/emvco.js';

const KEY = Buffer.alloc(32, 7);
const NOW = Date.parse('2026-01-31T08:15:30.123Z');
const simulator = new Simulator(KEY);
const paid: Notification = {
  kind: 'paid',
  notification_id: 'ntf-1',
  charge_id: '3f0c1d5e-6a7b-5c8d-9e0f-112233445566',
  occurred_on: '2026-01-31T08:15:30.000+00:00',
  amount: 10_000,
  payment_reference: 'SIM-1',
};
const order = (code: string): PaymentOrder => ({
  charge_id: paid.charge_id,
  code: 'CHG_0123456789ABCDEF',
  merchant_id: '0f0c1d5e-6a7b-4c8d-9e0f-112233445566',
  merchant_name: 'Toko Melati',
  channel: channelByCode(code)!,
  amount: 10_000,
  reference_id: 'INV-1',
  expires_on: '2026-01-31T08:45:30.123+00:00',
});
/** Signs as the documentation says, not as the code does. */
function signed(body: string | Buffer, seconds = Math.floor(NOW / 1000)): { body: Buffer; headers: Record<string, string> } {
  const secret = Buffer.from(hkdfSync('sha256', KEY, '', 'chargebook/simulator/notifications', 32));
  const signature = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { body: Buffer.from(body), headers: { 'simulator-timestamp': String(seconds), 'simulator-signature': `v1=${signature}` } };
}

describe('payment instructions', () => {
  it('returns a code for QR channels, and nothing for the others', () => {
    for (const { code, qr } of CHANNELS) expect(Object.keys(simulator.instructions(order(code)))).toEqual(qr ? ['qr_string'] : []);
  });

  it('returns the same instructions for every repeat, in every process', () => {
    expect(new Simulator(Buffer.alloc(32, 9)).instructions(order('QR_QRIS'))).toEqual(simulator.instructions(order('QR_QRIS')));
  });

  it('instructions identify a QRIS merchant in the forms that the network checks', () => {
    const account = readTlv(readTlv(simulator.instructions(order('QR_QRIS')).qr_string!).get('26')!);
    expect(account.get('02')).toMatch(/^ID\d{13}$/);
    const pan = account.get('01')!;
    expect(pan).toMatch(/^9360\d{14}$/);
    const luhn = [...pan]
      .reverse()
      .reduce((sum, digit, at) => sum + (at % 2 === 0 ? Number(digit) : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]!), 0);
    expect(luhn % 10).toBe(0);
  });

  it('instructions end when the charge ends, in Singapore time', () => {
    expect(readTlv(readTlv(simulator.instructions(order('QR_PAYNOW')).qr_string!).get('26')!).get('04')).toBe('20260131164530');
  });
});

describe('a refund', () => {
  const asked = (simulate: string | null, after: number) => {
    const of = { refund_id: 'r', charge_id: paid.charge_id, payment_reference: 'SIM-1', amount: 100, currency: 'SGD', simulate };
    return simulator.refund({ ...of, claimed_on: timestamp(NOW) }, NOW + after);
  };

  it('answers a refund a second and a half after its claim, and states the time left before', async () => {
    for (const after of [0, 500, 1_499]) expect(await asked(null, after)).toEqual({ status: 'PROCESSING', again_ms: 1_500 - after });
    expect(await asked(null, 1_500)).toEqual({ status: 'REFUNDED' });
    expect(await asked('fail', 1_500)).toMatchObject({ status: 'REJECTED' });
  });

  it('a refund that sticks has no time of an answer', async () => {
    for (const after of [0, 86_400_000]) expect(await asked('stick', after)).toEqual({ status: 'PROCESSING' });
  });
});

describe('a payout', () => {
  const asked = (bank_account_number: string, after: number) => {
    const of = {
      payout_id: '0f0c1d5e-6a7b-5c8d-9e0f-112233445566',
      currency: 'IDR',
      net_amount: 100,
      bank_account_name: 'Siti',
      bank_name: 'BCA',
      bank_account_number,
    };
    return new SimulatedBankRail(KEY).pay({ ...of, requested_on: timestamp(NOW) }, NOW + after);
  };

  it('answers a payout a second and a half after its request, and states the time left before', async () => {
    for (const after of [0, 500, 1_499]) expect(await asked('1234567890', after)).toEqual({ status: 'PROCESSING', again_ms: 1_500 - after });
    expect(await asked('1234567890', 1_500)).toEqual({ status: 'PAID' });
    expect(await asked('1234560001', 1_500)).toMatchObject({ status: 'REJECTED' });
  });

  it('a payout that is never answered has no time of an answer', async () => {
    for (const after of [0, 86_400_000]) expect(await asked('1234560003', after)).toEqual({ status: 'PROCESSING' });
  });
});

describe('a notification', () => {
  const all: Notification[] = [
    paid,
    { ...common(paid), kind: 'failed', reason: 'Kartu ditolak 🙈' },
    { ...common(paid), kind: 'expired' },
    { ...common(paid), kind: 'reversed', reason: 'Chargeback' },
  ];
  it.each(all)('reads a notification of kind $kind as it was signed', (notification) => {
    expect(simulator.notification(simulator.sign(notification, NOW), NOW)).toEqual(notification);
    expect(simulator.notification(signed(JSON.stringify(notification)), NOW)).toEqual(notification);
  });

  it('rejects a notification more than five minutes after or before its signature', () => {
    const seconds = Math.floor(NOW / 1000);
    for (const off of [-300, 300]) expect(simulator.notification(signed(JSON.stringify(paid), seconds + off), seconds * 1000)).toEqual(paid);
    for (const off of [-301, 301])
      expect(() => simulator.notification(signed(JSON.stringify(paid), seconds + off), seconds * 1000)).toThrow(UnverifiedNotification);
  });

  it('rejects a notification with another byte, time or signature', () => {
    const good = simulator.sign(paid, NOW);
    const refuse = (received: typeof good): void => expect(() => simulator.notification(received, NOW)).toThrow(UnverifiedNotification);
    refuse({ ...good, body: Buffer.from(good.body.toString().replace('10000', '10001')) });
    refuse({ ...good, headers: { ...good.headers, 'simulator-timestamp': String(Math.floor(NOW / 1000) + 1) } });
    refuse({ ...good, headers: { ...good.headers, 'simulator-signature': `v1=${'0'.repeat(64)}` } });
    refuse(new Simulator(Buffer.alloc(32, 8)).sign(paid, NOW));
  });

  it.each([
    ['no header at all', {}],
    ['no time', { 'simulator-timestamp': undefined }],
    ['a time that is no number', { 'simulator-timestamp': '1e9' }],
    ['no signature', { 'simulator-signature': undefined }],
    ['a signature of another version', { 'simulator-signature': `v2=${'0'.repeat(64)}` }],
    ['a short signature', { 'simulator-signature': 'v1=00' }],
    ['two signatures', { 'simulator-signature': ['v1=00', 'v1=01'] }],
  ])('rejects a notification with %s', (_, headers) => {
    const good = simulator.sign(paid, NOW);
    const sent = Object.keys(headers).length === 0 ? {} : { ...good.headers, ...headers };
    expect(() => simulator.notification({ body: good.body, headers: sent }, NOW)).toThrow(UnverifiedNotification);
  });

  it.each<[string, string | Buffer, string]>([
    ['no JSON', '{', ''],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), ''],
    ['null', 'null', ''],
    ['an array', '[]', ''],
    ['an unknown kind', JSON.stringify({ ...paid, kind: 'paidd' }), '/kind'],
    ['an unknown field', JSON.stringify({ ...paid, amout: 1 }), ''],
    ['no amount', JSON.stringify({ ...paid, amount: undefined }), '/amount'],
    ['an amount of zero', JSON.stringify({ ...paid, amount: 0 }), '/amount'],
    ['a fraction of a cent', JSON.stringify({ ...paid, amount: 1.5 }), '/amount'],
    ['an amount beyond what is exact', JSON.stringify({ ...paid, amount: 2 ** 53 }), '/amount'],
    ['an amount as text', JSON.stringify({ ...paid, amount: '10000' }), '/amount'],
    ['a charge id that is none', JSON.stringify({ ...paid, charge_id: '../1' }), '/charge_id'],
    ['a reference with a line break', JSON.stringify({ ...paid, payment_reference: 'a\nb' }), '/payment_reference'],
    ['a long reference', JSON.stringify({ ...paid, payment_reference: 'x'.repeat(65) }), '/payment_reference'],
    ['an empty reason', JSON.stringify({ ...common(paid), kind: 'failed', reason: '' }), '/reason'],
    ['a long reason', JSON.stringify({ ...common(paid), kind: 'failed', reason: '🙈'.repeat(256) }), '/reason'],
    ['a control character', JSON.stringify({ ...common(paid), kind: 'failed', reason: 'a\u0000b' }), '/reason'],
    [
      'a lone surrogate',
      '{"kind":"failed","notification_id":"1","charge_id":"3f0c1d5e-6a7b-5c8d-9e0f-112233445566","occurred_on":"2026-01-31T08:15:30Z","reason":"\\ud800"}',
      '/reason',
    ],
    ['a time without an offset', JSON.stringify({ ...paid, occurred_on: '2026-01-31T08:15:30' }), '/occurred_on'],
  ])('reports a notification with %s as malformed', (_, body, pointer) => {
    const read = (): Notification => simulator.notification(signed(body), NOW);
    expect(read).toThrow(MalformedNotification);
    expect(read).toThrow(expect.objectContaining({ pointer }));
  });

  it('never reads a notification without its signature, however it looks', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
        (bytes, hex) => {
          const headers = { 'simulator-timestamp': String(Math.floor(NOW / 1000)), 'simulator-signature': `v1=${hex}` };
          expect(() => simulator.notification({ body: Buffer.from(bytes), headers }, NOW)).toThrow(UnverifiedNotification);
        },
      ),
      { seed: 4 },
    );
  });
});

function common({ notification_id, charge_id, occurred_on }: Notification): Pick<Notification, 'notification_id' | 'charge_id' | 'occurred_on'> {
  return { notification_id, charge_id, occurred_on };
}
