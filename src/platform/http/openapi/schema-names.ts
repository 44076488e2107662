import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';

/**
 * The document identifies a class only by its name: of two classes with one name, the later would describe the answers of both.
 * @throws TypeError when two classes of requests or answers have the same name.
 */
export function requireDistinctSchemaNames(app: INestApplication): void {
  const known = new Map<string, Type>();
  const add = (type: unknown): void => {
    if (!isSchemaClass(type)) return;
    const name = nameOf(type);
    const other = known.get(name);
    if (other === type) return;
    if (other !== undefined) throw new TypeError(`two classes have the name ${name} in the OpenAPI document: rename one of them`);
    known.set(name, type);
    for (const property of propertyTypesOf(type)) add(property);
  };
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) for (const type of typesNamedBy((metatype as Type).prototype as object)) add(type);
  }
}

const metadataOf = <T>(key: string, target: object, property?: string): T | undefined =>
  (property === undefined ? Reflect.getMetadata(key, target) : Reflect.getMetadata(key, target, property)) as T | undefined;

function typesNamedBy(prototype: object): unknown[] {
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as object;
    if (typeof handler !== 'function') return [];
    const responses = metadataOf<Record<string, { readonly type?: unknown }>>(DECORATORS.API_RESPONSE, handler) ?? {};
    return [
      ...(metadataOf<unknown[]>('design:paramtypes', prototype, name) ?? []),
      ...(metadataOf<unknown[]>(DECORATORS.API_EXTRA_MODELS, handler) ?? []),
      ...Object.values(responses).map(({ type }) => elementOf(type)),
    ];
  });
}

function propertyTypesOf({ prototype }: Type): unknown[] {
  const names = metadataOf<string[]>(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype as object) ?? [];
  return names.map((name) =>
    elementOf(metadataOf<{ readonly type?: unknown }>(DECORATORS.API_MODEL_PROPERTIES, prototype as object, name.slice(1))?.type),
  );
}

/** A property's type may be an array of one or, for classes that refer to each other, a function that returns it. */
function elementOf(type: unknown): unknown {
  const given = typeof type === 'function' && type.name === 'type' ? (type as () => unknown)() : type;
  return Array.isArray(given) ? (given as unknown[])[0] : given;
}

const isSchemaClass = (type: unknown): type is Type =>
  typeof type === 'function' && type.prototype !== undefined && Reflect.hasMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, type.prototype as object);

function nameOf(type: Type): string {
  const schemas = Reflect.getOwnMetadata(DECORATORS.API_SCHEMA, type) as readonly { readonly name?: string }[] | undefined;
  return schemas?.at(-1)?.name ?? type.name;
}
