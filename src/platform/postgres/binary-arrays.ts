/**
 * Arrays as Postgres reads them fastest: its binary format, which `pg` sends for a value that is a Buffer.
 * Written as text, every quote inside JSON would have to be escaped here and read back there.
 * The statement must fix the element's type (`$1::text[]`, or a function's parameter).
 */
const OIDS = { int4: 23, text: 25, json: 114, uuid: 2950 };
const EMPTY_BYTES = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

function arrayOf(oid: number, length: number, elementsBytes: number): Buffer {
  const dimensions = length === 0 ? 0 : 1;
  const array = Buffer.allocUnsafe(dimensions === 0 ? EMPTY_BYTES : HEADER_BYTES + length * LENGTH_BYTES + elementsBytes);
  array.writeInt32BE(dimensions, 0);
  array.writeInt32BE(0, 4); // no nulls
  array.writeInt32BE(oid, 8);
  if (dimensions === 0) return array;
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16); // lower bound
  return array;
}

export function int4Array(values: readonly number[]): Buffer {
  const array = arrayOf(OIDS.int4, values.length, values.length * 4);
  let at = HEADER_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(4, at);
    at = array.writeInt32BE(value, at);
  }
  return array;
}

export function uuidArray(values: readonly string[]): Buffer {
  const array = arrayOf(OIDS.uuid, values.length, values.length * 16);
  let at = HEADER_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(16, at);
    if (array.write(value.replaceAll('-', ''), at, 16, 'hex') !== 16) throw new TypeError(`not a UUID: "${value}"`);
    at += 16;
  }
  return array;
}

export const textArray = (values: readonly string[]): Buffer => stringArray(OIDS.text, values);

/** Of JSON texts. */
export const jsonArray = (values: readonly string[]): Buffer => stringArray(OIDS.json, values);

function stringArray(oid: number, values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const array = arrayOf(
    oid,
    values.length,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  let at = HEADER_BYTES;
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(lengths[index]!, at);
    at += array.write(value, at, 'utf8');
  }
  return array;
}
