/**
 * Arrays as Postgres reads them fastest: its binary format, which `pg` sends for a value that is a Buffer. Written as text, every
 * quote inside JSON would have to be escaped here and read back there, and every number, UUID and moment parsed.
 * The statement must fix the element's type (`$1::text[]`, or a function's parameter). null and undefined are Postgres's null.
 */
const OIDS = { int8: 20, int4: 23, text: 25, json: 114, timestamptz: 1184, uuid: 2950 };
const EMPTY_BYTES = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

type Values<T> = readonly (T | null | undefined)[];

/** Room for `length` elements; the first begins behind the header. */
function arrayOf(oid: number, length: number, elementsBytes: number, hasNulls: boolean): Buffer {
  const dimensions = length === 0 ? 0 : 1;
  const array = Buffer.allocUnsafe(dimensions === 0 ? EMPTY_BYTES : HEADER_BYTES + length * LENGTH_BYTES + elementsBytes);
  array.writeInt32BE(dimensions, 0);
  array.writeInt32BE(hasNulls ? 1 : 0, 4);
  array.writeInt32BE(oid, 8);
  if (dimensions === 0) return array;
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16); // lower bound
  return array;
}

/** Of elements of `bytes` bytes each. */
function fixedArray<T>(oid: number, bytes: number, values: Values<T>, write: (array: Buffer, value: T, at: number) => void): Buffer {
  let nulls = 0;
  for (const value of values) if (value === null || value === undefined) nulls++;
  const array = arrayOf(oid, values.length, (values.length - nulls) * bytes, nulls > 0);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null || value === undefined) {
      at = array.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    at = array.writeInt32BE(bytes, at);
    write(array, value, at);
    at += bytes;
  }
  return array;
}

export const int4Array = (values: Values<number>): Buffer =>
  fixedArray(OIDS.int4, 4, values, (array, value, at) => void array.writeInt32BE(value, at));

/** Numbers are safe integers. */
export const int8Array = (values: Values<number | bigint>): Buffer =>
  fixedArray(OIDS.int8, 8, values, (array, value, at) => {
    if (typeof value === 'bigint') array.writeBigInt64BE(value, at);
    else writeInt64(array, value, at);
  });

/** Milliseconds from 1970 to 2000, where Postgres's time begins. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const BEFORE_ALL_TIME = '-infinity';
const BEFORE_ALL_TIME_VALUE = -(2n ** 63n);

/** RFC 3339 to the millisecond, or `-infinity`. @throws RangeError */
export function timestamptzArray(values: Values<string>): Buffer {
  // Several columns, and the rows of a batch, often hold the same moment.
  let lastText = '';
  let lastMicroseconds = 0;
  return fixedArray(OIDS.timestamptz, 8, values, (array, value, at) => {
    if (value === BEFORE_ALL_TIME) {
      array.writeBigInt64BE(BEFORE_ALL_TIME_VALUE, at);
      return;
    }
    if (value !== lastText) {
      lastMicroseconds = (Date.parse(value) - POSTGRES_EPOCH_MS) * 1_000;
      if (Number.isNaN(lastMicroseconds)) throw new RangeError(`not a moment: ${value}`);
      lastText = value;
    }
    writeInt64(array, lastMicroseconds, at);
  });
}

export const uuidArray = (values: Values<string>): Buffer => fixedArray(OIDS.uuid, 16, values, writeUuid);

export const textArray = (values: Values<string>): Buffer => stringArray(OIDS.text, values);

/** Of JSON texts. */
export const jsonArray = (values: Values<string>): Buffer => stringArray(OIDS.json, values);

function stringArray(oid: number, values: Values<string>): Buffer {
  const lengths = values.map((value) => (value === null || value === undefined ? NULL_LENGTH : Buffer.byteLength(value)));
  let bytes = 0;
  for (const length of lengths) if (length > 0) bytes += length;
  const array = arrayOf(oid, values.length, bytes, lengths.includes(NULL_LENGTH));
  let at = HEADER_BYTES;
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(lengths[index]!, at);
    if (value !== null && value !== undefined) at += array.write(value, at, 'utf8');
  }
  return array;
}

const TWO_TO_32 = 2 ** 32;

function writeInt64(array: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_TO_32);
  array.writeInt32BE(high, at);
  array.writeUInt32BE(value - high * TWO_TO_32, at + 4);
}

/** The value of each hexadecimal digit by its character code. */
const DIGITS = new Int8Array(128).fill(-1);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
/** -1: none. */
const digitAt = (text: string, index: number): number => DIGITS[text.charCodeAt(index)] ?? -1;
const UUID_LENGTH = 36;
const isDash = (index: number): boolean => index === 8 || index === 13 || index === 18 || index === 23;

function writeUuid(array: Buffer, uuid: string, at: number): void {
  if (uuid.length !== UUID_LENGTH) throw new TypeError(`not a UUID: "${uuid}"`);
  let invalid = 0;
  for (let index = 0; index < UUID_LENGTH; index += 2) {
    if (isDash(index) && uuid[index++] !== '-') invalid = -1;
    const byte = (digitAt(uuid, index) << 4) | digitAt(uuid, index + 1);
    invalid |= byte;
    array[at++] = byte;
  }
  if (invalid < 0) throw new TypeError(`not a UUID: "${uuid}"`);
}
