import 'reflect-metadata';
import { getMetadataStorage, registerDecorator } from 'class-validator';
import type { FieldError } from '../problems.js';

/**
 * DTOs are classes with class-validator decorators. class-validator's own executor groups the metadata again for every
 * object, which costs more than the rest of a request; here each class is compiled once into a list of readers.
 * `validate(dto)` of class-validator itself still works on the same classes.
 */

export type DtoClass<T extends object = object> = new () => T;

/** Where the values came from: a body has JSON types, a query nothing but text. */
export type Source = 'body' | 'query';

/** Collects everything that is wrong, so that a client can correct it at once; at most 100 entries. */
export class Faults {
  readonly list: FieldError[] = [];

  constructor(readonly source: Source) {}

  /** `path` is a JSON pointer for a body, the parameter's name for a query. */
  add(path: string, code: string, detail: string): void {
    if (this.list.length < 100) this.list.push(this.source === 'body' ? { pointer: path, code, detail } : { parameter: path, code, detail });
  }
}

/** Reads the value of one field: answers what the DTO is to hold (upper-cased, parsed …) or adds to `faults`. */
export abstract class FieldReader {
  abstract readonly optional: boolean;
  /** null may be sent in a body: it counts as absent, or clears what an update leaves out. */
  abstract readonly nullable: boolean;
  abstract read(value: unknown, path: string, faults: Faults): unknown;

  /** The value of a field that is not there. */
  absent(path: string, faults: Faults): unknown {
    if (!this.optional) faults.add(path, 'required', 'This field is required.');
    return undefined;
  }
}

/** Registers `reader` with class-validator, whose metadata is the one list of a class's fields. */
export function registerField(target: object, property: string, reader: FieldReader): void {
  const faultsOf = (value: unknown): readonly FieldError[] => {
    const faults = new Faults('body');
    if (value === undefined) reader.absent('', faults);
    else reader.read(value, '', faults);
    return faults.list;
  };
  registerDecorator({
    name: 'field',
    target: target.constructor,
    propertyName: property,
    constraints: [reader],
    validator: {
      validate: (value: unknown) => faultsOf(value).length === 0,
      defaultMessage: (argument) =>
        faultsOf(argument?.value)
          .map(({ detail }) => detail)
          .join(' '),
    },
  });
}

interface Field {
  readonly property: string;
  readonly pointer: string;
  readonly reader: FieldReader;
}

export class DtoPlan<T extends object = object> {
  private readonly fields: readonly Field[];
  private readonly properties: ReadonlySet<string>;
  private readonly byLowerCase: ReadonlyMap<string, Field>;

  constructor(private readonly dto: DtoClass<T>) {
    this.fields = fieldsOf(dto);
    this.properties = new Set(this.fields.map(({ property }) => property));
    this.byLowerCase = new Map(this.fields.map((field) => [field.property.toLowerCase(), field]));
  }

  /** Every declared field is set, to undefined when it is absent. Unknown fields are faults, never ignored. */
  readBody(body: unknown, path: string, faults: Faults): T {
    const result = new this.dto() as Record<string, unknown>;
    if (body === undefined) {
      faults.add(path, 'required', 'The request needs a JSON body.');
      return result as T;
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      faults.add(path, 'wrong-type', path === '' ? 'The body must be a JSON object.' : 'Must be an object.');
      return result as T;
    }
    let known = 0;
    for (const { property, pointer, reader } of this.fields) {
      if (Object.hasOwn(body, property)) {
        known += 1;
        result[property] = readValue(reader, (body as Record<string, unknown>)[property], path + pointer, faults);
      } else {
        result[property] = reader.absent(path + pointer, faults);
      }
    }
    const names = Object.keys(body);
    if (names.length !== known) {
      for (const name of names) {
        if (!this.properties.has(name)) faults.add(`${path}/${escapePointer(name)}`, 'unknown-field', 'There is no such field.');
      }
    }
    return result as T;
  }

  /** Parameters are recognised in any case; one given twice, or unknown, is a fault. */
  readQuery(parameters: QueryParameters, faults: Faults): T {
    const result = new this.dto() as Record<string, unknown>;
    const given = new Set<Field>();
    for (const { name, value } of parameters.entries) {
      const field = this.byLowerCase.get(name.toLowerCase());
      if (field === undefined) {
        addUnknownParameter(name, faults);
      } else if (given.has(field)) {
        faults.add(field.property, 'given-twice', 'This parameter is given more than once.');
      } else {
        given.add(field);
        if (value === undefined) faults.add(field.property, 'malformed-escape', 'The percent-encoding of the value is broken or not UTF-8.');
        else result[field.property] = field.reader.read(value, field.property, faults);
      }
    }
    for (const field of this.fields) {
      if (!given.has(field)) result[field.property] = field.reader.absent(field.property, faults);
    }
    return result as T;
  }
}

export function addUnknownParameter(name: string, faults: Faults): void {
  faults.add(name.slice(0, 100), 'unknown-parameter', 'There is no such parameter.');
}

/** A query string as it came, order and repetition kept; see `parseQuery`. */
export class QueryParameters {
  constructor(readonly entries: readonly QueryEntry[]) {}
}

export interface QueryEntry {
  readonly name: string;
  /** undefined when it is not valid percent-encoded UTF-8. */
  readonly value: string | undefined;
}

/** null is handed on where a field may have it. */
function readValue(reader: FieldReader, value: unknown, path: string, faults: Faults): unknown {
  if (value !== null) return reader.read(value, path, faults);
  if (!reader.nullable) {
    const detail = reader.optional ? 'This field must not be null.' : 'This field is required and must not be null.';
    faults.add(path, 'required', detail);
  }
  return null;
}

function fieldsOf(dto: DtoClass): Field[] {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const fields = metadata.map(({ propertyName, name, constraints }): Field => {
    const reader: unknown = (constraints as unknown[] | undefined)?.[0];
    if (!(reader instanceof FieldReader)) {
      throw new TypeError(`${dto.name}.${propertyName}: @${name ?? 'unknown'} is none of the field decorators of platform/http/fields.ts`);
    }
    return { property: propertyName, pointer: `/${escapePointer(propertyName)}`, reader };
  });
  if (fields.length === 0) throw new TypeError(`${dto.name} declares no fields`);
  return fields;
}

/** RFC 6901; a name is cut to 100 characters, because it is the client's and is echoed. */
export function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

const plans = new WeakMap<DtoClass, DtoPlan>();

/** The compiled form of `dto`, made at the first call. @throws TypeError when it has other than our field decorators. */
export function planOf<T extends object>(dto: DtoClass<T>): DtoPlan<T> {
  let plan = plans.get(dto);
  if (plan === undefined) plans.set(dto, (plan = new DtoPlan(dto)));
  return plan as DtoPlan<T>;
}
