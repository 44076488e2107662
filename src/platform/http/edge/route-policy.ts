import 'reflect-metadata';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { METHOD_METADATA, ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Access } from '../../auth/guard.js';
import { type DtoClass, RequestPipe } from '../validation/validation.js';

/** A raw file that a route accepts instead of JSON. */
export interface Upload {
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
  /** Stored on the disk instead of in memory. */
  readonly spooled?: true;
  /** A page's form sends the file after its fields, which are the body: it is stored when the handler requests it. */
  readonly form?: true;
}

/**
 * Properties of a route that the edge needs before its handler runs. Stored in Fastify's route configuration, so that a request costs no look-up; a
 * route without one fails the start.
 */
export interface RoutePolicy {
  access?: Access;
  /** Classes of the handler's @Body() and @Query(); without a class, nothing may be sent there. */
  body?: DtoClass;
  query?: DtoClass;
  /** An HTML form may be posted here as well as JSON. */
  takesForms?: boolean;
  /** The body is a file. */
  upload?: Upload;
  /** The handler may take any time. */
  streams?: boolean;
  /** The answer does not follow from the events alone, so that there is none as of a past moment. */
  hasNoPast?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
}

const POLICY = Symbol('route policy');

/** Sets a policy for a handler, or for a controller: then for each of its handlers that does not set its own. */
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

/** Adds the pipe that reads bodies and queries to those arguments only: Nest makes four promises for each argument that a global pipe ignores. */
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

/** Accepts posts of a page without JavaScript: `application/x-www-form-urlencoded` is read as an object of strings. */
export const TakesForms = () => policy({ takesForms: true });

/** Removes the edge's deadline from a handler that streams. */
export const Streams = () => policy({ streams: true });

/** Refuses a handler, or those of a controller, as of a past moment: the answer does not follow from the events alone. */
export const NotInThePast = () => policy({ hasNoPast: true });

/** Returns the policies of every handler of the application. */
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
