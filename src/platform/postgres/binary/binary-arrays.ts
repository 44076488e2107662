import { OIDS, writeArrayHeader, writeInt64, writeTimestamptz, writeUuid } from './binary-values.js';

/**
 * Arrays in the format that Postgres reads fastest: its binary format, which `pg` sends for a value that is a Buffer. Written as text, every quote
 * inside JSON would have to be escaped here and parsed there, and every number, UUID and moment parsed.
 * The statement must fix the element's type (`$1::text[]`, or a function's parameter). null and undefined are Postgres's null.
 */
const EMPTY_BYTES = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

type Values<T> = readonly (T | null | undefined)[];

/** Allocates room for `length` elements; the first begins after the header. */
function arrayOf(oid: number, length: number, elementsBytes: number, hasNulls: boolean): Buffer {
  const array = Buffer.allocUnsafe(length === 0 ? EMPTY_BYTES : HEADER_BYTES + length * LENGTH_BYTES + elementsBytes);
  writeArrayHeader(array, 0, oid, length, hasNulls);
  return array;
}

/** Encodes elements of `bytes` bytes each. */
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
export const int8Array = (values: Values<number | bigint>): Buffer => fixedArray(OIDS.int8, 8, values, writeInt64);

/** RFC 3339 to the millisecond, or `-infinity`. @throws RangeError */
export const timestamptzArray = (values: Values<string>): Buffer => fixedArray(OIDS.timestamptz, 8, values, writeTimestamptz);

export const uuidArray = (values: Values<string>): Buffer => fixedArray(OIDS.uuid, 16, values, writeUuid);

export const textArray = (values: Values<string>): Buffer => stringArray(OIDS.text, values);

/** Values are JSON texts. */
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
