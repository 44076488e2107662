import { Body, Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { describe, expect, it } from '@jest/globals';
import { Public } from '../../../src/platform/http/edge/access.js';
import { KEY_DIRECTORY } from '../../../src/platform/auth/key-directory.js';
import { createHttpApp } from '../../../src/platform/http/http-app.js';
import { createLogger } from '../../../src/platform/process/logging.js';

/** A class of answers with this name, and the type of its one property. */
function answer(name: string, type: unknown = String): Type {
  const made = { [name]: class {} }[name]!;
  ApiProperty({ type: type as Type })(made.prototype, 'value');
  return made;
}

function controller(path: string, type: Type | [Type], takes: Type = Object): Type {
  class Answering {
    read(): void {}
    write(_body: unknown): void {}
  }
  const of = (name: 'read' | 'write') => Object.getOwnPropertyDescriptor(Answering.prototype, name)!;
  Get()(Answering.prototype, 'read', of('read'));
  ApiOkResponse({ type })(Answering.prototype, 'read', of('read'));
  Post()(Answering.prototype, 'write', of('write'));
  Body()(Answering.prototype, 'write', 0);
  Reflect.defineMetadata('design:paramtypes', [takes], Answering.prototype, 'write');
  Controller(path)(Answering);
  Public()(Answering);
  return Answering;
}

function started(...controllers: Type[]) {
  const providers = [{ provide: KEY_DIRECTORY, useValue: { find: () => undefined, isFresh: () => true, confirm: () => Promise.resolve(true) } }];
  class Together {}
  Module({ controllers, providers })(Together);
  return createHttpApp(Together, { publicAddress: { url: '' }, rateLimitPerSecond: 0, logger: createLogger('silent') });
}

const REFUSED = 'two classes have the name StandingDto in the OpenAPI document';

describe('names of schemas', () => {
  it('one class may share its schema name among all its uses', async () => {
    const shared = answer('SharedDto');
    const starting = started(controller('one', shared), controller('two', [answer('OtherDto', shared)], answer('InBodyDto', [shared])));
    await expect(starting.then((app) => app.close())).resolves.toBeUndefined();
  });

  it.each([
    ['two answers', [controller('one', answer('StandingDto')), controller('two', answer('StandingDto', Number))]],
    ['of the same shape', [controller('one', answer('StandingDto')), controller('two', answer('StandingDto'))]],
    ['items of a list', [controller('one', [answer('StandingDto')]), controller('two', [answer('StandingDto')])]],
    ['of a body', [controller('one', answer('StandingDto')), controller('two', answer('OtherDto'), answer('StandingDto'))]],
    [
      'deep inside',
      [controller('one', answer('StandingDto')), controller('two', answer('A', answer('B', { type: () => [answer('StandingDto')] }.type)))],
    ],
  ])('the start fails when two classes have one schema name: %s', async (_, controllers) => {
    await expect(started(...controllers)).rejects.toThrow(REFUSED);
  });
});
