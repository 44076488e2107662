import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsString, Matches, registerDecorator, ValidateNested } from 'class-validator';
import { ID, WHEN } from '../answer-fields.js';
import { COUNTRIES, CURRENCIES } from './iso-codes.js';
import { parseUuid } from '../record-id.js';
import { parseTimestamp } from './timestamp.js';
import { contentsOf, type DtoClass, escapePointer, isObject, type MemberFault } from './validation.js';

/**
 * Decorators for the fields of bodies and queries, made of class-validator's, class-transformer's and Nest's OpenAPI decorators. Each normalises a
 * value (upper case, a number of digits …) and then checks it; rules are checked in their order, and the answer names the first broken one. A field
 * is required unless `@IsOptional()` is above it, or the class gives it a default.
 */
export interface Described {
  readonly description?: string;
  readonly example?: unknown;
}

/** A rule of ours: `code` is its name in refusals, `detail` its text for people. */
export function rule(code: string, detail: string, holds: (value: never) => boolean): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: code,
      target: target.constructor,
      propertyName: String(property),
      validator: { validate: holds as (value: unknown) => boolean, defaultMessage: () => detail },
    });
}

/** A rule for the members of a value: the refusal names each that breaks one. */
export function membersRule(faultsOf: (value: never) => MemberFault[]): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'members',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { faultsOf } },
      validator: {
        validate: (value) => faultsOf(value as never).length === 0,
        defaultMessage: (given) =>
          faultsOf(given?.value as never)
            .map(({ detail }) => detail)
            .join(' '),
      },
    });
}

export const describe = (schema: object, { description, example }: Described): PropertyDecorator =>
  ApiProperty({
    ...schema,
    required: true,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  });

/** Replaces a text by the result of `read`; other values, and unreadable texts, stay for the rules to reject. */
export const Read = (read: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (read(value) ?? value) : value));

const IsTextual = (): PropertyDecorator => IsString({ message: 'Must be a string.' });

// ---------------------------------------------------------------------------------------------------------------- text

export interface TextOptions extends Described {
  /** Unicode code points; default 1. */
  readonly min?: number;
  /** Unicode code points. */
  readonly max: number;
  /** Tab and line feed are allowed. */
  readonly multiline?: boolean;
  /** The whole value must match. */
  readonly pattern?: RegExp;
  /**
   * Pattern for the OpenAPI documents, when `pattern` has more than all programs read (JSON Schema, 6.4: no look-around, no classes of Unicode). It
   * matches every text that `pattern` matches.
   */
  readonly documentedPattern?: RegExp;
  /** The text of the refusal when it does not. */
  readonly patternDetail?: string;
  /** Only described: the handler checks the value. */
  readonly format?: 'uri';
}

interface TextRule {
  readonly code: string;
  readonly detail: string;
  readonly holds: (text: string) => boolean;
}

// A lone surrogate is no character, and neither Postgres nor UTF-8 can hold one; C0, DEL and C1 are control characters.
const NOT_ON_ONE_LINE = /[\u0000-\u001f\u007f-\u009f\p{Surrogate}]/u;
const NOT_IN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Surrogate}]/u;

/** The rules of a text. The length is checked first: a query may be as long as the headers allow. */
function textRules({ min = 1, max, multiline = false }: TextOptions): TextRule[] {
  const forbidden = multiline ? NOT_IN_TEXT : NOT_ON_ONE_LINE;
  const isFirstForbidden = (text: string, isSurrogate: boolean): boolean => {
    const found = forbidden.exec(text)?.[0];
    return found !== undefined && /\p{Surrogate}/u.test(found) === isSurrogate;
  };
  return [
    { code: 'too-long', detail: `Must have at most ${max} characters.`, holds: (text) => text.length <= 2 * max && codePoints(text) <= max },
    { code: 'control-character', detail: 'Contains a control character.', holds: (text) => !isFirstForbidden(text, false) },
    {
      code: 'lone-surrogate',
      detail: 'Contains half of a surrogate pair, which is not a character.',
      holds: (text) => !isFirstForbidden(text, true),
    },
    {
      code: 'too-short',
      detail: min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`,
      holds: (text) => codePoints(text) >= min,
    },
  ];
}

/** Length in code points; an unpaired half of a surrogate pair counts as zero or one. */
function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) count -= 1;
  }
  return count;
}

/** Text of `min` to `max` code points without control characters or lone surrogates; not trimmed. */
export function IsText(options: TextOptions): PropertyDecorator {
  const { min = 1, max, pattern, documentedPattern = pattern, patternDetail = 'Is not of the form that is accepted here.', format } = options;
  const described = { ...(documentedPattern && { pattern: documentedPattern.source }), ...(format && { format }) };
  const schema = { type: String, minLength: min, maxLength: max, ...described };
  return applyDecorators(
    describe(schema, options),
    IsTextual(),
    ...textRules(options).map(({ code, detail, holds }) => rule(code, detail, holds)),
    ...(pattern ? [Matches(pattern, { message: patternDetail })] : []),
  );
}

const KEYS_MAX = 50;
const KEY = { max: 40 };
const VALUE = { min: 0, max: 500, multiline: true };
const KEY_RULES = textRules(KEY);
const VALUE_RULES = textRules(VALUE);

function faultOfText(value: unknown, rules: readonly TextRule[], at: string): MemberFault | undefined {
  if (typeof value !== 'string') return { at, code: 'wrong-type', detail: 'Must be a string.' };
  const broken = rules.find(({ holds }) => !holds(value));
  return broken && { at, code: broken.code, detail: broken.detail };
}

function faultsOfMetadata(pairs: Readonly<Record<string, unknown>>): MemberFault[] {
  return Object.keys(pairs).flatMap((key) => {
    const at = `/${escapePointer(key)}`;
    return faultOfText(key, KEY_RULES, at) ?? faultOfText(pairs[key], VALUE_RULES, at) ?? [];
  });
}

/** At most 50 pairs of strings; keys of 1–40, values of up to 500 code points. Any key is plain data, `__proto__` too. */
export function IsMetadata(options: Described = {}): PropertyDecorator {
  const schema = {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: VALUE.max },
    maxProperties: KEYS_MAX,
    propertyNames: { minLength: 1, maxLength: KEY.max },
  };
  return applyDecorators(
    describe(schema, options),
    Transform(({ value }) => contentsOf(value)),
    rule('wrong-type', 'Must be an object of strings.', isObject),
    rule('too-many-keys', `Must have at most ${KEYS_MAX} keys.`, (pairs: object) => Object.keys(pairs).length <= KEYS_MAX),
    membersRule(faultsOfMetadata),
  );
}

// ------------------------------------------------------------------------------------------------------ closed vocabularies

/** ASCII only: `toUpperCase` would also make `ı` an I and `ß` two S. */
const upperCase = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toUpperCase() : text);

const byUpperCase = (words: readonly string[]): ReadonlyMap<string, string> => new Map(words.map((word) => [word.toUpperCase(), word]));

/** A word of `words`, accepted in any case, answered in upper case. */
export function IsWord(words: readonly string[], options: Described = {}): PropertyDecorator {
  const known = [...byUpperCase(words).keys()];
  const example = typeof options.example === 'string' ? { example: upperCase(options.example) } : {};
  return applyDecorators(
    describe({ type: String, enum: known }, { ...options, ...example }),
    Read(upperCase),
    IsTextual(),
    IsIn(known, { message: `Must be one of ${known.join(', ')}.` }),
  );
}

/** A word of `words`, accepted in any case, passed on in the spelling of `words`. */
export function IsName(words: readonly string[], options: Described = {}): PropertyDecorator {
  const known = byUpperCase(words);
  return applyDecorators(
    describe({ type: String, enum: [...words] }, options),
    Read((text) => known.get(upperCase(text))),
    IsIn(words, { message: 'Must be one of the accepted words.' }),
  );
}

/**
 * One of these characters, none of which has a meaning within the brackets of a pattern; '' among them stands for no character. The document has a
 * pattern in place of an enumeration: generators of clients name the members of an enumeration by their letters, and these have none.
 */
export function IsCharacter(characters: readonly string[], options: Described = {}): PropertyDecorator {
  const minLength = characters.includes('') ? 0 : 1;
  return applyDecorators(
    describe({ type: String, minLength, maxLength: 1, pattern: `^[${characters.join('')}]{${minLength},1}$` }, options),
    IsIn(characters, { message: 'Must be one of the accepted characters.' }),
  );
}

/** A list of at most 100 words of a vocabulary, accepted in any case, answered as in `words`, each once. */
export function IsNameList(words: readonly string[], options: Described = {}): PropertyDecorator {
  const maxItems = 100;
  const known = byUpperCase(words);
  const read = (value: unknown): unknown => {
    if (!Array.isArray(value) || value.length > maxItems) return value;
    const items = (value as unknown[]).map((item) => (typeof item === 'string' ? (known.get(upperCase(item)) ?? item) : item));
    return items.every((item) => words.includes(item as string)) ? [...new Set(items)] : items;
  };
  const detail = `Must be one of ${words.join(', ')}.`;
  return applyDecorators(
    describe({ type: String, isArray: true, enum: [...words], maxItems }, options),
    Transform(({ value }) => read(contentsOf(value))),
    rule('wrong-type', `Must be an array of at most ${maxItems} strings.`, (value: unknown) => Array.isArray(value) && value.length <= maxItems),
    membersRule((items: readonly string[]) =>
      items.flatMap((item, index) => (words.includes(item) ? [] : { at: `/${index}`, code: 'unknown-value', detail })),
    ),
  );
}

/** ISO 4217, accepted in any case, answered in upper case. */
export function IsCurrency(options: Described = {}): PropertyDecorator {
  return applyDecorators(
    describe({ type: String, minLength: 3, maxLength: 3, pattern: '^[A-Za-z]{3}$' }, { example: 'IDR', ...options }),
    Read(upperCase),
    IsTextual(),
    rule('unknown-currency', 'Must be an ISO 4217 currency code, such as IDR.', (code: string) => CURRENCIES.has(code)),
  );
}

/** ISO 3166-1 alpha-2, accepted in any case, answered in upper case. */
export function IsCountry(options: Described = {}): PropertyDecorator {
  return applyDecorators(
    describe({ type: String, minLength: 2, maxLength: 2, pattern: '^[A-Za-z]{2}$' }, { example: 'ID', ...options }),
    Read(upperCase),
    IsTextual(),
    rule('unknown-country', 'Must be an ISO 3166-1 alpha-2 country code, such as ID.', (code: string) => COUNTRIES.has(code)),
  );
}

// ----------------------------------------------------------------------------------------------------- flags, times and ids

/** In a body: `true` or `false`. */
export function IsFlag(options: Described = {}): PropertyDecorator {
  return applyDecorators(describe({ type: Boolean }, options), IsBoolean({ message: 'Must be true or false.' }));
}

/**
 * RFC 3339 with an explicit offset, normalised to `2026-01-31T08:15:30.123+00:00`; in a query, `+` may have arrived as a space. `round` applies to
 * digits beyond milliseconds: see parseTimestamp.
 */
export function IsTimestamp({ round, ...options }: Described & { readonly round?: 'up' | 'down' } = {}): PropertyDecorator {
  const detail = 'Must be an RFC 3339 date-time with an offset, such as 2026-01-31T08:15:30.123+00:00.';
  return applyDecorators(
    describe({ type: String, format: 'date-time' }, { example: WHEN, ...options }),
    Read((text) => parseTimestamp(text.replace(/ (?=\d\d:\d\d$)/, '+'), round)),
    IsTextual(),
    rule('wrong-format', detail, (text: string) => parseTimestamp(text, round) !== undefined),
  );
}

/** A UUID of any version, normalised to lower case. */
export function IsId(options: Described = {}): PropertyDecorator {
  return applyDecorators(
    describe({ type: String, format: 'uuid' }, { example: ID, ...options }),
    Read(parseUuid),
    IsTextual(),
    rule('wrong-format', 'Must be a UUID.', (text: string) => parseUuid(text) !== undefined),
  );
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** In a query: `true` or `false` in any case. */
export function IsQueryBoolean(options: Described = {}): PropertyDecorator {
  return applyDecorators(
    describe({ type: Boolean }, options),
    Read((text) => BOOLEANS.get(text.toLowerCase())),
    IsBoolean({ message: 'Must be true or false.' }),
  );
}

// ------------------------------------------------------------------------------------------------------------ structures

/** An object with its own DTO class. */
export function IsNested(dto: () => DtoClass, options: Described = {}): PropertyDecorator {
  return applyDecorators(
    // Nest's OpenAPI distinguishes a function that returns the class from a class by its name.
    describe({ type: () => dto() }, options),
    Type(dto),
    rule('wrong-type', 'Must be an object.', isObject),
    ValidateNested({ context: { dto } }),
  );
}
