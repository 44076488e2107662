import 'reflect-metadata';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { METHOD_METADATA, ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Access } from '../../auth/guard.js';
import { type DtoClass, RequestPipe } from '../validation/validation.js';

/** What a route takes in place of JSON: a file, as it is. */
export interface Upload {
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
  /** It is kept on the disk, not in memory. */
  readonly spooled?: true;
  /** A page's form sends it behind its fields, which are the body: it is kept once the handler asks for it. */
  readonly form?: true;
}

/**
 * What the edge must know of a route before its handler runs. It travels in Fastify's route configuration, so that a
 * request costs no look-up; a route without one does not start.
 */
export interface RoutePolicy {
  access?: Access;
  /** Classes of the handler's @Body() and @Query(); without one, nothing may be sent there. */
  body?: DtoClass;
  query?: DtoClass;
  /** An HTML form may be posted here as well as JSON. */
  takesForms?: boolean;
  /** The body is a file. */
  upload?: Upload;
  /** The handler may take as long as it needs. */
  streams?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
}

const POLICY = Symbol('route policy');

/** For a handler, or for a controller: then for each of its handlers that does not say so itself. */
export function policy(part: RoutePolicy): MethodDecorator & ClassDecorator {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (key === undefined) {
      const prototype = (target as { prototype: object }).prototype;
      for (const [name, method] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        if (typeof method.value === 'function' && Reflect.hasMetadata(METHOD_METADATA, method.value as object))
          merge(prototype, name, method, part, false);
      }
    } else if (descriptor !== undefined) {
      merge(target, key, descriptor, part, true);
    }
  };
}

function merge(prototype: object, key: string | symbol, descriptor: PropertyDescriptor, part: RoutePolicy, overrides: boolean): void {
  const handler = descriptor.value as object;
  const known = (Reflect.getMetadata(POLICY, handler) ?? argumentsOf(prototype, key)) as RoutePolicy;
  const merged = overrides ? { ...known, ...part } : { ...part, ...known };
  Reflect.defineMetadata(POLICY, merged, handler);
  RouteConfig({ policy: merged })(prototype, key, descriptor);
}

interface DeclaredArgument {
  readonly index: number;
  /** The name in `@Query('name')`. */
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
}

const REQUEST_PIPE = new RequestPipe();

/** Bodies and queries go through the pipe that reads them, and nothing else: Nest makes four promises for each argument that a global pipe passes by. */
function argumentsOf(prototype: object, key: string | symbol): RoutePolicy {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, key) ?? {}) as Record<string, DeclaredArgument>;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, key) ?? []) as DtoClass[];
  const found: RoutePolicy = {};
  const read = { ...declared };
  for (const [name, argument] of Object.entries(declared)) {
    const { index, data, pipes } = argument;
    const part = name.startsWith(`${RouteParamtypes.BODY}:`) ? 'body' : name.startsWith(`${RouteParamtypes.QUERY}:`) ? 'query' : undefined;
    if (part === undefined) continue;
    if (data !== undefined) throw new TypeError(`${prototype.constructor.name}.${String(key)}: take the whole ${part} as a DTO, not one field of it`);
    found[part] = types[index] ?? Object;
    read[name] = { ...argument, pipes: [REQUEST_PIPE, ...pipes] };
  }
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, read, prototype.constructor, key);
  return found;
}

/** A page without JavaScript posts here: `application/x-www-form-urlencoded` is read as an object of strings. */
export const TakesForms = () => policy({ takesForms: true });

/** This handler streams for as long as it needs: the edge sets it no deadline. */
export const Streams = () => policy({ streams: true });

/** Of every handler of the application. */
export function policiesOf(app: INestApplication): RoutePolicy[] {
  const prototypes = [...app.get(ModulesContainer).values()].flatMap(({ controllers }) =>
    [...controllers.values()].map(({ metatype }) => (metatype as Type).prototype as object),
  );
  return prototypes.flatMap((prototype) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(
      ({ value }) => (typeof value === 'function' && (Reflect.getMetadata(POLICY, value as object) as RoutePolicy | undefined)) || [],
    ),
  );
}
