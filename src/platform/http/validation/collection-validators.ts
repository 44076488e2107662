import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { describe, membersRule, rule, type Described } from './validators.js';
import { contentsOf, type DtoClass, escapePointer, faultsOfObject, isObject, prepareDtosOf, readObject, type MemberFault } from './validation.js';

/** Decorators for fields with many objects that have their own DTO class. */

/** A list of at most `max` objects. `keyOf` returns a key that must be unique in the list. */
export function IsListOf<Item extends object>(
  dto: DtoClass<Item>,
  { max, keyOf, ...options }: Described & { readonly max: number; readonly keyOf?: (item: Item) => string },
): PropertyDecorator {
  const read = (value: unknown): unknown => (Array.isArray(value) && value.length <= max ? value.map((item) => readObject(item, dto)) : value);
  const faultsOf = (items: readonly Item[]): MemberFault[] => {
    const faults = items.flatMap((item, index) => faultsOfObject(item).map((fault) => ({ ...fault, at: `/${index}${fault.at}` })));
    if (faults.length > 0 || !keyOf) return faults;
    const keys = items.map(keyOf);
    const isSecond = (key: string, index: number): boolean => keys.indexOf(key) < index;
    return keys.flatMap((key, at) => (isSecond(key, at) ? [{ at: `/${at}`, code: 'repeated', detail: 'Duplicates another entry.' }] : []));
  };
  return applyDecorators(
    describe({ type: () => dto, isArray: true, maxItems: max }, options),
    Transform(({ value }) => read(contentsOf(value))),
    rule('wrong-type', `Must be an array of at most ${max} objects.`, (value: unknown) => Array.isArray(value) && value.length <= max),
    membersRule(faultsOf),
  );
}

/** At most `max` objects by name. */
export function IsRecordOf(
  dto: DtoClass,
  { max, isName, ...options }: Described & { readonly max: number; readonly isName: (name: string) => boolean },
): PropertyDecorator {
  const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value) && Object.keys(value).length <= max;
  const read = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, readObject(value[name], dto)])) : value;
  const faultsOf = (items: Readonly<Record<string, unknown>>): MemberFault[] =>
    Object.keys(items).flatMap((name) => {
      const at = `/${escapePointer(name)}`;
      if (!isName(name)) return [{ at, code: 'wrong-format', detail: 'The name has an invalid format.' }];
      return faultsOfObject(items[name]).map((fault) => ({ ...fault, at: at + fault.at }));
    });
  const schema = { type: 'object', maxProperties: max, additionalProperties: { $ref: getSchemaPath(dto) } };
  return applyDecorators(
    (target: object) => void ApiExtraModels(dto)(target.constructor),
    describe(schema, options),
    Transform(({ value }) => read(contentsOf(value))),
    rule('wrong-type', `Must be an object of at most ${max} objects.`, isRecord),
    membersRule(faultsOf),
  );
}

/** An object of one of these classes. Another field selects the class, so the object is read and checked later. */
export function IsOneOf(dtos: readonly DtoClass[], options: Described = {}): PropertyDecorator {
  for (const body of dtos) prepareDtosOf({ body });
  return applyDecorators(
    (target: object) => void ApiExtraModels(...dtos)(target.constructor),
    describe({ oneOf: dtos.map((dto) => ({ $ref: getSchemaPath(dto) })) }, options),
    Transform(({ value }) => contentsOf(value)),
    rule('wrong-type', 'Must be an object.', isObject),
  );
}

/** A list of at most `max` different texts that all match `pattern`. */
export function IsTextList({ max, pattern, ...options }: Described & { readonly max: number; readonly pattern: RegExp }): PropertyDecorator {
  const faultsOf = (items: readonly unknown[]): MemberFault[] =>
    items.flatMap((item, index) => {
      const at = `/${index}`;
      if (typeof item !== 'string' || !pattern.test(item)) return [{ at, code: 'wrong-format', detail: 'Has an invalid format.' }];
      return items.indexOf(item) < index ? [{ at, code: 'repeated', detail: 'Duplicates another entry.' }] : [];
    });
  return applyDecorators(
    describe({ type: String, isArray: true, maxItems: max }, options),
    Transform(({ value }) => contentsOf(value)),
    rule('wrong-type', `Must be an array of at most ${max} strings.`, (value: unknown) => Array.isArray(value) && value.length <= max),
    membersRule(faultsOf),
  );
}

/** At most `max` words of a vocabulary, by names that all match `pattern`. */
export function IsWordRecord(
  words: readonly string[],
  { max, pattern, ...options }: Described & { readonly max: number; readonly pattern: RegExp },
): PropertyDecorator {
  const faultsOf = (items: Readonly<Record<string, unknown>>): MemberFault[] =>
    Object.entries(items).flatMap(([name, word]) => {
      const at = `/${escapePointer(name)}`;
      if (!pattern.test(name)) return [{ at, code: 'wrong-format', detail: 'The name has an invalid format.' }];
      return words.includes(word as string) ? [] : [{ at, code: 'unknown-value', detail: `Must be one of ${words.join(', ')}.` }];
    });
  const schema = { type: 'object', maxProperties: max, additionalProperties: { type: 'string', enum: [...words] } };
  return applyDecorators(
    describe(schema, options),
    Transform(({ value }) => contentsOf(value)),
    rule('wrong-type', `Must be an object of at most ${max} strings.`, (value: unknown) => isObject(value) && Object.keys(value).length <= max),
    membersRule(faultsOf),
  );
}
