const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Space, tab, line feed, carriage return: RFC 8259, section 2. */
const WHITE = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** What a number may begin with: a minus or a digit. */
const beginsNumber = (byte: number): boolean => byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
/** Digits, + - . e E. */
const isInNumber = (byte: number): boolean => beginsNumber(byte) || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65;

/** Where the string that begins at `start` ends, exclusive; the end of the text when it is cut off. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, json.length);
}

function endOfNumber(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && isInNumber(json[at]!)) at += 1;
  return at;
}

/**
 * JSON without the white space between its tokens, everything else byte for byte: a signature is over these bytes, so they are never
 * parsed and printed again, which would change escapes and numbers. Source: SNAP, "minify RequestBody".
 */
export function minified(json: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(json.length);
  let length = 0;
  for (let at = 0; at < json.length;) {
    const end = json[at] === QUOTE ? endOfString(json, at) : at + 1;
    if (!WHITE.has(json[at]!)) length += json.copy(kept, length, at, end);
    at = end;
  }
  return kept.subarray(0, length);
}

/**
 * The value of a JSON text in which every number is the string of its own digits: amounts are read by them, and no float stands between.
 * @throws SyntaxError for what is no JSON in UTF-8
 */
export function parsedByDigits(json: Buffer): unknown {
  // Read as it is first: with its numbers in quotes, a text that is no JSON may be one.
  JSON.parse(utf8(json));
  const parts: Buffer[] = [];
  const quote = Buffer.from('"');
  let copied = 0;
  for (let at = 0; at < json.length;) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (!beginsNumber(byte)) at += 1;
    else {
      const end = endOfNumber(json, at);
      parts.push(json.subarray(copied, at), quote, json.subarray(at, end), quote);
      copied = at = end;
    }
  }
  parts.push(json.subarray(copied));
  return JSON.parse(utf8(Buffer.concat(parts)));
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SyntaxError('not UTF-8');
  }
}
