import 'reflect-metadata';
import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, ValidationTypes } from 'class-validator';
import { type FieldError, HttpProblem, type Problem } from '../../problem.js';
import { fulfilsRules, rulesOf } from './dto-rules.js';
import type { QueryParameters } from '../query.js';

export type DtoClass<T extends object = object> = new () => T;

/** Source of the values: a body has JSON types, a query only text. */
export type Source = 'body' | 'query';

interface Fault {
  /** A JSON pointer into a body; the name of a query's parameter. */
  readonly at: string;
  readonly code: string;
  readonly detail: string;
}

/** A fault of a member of a field's value; `at` is its pointer relative to the field (`/key`). */
export type MemberFault = Fault;

/** Maximum faults that a refusal names. */
const FAULTS_MAX = 100;

/** class-validator's own rules under their names in our refusals. */
const CODES: Readonly<Record<string, string>> = {
  isString: 'wrong-type',
  isInt: 'not-an-integer',
  isBoolean: 'not-a-boolean',
  isIn: 'unknown-value',
  matches: 'wrong-format',
};

/** Values of query parameters that are wrong regardless of the rules; no rule accepts a symbol. */
const MALFORMED_ESCAPE = Symbol('malformed-escape');
const GIVEN_TWICE = Symbol('given-twice');
const PARAMETER_DETAILS: ReadonlyMap<unknown, string> = new Map([
  [MALFORMED_ESCAPE, 'The percent-encoding of the value is broken or not UTF-8.'],
  [GIVEN_TWICE, 'This parameter is given more than once.'],
]);

const RULES = { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true } as const;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class BrokenRules extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super('rules are broken');
  }
}

/** Turns `@Body() dto: SomeDto` and `@Query() query: SomeQuery` into a checked, normalised instance of the class. */
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({ ...RULES, transform: true, exceptionFactory: (errors) => new BrokenRules(errors) });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    // A body or query without a class is passed on unchecked: its handler checks it.
    if ((type !== 'body' && type !== 'query') || !metatype || metatype === Object) return value as Promise<unknown>;
    return type === 'body' ? this.readBody(value, metadata, metatype) : this.readQuery(value as QueryParameters, metadata, metatype);
  }

  private readBody(body: unknown, metadata: ArgumentMetadata, dto: DtoClass): Promise<unknown> {
    if (body === undefined) throw invalid('body', [{ at: '', code: 'required', detail: 'The request needs a JSON body.' }]);
    if (!isObject(body)) throw invalid('body', [{ at: '', code: 'wrong-type', detail: 'The body must be a JSON object.' }]);
    return this.read(boundedBody(body, dto), metadata, dto, (errors) => invalid('body', faultsOfBody(errors, '')));
  }

  private readQuery(parameters: QueryParameters, metadata: ArgumentMetadata, dto: DtoClass): Promise<unknown> {
    const given = givenParameters(parameters, dto);
    return this.read(Object.fromEntries(given), metadata, dto, (errors) => invalid('query', faultsOfQuery(errors, [...given.keys()])));
  }

  /** Returns a valid value without class-validator, which is used only to describe the faults of an invalid one. */
  private async read(value: object, metadata: ArgumentMetadata, dto: DtoClass, refusal: (errors: readonly ValidationError[]) => Problem) {
    const read = plainToInstance(dto, value);
    if (fulfilsRules(read)) return read;
    try {
      return (await super.transform(value, metadata)) as unknown;
    } catch (error) {
      throw error instanceof BrokenRules ? refusal(error.errors) : error;
    }
  }
}

// ---------------------------------------------------------------------------------- the input of class-transformer

/**
 * class-transformer copies all of its input, at a cost that grows with the square of the number of names, and calls a member named `constructor`;
 * Nest drops members named `__proto__`. Both therefore receive declared fields only. An object in a field without its own class is passed as a
 * function that returns it (`contentsOf`), and an undeclared name as `/name`, without its value, for the whitelist to reject.
 */
function boundedBody(body: Readonly<Record<string, unknown>>, dto: DtoClass): object {
  const fields = fieldsOf(dto);
  const bounded: Record<string, unknown> = {};
  let unknown = 0;
  for (const name of Object.keys(body)) {
    const value = body[name];
    const field = fields.get(name.toLowerCase());
    if (field?.name !== name) {
      if (unknown < FAULTS_MAX) bounded[`/${name}`] = true;
      unknown += 1;
    } else if (typeof value !== 'object' || value === null) bounded[name] = value;
    else bounded[name] = field.nested && isObject(value) ? boundedBody(value, field.nested()) : () => value;
  }
  return bounded;
}

/** Reads an object inside of a field's value in the same way as a body, for `faultsOfObject` to check. Other values are returned unchanged. */
export function readObject(value: unknown, dto: DtoClass): unknown {
  return isObject(value) ? plainToInstance(dto, boundedBody(value, dto)) : value;
}

/** Returns the faults of a result of `readObject`, with pointers relative to the object. */
export function faultsOfObject(value: unknown): MemberFault[] {
  if (!isObject(value)) return [{ at: '', code: 'wrong-type', detail: 'Must be an object.' }];
  return faultsOfBody(validateSync(value, RULES), '');
}

/** Returns the value that `boundedBody` has hidden. */
export function contentsOf(value: unknown): unknown {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

/** Returns the parameters by the class's names, in the order of the query. Parameters are recognised in any case. */
function givenParameters({ entries }: QueryParameters, dto: DtoClass): ReadonlyMap<string, unknown> {
  const fields = fieldsOf(dto);
  const given = new Map<string, unknown>();
  for (const { name, value } of entries) {
    const field = fields.get(name.toLowerCase());
    if (field === undefined) given.set(`/${name}`, true);
    else {
      const isRepeated = given.delete(field.name);
      given.set(field.name, isRepeated ? GIVEN_TWICE : (value ?? MALFORMED_ESCAPE));
    }
  }
  return given;
}

interface Field {
  readonly name: string;
  /** The class of a field that has one. */
  readonly nested: (() => DtoClass) | undefined;
}

const known = new WeakMap<DtoClass, ReadonlyMap<string, Field>>();

/** Returns the fields that have rules, by their names in lower case. @throws TypeError when there are none, or two with one name */
function fieldsOf(dto: DtoClass): ReadonlyMap<string, Field> {
  const found = known.get(dto);
  if (found !== undefined) return found;
  const fields = new Map<string, Field>();
  for (const { propertyName, type, context } of rulesOf(dto)) {
    const field = fields.get(propertyName.toLowerCase());
    const nested = type === ValidationTypes.NESTED_VALIDATION ? (context as { dto: () => DtoClass }).dto : field?.nested;
    if (field && field.name !== propertyName) throw new TypeError(`${dto.name}: ${propertyName} and ${field.name} are one name to clients`);
    fields.set(propertyName.toLowerCase(), { name: propertyName, nested });
  }
  if (fields.size === 0) throw new TypeError(`${dto.name} declares no fields`);
  known.set(dto, fields);
  return fields;
}

/**
 * Reads the rules of a class before the first request, and adds to its OpenAPI description which fields are optional and which defaults they have.
 * @throws TypeError as fieldsOf
 */
function prepareDto(dto: DtoClass, source: Source): void {
  const defaults = new dto() as Readonly<Record<string, unknown>>;
  const conditions = rulesOf(dto).filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  for (const { name, nested } of fieldsOf(dto).values()) {
    if (nested) prepareDto(nested(), source);
    const isUnchecked = (value: unknown) =>
      conditions.some(({ propertyName, constraints }) => propertyName === name && !(constraints as [Condition])[0](defaults, value));
    const isOptional = defaults[name] !== undefined || isUnchecked(undefined);
    const described = {
      ...(Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, dto.prototype as object, name) as object),
      required: !isOptional,
      ...(source === 'body' && isUnchecked(null) && { nullable: true }),
      ...(defaults[name] !== undefined && { default: defaults[name] }),
    };
    Reflect.defineMetadata(DECORATORS.API_MODEL_PROPERTIES, described, dto.prototype as object, name);
  }
}

/** Prepares the classes of handlers' @Body() and @Query(). A handler without a class checks the value itself. */
export function prepareDtosOf(policy: { readonly body?: DtoClass; readonly query?: DtoClass }): void {
  for (const source of ['body', 'query'] as const) {
    const dto = policy[source];
    if (dto !== undefined && dto !== Object) prepareDto(dto, source);
  }
}

type Condition = (object: object, value: unknown) => boolean;

// ------------------------------------------------------------------------------------------------------------- refusals

/** Declared fields in the order of their rules, then undeclared names, in the order of the body. */
function faultsOfBody(errors: readonly ValidationError[], path: string): Fault[] {
  const isUnknown = ({ property }: ValidationError): boolean => property.startsWith('/');
  return [
    ...errors.filter((error) => !isUnknown(error)).flatMap((error) => faultsOfField(error, `${path}/${escapePointer(error.property)}`)),
    ...errors.filter(isUnknown).map(({ property }) => unknownField(path, property.slice(1))),
  ];
}

/** In the order of the query, then missing parameters. */
function faultsOfQuery(errors: readonly ValidationError[], given: readonly string[]): Fault[] {
  const order = ({ property }: ValidationError): number => (given.includes(property) ? given.indexOf(property) : given.length);
  return [...errors]
    .sort((a, b) => order(a) - order(b))
    .flatMap((error) => (error.property.startsWith('/') ? unknownParameter(error.property.slice(1)) : faultsOfField(error, error.property)));
}

function faultsOfField({ value, constraints = {}, contexts = {}, children = [] }: ValidationError, at: string): Fault[] {
  const [broken] = Object.entries(constraints);
  if (broken === undefined) return faultsOfBody(children, at);
  if (value === undefined) return [{ at, code: 'required', detail: 'This field is required.' }];
  if (value === null) return [{ at, code: 'required', detail: constraints.isDefined ?? 'This field is required and must not be null.' }];
  const unreadable = PARAMETER_DETAILS.get(value);
  if (unreadable !== undefined) return [{ at, code: (value as symbol).description!, detail: unreadable }];
  const [code, detail] = broken;
  const ofMembers = (contexts[code] as { faultsOf?: (value: unknown) => MemberFault[] } | undefined)?.faultsOf?.(value);
  return ofMembers?.map((fault) => ({ ...fault, at: at + fault.at })) ?? [{ at, code: CODES[code] ?? code, detail }];
}

export const unknownField = (path: string, name: string): Fault => ({
  at: `${path}/${escapePointer(name)}`,
  code: 'unknown-field',
  detail: 'There is no such field.',
});

export const unknownParameter = (name: string): Fault => ({
  at: name.slice(0, 100),
  code: 'unknown-parameter',
  detail: 'There is no such parameter.',
});

/** RFC 6901; a name is cut to 100 characters, because it is the client's and is echoed. */
export function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the refusal of a request with `faults`, of which it names at most a hundred. */
export function invalid(source: Source, faults: readonly Fault[]): Problem {
  const errors = faults
    .slice(0, FAULTS_MAX)
    .map(({ at, code, detail }): FieldError => ({ ...(source === 'body' ? { pointer: at } : { parameter: at }), code, detail }));
  const what = source === 'body' ? 'field' : 'query parameter';
  return new HttpProblem('validation-failed', errors.length === 1 ? `One ${what} is not valid.` : `${errors.length} ${what}s are not valid.`, {
    errors,
  });
}
