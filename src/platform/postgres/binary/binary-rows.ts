import { OIDS, writeArrayHeader, writeInt64, writeTimestamptz, writeUuid } from './binary-values.js';

const NULL = -1;
/** Initial room: a good estimate for most tables. It grows. */
const FIRST_BYTES = 256;
const ROW_BYTES = 384;
/** Texts up to this many characters are written faster here than by a call out of JavaScript. */
const SHORT_TEXT = 48;
const UTF8_BYTES_MAX = 3;
const ASCII_END = 128;

const COPY_DATA = 'd'.charCodeAt(0);
const COPY_DONE = 'c'.charCodeAt(0);
/** A message begins with its type, then its length, which counts itself. */
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;
/** Without flags and extensions. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END_OF_ROWS = -1;

const NUMERIC_BASE = 10_000;
const NUMERIC_NEGATIVE = 0x4000;

/** Encodes rows as the messages that COPY … FROM STDIN (FORMAT binary) reads: one CopyData, then CopyDone. */
export class BinaryRows {
  #bytes: Buffer;
  #at: number;

  /** @param rows approximate number of rows */
  constructor(rows: number) {
    this.#bytes = Buffer.allocUnsafe(FIRST_BYTES + rows * ROW_BYTES);
    this.#bytes[0] = COPY_DATA;
    this.#at = TYPE_BYTES + LENGTH_BYTES;
    this.#at += SIGNATURE.copy(this.#bytes, this.#at);
  }

  /** Begins a row: this many values follow. */
  begin(columns: number): void {
    this.#room(2);
    this.#at = this.#bytes.writeInt16BE(columns, this.#at);
  }

  null(): void {
    this.#length(NULL, 0);
  }

  /** Returns all rows that were added. Called once. */
  end(): Buffer {
    this.#room(2 + TYPE_BYTES + LENGTH_BYTES);
    this.#at = this.#bytes.writeInt16BE(END_OF_ROWS, this.#at);
    this.#bytes.writeInt32BE(this.#at - TYPE_BYTES, TYPE_BYTES);
    this.#bytes[this.#at] = COPY_DONE;
    this.#at = this.#bytes.writeInt32BE(LENGTH_BYTES, this.#at + TYPE_BYTES);
    return this.#bytes.subarray(0, this.#at);
  }

  boolean(value: boolean): void {
    this.#length(1, 1);
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
  }

  smallint(value: number): void {
    this.#length(2, 2);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
  }

  integer(value: number): void {
    this.#length(4, 4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  /** Numbers are safe integers. */
  bigint(value: number | bigint): void {
    this.#length(8, 8);
    writeInt64(this.#bytes, value, this.#at);
    this.#at += 8;
  }

  timestamptz(value: string): void {
    this.#length(8, 8);
    writeTimestamptz(this.#bytes, value, this.#at);
    this.#at += 8;
  }

  uuid(value: string): void {
    this.#length(16, 16);
    writeUuid(this.#bytes, value, this.#at);
    this.#at += 16;
  }

  bytea(value: Buffer): void {
    this.#length(value.length, value.length);
    this.#at += value.copy(this.#bytes, this.#at);
  }

  /** Also writes json. */
  text(value: string): void {
    const { length } = value;
    this.#room(LENGTH_BYTES + length * UTF8_BYTES_MAX);
    const start = this.#at + LENGTH_BYTES;
    const bytes = this.#bytes;
    let ascii = 0;
    if (length <= SHORT_TEXT) {
      for (; ascii < length; ascii++) {
        const code = value.charCodeAt(ascii);
        if (code >= ASCII_END) break;
        bytes[start + ascii] = code;
      }
    }
    const end = ascii === length ? start + length : start + bytes.write(value, start, 'utf8');
    bytes.writeInt32BE(end - start, this.#at);
    this.#at = end;
  }

  /** An integer of any size; a string holds its digits. */
  numeric(value: number | bigint | string): void {
    const exact = typeof value === 'string' ? BigInt(value) : value;
    const isNegative = exact < 0;
    const digits = inBase(isNegative ? -exact : exact);
    this.#length(8 + digits.length * 2, 8 + digits.length * 2);
    const bytes = this.#bytes;
    let at = bytes.writeInt16BE(digits.length, this.#at);
    at = bytes.writeInt16BE(digits.length === 0 ? 0 : digits.length - 1, at);
    at = bytes.writeInt16BE(isNegative ? NUMERIC_NEGATIVE : 0, at);
    at = bytes.writeInt16BE(0, at);
    for (let index = digits.length - 1; index >= 0; index--) at = bytes.writeInt16BE(digits[index]!, at);
    this.#at = at;
  }

  integers(values: readonly number[]): void {
    this.#array(OIDS.int4, values, (value) => this.integer(value));
  }

  numerics(values: readonly (number | bigint | string)[]): void {
    this.#array(OIDS.numeric, values, (value) => this.numeric(value));
  }

  texts(values: readonly string[]): void {
    this.#array(OIDS.text, values, (value) => this.text(value));
  }

  #array<T>(oid: number, values: readonly T[], write: (value: T) => void): void {
    this.#room(LENGTH_BYTES + 20);
    const start = this.#at + LENGTH_BYTES;
    const before = this.#at;
    this.#at = writeArrayHeader(this.#bytes, start, oid, values.length, false);
    for (const value of values) write(value);
    this.#bytes.writeInt32BE(this.#at - start, before);
  }

  #length(length: number, room: number): void {
    this.#room(LENGTH_BYTES + room);
    this.#at = this.#bytes.writeInt32BE(length, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Returns the digits of a number that is not negative, the least first; none for 0. */
function inBase(value: number | bigint): number[] {
  const digits: number[] = [];
  let rest = value;
  if (typeof rest === 'bigint') {
    for (; rest > Number.MAX_SAFE_INTEGER; rest /= BigInt(NUMERIC_BASE)) digits.push(Number(rest % BigInt(NUMERIC_BASE)));
    rest = Number(rest);
  }
  for (; rest > 0; rest = Math.floor(rest / NUMERIC_BASE)) digits.push(rest % NUMERIC_BASE);
  return digits;
}
