import { z } from 'zod';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { minorUnits } from '../../platform/text/amounts.js';
import { REFERENCE_MAX } from '../../ledger/bounds.js';
import { ONE_LINE } from '../../platform/text/text.js';
import { parsedByDigits } from '../calls/exact-json.js';
import type { RailAnswer } from '../calls/rail-calls.js';

/** The parts that all answers of SNAP have in common. */
export interface SnapAnswer {
  readonly http: number;
  /** `responseCode`: HTTP status, service and case. */
  readonly code: string;
  readonly caseCode: string;
  /** Keys trimmed and in lower case, at every depth; numbers are strings of their digits. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Normalises keys: one bank capitalises them and adds a space to some. An object with two keys that are equal then is unreadable.
 * @throws SyntaxError
 */
function withPlainKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainKeys);
  if (value === null || typeof value !== 'object') return value;
  const plain = Object.entries(value).map(([key, inner]): [string, unknown] => [key.trim().toLowerCase(), withPlainKeys(inner)]);
  if (new Set(plain.map(([key]) => key)).size < plain.length) throw new SyntaxError('duplicate key');
  return Object.fromEntries(plain);
}

/** Reads a body of SNAP from any sender. undefined: not a JSON object. */
export function readFields(body: Buffer): SnapAnswer['fields'] | undefined {
  try {
    const fields = withPlainKeys(parsedByDigits(body));
    return fields !== null && typeof fields === 'object' && !Array.isArray(fields) ? (fields as SnapAnswer['fields']) : undefined;
  } catch {
    return undefined;
  }
}

const RESPONSE_CODE = /^(\d{3})(\d\d)(\d\d)$/;

/** undefined: not an answer of `service`. */
export function readSnapAnswer(service: string, { status, body }: RailAnswer): SnapAnswer | undefined {
  const fields = readFields(body);
  const code = fields?.['responsecode'];
  const match = typeof code === 'string' ? RESPONSE_CODE.exec(code.trim()) : null;
  if (!fields || match?.[1] !== String(status) || match[2] !== service) return undefined;
  return { http: status, code: match[0], caseCode: match[3]!, fields };
}

/** A text of a provider, which an event can hold; at most `max` UTF-16 units. */
export const lineUpTo = (max: number) => z.string().trim().max(max).regex(ONE_LINE);

/** Absent, null and empty are the same. */
export const optionalText = lineUpTo(REFERENCE_MAX)
  .nullish()
  .transform((text) => text || undefined);

export const text = lineUpTo(REFERENCE_MAX).min(1);

/** Minor units of whole rupiah; another currency, a fraction or an exponent is invalid. */
export const rupiah = z.object({ value: z.string().trim(), currency: z.string().trim() }).transform(({ value, currency }, context) => {
  const amount = currency === 'IDR' ? minorUnits(value) : undefined;
  if (amount !== undefined && amount % 100 === 0) return amount;
  context.addIssue('not an amount of whole rupiah');
  return z.NEVER;
});

/** Passes the fields that `schema` reads from an answer to `next`; an unreadable answer is `unknown`. */
export function readAs<Schema extends z.ZodType, T>(
  schema: Schema,
  { fields }: SnapAnswer,
  next: (read: z.output<Schema>) => ProviderResult<T>,
): ProviderResult<T> {
  const { data, success } = schema.safeParse(fields);
  return success ? next(data) : { is: 'unknown', code: 'unreadable-answer' };
}

/** Returns whether an answer is consistent with our value; an omitted value is no contradiction. */
export function agrees(named: string | undefined, ours: string): boolean {
  return named === undefined || named === ours;
}
