import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { type DtoClass, escapePointer, type Faults, FieldReader, planOf, registerField } from './dto-plan.js';
import { COUNTRIES, CURRENCIES } from './iso-codes.js';
import { parseTimestamp } from './timestamp.js';

/**
 * The field decorators of DTOs. Each says how a value is read, what it is normalised to, and how OpenAPI describes it.
 * A field is required unless `optional`; null in a body counts as absent and is handed on as null.
 */
export interface FieldOptions {
  readonly optional?: boolean;
  /** Default: as `optional`. False: the field may be absent and must not be null. */
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

function field(options: FieldOptions, reader: FieldReader, schema: ApiPropertyOptions): PropertyDecorator {
  const described = {
    ...schema,
    required: !reader.optional,
    ...(reader.nullable ? { nullable: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
  } as ApiPropertyOptions;
  return (target, property) => {
    registerField(target, String(property), reader);
    ApiProperty(described)(target, property);
  };
}

/** A reader made of one function, which answers the value or adds to the faults. */
class Reads extends FieldReader {
  readonly optional: boolean;
  readonly nullable: boolean;

  constructor(
    options: FieldOptions,
    override readonly read: (value: unknown, path: string, faults: Faults) => unknown,
    private readonly otherwise?: unknown,
  ) {
    super();
    this.optional = options.optional === true || otherwise !== undefined;
    this.nullable = options.nullable ?? this.optional;
  }

  override absent(path: string, faults: Faults): unknown {
    return this.optional ? this.otherwise : super.absent(path, faults);
  }
}

// ---------------------------------------------------------------------------------------------------------------- text

export interface TextOptions extends FieldOptions {
  /** Unicode code points; default 1. */
  readonly min?: number;
  /** Unicode code points. */
  readonly max: number;
  /** Tab and line feed are allowed. */
  readonly multiline?: boolean;
  /** The whole value must match. */
  readonly pattern?: RegExp;
  /** Said when it does not. */
  readonly patternDetail?: string;
}

// A lone surrogate is no character, and neither Postgres nor UTF-8 can hold one; C0, DEL and C1 are control characters.
const NOT_ON_ONE_LINE = /[\u0000-\u001f\u007f-\u009f\p{Surrogate}]/u;
const NOT_IN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Surrogate}]/u;

/** Length in code points of a string without lone surrogates. */
function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) count -= 1;
  }
  return count;
}

/** Adds what is wrong with `value` as text; true when nothing is. */
function checkText(value: unknown, { min = 1, max, multiline = false }: TextOptions, path: string, faults: Faults): value is string {
  if (typeof value !== 'string') {
    faults.add(path, 'wrong-type', 'Must be a string.');
    return false;
  }
  // Bounded before it is scanned: a query may be as long as the headers allow.
  const length = value.length > 2 * max ? value.length : codePoints(value);
  if (length > max) {
    faults.add(path, 'too-long', `Must have at most ${max} characters.`);
    return false;
  }
  const forbidden = (multiline ? NOT_IN_TEXT : NOT_ON_ONE_LINE).exec(value);
  if (forbidden !== null) {
    const lone = /\p{Surrogate}/u.test(forbidden[0]);
    faults.add(
      path,
      lone ? 'lone-surrogate' : 'control-character',
      lone ? 'Holds half of a surrogate pair, which is no character.' : 'Holds a control character.',
    );
    return false;
  }
  if (length < min) {
    faults.add(path, 'too-short', min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`);
    return false;
  }
  return true;
}

/** Text of `min` to `max` code points without control characters or lone surrogates; trimmed of nothing. */
export function Text(options: TextOptions): PropertyDecorator {
  const { pattern, patternDetail = 'Is not of the form that is accepted here.' } = options;
  const reader = new Reads(options, (value, path, faults) => {
    if (checkText(value, options, path, faults) && pattern?.test(value) === false) faults.add(path, 'wrong-format', patternDetail);
    return value;
  });
  return field(options, reader, {
    type: String,
    minLength: options.min ?? 1,
    maxLength: options.max,
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  });
}

const KEYS_MAX = 50;
const KEY: TextOptions = { min: 1, max: 40 };
const VALUE: TextOptions = { min: 0, max: 500, multiline: true };

/** At most 50 pairs of strings; keys of 1–40, values of up to 500 code points. Any key is plain data, `__proto__` too. */
export function Metadata(options: FieldOptions = {}): PropertyDecorator {
  const all = { optional: true, ...options };
  const reader = new Reads(all, (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.add(path, 'wrong-type', 'Must be an object of strings.');
      return value;
    }
    const keys = Object.keys(value);
    if (keys.length > KEYS_MAX) {
      faults.add(path, 'too-many-keys', `Must have at most ${KEYS_MAX} keys.`);
      return value;
    }
    for (const key of keys) {
      const member = `${path}/${escapePointer(key)}`;
      if (checkText(key, KEY, member, faults)) checkText((value as Record<string, unknown>)[key], VALUE, member, faults);
    }
    return value;
  });
  return field(all, reader, {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: VALUE.max },
    maxProperties: KEYS_MAX,
    propertyNames: { minLength: 1, maxLength: KEY.max },
  } as ApiPropertyOptions);
}

// ------------------------------------------------------------------------------------------------------ closed vocabularies

/** A word of `words`, accepted in any case, answered in upper case; so is `default`. */
export function CaseInsensitiveEnum(words: readonly string[], options: FieldOptions & { readonly default?: string } = {}): PropertyDecorator {
  const known = new Set(words.map((word) => word.toUpperCase()));
  const standard = options.default?.toUpperCase();
  const reader = new Reads(options, vocabulary(known, 'unknown-value', `Must be one of ${[...known].join(', ')}.`), standard);
  const example = typeof options.example === 'string' ? { example: upperCase(options.example) } : {};
  return field({ ...options, ...example }, reader, { type: String, enum: [...known], ...(standard === undefined ? {} : { default: standard }) });
}

/** A word of `words`, accepted in any case, handed on as it is written there. */
export function Word(words: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const known = new Map(words.map((word) => [word.toUpperCase(), word]));
  const reader = new Reads(options, (value, path, faults) => {
    const word = typeof value === 'string' ? known.get(upperCase(value)) : undefined;
    if (word === undefined) faults.add(path, 'unknown-value', 'Is none of the words that are accepted here.');
    return word;
  });
  return field(options, reader, { type: String, enum: [...words] });
}

/** ISO 4217, accepted in any case, answered in upper case. */
export function CurrencyCode(options: FieldOptions = {}): PropertyDecorator {
  const reader = new Reads(options, vocabulary(CURRENCIES, 'unknown-currency', 'Must be an ISO 4217 currency code, such as IDR.'));
  return field({ example: 'IDR', ...options }, reader, { type: String, minLength: 3, maxLength: 3, pattern: '^[A-Za-z]{3}$' });
}

/** ISO 3166-1 alpha-2, accepted in any case, answered in upper case. */
export function CountryCode(options: FieldOptions = {}): PropertyDecorator {
  const reader = new Reads(options, vocabulary(COUNTRIES, 'unknown-country', 'Must be an ISO 3166-1 alpha-2 country code, such as ID.'));
  return field({ example: 'ID', ...options }, reader, { type: String, minLength: 2, maxLength: 2, pattern: '^[A-Za-z]{2}$' });
}

function vocabulary(words: ReadonlySet<string>, code: string, detail: string) {
  return (value: unknown, path: string, faults: Faults): unknown => {
    if (typeof value !== 'string') {
      faults.add(path, 'wrong-type', 'Must be a string.');
      return value;
    }
    const word = upperCase(value);
    if (!words.has(word)) faults.add(path, code, detail);
    return word;
  };
}

/** ASCII letters only: `toUpperCase` would also make `ı` an I and `ß` two S. */
function upperCase(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text.toUpperCase() : text;
}

// ----------------------------------------------------------------------------------------------------- numbers and times

/** Money: an integer in minor units, 1 … 2^53−1. `100.0` is 100; a string never is. */
export function MinorUnits(options: FieldOptions = {}): PropertyDecorator {
  const reader = new Reads(options, (value, path, faults) => {
    if (typeof value !== 'number') faults.add(path, 'wrong-type', 'Must be a number: an integer in minor units.');
    else if (value < 1 || value > Number.MAX_SAFE_INTEGER) faults.add(path, 'out-of-range', 'Must be from 1 to 9007199254740991.');
    else if (!Number.isInteger(value)) faults.add(path, 'not-an-integer', 'Must be an integer in minor units: 10000 stands for 100.00.');
    return value;
  });
  return field({ example: 10000, ...options }, reader, { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
}

/**
 * RFC 3339 with an explicit offset, normalised to `2026-01-31T08:15:30.123+00:00`.
 * In a query, a `+` that arrived as a space is read as `+`. `round` is for digits beyond milliseconds: see parseTimestamp.
 */
export function Timestamp(options: FieldOptions & { readonly round?: 'up' | 'down' } = {}): PropertyDecorator {
  const reader = new Reads(options, (value, path, faults) => {
    if (typeof value !== 'string') {
      faults.add(path, 'wrong-type', 'Must be a string.');
      return value;
    }
    const text = faults.source === 'query' ? value.replace(/ (?=\d\d:\d\d$)/, '+') : value;
    const instant = parseTimestamp(text, options.round);
    if (instant === undefined)
      faults.add(path, 'wrong-format', 'Must be an RFC 3339 date-time with an offset, such as 2026-01-31T08:15:30.123+00:00.');
    return instant;
  });
  return field({ example: '2026-01-31T08:15:30.123+00:00', ...options }, reader, { type: String, format: 'date-time' });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `text` in lower case when it is a UUID of any version. */
export function parseUuid(text: string): string | undefined {
  return text.length === 36 && UUID.test(text) ? text.toLowerCase() : undefined;
}

/** A UUID of any version, normalised to lower case. */
export function Uuid(options: FieldOptions = {}): PropertyDecorator {
  const reader = new Reads(options, (value, path, faults) => {
    if (typeof value !== 'string') {
      faults.add(path, 'wrong-type', 'Must be a string.');
      return value;
    }
    const uuid = parseUuid(value);
    if (uuid === undefined) faults.add(path, 'wrong-format', 'Must be a UUID.');
    return uuid;
  });
  return field({ example: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', ...options }, reader, { type: String, format: 'uuid' });
}

/** An integer in decimal digits. Out of range is refused, never clamped. */
export function QueryInt(options: FieldOptions & { readonly min: number; readonly max: number; readonly default?: number }): PropertyDecorator {
  const { min, max } = options;
  const reader = new Reads(
    options,
    (value, path, faults) => {
      const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : NaN;
      if (Number.isNaN(number)) faults.add(path, 'not-an-integer', 'Must be an integer.');
      else if (number < min || number > max) faults.add(path, 'out-of-range', `Must be from ${min} to ${max}.`);
      return number;
    },
    options.default,
  );
  return field(options, reader, {
    type: 'integer',
    minimum: min,
    maximum: max,
    ...(options.default === undefined ? {} : { default: options.default }),
  });
}

/** `true` or `false` in any case. */
export function QueryBoolean(options: FieldOptions & { readonly default?: boolean } = {}): PropertyDecorator {
  const reader = new Reads(
    options,
    (value, path, faults) => {
      const word = typeof value === 'string' ? value.toLowerCase() : '';
      if (word !== 'true' && word !== 'false') faults.add(path, 'not-a-boolean', 'Must be true or false.');
      return word === 'true';
    },
    options.default,
  );
  return field(options, reader, { type: Boolean, ...(options.default === undefined ? {} : { default: options.default }) });
}

// ------------------------------------------------------------------------------------------------------------ structures

/** An object with a DTO class of its own. */
export function Nested<T extends object>(dto: () => DtoClass<T>, options: FieldOptions = {}): PropertyDecorator {
  const reader = new Reads(options, (value, path, faults) => planOf(dto()).readBody(value, path, faults));
  // Nest's OpenAPI tells a thunk from a class by the name of the function.
  return field(options, reader, { type: () => dto() });
}

/** A list of at most `maxItems` words of a vocabulary, accepted in any case, answered as in `words`, each once. */
export function WordList(words: readonly string[], options: FieldOptions & { readonly maxItems?: number } = {}): PropertyDecorator {
  const { maxItems = 100 } = options;
  const known = new Map(words.map((word) => [word.toUpperCase(), word]));
  const reader = new Reads(options, (value, path, faults) => {
    if (!Array.isArray(value) || value.length > maxItems) {
      faults.add(path, 'wrong-type', `Must be an array of at most ${maxItems} strings.`);
      return value;
    }
    const found = new Set<string>();
    (value as unknown[]).forEach((item, index) => {
      const word = typeof item === 'string' ? known.get(upperCase(item)) : undefined;
      if (word === undefined) faults.add(`${path}/${index}`, 'unknown-value', `Must be one of ${words.join(', ')}.`);
      else found.add(word);
    });
    return [...found];
  });
  return field(options, reader, { type: String, isArray: true, enum: [...words], maxItems });
}
