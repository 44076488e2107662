import { isUtf8 } from 'node:buffer';
import { HttpProblem } from '../../problem.js';

/** Deeper than any valid body of the interface. */
const DEPTH_MAX = 32;

/**
 * Parses one JSON document in UTF-8. JSON.parse keeps `__proto__` and `constructor` as plain own members. This function also rejects input that
 * JSON.parse would accept silently: bytes that are not UTF-8, a repeated name in an object (which `amount` is meant?), unlimited nesting. A number
 * that JSON.parse would round to an integer stays a non-integer.
 * @throws Problem malformed-json.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new HttpProblem('malformed-json', 'The body is empty; a JSON object is expected.');
  if (!isUtf8(bytes)) throw new HttpProblem('malformed-json', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  const { depth, members, fractions } = scan(text);
  if (depth > DEPTH_MAX) throw new HttpProblem('malformed-json', `The body is nested deeper than ${DEPTH_MAX} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(fractions ? withoutRounding(text) : text);
  } catch (error) {
    const at = /position \d+/.exec((error as SyntaxError).message);
    throw new HttpProblem('malformed-json', `The body is not a valid JSON document${at === null ? '' : ` (at ${at[0]})`}.`);
  }
  if (countMembers(value) !== members) throw new HttpProblem('malformed-json', 'An object in the body contains the same name twice.');
  return value;
}

/** Counts outside of strings: the deepest nesting, the number of `:` (one for each member), and whether a `.` or an exponent occurs. */
function scan(text: string): { depth: number; members: number; fractions: boolean } {
  let open = 0;
  let depth = 0;
  let members = 0;
  let fractions = false;
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case 0x22: // "
        i = endOfString(text, i);
        break;
      case 0x7b: // {
      case 0x5b: // [
        open += 1;
        if (open > depth) depth = open;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open -= 1;
        break;
      case 0x3a: // :
        members += 1;
        break;
      case 0x2e: // .
      case 0x45: // E occurs in no literal but a number; `e` also occurs in true and false
      case 0x65:
        fractions = true;
        break;
    }
  }
  return { depth, members, fractions };
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return i;
    i += unit === 0x5c ? 2 : 1;
  }
  return i;
}

/** Returns the number of members of the parsed value; a repeated name in the text is one member here. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const name of Object.keys(value)) count += 1 + countMembers((value as Record<string, unknown>)[name]);
  return count;
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(\.\d+)?([eE][+-]?\d+)?/gs;

/** 1.00000000000000001 is no integer, though JSON.parse reads it as 1: such a literal is replaced by another non-integer. */
function withoutRounding(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token, fraction?: string, exponent?: string) =>
    (fraction !== undefined || exponent !== undefined) && Number.isInteger(Number(token)) && !isIntegerLiteral(token) ? '0.5' : token,
  );
}

function isIntegerLiteral(literal: string): boolean {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const significant = fraction.replace(/0+$/, '');
  const power = Number(exponent);
  if (/^-?0*$/.test(whole) && significant === '') return true;
  // d.ddd × 10^power is an integer when no digit is left after the point.
  const trailingZeros = significant === '' ? (/0*$/.exec(whole)?.[0].length ?? 0) : -significant.length;
  return trailingZeros + power >= 0;
}
