/**
 * Payloads of merchant-presented payment QR codes.
 * Sources: EMVCo, EMV QR Code Specification for Payment Systems, Merchant-Presented Mode 1.1; QRIS (Bank Indonesia) and
 * SGQR/PayNow (Association of Banks in Singapore) on top of it.
 */
import { QR_AMOUNT_MAX } from '../../ledger/channels.js';
import { latinInAscii } from '../../platform/text/ascii.js';

const NAME_MAX = 25;
const CITY_MAX = 15;
const LABEL_MAX = 25;
/** A value's length is written with two digits. */
const VALUE_MAX = 99;

/** "12": created for one payment, in contrast to a printed code on a counter. */
const DYNAMIC = '12';

export interface QrisOrder {
  /** Minor units of IDR, 1 … QR_AMOUNT_MAX. */
  readonly amount: number;
  readonly merchant_name: string;
  readonly merchant_city: string;
  readonly postal_code: string;
  /** ISO 18245, four digits. */
  readonly category_code: string;
  /** National merchant id: `ID` and 13 digits. */
  readonly nmid: string;
  /** Merchant's account at its acquirer: 9360, the acquirer, the account and a check digit. */
  readonly merchant_pan: string;
  /** The merchant's order number. */
  readonly bill_number: string;
  /** The payment network returns it to identify the payment. */
  readonly reference_label: string;
}

/** QRIS: Indonesia's national payload. @throws RangeError when a field does not fit its format. */
export function qrisPayload(order: QrisOrder): string {
  const guid = field('00', 'ID.CO.QRIS.WWW');
  return withChecksum([
    field('00', '01'),
    field('01', DYNAMIC),
    field('26', guid + field('01', order.merchant_pan) + field('02', order.nmid) + field('03', 'UME')),
    field('51', guid + field('02', order.nmid) + field('03', 'UME')),
    field('52', order.category_code),
    field('53', '360'),
    field('54', decimalAmount(order.amount, 'where needed')),
    field('58', 'ID'),
    field('59', asciiText(order.merchant_name, NAME_MAX) || 'MERCHANT'),
    field('60', asciiText(order.merchant_city, CITY_MAX) || 'JAKARTA'),
    field('61', order.postal_code),
    field('62', optional('01', asciiText(order.bill_number, LABEL_MAX)) + field('05', asciiText(order.reference_label, LABEL_MAX))),
    inOwnScript(order.merchant_name, order.merchant_city),
  ]);
}

export interface PayNowOrder {
  /** Minor units of SGD, 1 … QR_AMOUNT_MAX. */
  readonly amount: number;
  readonly merchant_name: string;
  /** Unique entity number that receives the money. */
  readonly uen: string;
  /** Time from which the code cannot be paid any more; milliseconds since the epoch. */
  readonly expires_at: number;
  /** The banks return it to identify the payment. */
  readonly bill_number: string;
}

/** SGQR with PayNow to a UEN; the payer cannot change the amount. @throws RangeError when a field does not fit its format. */
export function payNowPayload(order: PayNowOrder): string {
  return withChecksum([
    field('00', '01'),
    field('01', DYNAMIC),
    field(
      '26',
      [field('00', 'SG.PAYNOW'), field('01', '2'), field('02', order.uen), field('03', '0'), field('04', singaporeTime(order.expires_at))].join(''),
    ),
    field('52', '0000'),
    field('53', '702'),
    field('54', decimalAmount(order.amount, 'always')),
    field('58', 'SG'),
    field('59', asciiText(order.merchant_name, NAME_MAX) || 'MERCHANT'),
    field('60', 'Singapore'),
    field('62', field('01', asciiText(order.bill_number, LABEL_MAX))),
    inOwnScript(order.merchant_name, 'Singapore'),
  ]);
}

/** ISO 639-1, by the letters of a name. Kana are listed before the Han characters, which Japanese uses too. */
const LANGUAGES: readonly (readonly [language: string, letters: RegExp])[] = [
  ['JA', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ZH', /\p{Script=Han}/u],
  ['KO', /\p{Script=Hangul}/u],
  ['TH', /\p{Script=Thai}/u],
  ['LO', /\p{Script=Lao}/u],
  ['KM', /\p{Script=Khmer}/u],
  ['MY', /\p{Script=Myanmar}/u],
  ['JV', /\p{Script=Javanese}/u],
  ['SU', /\p{Script=Sundanese}/u],
  ['TA', /\p{Script=Tamil}/u],
  ['HI', /\p{Script=Devanagari}/u],
  ['BN', /\p{Script=Bengali}/u],
  ['AR', /\p{Script=Arabic}/u],
  ['HE', /\p{Script=Hebrew}/u],
  ['RU', /\p{Script=Cyrillic}/u],
  ['EL', /\p{Script=Greek}/u],
];

/** Field 64, the merchant in another script: the words of its name that ASCII cannot write. Empty when there are none. */
function inOwnScript(name: string, city: string): string {
  const words = name.split(/\s+/u).filter((word) => /[^\p{Script=Latin}\P{L}]/u.test(word));
  const own = anyText(words.join(' '), NAME_MAX);
  const [language] = LANGUAGES.find(([, letters]) => letters.test(own)) ?? [];
  return language === undefined ? '' : field('64', field('00', language) + field('01', own) + optional('02', anyText(city, CITY_MAX)));
}

/** Printable characters of any script, at most `max`. */
function anyText(text: string, max: number): string {
  const printable = text.normalize('NFC').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  return [...printable].slice(0, max).join('').trim();
}

/** The effect of each byte on the register: eight steps of the polynomial 0x1021. */
const CRC_STEPS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** CRC-16/CCITT-FALSE over the UTF-8 bytes, as four upper-case hex digits: field 63 of every payload. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) crc = ((crc << 8) & 0xffff) ^ CRC_STEPS[(crc >> 8) ^ byte]!;
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Words of printable ASCII with one space between them, which most text consists of. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Returns `text` in the printable ASCII that every scanner reads, at most `max` characters. Latin letters lose their marks; characters without a
 * plain form are removed. Empty when nothing is left.
 */
export function asciiText(text: string, max: number): string {
  if (PLAIN.test(text)) return text.slice(0, max).trimEnd();
  return latinInAscii(text)
    .normalize('NFKD')
    .replace(/[‐-―]/gu, '-')
    .replace(/[‘’ʼ]/gu, "'")
    .replace(/\s+/gu, ' ')
    .replace(/[^ -~]/gu, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, max)
    .trimEnd();
}

/** 10050 becomes `100.50`; 10000 becomes `100.00`, or `100` in rupiah, which people write without sen. */
function decimalAmount(minorUnits: number, decimals: 'always' | 'where needed'): string {
  if (!Number.isSafeInteger(minorUnits) || minorUnits < 1 || minorUnits > QR_AMOUNT_MAX) {
    throw new RangeError(`an EMVCo amount is 1 … ${QR_AMOUNT_MAX} minor units, not ${minorUnits}`);
  }
  const whole = Math.floor(minorUnits / 100).toString();
  const cents = minorUnits % 100;
  return cents === 0 && decimals === 'where needed' ? whole : `${whole}.${cents.toString().padStart(2, '0')}`;
}

/** `YYYYMMDDhhmmss` on Singapore's clock, eight hours ahead of UTC all year. */
function singaporeTime(milliseconds: number): string {
  return new Date(milliseconds + 8 * 60 * 60 * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
}

function withChecksum(fields: readonly string[]): string {
  const body = `${fields.join('')}6304`;
  return body + crc16(body);
}

/** Id, length in characters and value. Values are ASCII except in field 64, whose characters may have several bytes. */
function field(id: string, value: string): string {
  const { length } = [...value];
  if (length === 0 || length > VALUE_MAX) throw new RangeError(`EMVCo field ${id} takes 1 to ${VALUE_MAX} characters, not ${length}`);
  return `${id}${length.toString().padStart(2, '0')}${value}`;
}

function optional(id: string, value: string): string {
  return value === '' ? '' : field(id, value);
}
