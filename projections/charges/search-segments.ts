/**
 * An index of a whole segment of texts. It is built once and never changes. For each trigram (hashed to a key) it has the list of texts that contain
 * it. Built in memory in one pass, it costs a few microseconds per text; a GIN index that is updated text by text would cost a hundred.
 */

/** Texts per segment: their numbers fit into 16 bits. */
export const SEGMENT_SIZE = 16_384;
/** Number of keys. Different trigrams may share a key: a list contains candidates, and the text itself decides. */
const KEYS = 1 << 17;
/** A list longer than this is shorter as a bitmap. */
const LISTED_MAX = SEGMENT_SIZE / 16;
const BITMAP_BYTES = SEGMENT_SIZE / 8;
/** Two rows fill a page, and the longest list still fits into one. */
const ROW_BYTES = 4_000;
/** Size of an entry in a row's directory. */
const BYTES_PER_KEY = 8;

/** Separates the fields of a text. No field contains it, because control characters are rejected. */
export const FIELD_END = '\u0001';

/**
 * Folds the case of `text` letter by letter (Unicode's simple case folding). The searched text and the indexed texts both use this function, never a
 * database's locale.
 */
export function foldCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : Array.from(text, foldLetter).join('');
}

const ASCII = /^[\u0000-\u007f]*$/;

/** Folds through the capital letter, so that ς, σ and Σ are one letter. A letter whose capital has several letters (ß) stays itself. */
function foldLetter(letter: string): string {
  const capital = letter.toUpperCase();
  return (Array.from(capital).length === 1 ? capital : letter).toLowerCase();
}

/** Visits the keys of a folded text in its order; none across fields or for fewer than three letters. */
function forEachKey(text: string, visit: (key: number) => void): void {
  const end = FIELD_END.charCodeAt(0);
  let a = end;
  let b = end;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (a !== end && b !== end && c !== end) visit(keyOf(a, b, c));
    a = b;
    b = c;
  }
}

function keyOf(a: number, b: number, c: number): number {
  const hash = Math.imul(Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ c, 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) & (KEYS - 1);
}

export function keysOf(text: string): number[] {
  const keys = new Set<number>();
  forEachKey(text, (key) => keys.add(key));
  return [...keys];
}

/** Some consecutive keys of a segment with their lists. */
export interface SegmentRow {
  readonly first_key: number;
  /** In ascending order. */
  readonly keys: readonly number[];
  /** The end of each key's list in `lists`, bytes. */
  readonly ends: readonly number[];
  readonly lists: Buffer;
}

/** Builds the index of up to SEGMENT_SIZE folded texts. */
export function buildSegment(texts: readonly string[]): SegmentRow[] {
  const { starts, numbers } = listsByKey(texts);
  const rows: SegmentRow[] = [];
  let keys: number[] = [];
  let lists: Buffer[] = [];
  let bytes = 0;
  const finish = (): void => {
    if (keys.length === 0) return;
    let end = 0;
    rows.push({ first_key: keys[0]!, keys, ends: lists.map((list) => (end += list.length)), lists: Buffer.concat(lists) });
    keys = [];
    lists = [];
    bytes = 0;
  };
  for (let key = 0; key < KEYS; key++) {
    const listed = numbers.subarray(starts[key], starts[key + 1]);
    if (listed.length === 0) continue;
    const list = encode(listed);
    if (bytes + list.length + BYTES_PER_KEY > ROW_BYTES) finish();
    keys.push(key);
    lists.push(list);
    bytes += list.length + BYTES_PER_KEY;
  }
  finish();
  return rows;
}

/** Returns the numbers of the texts of key k, ascending and unique: `numbers` from `starts[k]` to `starts[k + 1]`. */
function listsByKey(texts: readonly string[]): { starts: Uint32Array; numbers: Uint16Array } {
  const newest = new Int32Array(KEYS).fill(-1);
  const starts = new Uint32Array(KEYS + 1);
  for (const [number, text] of texts.entries()) {
    forEachKey(text, (key) => {
      if (newest[key] === number) return;
      newest[key] = number;
      starts[key + 1]!++;
    });
  }
  for (let key = 0; key < KEYS; key++) starts[key + 1]! += starts[key]!;
  const numbers = new Uint16Array(starts[KEYS]!);
  const ends = starts.slice();
  newest.fill(-1);
  for (const [number, text] of texts.entries()) {
    forEachKey(text, (key) => {
      if (newest[key] === number) return;
      newest[key] = number;
      numbers[ends[key]!++] = number;
    });
  }
  return { starts, numbers };
}

/** Encodes numbers with 16 bits each, little-endian, or as a bitmap when there are many. The length distinguishes the two. */
function encode(numbers: Uint16Array): Buffer {
  if (numbers.length < LISTED_MAX) {
    const list = Buffer.allocUnsafe(numbers.length * 2);
    for (let at = 0; at < numbers.length; at++) list.writeUInt16LE(numbers[at]!, at * 2);
    return list;
  }
  const bitmap = Buffer.alloc(BITMAP_BYTES);
  for (const number of numbers) bitmap[number >> 3]! |= 1 << (number & 7);
  return bitmap;
}

/** Returns the numbers that are in all of `lists` (at least one), as `buildSegment` encoded them. */
export function intersect(lists: readonly Buffer[]): number[] {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  let numbers = decode(shortest!);
  for (const list of others) {
    if (list.length === BITMAP_BYTES) {
      numbers = numbers.filter((number) => (list[number >> 3]! & (1 << (number & 7))) !== 0);
    } else {
      const known = new Set(decode(list));
      numbers = numbers.filter((number) => known.has(number));
    }
  }
  return numbers;
}

function decode(list: Buffer): number[] {
  const numbers: number[] = [];
  if (list.length < BITMAP_BYTES) {
    for (let at = 0; at < list.length; at += 2) numbers.push(list.readUInt16LE(at));
    return numbers;
  }
  for (const [at, bits] of list.entries()) {
    for (let bit = 0; bits >> bit !== 0; bit++) if (bits & (1 << bit)) numbers.push(at * 8 + bit);
  }
  return numbers;
}
