const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Space, tab, line feed, carriage return: RFC 8259, section 2. */
const WHITE = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** True for a minus or a digit, with which a number begins. */
const beginsNumber = (byte: number): boolean => byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
/** Digits, + - . e E. */
const isInNumber = (byte: number): boolean => beginsNumber(byte) || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65;

/** Returns the end, exclusive, of the string that begins at `start`; the end of the text when the string is cut off. */
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
 * Removes the white space between JSON tokens and keeps everything else byte for byte. A signature covers these bytes, so they are never parsed and
 * printed again, which would change escapes and numbers. Source: SNAP, "minify RequestBody".
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
 * Parses a JSON text with every number as a string of its digits, so that no amount passes through a float.
 * @throws SyntaxError for a text that is not JSON in UTF-8
 */
export function parsedByDigits(json: Buffer): unknown {
  // Parsed unchanged first: with its numbers in quotes, invalid JSON may become valid.
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
