const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;
const FIXED_32 = 5;
/** Maximum bytes of a varint, seven bits each, that make a whole number that a double holds. */
const EXACT_BYTES = 7;
const VARINT_BYTES_MAX = 10;

/**
 * Reads one protobuf message, field by field: `next` returns the number of the field, then one of the other methods reads its value, or none does.
 * Generated code builds an object for every message within a message, which costs several times as much as the event itself.
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
export class ProtobufReader {
  #at: number;
  /** Beginning and end of the value of the current field; the value of a number begins at its first byte. */
  #from = 0;
  #to = 0;

  constructor(
    private readonly bytes: Buffer,
    from = 0,
    private readonly end = bytes.length,
  ) {
    this.#at = from;
  }

  /** Returns the number of the next field, 0 after the last one. @throws RangeError when the message is cut off or no protobuf */
  next(): number {
    if (this.#at >= this.end) return 0;
    const tag = this.#length();
    switch (tag & 7) {
      case VARINT:
        this.#from = this.#at;
        while (this.bytes[this.#at]! >= 0x80) this.#at++;
        this.#to = this.#at += 1;
        break;
      case DELIMITED: {
        const length = this.#length();
        this.#from = this.#at;
        this.#to = this.#at += length;
        break;
      }
      case FIXED_64:
      case FIXED_32:
        this.#from = this.#at;
        this.#to = this.#at += (tag & 7) === FIXED_64 ? 8 : 4;
        break;
      default:
        throw new RangeError(`invalid protobuf: wire type ${tag & 7}`);
    }
    if (this.#at > this.end) throw new RangeError('the protobuf message is truncated');
    return tag >>> 3;
  }

  /** Returns the value of a 64-bit number, without its sign. */
  uint64(): bigint {
    const length = this.#to - this.#from;
    if (length > VARINT_BYTES_MAX) throw new RangeError('invalid protobuf: a number of more than 64 bits');
    if (length <= EXACT_BYTES) return BigInt(this.#exact());
    let value = 0n;
    for (let at = this.#to - 1; at >= this.#from; at--) value = (value << 7n) | BigInt(this.bytes[at]! & 0x7f);
    return BigInt.asUintN(64, value);
  }

  text(): string {
    return this.bytes.toString('utf8', this.#from, this.#to);
  }

  /** Length of a text, bytes or message, in bytes. */
  get length(): number {
    return this.#to - this.#from;
  }

  message(): ProtobufReader {
    return new ProtobufReader(this.bytes, this.#from, this.#to);
  }

  #exact(): number {
    let value = 0;
    for (let at = this.#to - 1; at >= this.#from; at--) value = value * 0x80 + (this.bytes[at]! & 0x7f);
    return value;
  }

  #length(): number {
    this.#from = this.#at;
    while (this.bytes[this.#at]! >= 0x80) this.#at++;
    this.#to = this.#at += 1;
    if (this.#to - this.#from > EXACT_BYTES) throw new RangeError('invalid protobuf: a length of more than 49 bits');
    return this.#exact();
  }
}

/** Encodes a field that holds a text, bytes, or a message that is composed of its fields. */
export function delimited(field: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([varint(field * 8 + DELIMITED), varint(length), ...parts]);
}

/** Encodes a field that holds a number. @param value a whole number, at most `Number.MAX_SAFE_INTEGER` */
export function numeric(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8 + VARINT), varint(value)]);
}

function varint(value: number): Buffer {
  if (value < 0x80) return SINGLE_BYTES[value]!;
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

const SINGLE_BYTES: readonly Buffer[] = Array.from({ length: 0x80 }, (_, value) => Buffer.from([value]));
