import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jsqr from 'jsqr';
import { QR_AMOUNT_MAX } from '../../../src/ledger/channels.js';
import { asciiText, crc16, payNowPayload, qrisPayload, type PayNowOrder, type QrisOrder } from '../../../src/rails/simulator/emvco.js';
import { payloadField, qrSvg } from '../../../src/web/checkout/qr-code.js';
import { ANY_CHARACTER } from '../../support/any-character.js';
import { readTlv } from '../../support/emvco.js';
import { rasterise } from '../../support/raster.js';

const QRIS: QrisOrder = {
  amount: 1_234_550,
  merchant_name: 'Toko Melati',
  merchant_city: 'Jakarta',
  postal_code: '10110',
  category_code: '5999',
  nmid: 'ID9912345678901',
  merchant_pan: '936009991234567890',
  bill_number: 'INV-2026-0001',
  reference_label: 'CHG_0123456789ABCDEF',
};
const PAYNOW: PayNowOrder = {
  amount: 1990,
  merchant_name: 'Kopi & Toast',
  uen: 'T99LL0000A',
  expires_at: Date.parse('2026-01-31T16:30:05Z'),
  bill_number: 'CHG_0123456789ABCDEF',
};

describe('the checksum', () => {
  it.each([
    // The check value of CRC-16/CCITT-FALSE in the catalogue of parametrised CRC algorithms.
    ['123456789', '29B1'],
    // The worked example of the EMVCo Merchant-Presented Mode specification.
    [
      '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304',
      'A13A',
    ],
    // A PayNow code and a QRIS code as published by others.
    ['00020101021226490009SG.PAYNOW010120210201101550Z03010040820201127520400005303702540550.005802SG5907Qryptal6009Singapore62060102AJ6304', '88E9'],
    [
      '00020101021126570011ID.DANA.WWW011893600915303265462802090326546280303UMI51440014ID.CO.QRIS.WWW0215ID10265329452210303UMI5204504553033605802ID5905ZIQVA6011Kab. Malang6105651676304',
      'F3F6',
    ],
  ])('checksum of %s is %s', (text, crc) => expect(crc16(text)).toBe(crc));
});

describe('a QRIS payload', () => {
  it('writes the fields of the specification', () => {
    const fields = readTlv(qrisPayload(QRIS));
    expect([...fields.keys()]).toEqual(['00', '01', '26', '51', '52', '53', '54', '58', '59', '60', '61', '62', '63']);
    expect(Object.fromEntries(fields)).toMatchObject({
      '00': '01',
      '01': '12',
      '52': '5999',
      '53': '360',
      '54': '12345.50',
      '58': 'ID',
      '59': 'Toko Melati',
      '60': 'Jakarta',
      '61': '10110',
    });
    expect(Object.fromEntries(readTlv(fields.get('26')!))).toEqual({ '00': 'ID.CO.QRIS.WWW', '01': QRIS.merchant_pan, '02': QRIS.nmid, '03': 'UME' });
    expect(Object.fromEntries(readTlv(fields.get('51')!))).toEqual({ '00': 'ID.CO.QRIS.WWW', '02': QRIS.nmid, '03': 'UME' });
    expect(Object.fromEntries(readTlv(fields.get('62')!))).toEqual({ '01': 'INV-2026-0001', '05': 'CHG_0123456789ABCDEF' });
  });

  it('writes decimals only where there are any, as rupiah are written', () => {
    const amount = (minorUnits: number): string | undefined => readTlv(qrisPayload({ ...QRIS, amount: minorUnits })).get('54');
    expect([1, 5, 10, 99, 100, 101, 10_000, 10_050, QR_AMOUNT_MAX].map(amount)).toEqual([
      '0.01',
      '0.05',
      '0.10',
      '0.99',
      '1',
      '1.01',
      '100',
      '100.50',
      '9999999999.99',
    ]);
  });

  it.each([0, -1, 1.5, QR_AMOUNT_MAX + 1, Number.NaN])('rejects an amount of %p', (amount) => {
    expect(() => qrisPayload({ ...QRIS, amount })).toThrow(RangeError);
  });

  it('leaves out a bill number that cannot be written', () => {
    expect(Object.fromEntries(readTlv(readTlv(qrisPayload({ ...QRIS, bill_number: '最佳' })).get('62')!))).toEqual({ '05': 'CHG_0123456789ABCDEF' });
  });
});

describe('a PayNow payload', () => {
  it('writes the fields of the specification, with its expiry in Singapore time', () => {
    const fields = readTlv(payNowPayload(PAYNOW));
    expect([...fields.keys()]).toEqual(['00', '01', '26', '52', '53', '54', '58', '59', '60', '62', '63']);
    expect(Object.fromEntries(fields)).toMatchObject({
      '00': '01',
      '01': '12',
      '52': '0000',
      '53': '702',
      '54': '19.90',
      '58': 'SG',
      '59': 'Kopi & Toast',
      '60': 'Singapore',
    });
    expect(Object.fromEntries(readTlv(fields.get('26')!))).toEqual({
      '00': 'SG.PAYNOW',
      '01': '2',
      '02': 'T99LL0000A',
      '03': '0',
      '04': '20260201003005',
    });
    expect(Object.fromEntries(readTlv(fields.get('62')!))).toEqual({ '01': 'CHG_0123456789ABCDEF' });
  });

  it('always writes two decimals', () => {
    expect([1, 100, 20_000_000].map((amount) => readTlv(payNowPayload({ ...PAYNOW, amount })).get('54'))).toEqual(['0.01', '1.00', '200000.00']);
  });
});

describe('a merchant’s name', () => {
  const fieldsOf = (merchant_name: string): ReadonlyMap<string, string>[] =>
    [qrisPayload({ ...QRIS, merchant_name }), payNowPayload({ ...PAYNOW, merchant_name })].map(readTlv);

  it('Latin name: written in ASCII, without a language template', () => {
    for (const fields of fieldsOf('Łódź Straße Øresund')) {
      expect([fields.get('59'), fields.has('64')]).toEqual(['Lodz Strasse Oresund', false]);
    }
  });

  it.each([
    ['好运来', 'MERCHANT', 'ZH', '好运来'],
    ['すし 銀座', 'MERCHANT', 'JA', 'すし 銀座'],
    ['맛있는 집', 'MERCHANT', 'KO', '맛있는 집'],
    ['ร้านกาแฟ', 'MERCHANT', 'TH', 'ร้านกาแฟ'],
    ['Ёлка', 'MERCHANT', 'RU', 'Ёлка'],
    ['Haoyunlai 好运来', 'Haoyunlai', 'ZH', '好运来'],
    ['𠮷'.repeat(30), 'MERCHANT', 'ZH', '𠮷'.repeat(25)],
  ])('writes a name in its own script beside a Latin one: %s', (name, latin, language, own) => {
    for (const fields of fieldsOf(name)) {
      expect([...fields.keys()].slice(-2)).toEqual(['64', '63']);
      expect(fields.get('59')).toBe(latin);
      expect(Object.fromEntries(readTlv(fields.get('64')!))).toEqual({ '00': language, '01': own, '02': fields.get('60') });
    }
  });
});

describe('any payload', () => {
  const anyText = fc.oneof(fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }));
  const anyAmount = fc.integer({ min: 1, max: QR_AMOUNT_MAX });

  it('every payload is ASCII except for the language template, reads back, keeps its bounds and carries its checksum, whatever the names', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyAmount, (merchant_name, merchant_city, bill_number, amount) => {
        for (const payload of [
          qrisPayload({ ...QRIS, merchant_name, merchant_city, bill_number, amount }),
          payNowPayload({ ...PAYNOW, merchant_name, amount }),
        ]) {
          const fields = readTlv(payload);
          for (const [id, value] of fields) expect([id, value]).toEqual([id, expect.stringMatching(id === '64' ? /^\P{C}+$/u : /^[ -~]+$/)]);
          expect(fields.get('63')).toBe(crc16(payload.slice(0, -4)));
          expect(Math.round(Number(fields.get('54')) * 100)).toBe(amount);
          expect(fields.get('54')!.length).toBeLessThanOrEqual(13);
          expect(fields.get('59')!.length).toBeLessThanOrEqual(25);
          expect(fields.get('60')!.length).toBeLessThanOrEqual(15);
          for (const label of readTlv(fields.get('62')!).values()) expect(label.length).toBeLessThanOrEqual(25);
        }
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it.each([
    ['Łódź Straße Øresund', 25, 'Lodz Strasse Oresund'],
    ['Café São Paulo – “Büro”', 30, 'Cafe Sao Paulo - Buro'],
    ['  O’Neill   & Söhne\n', 25, "O'Neill & Sohne"],
    ['株式会社 Acme 🎉 Ltd', 25, 'Acme Ltd'],
    ['<b>x</b>', 25, '<b>x</b>'],
    ['x'.repeat(40), 25, 'x'.repeat(25)],
    ['\u202Eevil\u0000', 25, 'evil'],
  ])('writes %j in ASCII', (text, max, plain) => expect(asciiText(text, max)).toBe(plain));

  it('payloadField reads the values that the page shows, and none from a malformed payload', () => {
    const payload = qrisPayload({ ...QRIS, merchant_name: 'Kopi Kita', amount: 100 });
    expect(payloadField(payload, '59')).toBe('Kopi Kita');
    expect(payloadField(payload, '51', '02')).toBe(QRIS.nmid);
    for (const ids of [['51', '77'], ['99'], ['59', '02', '01']]) expect(payloadField(payload, ...ids)).toBeUndefined();
    for (const broken of ['', '5', '5909', '59xxKopi', '000201599']) expect(() => payloadField(broken, '59', '02')).not.toThrow();
  });

  it('decoder reads the payload back from the picture on the page', () => {
    fc.assert(
      fc.property(anyText, anyAmount, fc.boolean(), (merchant_name, amount, isQris) => {
        const payload = isQris
          ? qrisPayload({ ...QRIS, merchant_name, bill_number: merchant_name, amount })
          : payNowPayload({ ...PAYNOW, merchant_name, amount });
        const { pixels, width } = rasterise(qrSvg(payload, 'code').toString());
        expect(jsqr.default(pixels, width, width)?.data).toBe(payload);
      }),
      { seed: 3, numRuns: 25 },
    );
  });
});
